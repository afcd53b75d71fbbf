"""Experiments as data: what is run, on what, how often, and what was published.

Nothing here computes. An `Experiment` names its tables and figures; they name rows, columns and a protocol (see
`_parts`); a `Profile` says how many trials. Two tables that ask for the same trial share it.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from weaklearn.lab._parts import Column, Protocol, Row, as_row, check_path
from weaklearn.lab._published import PublishedCell


def _rows(parts: tuple[Any, ...]) -> tuple[Row, ...]:
    return tuple(as_row(part) for part in parts)


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
    rows : tuple of Row or DataSource
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
        (row, column) to why that cell may differ, with the evidence; "*" stands for all rows or all columns. A note
        never changes a verdict; tables are judged with and without the cells that have one, ("*", "*") apart.
    draw_error : mapping
        (row, column) to the deviation of the compared quantity from one draw of an artificial set to another. The
        published set was one draw and ours is another: the standard error of the difference contains both.
    published : tuple of PublishedCell, optional
        Cells to compare with, where they are not those of the package's file for `source`: there a table whose number
        is "KIND: NAME" has the cells of KIND with its rows and columns.
    trial_runs : int
        How many published runs one trial stands for: 50 if a trial is a study of 50 runs and records a bias and a
        variance over them, as a published cell of 50 runs has it.
    kind : {"table", "stated"}
        "stated": numbers that the text states, one by one; they are not judged together as a table.
    """

    source: str
    number: str
    title: str
    metric: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    protocol: Protocol
    scale: float = 1.0
    unit: str = "percent"
    reference_column: str | None = None
    tolerance: float | None = None
    tolerance_reason: str = ""
    deterministic: bool | tuple[tuple[str, str], ...] = False
    notes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    draw_error: Mapping[tuple[str, str], float] = field(default_factory=dict)
    published: tuple[PublishedCell, ...] | None = None
    trial_runs: int = 1
    kind: Literal["table", "stated"] = "table"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", _rows(self.rows))
        object.__setattr__(self, "columns", _columns(self.columns))
        rows, columns = [row.label for row in self.rows], [column.name for column in self.columns]
        _check_distinct(rows, f"rows of {self.item}")
        _check_distinct(columns, f"columns of {self.item}")
        if self.reference_column is not None and self.reference_column not in columns:
            raise ValueError(
                f"{self.item}: reference_column {self.reference_column!r} is not one of its columns"
            )
        deterministic = () if isinstance(self.deterministic, bool) else self.deterministic
        for what, places in (("the note on", self.notes), ("deterministic:", deterministic)):
            for place in places:
                if not _has_place(self, place):
                    raise ValueError(f"{self.item}: {what} {place} refers to an unknown cell")
        for row, column in self.draw_error:
            if row not in rows or column not in columns:
                raise ValueError(f"{self.item}: draw_error names {(row, column)}, no cell of the table")
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

    def explains(self, row: str, column: str) -> bool:
        """Whether there is a note on the cell, its row or its column, not only on the whole table."""
        return any(key in self.notes and key != ("*", "*") for key in _places(row, column))

    def is_deterministic(self, row: str, column: str) -> bool:
        """Whether every trial of the cell gives the same number."""
        if isinstance(self.deterministic, bool):
            return self.deterministic
        return any(place in self.deterministic for place in _places(row, column))


@dataclass(frozen=True)
class Figure:
    """A published figure, redrawn from our trials, or an illustration that needs none.

    Parameters
    ----------
    source, number, title : str
    rows : tuple of Row or DataSource
        No rows, columns and protocol: an illustration, drawn without trials.
    columns : tuple of Column or Algorithm
    protocol : Protocol, optional
    draw : str
        ``"module:function"``, called with the figure and its `FigureData`; it returns a
        matplotlib figure.
    options : mapping
        For the drawing function.
    """

    source: str
    number: str
    title: str
    rows: tuple[Any, ...] = ()
    columns: tuple[Any, ...] = ()
    protocol: Protocol | None = None
    draw: str = "weaklearn.lab.drawings:error_curves"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", _rows(self.rows))
        object.__setattr__(self, "columns", _columns(self.columns))
        check_path(self.draw, f"draw of {self.item}")
        _check_distinct([row.label for row in self.rows], f"rows of {self.item}")
        _check_distinct([column.name for column in self.columns], f"columns of {self.item}")
        if len({bool(self.rows), bool(self.columns), self.protocol is not None}) > 1:
            raise ValueError(f"{self.item} has some of rows, columns and protocol: give all, or none")

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the protocol; none if it is an illustration."""
        return {} if self.protocol is None else self.protocol.params

    @property
    def needs_trials(self) -> bool:
        """Whether the figure shows results of trials; if not, it is an illustration."""
        return self.protocol is not None

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
        Run only these (names that an item does not have are ignored, here and in `cells`).
    items : mapping
        Profiles for single tables and figures, by name: ``{"table 4": Profile(n_trials=5)}``.
    cells : mapping
        (row, column) to the trials of cells that cost more than others, 0 to leave them out; "*" stands for all rows
        or all columns, and the most specific entry counts.
    """

    n_trials: int
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    items: "Mapping[str, Profile]" = field(default_factory=dict)
    cells: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for n_trials in (self.n_trials, *self.cells.values()):
            if n_trials < 0:
                raise ValueError(f"n_trials must not be negative, got {n_trials}")

    def of(self, item: Table | Figure) -> "Profile":
        """The profile of one table or figure."""
        return self.items.get(item.item, self)

    def narrowed(self, n_trials: int | None, rows: tuple[str, ...] | None) -> "Profile":
        """This profile, or that of an item, with other trials per cell or other rows."""
        return Profile(
            self.n_trials if n_trials is None else n_trials,
            self.rows if rows is None else rows,
            self.columns,
            cells=self.cells if n_trials is None else {},
        )

    def trials_of(self, row: str, column: str) -> int:
        """How many trials the cell is to have; 0 if it is not run."""
        wanted_row = self.rows is None or row in self.rows
        wanted_column = self.columns is None or column in self.columns
        if not (self.n_trials and wanted_row and wanted_column):
            return 0
        return next(
            (self.cells[place] for place in _places(row, column) if place in self.cells), self.n_trials
        )

    def includes(self, row: str, column: str) -> bool:
        """Whether the cell is run."""
        return self.trials_of(row, column) > 0


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
            for part in self.parts:
                _check_cells(part, profile.items.get(part.item), f"profile {name!r} of {self.name!r}")

    @property
    def parts(self) -> tuple[Table | Figure, ...]:
        """The tables, then the figures."""
        return (*self.tables, *self.figures)

    @property
    def documents(self) -> set[str]:
        """The documents that it has something of."""
        return {self.source, *(part.source for part in self.parts)}

    @property
    def cells(self) -> Iterator[tuple[Table | Figure, Row, Column]]:
        """All cells, those of tables and of figures."""
        for part in self.parts:
            for row in part.rows:
                for column in part.columns:
                    yield part, row, column

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
                cells = {place: own.cells[place] for place in own.cells if _has_place(part, place)}
                own = dataclasses.replace(own, cells=cells)
                chosen[part.item] = own.narrowed(None if left_out else n_trials, rows)
            return dataclasses.replace(profile, items=chosen)

        return dataclasses.replace(
            self,
            tables=tuple(part for part in kept if isinstance(part, Table)),
            figures=tuple(part for part in kept if isinstance(part, Figure)),
            profiles={name: narrowed(profile) for name, profile in self.profiles.items()},
        )


def _places(row: str, column: str) -> list[tuple[str, str]]:
    """A cell and the patterns that it belongs to."""
    return [(row, column), (row, "*"), ("*", column), ("*", "*")]


def _check_cells(part: Table | Figure, profile: Profile | None, where: str) -> None:
    """Refuse a number of trials for a cell that the item does not have."""
    for place in () if profile is None else profile.cells:
        if not _has_place(part, place):
            raise ValueError(f"{where}: cells names {place}, no cell of {part.item}")


def _has_place(part: Table | Figure, place: tuple[str, str]) -> bool:
    row, column = place
    return (row == "*" or row in {row.label for row in part.rows}) and (
        column == "*" or column in {column.name for column in part.columns}
    )


def _check_distinct(names: list[str], what: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} must have distinct names, found twice: {', '.join(twice)}")
