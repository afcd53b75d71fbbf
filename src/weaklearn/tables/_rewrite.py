"""A file again with some cells of one column replaced, everything else as it was, but for formulas."""

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weaklearn._formulas import defused
from weaklearn.tables._column import TableError
from weaklearn.tables._files import (
    EXCEL,
    PARQUET,
    column_names,
    content_of,
    decoded,
    is_json,
    rows_of,
    sheet_of,
    split_hint,
)

_PACKERS: dict[str, Any] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def check_rewritable(source: str | Path, target: str | Path) -> None:
    """Raise a TableError if the endings of two files stand for different formats.

    Parameters
    ----------
    source, target : path
        A table, and the file that `rewritten` is to be written to. Separated text and JSON lines may be packed
        differently (.gz, .zip, .bz2, .xz).
    """
    forms = [_form(Path(path)) for path in (source, target)]
    if forms[0] != forms[1]:
        raise TableError(
            f"{target} must have the format of the table: give it the ending {''.join(Path(source).suffixes[-2:])}."
        )


def _form(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in (*_PACKERS, ".zip"):
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix in EXCEL:
        return "excel"
    if suffix in PARQUET:
        return "parquet"
    return "json" if suffix in (".json", ".jsonl", ".ndjson") else "text"


def rewritten(
    source: str | Path,
    target: str | Path,
    column: str,
    cells: Mapping[int, str],
    *,
    sheet: str | int | None = None,
    header: bool = True,
    keep_formulas: bool = False,
) -> bytes:
    """The content of a table's file with some cells of a column replaced.

    Parameters
    ----------
    source : path
        A file that `read_table` reads.
    target : path
        Where the content is going to be written; only its ending matters, which says how it is packed.
    column : str
    cells : mapping of int to str
        New cells by row, from 0 on.
    sheet, header
        As for `read_table`.
    keep_formulas : bool, default=False
        By default nothing in the file runs when a spreadsheet opens it: in separated text, cells that begin with
        ``=``, ``+``, ``-`` or ``@`` and are not numbers get a leading apostrophe; in Excel files, formulas are replaced
        by their last values. If True, they are written as they are. JSON and Parquet never change.

    Returns
    -------
    bytes
        Text is written as UTF-8, with the separator and line ends of the source.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from weaklearn.tables import rewritten
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "t.csv")
    ...     _ = path.write_text("x;y\\n1,5;a\\n2,5;b\\n")
    ...     rewritten(path, "new.csv", "y", {1: "a"}).decode()
    'x;y\\n1,5;a\\n2,5;a\\n'
    """
    source, target = Path(source).expanduser(), Path(target)
    check_rewritable(source, target)
    suffix = source.suffix.lower()
    if suffix in EXCEL:
        return _excel(source, column, cells, sheet, header, keep_formulas)
    raw, name = content_of(source)
    if suffix in PARQUET or raw.startswith(b"PAR1"):
        return _parquet(raw, column, cells)
    text = decoded(raw, str(source))
    if is_json(text, name):
        text = _json(text, column, cells)
    else:
        text = _separated(text, column, cells, header, keep_formulas)
    packed = text.encode("utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else "utf-8")
    if target.suffix.lower() == ".zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            inside = target.stem if Path(target.stem).suffix else target.stem + (Path(name).suffix or ".csv")
            archive.writestr(inside, packed)
        return buffer.getvalue()
    return _PACKERS.get(target.suffix.lower(), bytes)(packed)


def _separated(text: str, column: str, cells: Mapping[int, str], header: bool, keep_formulas: bool) -> str:
    hint, separator, text = split_hint(text)
    rows = list(rows_of(text, separator))
    place = column_names(rows[0], "it", header=header).index(column)
    for row, cell in cells.items():
        rows[row + header][place] = cell
    if not keep_formulas:
        rows = [[defused(cell) for cell in row] for row in rows]
    buffer = io.StringIO()
    end = "\r\n" if "\r\n" in text else "\n"
    csv.writer(buffer, delimiter=separator, lineterminator=end).writerows(rows)
    return hint + buffer.getvalue()


def _like(old: Any, text: str) -> Any:
    """A cell of the type of the one that it replaces."""
    if isinstance(old, bool):
        return text.lower() == "true"
    if isinstance(old, int | float):
        value = float(text)
        return int(value) if value.is_integer() and isinstance(old, int) else value
    return text


def _json(text: str, column: str, cells: Mapping[int, str]) -> str:
    whole = text.lstrip().startswith("[")
    records = json.loads(text) if whole else [json.loads(line) for line in text.splitlines() if line.strip()]
    for row, cell in cells.items():
        records[row][column] = _like(records[row][column], cell)
    if whole:
        return json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _parquet(raw: bytes, column: str, cells: Mapping[int, str]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(raw))
    place = table.column_names.index(column)
    values = table.column(place).to_pylist()
    for row, cell in cells.items():
        values[row] = _like(values[row], cell)
    field = table.schema.field(place)
    buffer = io.BytesIO()
    parquet.write_table(table.set_column(place, field, pyarrow.array(values, type=field.type)), buffer)
    return buffer.getvalue()


def _excel(
    path: Path, column: str, cells: Mapping[int, str], sheet: Any, header: bool, keep_formulas: bool
) -> bytes:
    import openpyxl

    book = openpyxl.load_workbook(path)
    page = book[sheet_of(book.sheetnames, path, sheet)]
    # The rows that `read_table` sees: empty cells and errors are nothing to it.
    rows = [
        row
        for row in page.iter_rows()
        if any(cell.value not in (None, "") and cell.data_type != "e" for cell in row)
    ]
    place = column_names([cell.value for cell in rows[0]], "it", header=header).index(column)
    for row, text in cells.items():
        cell = rows[row + header][place]
        cell.value = _like(cell.value, text)
        if cell.data_type == "f":  # a label that begins with "="
            cell.data_type = "s"
    if not keep_formulas:
        _without_formulas(book, openpyxl.load_workbook(path, data_only=True))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _without_formulas(book: Any, values: Any) -> None:
    """Put the last values in place of formulas; one that was never computed becomes its own text."""
    for page in book.worksheets:
        computed = values[page.title]
        for row in page.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    value = computed[cell.coordinate].value
                    cell.value = getattr(cell.value, "text", cell.value) if value is None else value
                    if cell.data_type == "f":
                        cell.data_type = "s"
