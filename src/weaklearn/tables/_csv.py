"""Separated text: bytes to text, the separator, the header, and the cells.

pandas reads files in which every row has as many cells as the first. It fills short rows silently, so all other
files are read by Python's csv module, row by row, which finds the row that is wrong.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas

from weaklearn.tables._cells import Cells
from weaklearn.tables._column import TableError

__all__ = ["check_width", "column_names", "decoded", "parse_separated", "rows_of", "split_hint"]

_SEPARATORS = ",;\t|"
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def decoded(raw: bytes, where: str) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else Latin-1."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError as error:
                raise TableError(
                    f"{where} starts like {encoding.upper()} text but is not: {error.reason}. "
                    "Save the table again as CSV in UTF-8."
                ) from None
    head = raw[:4096]
    if b"\0" in head:
        # UTF-16 without a mark has a zero in every second byte of plain text.
        for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
            if zeros.count(0) > 0.4 * len(zeros):
                try:
                    return raw.decode(encoding)
                except UnicodeDecodeError:
                    pass
        raise TableError(
            f"{where} is not a text table. CSV, TSV, JSON lines (also .gz, .zip, .bz2, .xz), Parquet and Excel (.xlsx) "
            "can be read: save it as one of these."
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        # Latin-1 with the extra characters of Windows, of which a few bytes are not defined.
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def split_hint(text: str) -> tuple[str, str, str]:
    """The first line if it only names the separator ("sep=;", as spreadsheets write), the separator, and the rest."""
    if text[:4].lower() == "sep=":
        hint, end, text = text.partition("\n")
        return hint + end, hint[4:5], text
    return "", _separator(text.lstrip("\r\n")), text


def _separator(text: str) -> str:
    """The separator that cuts the first line most often, quotes aside; a sniffer is easily fooled by prose."""
    line = text[: text.find("\n")] if "\n" in text else text
    outside = "".join(line.split('"')[::2])
    best = max(_SEPARATORS, key=outside.count)
    return best if outside.count(best) else ","


def rows_of(text: str, separator: str) -> Iterator[list[str]]:
    """The rows as lists of cells, without blank lines."""
    # Quoted cells may hold line breaks, so the parser gets the lines with their ends. The limit on the length of a cell
    # is lifted: a long comment is no fault.
    csv.field_size_limit(2**31 - 1)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        if len(row) > 1 or (row and row[0].strip()):
            yield row


def parse_separated(
    text: str, where: str, *, header: bool, most_columns: int | None = None
) -> tuple[dict[str, Cells], str]:
    """Columns by name, and the separator."""
    _, separator, text = split_hint(text)
    try:
        first = next(rows_of(text, separator), None)
        if first is None:
            raise TableError(f"{where} is empty.")
        names = column_names(first, where, header=header)
        check_width(len(names), most_columns)
        if _is_regular(text, separator, len(names)):
            columns = _by_pandas(text, separator)
        else:
            columns = _by_rows(text, separator, where, len(names), header)
    except csv.Error as error:
        raise TableError(f"{where} cannot be read as a table: {error}. Save it again as CSV.") from None
    return {
        name: Cells(_stripped(cells[1:] if header else cells))
        for name, cells in zip(names, columns, strict=True)
    }, separator


def check_width(n_columns: int, most_columns: int | None) -> None:
    """Refuse a table that is too wide."""
    if most_columns is not None and n_columns > most_columns:
        raise TableError(
            f"the table has {n_columns:,} columns; here it may have {most_columns:,}. Leave some out, or use the "
            "command line: weaklearn audit."
        )


def _is_regular(text: str, separator: str, width: int) -> bool:
    """Whether every line is empty or a row of as many cells as there are names, and none of them is blank."""
    if '"' in text or text.count("\r") != text.count("\r\n"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return all(len(row) == width and (width > 1 or row[0].strip()) for row in rows if row)
    # Without quotes separators can be counted.
    lines = (line for line in text.split("\n") if line not in ("", "\r"))
    return all(line.count(separator) == width - 1 and line.strip() for line in lines)


def _by_pandas(text: str, separator: str) -> list[Sequence[str]]:
    frame = pandas.read_csv(
        io.StringIO(text), sep=separator, header=None, dtype=object, na_filter=False, index_col=False
    )
    return [frame[k].to_numpy(dtype=object) for k in frame.columns]


def _by_rows(text: str, separator: str, where: str, width: int, header: bool) -> list[Sequence[str]]:
    first, *body = rows_of(text, separator)
    for number, row in enumerate(body, start=1 if header else 2):
        if len(row) == width + 1 and not row[-1].strip():
            continue  # a separator at the end of every line is common; it makes one empty cell
        if len(row) == width:
            continue
        if width == 1 and header:
            raise TableError(
                f"the header of {where} has 1 cell, row {number} has {len(row)}: delete lines above the header."
            )
        raise TableError(
            f"row {number} of {where} has {len(row)} cells, the {'header' if header else 'first row'} has "
            f"{width}. If a cell holds {_named(separator)}, put it in double quotes."
        )
    return [[first[k], *(row[k] for row in body)] for k in range(width)]


def _stripped(cells: Sequence[str]) -> np.ndarray:
    texts = np.empty(len(cells), dtype=object)
    texts[:] = [text.strip() for text in cells]
    return texts


def _named(separator: str) -> str:
    return {",": "a comma", ";": "a semicolon", "\t": "a tab"}.get(separator, f"the character {separator}")


def column_names(cells: Sequence[Any], where: str, *, header: bool = True) -> list[str]:
    """Names from the first row: stripped, empty ones numbered, none twice; all are numbered without a header."""
    names = ["" if cell is None or not header else str(cell).strip() for cell in cells]
    while header and len(names) > 1 and not names[-1]:
        names.pop()
    names = [name or f"column {k}" for k, name in enumerate(names, start=1)]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        shown = ", ".join(map(repr, twice[:20])) + (", ..." if len(twice) > 20 else "")
        raise TableError(f"{where} has columns of the same name: {shown}. Rename them in the file.")
    return names
