"""What a cell is made of, as data: rows (data and settings), columns (algorithms) and a protocol.

Every part describes itself as plain JSON, which is what the key of a trial is made of. Display names
(`Algorithm.name`, `Row.label`) are not part of it: renaming a row or a column never runs anything again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from weaklearn.lab._build import declare
from weaklearn.lab._canonical import plain


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
    id : str
        What identifies the builder in keys and seeds; its path by default. State the old path when the code moves,
        and results stay valid.
    """

    name: str
    builder: str
    params: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    id: str = ""

    def __post_init__(self) -> None:
        check_path(self.builder, f"the builder of algorithm {self.name!r}")
        plain(self.params, f"params of algorithm {self.name!r}")
        declare(self.id or self.builder, self.builder)

    def describe(self) -> dict[str, Any]:
        """What identifies the algorithm: everything but its name."""
        return {
            "builder": self.id or self.builder,
            "params": plain(self.params),
            "version": self.version,
        }


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
    split : Split, optional
        How each trial splits it, where it does.
    kind : {"real", "artificial"}
        Levels on artificial data depend on the one draw, so their comparison may be with a
        reference column (see `Table`).
    params : mapping
        Arguments of the generator.
    id : str
        What identifies the data in keys and seeds; the name by default. State the old ``"module:function"`` when a
        generator moves, and results stay valid.
    """

    name: str
    split: Split | None = None
    kind: Literal["real", "artificial"] = "real"
    params: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("real", "artificial"):
            raise ValueError(f"kind must be 'real' or 'artificial', got {self.kind!r}")
        if self.kind == "real" and self.params:
            raise ValueError(f"real data set {self.name!r} takes no params")
        if ":" in self.name and self.kind == "real":
            raise ValueError(f"{self.name!r} is a generator: give it kind='artificial'")
        plain(self.params, f"params of data source {self.name!r}")
        declare(self.id or self.name, self.name)

    def describe(self) -> dict[str, Any]:
        """What identifies the examples and their split."""
        return {
            "kind": self.kind,
            "name": self.id or self.name,
            "params": plain(self.params),
            "split": None if self.split is None else self.split.describe(),
        }


@dataclass(frozen=True)
class Row:
    """A row of a table: a label, data, and a setting.

    Parameters
    ----------
    label : str
        The row's name in the table.
    data : DataSource, optional
        None if the protocol draws its own examples or needs none.
    setting : mapping
        JSON values for the protocol, which finds them in ``trial.setting``. They are part of the trial's key and of
        the algorithm's seed, but not of the data's: all settings see the same splits.
    suffix : str
        Appended to the names of the columns' metrics, where one trial gives several rows. Not part of the key.
    """

    label: str
    data: DataSource | None = None
    setting: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ""

    def __post_init__(self) -> None:
        plain(self.setting, f"setting of row {self.label!r}")

    @property
    def name(self) -> str:
        """The name of the data set; empty if there is none."""
        return self.data.name if self.data is not None else ""

    @property
    def kind(self) -> str | None:
        """The kind of the data: "real", "artificial" or None."""
        return self.data.kind if self.data is not None else None

    def describe(self) -> dict[str, Any] | None:
        """What identifies the data and the setting; None if there are neither."""
        setting = plain(self.setting)
        if self.data is None:
            return {"setting": setting} if setting else None
        return {**self.data.describe(), "setting": setting} if setting else self.data.describe()


def as_row(part: Row | DataSource) -> Row:
    """The row itself, or data as the row of its name."""
    return part if isinstance(part, Row) else Row(part.name, part)


@dataclass(frozen=True)
class Protocol:
    """What each trial does, and its parameters.

    Parameters
    ----------
    name : str
        ``"module:function"`` of a protocol (see `protocol`); a bare NAME is one of the lab's own
        (`weaklearn.lab.protocols`).
    params : mapping
        Keyword arguments of the function: JSON values.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        plain(self.params, f"params of protocol {self.name!r}")
        check_path(self.path, f"the protocol {self.name!r}")

    @property
    def path(self) -> str:
        """Where the function lives, as ``"module:function"``."""
        return self.name if ":" in self.name else f"weaklearn.lab.protocols:{self.name}"


@dataclass(frozen=True)
class Column:
    """A column of a table: an algorithm, if the protocol needs one, and a metric if it is not the table's."""

    name: str
    algorithm: Algorithm | None = None
    metric: str | None = None


def check_path(path: str, what: str) -> None:
    """Raise unless `path` is of the form ``"module:name"`` and a worker can import it."""
    module, colon, name = path.partition(":")
    if not (module and colon and name):
        raise ValueError(f"{what} must be of the form 'module:name', got {path!r}")
    if module == "__main__":
        # Every script is called that: the trials of different scripts would share keys.
        raise ValueError(
            f"{what} is defined in a script: put it into a module or a file that is loaded by name"
        )
