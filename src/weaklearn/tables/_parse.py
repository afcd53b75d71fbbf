"""Reading numbers and dates as people write them, and noticing codes that stand for "missing".

Conventions:

- The decimal mark is a property of a whole column. In "1,234" the comma separates thousands unless the column, or
  the file, says otherwise: another value such as "3,5", or semicolons between the cells.
- A percentage is read as a share: 12% is 0.12. Signs of currencies are ignored; (3) is -3, as accountants write it.
- Dates are ISO 8601 or one of the forms that spreadsheets write. A date is a number of days since 1970-01-01.
"""

import re
from datetime import UTC, date, datetime

import numpy as np

_SPACES = str.maketrans("", "", "\u00a0\u2007\u2009\u202f'’ ")
_CURRENCY = re.compile(r"^[$€£¥₹]\s*|\s*(?:[$€£¥₹]|EUR|USD|GBP|CHF)$")
# A group of thousands has three digits; spaces and apostrophes may only stand between such groups.
_GROUPED = re.compile(r"^[+-]?\d{1,3}(?:[\u00a0\u2007\u2009\u202f'’ ]\d{3})+(?:[.,]\d+)?$")
_PLAIN = re.compile(r"^[+-]?(?:\d+(?:[.]\d*)?|[.]\d+)(?:[eE][+-]?\d+)?$")
_THOUSANDS = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+(?:[.]\d*)?$")
_BY_POINTS = re.compile(r"^[+-]?\d{1,3}(?:\.\d{3})+$")


def is_code(text: str) -> bool:
    """Whether a text has more digits than a number of double precision can hold: a card or account number."""
    return len(text) > 15 and text.lstrip("+-").isdigit() and len(text.lstrip("+-0")) > 15


def parse_number(text: str, decimal: str = ".") -> float:
    """The number that a cell holds, or NaN."""
    text = text.replace("\N{MINUS SIGN}", "-")
    sign = 1.0
    if text.startswith("(") and text.endswith(")"):
        text, sign = text[1:-1].strip(), -1.0
    if text.endswith("%"):
        text, sign = text[:-1].strip(), sign / 100
    text = _CURRENCY.sub("", text)
    if _GROUPED.match(text):
        text = text.translate(_SPACES)
    if decimal == ",":
        # The two marks change places: what is left is a number in the other convention.
        text = text.translate(str.maketrans(",.", ".,"))
    if _THOUSANDS.match(text):
        text = text.replace(",", "")
    if not _PLAIN.match(text) or is_code(text):
        return np.nan
    value = float(text)
    return sign * value if np.isfinite(value) else np.nan


def grouped_by_points(texts) -> bool:
    """Whether all texts look like 1.234 or 12.345.678: thousands, where the decimal mark is a comma."""
    others = [text for text in texts if not _BY_POINTS.match(text)]
    return len(others) < len(texts) and all(text.lstrip("+-").isdigit() for text in others)


_CODES = frozenset(
    sign * float("9" * digits) for digits in range(1, 8) for sign in (-1, 1) if digits > 1 or sign < 0
) | {-999.25, -888.0, -777.0}


def sentinel_codes(values: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Codes for "missing" among numbers: (those without doubt, those that may be numbers).

    A code is -9, -99, 99, -999, 999, ..., the least or greatest value, and occurs more than once. There is no doubt if
    it lies further from the other values than they spread, or is the one negative value, of at least two digits, and
    occurs three times. It is suspected if the gap is a fifth of their spread, and the largest one.
    """
    certain: list[float] = []
    suspected: list[float] = []
    distinct, counts = np.unique(values, return_counts=True)
    low, high = 0, len(distinct)
    while high - low >= 3:
        for at, neighbour in ((low, low + 1), (high - 1, high - 2)):
            code = float(distinct[at])
            if code not in _CODES or counts[at] < 2:
                continue
            others = distinct[low + 1 : high] if at == low else distinct[low : high - 1]
            spread, gap = float(others[-1] - others[0]), abs(code - float(distinct[neighbour]))
            alone = code <= -99 and others[0] >= 0 and counts[at] >= 3
            if gap > spread or alone:
                certain.append(code)
                low, high = (low + 1, high) if at == low else (low, high - 1)
                break
            isolated = gap >= 0.2 * spread and gap > np.diff(others).max(initial=0.0)
            if isolated and code not in suspected:
                suspected.append(code)
        else:
            break
    return tuple(certain), tuple(code for code in suspected if code not in certain)


SEASON_DAYS = 365.2425
_EPOCH = datetime(1970, 1, 1)
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_TIME = r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp][Mm])?)?"
_SLASHED = re.compile(rf"^(\d{{1,2}})([./-])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){_TIME}$")
_YEAR_FIRST = re.compile(rf"^(\d{{4}})([./-])(\d{{1,2}})\2(\d{{1,2}}){_TIME}$")
_NAMED = re.compile(rf"^(\d{{1,2}})[ .-]+([A-Za-z]{{3,9}})\.?[ ,-]+(\d{{4}}){_TIME}$")
_NAME_FIRST = re.compile(rf"^([A-Za-z]{{3,9}})\.? (\d{{1,2}}),? +(\d{{4}}){_TIME}$")
_COMPACT = re.compile(r"^(?:19|20)\d{6}$")


def parse_date(text: str, day_first: bool = True, compact: bool = False) -> float:
    """The days since 1970-01-01 that a cell stands for, or NaN."""
    if compact:
        parts = (text[:4], text[4:6], text[6:]) if _COMPACT.match(text) else None
        return _days(*parts) if parts else np.nan
    if text[:4].isdigit() and text[4:5] == "-":
        try:
            return days_since(datetime.fromisoformat(text))
        except ValueError:
            pass
    if found := _YEAR_FIRST.match(text):
        year, _, month, day, *time = found.groups()
        return _days(year, month, day, *time)
    if found := _SLASHED.match(text):
        first, mark, second, year, *time = found.groups()
        day, month = (first, second) if day_first or mark == "." else (second, first)
        return _days(_century(year), month, day, *time)
    if found := _NAMED.match(text):
        day, name, year, *time = found.groups()
        return _days(year, _MONTHS.get(name[:3].lower(), 0), day, *time)
    if found := _NAME_FIRST.match(text):
        name, day, year, *time = found.groups()
        return _days(year, _MONTHS.get(name[:3].lower(), 0), day, *time)
    return np.nan


def day_order(texts) -> tuple[bool, bool]:
    """For dates such as 03/04/2024: (whether the day comes first, whether that is a guess)."""
    first = second = slashed = False
    for text in texts:
        found = _SLASHED.match(text)
        if found and found.group(2) != ".":
            slashed = True
            first = first or int(found.group(1)) > 12
            second = second or int(found.group(3)) > 12
    return first or not second, slashed and first == second


def season_angle(days: np.ndarray) -> np.ndarray:
    """The angle of the day in its year, from 0 on 1 January to 2 pi."""
    known = np.isfinite(days)
    stamps = np.where(known, days, 0.0).astype("datetime64[D]")
    day_of_year = (stamps - stamps.astype("datetime64[Y]")).astype(float)
    return np.where(known, 2 * np.pi * day_of_year / SEASON_DAYS, np.nan)


def _century(year: str) -> int:
    # Two digits mean 1970 to 2069, as in most spreadsheets give or take a year.
    return int(year) if len(year) == 4 else int(year) + (1900 if int(year) >= 70 else 2000)


def _days(year, month, day, hour=None, minute=None, second=None, half=None) -> float:
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half.lower() == "pm" else 0)
    try:
        return days_since(
            datetime(int(year), int(month), int(day), hours, int(minute or 0), int(second or 0))
        )
    except ValueError:
        return np.nan


def days_since(moment: date | datetime | np.datetime64) -> float:
    """The days since 1970-01-01; a time zone is converted to UTC."""
    if isinstance(moment, np.datetime64):
        return float(moment.astype("datetime64[us]").astype(np.int64)) / 86_400_000_000
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return (moment - _EPOCH).total_seconds() / 86400
