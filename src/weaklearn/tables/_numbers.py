"""Reading numbers as people write them, and noticing codes that stand for "missing".

Conventions:

- The decimal mark is a property of a whole column. In "1,234" the comma separates thousands unless the column, or
  the file, says otherwise: another value such as "3,5", or semicolons between the cells.
- A percentage is read as a share: 12% is 0.12. Signs of currencies are ignored; (3) is -3, as accountants write it.
"""

import re

import numpy as np

__all__ = ["grouped_by_points", "is_code", "parse_number", "sentinel_codes"]

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
