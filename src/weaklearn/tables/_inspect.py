"""What a column holds, found from its cells; and its values, read by what was found.

`inspected` looks at all cells of a column once and returns a `Column`. `values_of` gives the values of the same column,
of this table or of a later one, as that `Column` says: numbers, booleans and dates as float64 with NaN, categories as
texts with None.
"""

import re

import numpy as np

from weaklearn.tables._cells import Cells, is_missing_text
from weaklearn.tables._column import Column, Kind, Reason, TableError, Treatment
from weaklearn.tables._parse import (
    day_order,
    grouped_by_points,
    parse_date,
    parse_number,
    sentinel_codes,
)

MOST_ONE_HOT = 30
MOST_CATEGORIES = 10_000
# A column in which nearly everything is a number is a column of numbers with some slips; the same for dates.
_NEARLY_ALL = 0.9
# 1, 2, 3, 4 may be doses; 1 to 10 in order are row numbers.
_LEAST_COUNTED = 10
_PAIRS = ({"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"on", "off"})
_TRUTH = dict.fromkeys(("yes", "y", "true", "t", "on", "1"), 1.0) | dict.fromkeys(
    ("no", "n", "false", "f", "off", "0"), 0.0
)
_ID_NAME = re.compile(r"(^|[\s_.-])(id|index|row|number|no|nr|unnamed.*)$")
_DATE_NAME = re.compile(r"(^|[\s_.-])(date|day|datum|time|dt)($|[\s_.-])")


def uses_decimal_comma(cells: Cells) -> bool:
    """Whether a column is written with decimal commas beyond doubt ("3,5")."""
    return _decimal(cells, False) == (",", False)


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
    n_missing = len(cells) - cells.n_present
    if cells.n_present == 0:
        return Column(name, Kind.EMPTY, Treatment.DROPPED, Reason.NO_VALUE, n_missing)
    texts = cells.others.texts
    distinct_numbers = np.unique(cells.numbers[np.isfinite(cells.numbers)])
    if len(distinct_numbers) + len(texts) == 1:
        reason = Reason.ONE_VALUE_OR_MISSING if n_missing else Reason.ONE_VALUE
        treatment = Treatment.PRESENCE if n_missing else Treatment.DROPPED
        return Column(name, Kind.CONSTANT, treatment, reason, n_missing, n_distinct=1)
    if force is Kind.CATEGORY:
        return _category(name, cells, asked=True)
    if cells.form == "date":
        return _dated(name, n_missing, n_distinct=len(distinct_numbers) + len(texts))
    if force is None and _is_boolean(texts, distinct_numbers):
        return Column(name, Kind.BOOLEAN, Treatment.SCALED, Reason.TWO_VALUES, n_missing, n_distinct=2)
    if force is None and cells.form != "boolean" and (found := _date(name, cells)) is not None:
        return found
    decimal, ambiguous = _decimal(cells, decimal_comma)
    values = _numbers(cells, decimal)
    n_read = int(np.isfinite(values).sum())
    if n_read >= _NEARLY_ALL * cells.n_present or (force is Kind.NUMBER and n_read):
        return _number(name, cells, values, force, decimal=decimal, ambiguous=ambiguous)
    if force is Kind.NUMBER:
        raise TableError(
            f"column {name!r} cannot be read as numbers: it holds {texts[0] if texts else ''!r}, for example. "
            "Take it out of numeric=, or correct the file."
        )
    return _category(name, cells)


def _is_boolean(texts, distinct_numbers) -> bool:
    if not texts:
        return distinct_numbers.tolist() == [0.0, 1.0]
    return len(distinct_numbers) == 0 and {text.lower() for text in texts} in _PAIRS


def _decimal(cells, likely) -> tuple[str, bool]:
    """The decimal mark of a column, and whether the other one would do as well."""
    if cells.typed:
        return ".", False
    if not any("," in text for text in cells.others.texts):
        if likely and not cells.others.texts and grouped_by_points(_distinct(cells)):
            return ",", True
        return ".", False
    texts, codes = cells.factor()
    counts = np.bincount(codes, minlength=len(texts))
    points, commas = (
        int(counts[np.isfinite([parse_number(text, mark) for text in texts])].sum()) for mark in ".,"
    )
    if points == commas:
        # "1,234" everywhere: thousands, unless the file speaks for decimal commas.
        return ("," if likely else "."), points > 0
    return ("," if commas > points else "."), False


def _distinct(cells):
    return [text for text in cells.factor()[0] if not is_missing_text(text)]


def _each(cells, read) -> np.ndarray:
    """A number for each cell, read from the different texts; NaN for missing ones."""
    texts, codes = cells.factor()
    return np.array([np.nan if is_missing_text(t) else read(t) for t in texts], dtype=np.float64)[codes]


def _numbers(cells, decimal) -> np.ndarray:
    if decimal == ",":
        return _each(cells, lambda text: parse_number(text, ","))
    return cells.with_others([parse_number(text) for text in cells.others.texts])


def _number(name, cells, values, force, **found) -> Column:
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    if force is None and len(known) == len(cells) == len(distinct) and _counts_up(name, known):
        found.pop("ambiguous")
        return Column(
            name, Kind.IDENTIFIER, Treatment.DROPPED, Reason.COUNTS_UP, n_distinct=len(distinct), **found
        )
    certain, suspected = sentinel_codes(known)
    return Column(
        name,
        Kind.NUMBER,
        Treatment.SCALED,
        Reason.ASKED_FOR if force else Reason.NUMBERS,
        len(cells) - cells.n_present + int(np.isin(known, certain).sum()),
        cells.n_present - len(known),
        len(distinct) - len(certain),
        sentinels=certain,
        suspected=suspected,
        **found,
    )


def _counts_up(name, values) -> bool:
    if not (values == np.rint(values)).all():
        return False
    counting = len(values) >= _LEAST_COUNTED and bool((np.diff(values) == 1).all())
    return counting or bool(_ID_NAME.search(name.lower() or "unnamed"))


def _date(name, cells) -> Column | None:
    """The column, if it holds dates."""
    texts, n_present = cells.others.texts, cells.n_present
    n_missing = len(cells) - n_present
    if cells.n_plain > (1 - _NEARLY_ALL) * n_present:
        if texts or not _DATE_NAME.search(name.lower()):
            return None
        texts = _distinct(cells)
        if not all(np.isfinite(parse_date(text, compact=True)) for text in texts):
            return None
        return _dated(name, n_missing, n_distinct=len(texts), compact=True)
    # A look at a few texts spares parsing columns of prose.
    if not any(np.isfinite(parse_date(text)) or parse_date(text, False) > 0 for text in texts[:50]):
        return None
    day_first, guess = day_order(texts)
    known = np.isfinite([parse_date(text, day_first) for text in texts])
    n_read = int(known[cells.others.codes].sum())
    if n_read < _NEARLY_ALL * n_present:
        return None
    return _dated(
        name,
        n_missing,
        n_unreadable=n_present - n_read,
        n_distinct=int(known.sum()),
        day_first=day_first,
        ambiguous=guess,
    )


def _dated(name, n_missing, **found) -> Column:
    return Column(name, Kind.DATE, Treatment.DATE_PARTS, Reason.DATES, n_missing, **found)


def _category(name, cells, asked=False) -> Column:
    texts, n_missing = _distinct(cells), len(cells) - cells.n_present
    n_distinct = len(texts)
    if n_distinct > MOST_CATEGORIES or (n_distinct > 0.5 * len(cells) and not asked):
        different = n_distinct == cells.n_present and sum(map(len, texts)) <= 40 * n_distinct
        kind = Kind.IDENTIFIER if different else Kind.TEXT
        reason = Reason.ALL_DIFFERENT if different else Reason.TOO_MANY_VALUES
        return Column(name, kind, Treatment.DROPPED, reason, n_missing, n_distinct=n_distinct)
    few = n_distinct <= MOST_ONE_HOT
    if asked:
        reason = Reason.ASKED_FOR
    else:
        reason = Reason.FEW_CATEGORIES if few else Reason.MANY_CATEGORIES
    treatment = Treatment.ONE_HOT if few else Treatment.TARGET_ENCODED
    return Column(name, Kind.CATEGORY, treatment, reason, n_missing, n_distinct=n_distinct)


def values_of(column: Column, cells: Cells) -> np.ndarray:
    """The cells as the column says they are to be read."""
    if column.treatment is Treatment.PRESENCE:
        return np.isfinite(_each(cells, lambda text: 1.0)).astype(np.float64)
    if column.kind is Kind.CATEGORY:
        texts, codes = cells.factor()
        return np.array([None if is_missing_text(t) else t for t in texts], dtype=object)[codes]
    if cells.typed and not (column.compact and cells.form == "number"):
        return _without(column, cells.numbers)
    if column.kind is Kind.DATE:
        return _each(cells, lambda text: parse_date(text, column.day_first, column.compact))
    if column.kind is Kind.BOOLEAN:
        return cells.with_others([_TRUTH.get(text.lower(), np.nan) for text in cells.others.texts])
    return _without(column, _numbers(cells, column.decimal))


def _without(column: Column, values: np.ndarray) -> np.ndarray:
    return np.where(np.isin(values, column.sentinels), np.nan, values) if column.sentinels else values
