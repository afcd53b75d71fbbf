"""The cells of one column: their text as it was given, and what can be read from all of them at once."""

import numbers
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from weaklearn.tables._column import TableError
from weaklearn.tables._parse import days_since, is_code

# Lower case; a cell that is one of these, spaces aside, is missing.
_MISSING = frozenset([
    "", "na", "n/a", "#n/a", "#na", "nan", "-nan", "<na>", "nat", "null", "none", "nil", "?", "??", "-", "--", ".",
    "missing", "(missing)", "not available", "#value!", "#ref!", "#div/0!",
])  # fmt: skip

# Integers from here on are kept as texts: they are identifiers more often than not, and float64 rounds longer ones.
_LONG = 1e15
_LONGEST_SHOWN = 40


def is_missing_text(text: str) -> bool:
    """Whether a text without spaces around it stands for a missing value."""
    return text.lower() in _MISSING


def is_missing_value(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    try:
        return not bool(value == value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def short_cell(text: str) -> str:
    """A cell for a page: long decimals rounded, long texts cut."""
    if len(text) > 8 and "." in text:
        try:
            value = float(text)
            return f"{value:.5g}" if abs(value) < 1e5 else f"{value:.0f}"
        except ValueError:
            pass
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


class Others(NamedTuple):
    """Cells that are neither plain numbers nor missing: their rows, the different texts, and which one each is."""

    rows: np.ndarray
    texts: list[str]
    codes: np.ndarray


class Cells:
    """The cells of a column.

    Parameters
    ----------
    values : ndarray
        Texts without spaces around them, "" where missing; or float64 (dates: days since 1970), NaN where missing.
    form : {"text", "number", "boolean", "date"}, default="text"
        What they came as.
    """

    def __init__(self, values: np.ndarray, form: str = "text"):
        self._values, self.form = values, form

    @property
    def typed(self) -> bool:
        """Whether the values came as numbers, booleans or dates, and not as text."""
        return self.form != "text"

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, row: int) -> str:
        """The text of one cell."""
        value = self._values[row]
        if not self.typed:
            return value
        if np.isnan(value):
            return ""
        if self.form == "boolean":
            return str(bool(value == 1))
        if self.form == "date":
            return str(np.datetime64(round(value * 86400), "s")).replace("T00:00:00", "")
        return str(int(value)) if self._whole and np.isfinite(value) else repr(float(value))

    @cached_property
    def _whole(self) -> bool:
        known = self._values[np.isfinite(self._values)]
        return bool((known == np.rint(known)).all()) and bool((np.abs(known) < 2**53).all())

    def take(self, rows: np.ndarray) -> "Cells":
        """The cells of some rows."""
        return Cells(self._values[rows], self.form)

    def texts(self) -> list[str]:
        """All texts."""
        return [self[row] for row in range(len(self))] if self.typed else self._values.tolist()

    def factor(self) -> tuple[list[str], np.ndarray]:
        """The different texts in order of appearance, and for each cell which of them it is."""
        known: dict[str, int] = {}
        codes = [known.setdefault(text, len(known)) for text in self.texts()]
        return list(known), np.array(codes, dtype=np.intp)

    @cached_property
    def numbers(self) -> np.ndarray:
        """The cells that are plain finite numbers; NaN elsewhere."""
        if self.typed:
            found = self._values.copy()
        else:
            found = np.fromiter(map(_float, self._values), dtype=np.float64, count=len(self))
        found[~np.isfinite(found)] = np.nan
        return found

    @cached_property
    def others(self) -> Others:
        """The cells that are neither plain numbers nor missing."""
        rows = np.flatnonzero(np.isnan(self.numbers))
        texts, codes = self.take(rows).factor()
        kept = np.array([k for k, text in enumerate(texts) if not is_missing_text(text)], dtype=np.intp)
        present = np.isin(codes, kept)
        return Others(rows[present], [texts[k] for k in kept], np.searchsorted(kept, codes[present]))

    @property
    def n_plain(self) -> int:
        """The number of plain numbers."""
        return int(np.isfinite(self.numbers).sum())

    @property
    def n_present(self) -> int:
        """The number of cells that are not missing."""
        return self.n_plain + len(self.others.rows)

    def with_others(self, values: Sequence[float]) -> np.ndarray:
        """The plain numbers, and beside them a value for each text of `others`."""
        found = self.numbers.copy()
        found[self.others.rows] = np.asarray(values, dtype=np.float64)[self.others.codes]
        return found


def _float(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return np.nan
    # 2023_01 is a number to Python alone, and the digits of an account number would be rounded.
    return np.nan if "_" in text or is_code(text) else value


def frame_cells(frame: Any) -> dict[str, Cells]:
    """The cells of a data frame (pandas or polars), by column."""
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TableError(f"the table has columns of the same name: {', '.join(map(repr, twice))}.")
    by_place = hasattr(frame, "iloc")
    return {
        name: named_cells(name, frame.iloc[:, k] if by_place else frame.get_column(name))
        for k, name in enumerate(names)
    }


def named_cells(name: Any, values: Any) -> Cells:
    """Cells of a column of an array, a list or a series (pandas or polars)."""
    try:
        return _cells_of(values)
    except OverflowError as error:
        raise TableError(
            f"column {str(name)!r} holds an integer that is too large for a float: write it as text if it is an "
            "identifier."
        ) from error


def _cells_of(values: Any) -> Cells:
    values = _array_or_list(values)
    kind = values.dtype.kind if isinstance(values, np.ndarray) else "O"
    if kind == "f" or (kind in "iu" and np.abs(values.astype(np.float64)).max(initial=0) < _LONG):
        return Cells(values.astype(np.float64), "number")
    if kind == "b":
        return Cells(values.astype(np.float64), "boolean")
    if kind == "m":
        return Cells(values / np.timedelta64(1, "D"), "number")
    if kind == "M":
        days = values.astype("datetime64[us]").astype(np.int64) / 86_400_000_000
        return Cells(np.where(np.isnat(values), np.nan, days), "date")
    return _of_objects(values.tolist() if isinstance(values, np.ndarray) else list(values))


def _array_or_list(values: Any) -> Any:
    if hasattr(values, "get_chunks"):  # a polars series
        return values.to_list()
    if not hasattr(values, "iloc"):
        return values
    kind = getattr(values.dtype, "kind", "O")
    if kind == "M":
        if getattr(values.dtype, "tz", None) is not None:
            values = values.dt.tz_convert("UTC").dt.tz_localize(None)
        return values.to_numpy(dtype="datetime64[us]")
    if kind == "m":
        return values.to_numpy(dtype="timedelta64[us]")
    if isinstance(values.dtype, np.dtype) and kind in "iufb":
        return values.to_numpy()
    return values.to_numpy(dtype=object, na_value=None)


# Columns of nothing but these, or of nothing but texts, are read at once; others entry by entry.
_NUMBER_TYPES = {float, int, np.float64, np.int64, type(None)}


def _of_objects(values: list[Any]) -> Cells:
    types = set(map(type, values))
    if types <= _NUMBER_TYPES and types != {type(None)}:
        numeric = np.array(values, dtype=object).astype(np.float64)
        if types & {float, np.float64} or not (np.abs(numeric) >= _LONG).any():
            return Cells(numeric, "number")
        values = [None if value is None else str(value) for value in values]
        types = {str, type(None)}
    texts = np.empty(len(values), dtype=object)
    if types <= {str, type(None)}:
        texts[:] = [value.strip() if value else "" for value in values]
        return Cells(texts)
    missing = [not isinstance(value, str) and is_missing_value(value) for value in values]
    types = {type(value) for value, gone in zip(values, missing, strict=True) if not gone}
    for form, allowed, read in _TYPED:
        # A boolean is a number to Python, but not here.
        if all(issubclass(t, allowed) for t in types) and (form == "boolean" or bool not in types) and types:
            found = [np.nan if gone else read(v) for v, gone in zip(values, missing, strict=True)]
            return Cells(np.array(found, dtype=np.float64), form)
    texts[:] = ["" if gone else str(value).strip() for value, gone in zip(values, missing, strict=True)]
    return Cells(texts)


# What objects of one type become.
_TYPED: tuple[tuple[str, Any, Any], ...] = (
    ("boolean", bool | np.bool_, float),
    ("number", numbers.Real, float),
    ("number", timedelta, lambda span: span.total_seconds() / 86400),
    ("date", date | np.datetime64, days_since),
)
