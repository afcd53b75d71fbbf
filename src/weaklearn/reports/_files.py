"""Files that are whole or not there, and CSV that a spreadsheet cannot mistake for formulas."""

import csv
import io
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["csv_text", "write_bytes", "write_csv", "write_page"]

_FORMULA_STARTS = ("=", "+", "-", "@")
_CONTROL_STARTS = ("\t", "\r", "\n")


def write_page(path: str | os.PathLike[str], text: str) -> None:
    """Write text under another name beside `path`, then rename it: readers see the old file or the new one.

    Parameters
    ----------
    path : path-like
    text : str
        It is written as UTF-8.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is untouched.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file of any kind as `write_page` writes text: under another name beside `path`, then renamed.

    Parameters
    ----------
    path : path-like
    content : bytes

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is untouched.
    """
    target = Path(os.path.realpath(path))  # a link keeps pointing to the same file
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):  # a pipe or a terminal cannot be replaced
        with open(target, "wb") as stream:
            stream.write(content)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:60]}.", suffix=".part")
    try:
        with open(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(beside, mode)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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


def write_csv(
    path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None
) -> None:
    """Write `csv_text` of the rows to a file, whole or not at all.

    Parameters
    ----------
    path : path-like
    rows : iterable of mapping
    columns : sequence of str, optional
    """
    write_page(path, csv_text(rows, columns))


def _line(cells: Iterable[Any]) -> str:
    buffer = io.StringIO()
    # The writer quotes a cell that contains a character of the line ending. With "\n" alone a carriage return would
    # stay bare, and readers would begin a new row there.
    csv.writer(buffer, lineterminator="\r\n").writerow([_defused(cell) for cell in cells])
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _defused(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.startswith(_CONTROL_STARTS) or (
        value.lstrip().startswith(_FORMULA_STARTS) and not _is_number(value)
    ):
        return "'" + value
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
