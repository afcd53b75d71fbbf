"""CSV that a spreadsheet cannot mistake for formulas."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weaklearn._formulas import defused


def csv_text(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """Rows as CSV with a header.

    Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers, as text, too.

    Parameters
    ----------
    rows : iterable of mapping
        None is written as an empty cell; so is a missing key.
    columns : sequence of str, optional
        The keys to write, in order; those of the first row by default.

    Returns
    -------
    str

    Examples
    --------
    >>> from weaklearn.reports import csv_text
    >>> print(csv_text([{"label": "=1+1", "value": -0.5}, {"label": "-1", "value": None}]), end="")
    label,value
    '=1+1,-0.5
    -1,
    """
    rows = list(rows)
    names = list(columns if columns is not None else rows[0] if rows else [])
    return "".join([_line(names), *(_line([row.get(name) for name in names]) for row in rows)])


def _line(cells: Iterable[Any]) -> str:
    buffer = io.StringIO()
    # The writer quotes a cell that contains a character of the line ending. With "\n" alone a carriage return would
    # stay bare, and readers would begin a new row there.
    csv.writer(buffer, lineterminator="\r\n").writerow([defused(cell) for cell in cells])
    return buffer.getvalue().removesuffix("\r\n") + "\n"
