"""What is known about a column, as data, and the sentences about it, by which nothing is decided."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class TableError(ValueError):
    """The table cannot be used; the message names the file or column and says what to do."""


class Kind(StrEnum):
    """What a column holds."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    CATEGORY = "category"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    EMPTY = "empty"


class Treatment(StrEnum):
    """What the encoder does with a column."""

    SCALED = "scaled"
    ONE_HOT = "one_hot"
    TARGET_ENCODED = "target_encoded"
    DATE_PARTS = "date_parts"
    PRESENCE = "presence"
    DROPPED = "dropped"


class Reason(StrEnum):
    """Why a column is treated as it is."""

    NUMBERS = "numbers"
    TWO_VALUES = "two_values"
    FEW_CATEGORIES = "few_categories"
    MANY_CATEGORIES = "many_categories"
    TOO_MANY_VALUES = "too_many_values"
    DATES = "dates"
    COUNTS_UP = "counts_up"
    ALL_DIFFERENT = "all_different"
    ONE_VALUE = "one_value"
    ONE_VALUE_OR_MISSING = "one_value_or_missing"
    NO_VALUE = "no_value"
    ASKED_FOR = "asked_for"


@dataclass(frozen=True)
class Column:
    """One column of a table: what it holds, what is done with it, and why.

    Attributes
    ----------
    name : str
    kind : Kind
    treatment : Treatment
    reason : Reason
    n_missing : int
        Cells that are empty, hold a word for "missing", or one of `sentinels`.
    n_unreadable : int
        Cells of a column of numbers or dates that are neither; they count as missing.
    n_distinct : int
        Different values, missing ones aside.
    sentinels : tuple of float
        Codes such as -999 that were read as missing.
    suspected : tuple of float
        Values that look like such codes but were kept as numbers.
    decimal : {".", ","}
        The decimal mark of a column of numbers.
    ambiguous : bool
        Whether numbers or dates could also be read in another way ("1,234", "03/04/2024").
    day_first : bool
        How dates such as 03/04/2024 are read.
    compact : bool
        Whether dates are written as 20240403.
    """

    name: str
    kind: Kind
    treatment: Treatment
    reason: Reason
    n_missing: int = 0
    n_unreadable: int = 0
    n_distinct: int = 0
    sentinels: tuple[float, ...] = ()
    suspected: tuple[float, ...] = ()
    decimal: str = "."
    ambiguous: bool = False
    day_first: bool = True
    compact: bool = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Model files hold the enums as texts.
        kinds = {"kind": Kind, "treatment": Treatment, "reason": Reason}
        self.__dict__.update(
            {name: kinds[name](value) if name in kinds else value for name, value in state.items()}
        )

    @property
    def used(self) -> bool:
        """Whether the encoder makes anything of it."""
        return self.treatment is not Treatment.DROPPED


@dataclass(frozen=True)
class Note:
    """Something worth knowing about a table or about what was done with it.

    Attributes
    ----------
    sentence : str
        ``str(note)`` gives it.
    warning : bool
        Whether a reader should see it before the results.
    """

    sentence: str
    warning: bool = False

    def __str__(self) -> str:
        return self.sentence


_DROPPED = {
    Reason.TOO_MANY_VALUES: "text with {n_distinct} different values: dropped",
    Reason.COUNTS_UP: "identifier (a different whole number in each row): dropped",
    Reason.ALL_DIFFERENT: "identifier (a different value in each row): dropped",
    Reason.ONE_VALUE: "constant: dropped",
    Reason.ONE_VALUE_OR_MISSING: "constant: dropped",
    Reason.NO_VALUE: "empty: dropped",
    Reason.ASKED_FOR: "dropped, as asked",
}


def describe(column: Column) -> str:
    """The sentence about a column.

    Parameters
    ----------
    column : Column
        As in ``Table.columns``.

    Returns
    -------
    str

    Examples
    --------
    >>> from weaklearn.tables import describe, read_table
    >>> table = read_table({"price": ["3,5", "4,25", "?"], "shop": ["a", "a", "a"]})
    >>> [describe(column) for column in table.columns]
    ['number (decimal comma), scaled; 1 missing: median and an indicator column', 'constant: dropped']
    """
    if column.treatment is Treatment.DROPPED:
        return _DROPPED[column.reason].format(n_distinct=column.n_distinct)
    parts = [_treated(column)]
    if column.sentinels:
        parts.append(f"{_listed(column.sentinels)} read as missing")
    if column.suspected:
        parts.append(f"{_listed(column.suspected)} may stand for missing, kept as a number")
    if column.n_unreadable:
        what = "dates" if column.kind is Kind.DATE else "numbers"
        one = column.n_unreadable == 1
        many = "value is not a" if one else "values are not"
        counts = "counts" if one else "count"
        parts.append(f"{column.n_unreadable} {many} {what[: -1 if one else None]} and {counts} as missing")
    missing = column.n_missing + column.n_unreadable
    if missing and column.treatment is Treatment.ONE_HOT:
        parts.append(f"{missing} missing: a category of their own")
    elif missing and column.treatment is not Treatment.PRESENCE:
        filled = "mean target" if column.treatment is Treatment.TARGET_ENCODED else "median"
        parts.append(f"{missing} missing: {filled} and an indicator column")
    return "; ".join(parts)


def _treated(column: Column) -> str:
    if column.treatment is Treatment.ONE_HOT:
        return f"{column.n_distinct} categories, one column each"
    if column.treatment is Treatment.TARGET_ENCODED:
        return f"{column.n_distinct} categories, replaced by the class frequencies of other rows"
    if column.treatment is Treatment.PRESENCE:
        return f"constant or missing ({column.n_missing} missing): a column that says which"
    if column.treatment is Treatment.DATE_PARTS:
        order = "day first" if column.day_first else "month first"
        return "date, as a number and a season" + (f" (read {order})" if column.ambiguous else "")
    if column.kind is Kind.BOOLEAN:
        return "yes or no, as 0 and 1, scaled"
    if column.decimal == ",":
        how = " (decimal comma)"
    elif column.ambiguous:
        how = " (commas read as thousands separators)"
    else:
        how = ""
    return f"number{how}, scaled"


def _listed(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def described(columns: Iterable[Column]) -> dict[str, str]:
    """The sentence about each column, by its name."""
    return {column.name: describe(column) for column in columns}
