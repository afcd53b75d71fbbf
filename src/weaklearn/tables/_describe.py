"""The sentences that people read about columns and tables. Nothing is decided by them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from weaklearn.tables._column import Column, Kind, Reason, Treatment

__all__ = ["Note", "NoteCode", "describe"]


class NoteCode(StrEnum):
    """What a note is about."""

    ROWS_WITHOUT_LABEL = "rows_without_label"
    LABELS_MERGED = "labels_merged"
    LABELS_DIFFER_IN_CASE = "labels_differ_in_case"
    SINGLE_ROW_CLASSES = "single_row_classes"
    INTERRUPTED = "interrupted"
    DEMO = "demo"
    METHOD = "method"
    FEWER_FOLDS = "fewer_folds"


@dataclass(frozen=True)
class Note:
    """Something worth knowing about a table or about what was done with it.

    Attributes
    ----------
    code : NoteCode
    sentence : str
        For people; ``str(note)`` gives it.
    values : mapping
        The numbers and names in the sentence.
    warning : bool
        Whether a reader should see it before the results.
    """

    code: NoteCode
    sentence: str
    values: Mapping[str, Any] = field(default_factory=dict)
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
        parts.append(f"{column.n_unreadable} values are not {what} and count as missing")
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
