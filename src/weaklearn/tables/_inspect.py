"""What a column holds, found from its cells; and its values, read by what was found.

`inspected` looks at all cells of a column once and gives a `Column`. `values_of` reads the cells of the same column, of
this table or of a later one, as that `Column` says: numbers, booleans and dates as float64 with NaN, categories as
texts with None.
"""

import re

import numpy as np

from weaklearn.tables._cells import MISSING_WORDS, Cells, TypedCells
from weaklearn.tables._column import Column, Kind, Reason, Treatment
from weaklearn.tables._dates import day_order, parse_date
from weaklearn.tables._errors import TableError
from weaklearn.tables._numbers import grouped_by_points, parse_number, sentinel_codes

__all__ = ["MOST_ONE_HOT", "inspected", "uses_decimal_comma", "values_of"]

MOST_ONE_HOT = 30
MOST_CATEGORIES = 10_000
# A column in which nearly everything is a number is a column of numbers with some slips; the same for dates.
_NEARLY_ALL = 0.9
# 1, 2, 3, 4 may be doses; 1 to 10 in order are row numbers.
_LEAST_COUNTED = 10
_PAIRS = ({"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"on", "off"})
_TRUE = frozenset(("yes", "y", "true", "t", "on", "1"))
_FALSE = frozenset(("no", "n", "false", "f", "off", "0"))
_ID_NAME = re.compile(r"(^|[\s_.-])(id|index|row|number|no|nr|unnamed.*)$")
_DATE_NAME = re.compile(r"(^|[\s_.-])(date|day|datum|time|dt)($|[\s_.-])")


class _Read:
    """The cells of a column, sorted into plain numbers, words for missing, and the other texts."""

    def __init__(self, cells: Cells):
        self.n = len(cells)
        self.numbers = cells.floats()
        rest = np.flatnonzero(np.isnan(self.numbers))
        distinct, codes = cells.take(rest).factor()
        gone = np.array([text.lower() in MISSING_WORDS for text in distinct], dtype=bool)
        absent = gone[codes] if len(codes) else np.zeros(0, dtype=bool)
        self.n_missing = int(absent.sum())
        self.rest = rest[~absent]
        counts = np.bincount(codes, minlength=len(distinct)) if len(codes) else np.zeros(len(distinct), int)
        kept = np.flatnonzero(~gone)
        self.texts = [distinct[k] for k in kept]
        self.counts = counts[kept]
        self.codes = np.searchsorted(kept, codes[~absent])
        self.n_plain = self.n - len(rest)
        self.n_present = self.n - self.n_missing

    def spread(self, values) -> np.ndarray:
        """Values for the other texts, put beside the plain numbers."""
        column = self.numbers.copy()
        column[self.rest] = np.asarray(values, dtype=np.float64)[self.codes]
        return column


def _read(cells: Cells) -> _Read:
    # Kept with the cells, which do not change: a column is looked at three times.
    if cells.seen is None:
        cells.seen = _Read(cells)
    return cells.seen


def uses_decimal_comma(cells: Cells) -> bool:
    """Whether a column is written with decimal commas beyond doubt ("3,5")."""
    if cells.typed:
        return False
    read = _read(cells)
    return bool(read.texts) and _decimal(cells, read, False) == (",", False)


def inspected(name: str, cells: Cells, *, force: Kind | None = None, decimal_comma: bool = False) -> Column:
    """What the column holds.

    Parameters
    ----------
    name : str
    cells : Cells
    force : Kind, default=None
        NUMBER or CATEGORY: what the user says it is.
    decimal_comma : bool, default=False
        Whether the rest of the file makes decimal commas likely.
    """
    read = _read(cells)
    if read.n_present == 0:
        return Column(name, Kind.EMPTY, Treatment.DROPPED, Reason.NO_VALUE, read.n_missing)
    form = cells.form if isinstance(cells, TypedCells) else ""
    distinct_numbers = np.unique(read.numbers[np.isfinite(read.numbers)])
    n_distinct = len(distinct_numbers) + len(read.texts)
    if n_distinct == 1:
        reason = Reason.ONE_VALUE_OR_MISSING if read.n_missing else Reason.ONE_VALUE
        treatment = Treatment.PRESENCE if read.n_missing else Treatment.DROPPED
        return Column(name, Kind.CONSTANT, treatment, reason, read.n_missing, n_distinct=1)
    if force is Kind.CATEGORY:
        return _category(name, cells, read, asked=True)
    if form == "date":
        return _dated(name, read, n_distinct, 0)
    if force is None and _is_boolean(read, distinct_numbers):
        return Column(name, Kind.BOOLEAN, Treatment.SCALED, Reason.TWO_VALUES, read.n_missing, n_distinct=2)
    if force is None and form != "boolean" and (found := _date(name, cells, read)) is not None:
        return found
    decimal, ambiguous = _decimal(cells, read, decimal_comma)
    values = _numbers(cells, read, decimal)
    n_read = int(np.isfinite(values).sum())
    if n_read >= _NEARLY_ALL * read.n_present or (force is Kind.NUMBER and n_read):
        return _number(name, values, read, decimal, ambiguous, force, sentinels=True)
    if force is Kind.NUMBER:
        example = read.texts[0] if read.texts else ""
        raise TableError(
            f"column {name!r} cannot be read as numbers: it holds {example!r}, for example. "
            "Take it out of numeric=, or correct the file."
        )
    return _category(name, cells, read)


def _is_boolean(read, distinct_numbers) -> bool:
    if not read.texts:
        return distinct_numbers.tolist() == [0.0, 1.0]
    return len(distinct_numbers) == 0 and {text.lower() for text in read.texts} in _PAIRS


def _decimal(cells, read, likely) -> tuple[str, bool]:
    """The decimal mark of a column, and whether the other one would do as well."""
    if cells.typed:
        return ".", False
    if not any("," in text for text in read.texts):
        if likely and read.n_plain == read.n_present and grouped_by_points(_distinct(cells, read)):
            return ",", True
        return ".", False
    weights = {}
    texts, codes = cells.factor()
    counts = np.bincount(codes, minlength=len(texts))
    for mark in ".,":
        known = np.isfinite([parse_number(text, mark) for text in texts])
        weights[mark] = int(counts[known].sum())
    if weights["."] == weights[","]:
        # "1,234" everywhere: thousands, unless the file speaks for decimal commas.
        return ("," if likely else "."), weights["."] > 0
    return ("," if weights[","] > weights["."] else "."), False


def _distinct(cells, read):
    texts, _ = cells.factor()
    return [text for text in texts if text.lower() not in MISSING_WORDS]


def _numbers(cells, read, decimal) -> np.ndarray:
    if decimal == ",":
        texts, codes = cells.factor()
        parsed = [np.nan if t.lower() in MISSING_WORDS else parse_number(t, ",") for t in texts]
        return np.asarray(parsed, dtype=np.float64)[codes]
    return read.spread([parse_number(text) for text in read.texts])


def _number(name, values, read, decimal, ambiguous, force, *, sentinels) -> Column:
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    n_unreadable = read.n_present - len(known)
    if force is None and len(known) == read.n and len(distinct) == len(known) and _counts_up(name, known):
        return Column(
            name,
            Kind.IDENTIFIER,
            Treatment.DROPPED,
            Reason.COUNTS_UP,
            n_distinct=len(distinct),
            decimal=decimal,
        )
    certain, suspected = sentinel_codes(known) if sentinels else ((), ())
    n_codes = int(np.isin(known, certain).sum())
    return Column(
        name,
        Kind.NUMBER,
        Treatment.SCALED,
        Reason.ASKED_FOR if force else Reason.NUMBERS,
        read.n_missing + n_codes,
        n_unreadable,
        len(distinct) - len(certain),
        sentinels=certain,
        suspected=suspected,
        decimal=decimal,
        ambiguous=ambiguous,
    )


def _counts_up(name, values) -> bool:
    if not (values == np.rint(values)).all():
        return False
    counting = len(values) >= _LEAST_COUNTED and bool((np.diff(values) == 1).all())
    return counting or bool(_ID_NAME.search(name.lower() or "unnamed"))


def _date(name, cells, read) -> Column | None:
    """The column, if it holds dates."""
    if read.n_plain > (1 - _NEARLY_ALL) * read.n_present:
        if read.texts or not _DATE_NAME.search(name.lower()):
            return None
        texts = _distinct(cells, read)
        if not all(np.isfinite(parse_date(text, compact=True)) for text in texts):
            return None
        return _dated(name, read, len(texts), 0, compact=True)
    # A look at a few texts spares parsing columns of prose.
    if not any(np.isfinite(parse_date(text)) or parse_date(text, False) > 0 for text in read.texts[:50]):
        return None
    day_first, guess = day_order(read.texts)
    known = np.isfinite([parse_date(text, day_first) for text in read.texts])
    n_read = int(read.counts[known].sum())
    if n_read < _NEARLY_ALL * read.n_present:
        return None
    return _dated(name, read, int(known.sum()), read.n_present - n_read, day_first=day_first, ambiguous=guess)


def _dated(name, read, n_distinct, n_unreadable, **found) -> Column:
    return Column(
        name, Kind.DATE, Treatment.DATE_PARTS, Reason.DATES, read.n_missing, n_unreadable, n_distinct, **found
    )


def _category(name, cells, read, asked=False) -> Column:
    texts = _distinct(cells, read)
    n_distinct = len(texts)
    if n_distinct > MOST_CATEGORIES or (n_distinct > 0.5 * read.n and not asked):
        different = n_distinct == read.n_present and sum(map(len, texts)) <= 40 * n_distinct
        kind = Kind.IDENTIFIER if different else Kind.TEXT
        reason = Reason.ALL_DIFFERENT if different else Reason.TOO_MANY_VALUES
        return Column(name, kind, Treatment.DROPPED, reason, read.n_missing, n_distinct=n_distinct)
    few = n_distinct <= MOST_ONE_HOT
    if asked:
        reason = Reason.ASKED_FOR
    else:
        reason = Reason.FEW_CATEGORIES if few else Reason.MANY_CATEGORIES
    treatment = Treatment.ONE_HOT if few else Treatment.TARGET_ENCODED
    return Column(name, Kind.CATEGORY, treatment, reason, read.n_missing, n_distinct=n_distinct)


def values_of(column: Column, cells: Cells) -> np.ndarray:
    """The cells as the column says they are to be read."""
    if column.treatment is Treatment.PRESENCE:
        texts, codes = cells.factor()
        return np.array([float(t.lower() not in MISSING_WORDS) for t in texts], dtype=np.float64)[codes]
    if column.kind is Kind.CATEGORY:
        texts, codes = cells.factor()
        known = np.array([None if t.lower() in MISSING_WORDS else t for t in texts], dtype=object)
        return known[codes]
    if isinstance(cells, TypedCells) and not (column.compact and cells.form == "number"):
        return _without(column, cells.floats())
    if column.kind is Kind.DATE:
        texts, codes = cells.factor()
        parsed = [parse_date(text, column.day_first, column.compact) for text in texts]
        return np.asarray(parsed, dtype=np.float64)[codes]
    read = _read(cells)
    if column.kind is Kind.BOOLEAN:
        return read.spread([_truth(text.lower()) for text in read.texts])
    return _without(column, _numbers(cells, read, column.decimal))


def _truth(word: str) -> float:
    return 1.0 if word in _TRUE else 0.0 if word in _FALSE else np.nan


def _without(column: Column, values: np.ndarray) -> np.ndarray:
    return np.where(np.isin(values, column.sentinels), np.nan, values) if column.sentinels else values
