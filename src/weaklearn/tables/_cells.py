"""The cells of one column: their text as it was given, and what can be read from all of them at once.

Three ways to keep them, with one interface: texts, a polars series of texts (large files), and typed values (numbers,
booleans, dates of a data frame). A missing typed value has the text "".
"""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from weaklearn.tables._dates import parse_date
from weaklearn.tables._numbers import is_code

__all__ = ["MISSING_WORDS", "Cells", "SeriesCells", "TextCells", "TypedCells", "cells_of", "is_missing_value"]

# Lower case; a cell that is one of these, spaces aside, is missing.
MISSING_WORDS = frozenset(
    (
        "",
        "na",
        "n/a",
        "#n/a",
        "#na",
        "nan",
        "-nan",
        "null",
        "none",
        "nil",
        "?",
        "??",
        "-",
        "--",
        ".",
        "missing",
    )
) | frozenset(("<na>", "nat", "(missing)", "#value!", "#ref!", "#div/0!", "not available"))


# What Python's strip() takes away, for polars, whose own idea of a blank differs in control characters.
_BLANKS = "".join(map(chr, filter(lambda code: chr(code).isspace(), range(0x3001))))


class Cells(ABC):
    """What every way of keeping cells offers."""

    #: Whether the values are numbers by type, and not by their text.
    typed = False
    #: A place for what was found by looking at all of them.
    seen: Any = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, row: int) -> str:
        """The text of one cell."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> "Cells":
        """The cells of some rows."""

    @abstractmethod
    def floats(self) -> np.ndarray:
        """The cells that are plain finite numbers; NaN elsewhere."""

    def texts(self) -> list[str]:
        """All texts, without spaces around them."""
        return [self[row] for row in range(len(self))]

    def factor(self) -> tuple[list[str], np.ndarray]:
        """The different texts in order of appearance, and for each cell which of them it is."""
        known: dict[str, int] = {}
        codes = [known.setdefault(text, len(known)) for text in self.texts()]
        return list(known), np.array(codes, dtype=np.intp)


def _float(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return np.nan
    # 2023_01 is a number to Python alone, and the digits of an account number would be rounded.
    return np.nan if "_" in text or is_code(text) else value


def _finite(values: np.ndarray) -> np.ndarray:
    values[~np.isfinite(values)] = np.nan
    return values


class TextCells(Cells):
    """Cells kept as an array of texts, stripped."""

    def __init__(self, texts: np.ndarray):
        self._texts = texts

    def __len__(self):
        return len(self._texts)

    def __getitem__(self, row):
        return self._texts[row]

    def take(self, rows):
        return TextCells(self._texts[rows])

    def floats(self):
        return _finite(np.fromiter(map(_float, self._texts), dtype=np.float64, count=len(self._texts)))

    def texts(self):
        return self._texts.tolist()


class SeriesCells(Cells):
    """Cells kept as a polars series of texts: a tenth of the memory of Python's own."""

    def __init__(self, series: Any):
        self._series = series

    def __len__(self):
        return len(self._series)

    def __getitem__(self, row):
        return (self._series[int(row)] or "").strip()

    def take(self, rows):
        return SeriesCells(self._series.gather(np.asarray(rows, dtype=np.int64)))

    def floats(self):
        import polars

        stripped = self._series.str.strip_chars(_BLANKS)
        read = stripped.cast(polars.Float64, strict=False).fill_null(float("nan"))
        values = _finite(np.array(read.to_numpy(), dtype=np.float64))
        if (stripped.str.len_bytes().max() or 0) > 15:
            values[stripped.str.contains(r"^[+-]?\d{16,}$").fill_null(False).to_numpy()] = np.nan
        # What the fast reader leaves is tried again by the rules of the slow one.
        rest = np.flatnonzero(np.isnan(values))
        if len(rest):
            distinct, codes = self.take(rest).factor()
            values[rest] = np.array([_float(text) for text in distinct])[codes]
        return _finite(values)

    def texts(self):
        return self._series.str.strip_chars(_BLANKS).fill_null("").to_list()

    def factor(self):
        import polars

        stripped = self._series.str.strip_chars(_BLANKS).fill_null("").alias("text")
        distinct = stripped.unique(maintain_order=True)
        places = polars.DataFrame(
            {"text": distinct, "code": np.arange(len(distinct), dtype=np.int64)},
        )
        codes = stripped.to_frame().join(places, on="text", how="left", maintain_order="left")["code"]
        return distinct.to_list(), codes.to_numpy().astype(np.intp)


class TypedCells(Cells):
    """Cells that came as numbers, booleans or dates: float64 (dates: days since 1970), NaN where missing."""

    typed = True

    def __init__(self, values: np.ndarray, form: str = "number"):
        self._values = values
        self.form = form  # "number", "boolean" or "date"
        known = values[np.isfinite(values)]
        self._whole = bool((known == np.rint(known)).all()) and bool((np.abs(known) < 2**53).all())

    def __len__(self):
        return len(self._values)

    def __getitem__(self, row):
        value = float(self._values[row])
        if np.isnan(value):
            return ""
        if self.form == "boolean":
            return str(value == 1)
        if self.form == "date":
            return str(np.datetime64(round(value * 86400), "s")).replace("T00:00:00", "")
        return str(int(value)) if self._whole and np.isfinite(value) else repr(value)

    def take(self, rows):
        return TypedCells(self._values[rows], self.form)

    def floats(self):
        return _finite(self._values.copy())


def is_missing_value(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    try:
        return not bool(value == value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def cells_of(values: Any) -> Cells:
    """Cells of a column of an array, a list or a series."""
    if hasattr(values, "get_chunks"):  # a polars series
        return _of_polars(values)
    if hasattr(values, "iloc"):  # a pandas series
        values = _of_pandas(values)
    array = values if isinstance(values, np.ndarray) else None
    if (
        array is not None
        and array.dtype.kind in "iu"
        and np.abs(array.astype(np.float64)).max(initial=0) >= 1e15
    ):
        return _of_objects([str(value) for value in array.tolist()])  # digits that float64 would round
    if array is not None and array.dtype.kind in "iuf":
        return TypedCells(array.astype(np.float64))
    if array is not None and array.dtype.kind == "m":
        return _of_objects(array.astype("timedelta64[us]").tolist())
    if array is not None and array.dtype.kind == "b":
        return TypedCells(array.astype(np.float64), "boolean")
    if array is not None and array.dtype.kind == "M":
        return _of_stamps(array)
    return _of_objects(list(values))


def _of_stamps(stamps: np.ndarray) -> Cells:
    days = stamps.astype("datetime64[us]").astype(np.int64) / 86_400_000_000
    return TypedCells(np.where(np.isnat(stamps), np.nan, days), "date")


def _of_pandas(series: Any) -> Any:
    kind = getattr(series.dtype, "kind", "O")
    if kind == "M":
        if getattr(series.dtype, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return series.to_numpy(dtype="datetime64[us]")
    if isinstance(series.dtype, np.dtype) and kind in "iufb":
        return series.to_numpy()
    if kind == "m":
        return series.to_numpy(dtype="timedelta64[us]")
    if kind in "iuf":  # numbers with pandas' own missing value
        return series.to_numpy(dtype=np.float64, na_value=np.nan)
    return series.to_numpy(dtype=object)


def _of_polars(series: Any) -> Cells:
    import polars

    if series.dtype == polars.String:
        return SeriesCells(series)
    if series.dtype.is_integer() and (series.cast(polars.Float64).abs().max() or 0) >= 1e15:
        return SeriesCells(series.cast(polars.String))
    if series.dtype.is_numeric():
        return TypedCells(series.cast(polars.Float64).fill_null(float("nan")).to_numpy().copy())
    if series.dtype == polars.Boolean:
        return TypedCells(
            series.cast(polars.Int8).cast(polars.Float64).fill_null(float("nan")).to_numpy().copy(), "boolean"
        )
    if series.dtype in (polars.Categorical, polars.Enum):
        return SeriesCells(series.cast(polars.String))
    return _of_objects(series.to_list())


# Columns of nothing but these, or of nothing but texts, are read at once; others entry by entry.
_NUMBER_TYPES = {float, int, np.float64, np.int64, type(None)}


def _of_objects(values: Sequence[Any]) -> Cells:
    types = set(map(type, values))
    if types <= _NUMBER_TYPES and types != {type(None)}:
        numeric = np.array(values, dtype=object).astype(np.float64)
        if types & {float, np.float64} or not (np.abs(numeric) >= 1e15).any():
            return TypedCells(numeric)
        values = [None if value is None else str(value) for value in values]
        types = {str, type(None)}
    texts = np.empty(len(values), dtype=object)
    if types <= {str, type(None)}:
        texts[:] = [value.strip() if value else "" for value in values]
        return TextCells(texts)
    missing = [not isinstance(value, str) and is_missing_value(value) for value in values]
    present = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if present and not isinstance(present[0], str):
        if all(isinstance(v, bool | np.bool_) for v in present):
            return TypedCells(_filled(values, missing, float), "boolean")
        if all(isinstance(v, numbers.Real) and not isinstance(v, bool | np.bool_) for v in present):
            return TypedCells(_filled(values, missing, float))
        if all(isinstance(v, timedelta) for v in present):
            return TypedCells(_filled(values, missing, lambda span: span.total_seconds() / 86400))
        if all(isinstance(v, date | datetime | np.datetime64) for v in present):
            return TypedCells(_filled(values, missing, _days), "date")
    texts[:] = ["" if gone else str(value).strip() for value, gone in zip(values, missing, strict=True)]
    return TextCells(texts)


def _days(moment: Any) -> float:
    if isinstance(moment, np.datetime64):
        return float(moment.astype("datetime64[us]").astype(np.int64)) / 86_400_000_000
    return parse_date(moment.isoformat())


def _filled(values, missing, read):
    return np.array(
        [np.nan if gone else read(value) for value, gone in zip(values, missing, strict=True)],
        dtype=np.float64,
    )
