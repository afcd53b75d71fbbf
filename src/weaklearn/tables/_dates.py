"""Reading dates: ISO 8601 and the forms that spreadsheets write. A date is a number of days since 1970-01-01."""

import re
from datetime import UTC, date, datetime

import numpy as np

__all__ = ["SEASON_DAYS", "day_order", "days_since", "parse_date", "season_angle"]

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
