"""Cells that a spreadsheet would run as formulas."""

import re
from typing import Any

#: What the option does, for the command and the page.
KEEP_FORMULAS = "Keep formulas in the corrected table; without this, a spreadsheet that opens it runs none."
_FORMULA_STARTS = ("=", "+", "-", "@")
_CONTROL_STARTS = ("\t", "\r", "\n")
# One sign, then digits with any separators: numbers of all countries, percentages, telephone numbers. Or only dashes.
_HARMLESS = re.compile(r"\s*([+-]?[\d.,'’\s]*\d[\d.,'’\s]*%?|-+)\s*")


def defused(value: Any) -> Any:
    """A cell with a leading apostrophe if it is text that a spreadsheet would run; numbers stay, as text, too.

    >>> [defused(cell) for cell in ("=1+1", "-1", "-1,5", "-", "@x", "- 2+3", 5)]
    ["'=1+1", '-1', '-1,5', '-', "'@x", "'- 2+3", 5]
    """
    if not isinstance(value, str):
        return value
    if value.startswith(_CONTROL_STARTS) or (
        value.lstrip().startswith(_FORMULA_STARTS) and not _is_number(value)
    ):
        return "'" + value
    return value


def _is_number(text: str) -> bool:
    if _HARMLESS.fullmatch(text):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True
