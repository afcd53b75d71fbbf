"""Experiments as data: what is run, on what, how often, and what was published.

Nothing here computes. An `Experiment` names its tables and figures; they name data sources,
algorithms and a protocol; a `Profile` says how many trials. Every part describes itself as
plain JSON, which is what the key of a trial is made of, so two tables that ask for the same
trial share it. Display names (`Algorithm.name`, `DataSource.label`) are not part of it:
renaming a column never runs anything again.
"""

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from weaklearn.lab._canonical import plain
from weaklearn.lab._published import PublishedCell

__all__ = [
    "Algorithm",
    "Column",
    "DataSource",
    "Experiment",
    "Figure",
    "Profile",
    "Protocol",
    "Split",
    "Table",
]


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Algorithm:
    """An estimator as data.

    Parameters
    ----------
    name : str
        The name in tables and legends.
    builder : str
        ``"module:name"`` of a class or function that returns a scikit-learn style estimator.
    params : mapping
        Keyword arguments for the builder: JSON values, or an `Algorithm` for a nested estimator.
    version : int
        Raise it when the algorithm changes on purpose, so that old results are not reused.
    """

    name: str
    builder: str
    params: Mapping[str, Any] = field(default_factory=_nothing)
    version: int = 1

    def __post_init__(self) -> None:
        _check_path(self.builder, f"the builder of algorithm {self.name!r}")
        plain(self.params, f"params of algorithm {self.name!r}")

    def describe(self) -> dict[str, Any]:
        """What identifies the algorithm: everything but its name."""
        return {"builder": self.builder, "params": plain(self.params), "version": self.version}


@dataclass(frozen=True)
class Split:
    """How a data set is shuffled and cut in each trial.

    Parameters
    ----------
    test_share : float, optional
        The share of examples held out; the number of training examples is rounded.
    train_size : int, optional
        A fixed number of training examples, the rest being held out.
    features : {"raw", "minmax"}
        "minmax" shifts and scales every feature so that it spans [-1, 1] on the training part.
    """

    test_share: float | None = None
    train_size: int | None = None
    features: Literal["raw", "minmax"] = "raw"

    def __post_init__(self) -> None:
        if (self.test_share is None) == (self.train_size is None):
            raise ValueError("a Split takes either test_share or train_size")
        if self.test_share is not None and not 0 < self.test_share < 1:
            raise ValueError(f"test_share must lie between 0 and 1, got {self.test_share}")
        if self.train_size is not None and self.train_size < 1:
            raise ValueError(f"train_size must be at least 1, got {self.train_size}")
        if self.features not in ("raw", "minmax"):
            raise ValueError(f"features must be 'raw' or 'minmax', got {self.features!r}")

    def describe(self) -> dict[str, Any]:
        """Plain data."""
        return {"test_share": self.test_share, "train_size": self.train_size, "features": self.features}


@dataclass(frozen=True)
class DataSource:
    """A data set and how it is split.

    Parameters
    ----------
    name : str
        For real data the name in `weaklearn.datasets.load`. For artificial data NAME of
        `weaklearn.datasets.make_NAME`, or ``"module:function"``; it is called once with
        `params` and a fixed `random_state`, and the set it makes is split anew in each trial.
    split : Split
        How each trial splits it.
    kind : {"real", "artificial"}
        Levels on artificial data depend on the one draw, so their comparison may be with a
        reference column (see `Table`).
    params : mapping
        Arguments of the generator.
    label : str, optional
        The row's name in the published table, if it is not `name`.
    """

    name: str
    split: Split
    kind: Literal["real", "artificial"] = "real"
    params: Mapping[str, Any] = field(default_factory=_nothing)
    label: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("real", "artificial"):
            raise ValueError(f"kind must be 'real' or 'artificial', got {self.kind!r}")
        if self.kind == "real" and self.params:
            raise ValueError(f"real data set {self.name!r} takes no params")
        if ":" in self.name and self.kind == "real":
            raise ValueError(f"{self.name!r} is a generator: give it kind='artificial'")
        plain(self.params, f"params of data source {self.name!r}")
        if not self.label:
            object.__setattr__(self, "label", self.name)

    def describe_set(self) -> dict[str, Any]:
        """What identifies the examples, before any split."""
        return {"kind": self.kind, "name": self.name, "params": plain(self.params)}

    def describe(self) -> dict[str, Any]:
        """What identifies the examples and their split."""
        return {**self.describe_set(), "split": self.split.describe()}


@dataclass(frozen=True)
class Protocol:
    """The name of a registered protocol (see `protocol_names`) and its parameters."""

    name: str
    params: Mapping[str, Any] = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        plain(self.params, f"params of protocol {self.name!r}")


@dataclass(frozen=True)
class Column:
    """A column of a table: an algorithm and, where it is not the table's, a metric."""

    name: str
    algorithm: Algorithm
    metric: str | None = None


def _columns(parts: tuple[Any, ...]) -> tuple[Column, ...]:
    return tuple(part if isinstance(part, Column) else Column(part.name, part) for part in parts)


@dataclass(frozen=True)
class Table:
    """A published table and the trials that reproduce it.

    Parameters
    ----------
    source, number, title : str
        The document (a file of published cells), the table's number there, and a title of ours.
    metric : str
        The name of the protocol's result that the cells average.
    rows : tuple of DataSource
    columns : tuple of Column or Algorithm
    protocol : Protocol
    scale : float
        Our metric times `scale` is in the published unit.
    unit : str
        The published unit of the table's own metric.
    reference_column : str, optional
        On artificial rows, compare each cell's difference from this column, not its level: the
        published set was one draw of the generator and ours is another.
    tolerance : float, optional
        The smallest difference (in units of the table) that the document treats as meaningful; on a table with a
        reference column, that of the differences from it. By default three published standard errors.
    tolerance_reason : str
        Why that is the tolerance.
    deterministic : bool or tuple of (str, str)
        Whether every trial of a cell gives the same number, so that one is enough and there is no standard error: for
        the whole table, or for these cells, (row, column) with "*" for all rows or all columns.
    notes : mapping
        (row, column) to what is known about that cell, with the evidence; "*" stands for all
        rows or all columns. A note never changes a verdict.
    published : tuple of PublishedCell, optional
        Cells to compare with, where they are not those of the package's file for `source`.
    """

    source: str
    number: str
    title: str
    metric: str
    rows: tuple[DataSource, ...]
    columns: tuple[Any, ...]
    protocol: Protocol
    scale: float = 1.0
    unit: str = "percent"
    reference_column: str | None = None
    tolerance: float | None = None
    tolerance_reason: str = ""
    deterministic: bool | tuple[tuple[str, str], ...] = False
    notes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    published: tuple[PublishedCell, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _columns(self.columns))
        rows, columns = _names(self.rows), _names(self.columns)
        _check_distinct(rows, f"rows of {self.item}")
        _check_distinct(columns, f"columns of {self.item}")
        if self.reference_column is not None and self.reference_column not in columns:
            raise ValueError(f"{self.item}: reference_column {self.reference_column!r} is no column")
        for row, column in self.notes:
            if row not in (*rows, "*") or column not in (*columns, "*"):
                raise ValueError(f"{self.item}: the note on {(row, column)} is on no cell of the table")
        if not isinstance(self.deterministic, bool):
            for row, column in self.deterministic:
                if row not in (*rows, "*") or column not in (*columns, "*"):
                    raise ValueError(
                        f"{self.item}: deterministic names {(row, column)}, no cell of the table"
                    )
        if self.tolerance is not None and not self.tolerance >= 0:
            raise ValueError(f"{self.item}: tolerance must not be negative, got {self.tolerance}")

    @property
    def item(self) -> str:
        """The name that profiles use: "table 2"."""
        return f"table {self.number}"

    def metric_of(self, column: Column) -> str:
        """The result that `column` averages."""
        return column.metric or self.metric

    def note_on(self, row: str, column: str) -> str:
        """All notes on a cell."""
        return " ".join(self.notes[key] for key in _places(row, column) if key in self.notes)

    def is_deterministic(self, row: str, column: str) -> bool:
        """Whether every trial of the cell gives the same number."""
        if isinstance(self.deterministic, bool):
            return self.deterministic
        return any(place in self.deterministic for place in _places(row, column))


@dataclass(frozen=True)
class Figure:
    """A published figure, redrawn from our trials.

    Parameters
    ----------
    source, number, title : str
    rows : tuple of DataSource
    columns : tuple of Column or Algorithm
    protocol : Protocol
    draw : str
        ``"module:function"``, called with the figure and its `FigureData`; it returns a
        matplotlib figure.
    options : mapping
        For the drawing function.
    """

    source: str
    number: str
    title: str
    rows: tuple[DataSource, ...]
    columns: tuple[Any, ...]
    protocol: Protocol
    draw: str = "weaklearn.lab.curves:error_curves"
    options: Mapping[str, Any] = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _columns(self.columns))
        _check_path(self.draw, f"draw of {self.item}")
        _check_distinct(_names(self.rows), f"rows of {self.item}")
        _check_distinct(_names(self.columns), f"columns of {self.item}")

    @property
    def item(self) -> str:
        """The name that profiles use: "figure 1"."""
        return f"figure {self.number}"


@dataclass(frozen=True)
class Profile:
    """How much of an experiment is run.

    Parameters
    ----------
    n_trials : int
        Trials per cell; 0 leaves the item out.
    rows, columns : tuple of str, optional
        Run only these (names that an item does not have are ignored).
    items : mapping
        Profiles for single tables and figures, by name: ``{"table 4": Profile(n_trials=5)}``.
    """

    n_trials: int
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    items: "Mapping[str, Profile]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.n_trials < 0:
            raise ValueError(f"n_trials must not be negative, got {self.n_trials}")

    def of(self, item: Table | Figure) -> "Profile":
        """The profile of one table or figure."""
        return self.items.get(item.item, self)

    def narrowed(self, n_trials: int | None, rows: tuple[str, ...] | None) -> "Profile":
        """This profile, or that of an item, with other trials per cell or other rows."""
        return Profile(
            self.n_trials if n_trials is None else n_trials, self.rows if rows is None else rows, self.columns
        )

    def includes(self, row: str, column: str) -> bool:
        """Whether the cell is run."""
        wanted_row = self.rows is None or row in self.rows
        wanted_column = self.columns is None or column in self.columns
        return self.n_trials > 0 and wanted_row and wanted_column


@dataclass(frozen=True)
class Experiment:
    """A group of tables and figures of one document that belong together."""

    name: str
    source: str
    title: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    profiles: Mapping[str, Profile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [part.item for part in self.parts]
        _check_distinct(names, f"tables and figures of {self.name}")
        if not self.profiles:
            raise ValueError(f"experiment {self.name!r} has no profiles")
        for name, profile in self.profiles.items():
            for item in profile.items:
                if item not in names:
                    raise ValueError(f"profile {name!r} of {self.name!r} names {item!r}; known: {names}")

    @property
    def parts(self) -> tuple[Table | Figure, ...]:
        """The tables, then the figures."""
        return (*self.tables, *self.figures)

    def narrowed(
        self,
        items: Collection[str] = (),
        rows: tuple[str, ...] | None = None,
        n_trials: int | None = None,
    ) -> "Experiment":
        """The same experiment with fewer tables and figures, or with another amount of work.

        Parameters
        ----------
        items : collection of str
            Keep these ("table 2"); all if empty. With `n_trials` they are run even where a profile leaves them out.
        rows : tuple of str, optional
            Run these rows, and no others, in every profile.
        n_trials : int, optional
            Trials per cell in every profile.

        Returns
        -------
        Experiment
        """
        kept = [part for part in self.parts if not items or part.item in items]

        def narrowed(profile: Profile) -> Profile:
            chosen = {}
            for part in kept:
                own = profile.of(part)
                left_out = own.n_trials == 0 and not items
                chosen[part.item] = own.narrowed(None if left_out else n_trials, rows)
            return dataclasses.replace(profile, items=chosen)

        return dataclasses.replace(
            self,
            tables=tuple(part for part in kept if isinstance(part, Table)),
            figures=tuple(part for part in kept if isinstance(part, Figure)),
            profiles={name: narrowed(profile) for name, profile in self.profiles.items()},
        )


def _names(parts: tuple[Any, ...]) -> list[str]:
    return [part.label if isinstance(part, DataSource) else part.name for part in parts]


def _places(row: str, column: str) -> list[tuple[str, str]]:
    """A cell and the patterns that it belongs to."""
    return [(row, column), (row, "*"), ("*", column), ("*", "*")]


def _check_distinct(names: list[str], what: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} must have distinct names, found twice: {', '.join(twice)}")


def _check_path(path: str, what: str) -> None:
    module, colon, name = path.partition(":")
    if not (module and colon and name):
        raise ValueError(f"{what} must read 'module:name', got {path!r}")
