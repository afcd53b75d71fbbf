"""Separated text: bytes to text, the separator, the header, and the cells.

The plain reader is Python's own. Large files are read by polars or pandas where one is installed, with the same result.
"""

import csv
import io
from collections import Counter
from importlib.util import find_spec
from typing import Any

import numpy as np

from weaklearn.tables._cells import Cells, SeriesCells, TextCells
from weaklearn.tables._errors import TableError

__all__ = ["column_names", "decoded", "parse_separated", "separator_of"]

_SEPARATORS = ",;\t|"
# Above this size a compiled reader pays.
_LARGE = 5_000_000
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


def separator_of(text: str) -> str:
    """The separator that cuts the first line most often, quotes aside; a sniffer is easily fooled by prose."""
    line = text[: text.find("\n")] if "\n" in text else text
    outside = "".join(line.split('"')[::2])
    best = max(_SEPARATORS, key=outside.count)
    return best if outside.count(best) else ","


def parse_separated(text: str, where: str, *, header: bool) -> tuple[dict[str, Cells], str]:
    """Columns by name, and the separator."""
    if not text.strip():
        raise TableError(f"{where} is empty.")
    separator = "\t"
    if text[:4].lower() == "sep=":  # a hint that spreadsheets write
        separator, _, text = text[4:5], *text.partition("\n")[1:]
    else:
        separator = separator_of(text.lstrip("\r\n"))
    if len(text) >= _LARGE and (columns := _fast(text, separator, header)) is not None:
        return columns, separator
    return _plain(text, where, separator, header), separator


def _plain(text: str, where: str, separator: str, header: bool) -> dict[str, Cells]:
    # Quoted cells may hold line breaks, so the parser gets the lines with their ends. The limit on the length of a cell
    # is lifted: a long comment is no fault.
    csv.field_size_limit(2**31 - 1)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row]
    except csv.Error as error:
        raise TableError(f"{where} cannot be read as a table: {error}. Save it again as CSV.") from None
    rows = [row for row in rows if len(row) > 1 or row[0].strip()]
    if not rows:
        raise TableError(f"{where} is empty.")
    first = rows[0]
    names = column_names(first, where) if header else [f"column {k}" for k in range(1, len(first) + 1)]
    body = rows[1:] if header else rows
    width = len(names)
    for number, row in enumerate(body, start=1):
        if len(row) != width:
            # A separator at the end of every line is common; it makes one empty cell.
            if len(row) == width + 1 and not row[-1].strip():
                row.pop()
                continue
            if width == 1 and header:
                raise TableError(
                    f"the header of {where} has 1 cell, row {number} has {len(row)}: delete lines above the header."
                )
            raise TableError(
                f"row {number} of {where} has {len(row)} cells, the {'header' if header else 'first row'} has "
                f"{width}. If a cell holds {_named(separator)}, put it in double quotes."
            )
    columns: dict[str, Cells] = {}
    for k, name in enumerate(names):
        texts = np.empty(len(body), dtype=object)
        texts[:] = [row[k].strip() for row in body]
        columns[name] = TextCells(texts)
    return columns


def _named(separator: str) -> str:
    return {",": "a comma", ";": "a semicolon", "\t": "a tab"}.get(separator, f"the character {separator}")


def column_names(cells: list[Any], where: str) -> list[str]:
    """Names from a header: stripped, empty ones numbered, none twice."""
    names = ["" if cell is None else str(cell).strip() for cell in cells]
    while len(names) > 1 and not names[-1]:
        names.pop()
    names = [name or f"column {k}" for k, name in enumerate(names, start=1)]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        shown = ", ".join(map(repr, twice[:20])) + (", ..." if len(twice) > 20 else "")
        raise TableError(f"{where} has columns of the same name: {shown}. Rename them in the file.")
    return names


def _fast(text: str, separator: str, header: bool) -> dict[str, Cells] | None:
    """The same by a compiled reader; None if there is none, or if the file is irregular (the plain one says how)."""
    if find_spec("polars"):
        import polars

        try:
            frame = polars.read_csv(
                text.lstrip("\r\n").encode("utf-8"),
                separator=separator,
                has_header=False,
                infer_schema=False,
            )
        except polars.exceptions.PolarsError:
            return None
        found = [frame.get_column(name) for name in frame.columns]
        first = [series[0] for series in found]
        kept: list[Cells] = [SeriesCells(series[1:] if header else series) for series in found]
    elif find_spec("pandas"):
        import pandas

        try:
            table = pandas.read_csv(
                io.StringIO(text),
                sep=separator,
                header=None,
                dtype=object,
                keep_default_na=False,
                skip_blank_lines=True,
                engine="c",
                index_col=False,
            )
        except (pandas.errors.ParserError, ValueError):
            return None
        first = table.iloc[0].tolist()
        kept = [_of_texts(table[k].tolist()[header:]) for k in table.columns]
    else:
        return None
    try:
        names = column_names(first, "it") if header else [f"column {k}" for k in range(1, len(first) + 1)]
    except TableError:
        return None
    if len(names) != len(kept) or not _regular(text, separator, len(kept), len(kept[0]) + header):
        return None
    return dict(zip(names, kept, strict=True))


def _regular(text: str, separator: str, width: int, n_rows: int) -> bool:
    """Whether every row has as many cells as the first: compiled readers fill short rows in silence."""
    if '"' in text:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        widths = [len(row) for row in reader if row]
        return len(widths) == n_rows and set(widths) == {width}
    # Without quotes separators can be counted.
    if text.count(separator) != n_rows * (width - 1):
        return False
    return all(line.count(separator) == width - 1 for line in text.split("\n") if line.strip())


def _of_texts(texts: list[str]) -> Cells:
    array = np.empty(len(texts), dtype=object)
    array[:] = ["" if text is None or text != text else str(text).strip() for text in texts]
    return TextCells(array)
