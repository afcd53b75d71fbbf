"""`read_table`: from a file, a data frame, a dict or an array to a `Table`."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.tables._cells import Cells, cells_of
from weaklearn.tables._csv import column_names, decoded, parse_separated
from weaklearn.tables._errors import TableError
from weaklearn.tables._table import Table

__all__ = ["EXCEL", "PARQUET", "content_of", "is_json", "read_table", "sheet_of"]

_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
EXCEL = (".xlsx", ".xlsm")
PARQUET = (".parquet", ".pq")
_READ = "CSV, TSV, JSON lines (also .gz, .zip, .bz2, .xz), Parquet and Excel (.xlsx)"


def read_table(
    source: Any,
    *,
    sheet: str | int | None = None,
    header: bool = True,
    drop: Any = (),
    categorical: Any = (),
    numeric: Any = (),
) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path, DataFrame, dict of columns, array or Table
        Files: text separated by commas, semicolons, tabs or bars (the separator is found) and JSON lines, both also as
        .gz, .zip, .bz2 or .xz and in UTF-8, UTF-16 or Latin-1; Parquet (needs polars, or pandas with pyarrow); Excel
        (.xlsx, needs openpyxl). Frames: pandas or polars.
    sheet : str or int, default=None
        The sheet of an Excel file: its name, or its number from 1 on. None takes the first.
    header : bool, default=True
        Whether the first row of a file holds the names of the columns.
    drop, categorical, numeric : sequence of str
        Columns to leave out, to read as categories, and to read as numbers, whatever they look like.

    Returns
    -------
    Table

    Raises
    ------
    TableError
        A ValueError that names the file, row or column and says what to do.

    Examples
    --------
    >>> from weaklearn.tables import read_table
    >>> table = read_table({"age": [31, 45, None], "city": ["Rome", "Oslo", "Rome"]})
    >>> [(column.name, column.kind.value, column.n_missing) for column in table.columns]
    [('age', 'number', 1), ('city', 'text', 0)]
    """
    options: dict[str, Any] = {"drop": drop, "categorical": categorical, "numeric": numeric}
    if isinstance(source, Table):
        return source.with_options(**options) if any(len(_names(v)) for v in options.values()) else source
    decimal_comma = False
    if isinstance(source, str | Path):
        columns, separator = _read_file(Path(source).expanduser(), sheet, header)
        decimal_comma = separator == ";"
    elif sheet is not None or header is not True:
        raise TableError("sheet and header are for files; this table is already in memory.")
    else:
        columns = _columns(source)
    if not columns:
        raise TableError("the table has no columns.")
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) > 1:
        raise TableError(f"the columns of the table differ in length: {sorted(lengths)}.")
    named: dict[str, Any] = {option: _names(value) for option, value in options.items()}
    return Table(columns, decimal_comma=decimal_comma, **named)


def _names(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def _cells(name: Any, values: Any) -> Cells:
    try:
        return cells_of(values)
    except OverflowError as error:
        raise TableError(
            f"column {str(name)!r} holds an integer that is too large for a float: write it as text if it is an "
            "identifier."
        ) from error


def _columns(source: Any) -> dict[str, Cells]:
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise TableError(f"an array must have two dimensions to be a table; this one has {source.ndim}.")
        return {f"x{k}": _cells(f"x{k}", source[:, k]) for k in range(source.shape[1])}
    if isinstance(source, dict):
        return {str(name): _cells(name, values) for name, values in source.items()}
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        names = [str(name) for name in source.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise TableError(f"the table has columns of the same name: {', '.join(map(repr, twice))}.")
        by_place = hasattr(source, "iloc")
        return {
            name: _cells(name, source.iloc[:, k] if by_place else source.get_column(name))
            for k, name in enumerate(names)
        }
    raise TableError(
        "the table must be a file, a pandas or polars table, a dict of columns or an array; "
        f"got {type(source).__name__}."
    )


def _read_file(path: Path, sheet: Any, header: bool) -> tuple[dict[str, Cells], str]:
    if path.is_dir():
        raise TableError(f"{path} is a folder: name a file in it.")
    if not path.is_file():
        raise TableError(f"there is no file {path}.")
    suffix = path.suffix.lower()
    if suffix in EXCEL:
        return _read_excel(path, sheet, header), ""
    if suffix == ".xls":
        raise TableError(f"{path} is in the old Excel format: save it as .xlsx or CSV.")
    if sheet is not None:
        raise TableError(f"{path} has no sheets: leave out sheet.")
    if suffix in PARQUET:
        return _read_parquet(path), ""
    raw, name = content_of(path, suffix)
    if raw.startswith(b"PAR1"):
        return _read_parquet(io.BytesIO(raw)), ""
    if raw.startswith(b"PK\x03\x04"):
        raise TableError(f"{path} is an archive or an Excel file: give it the ending .zip or .xlsx.")
    text = decoded(raw, str(path))
    if is_json(text, name):
        return _read_json(text, str(path)), ""
    if text.lstrip()[:5].lower() in ("<html", "<!doc"):
        raise TableError(f"{path} is a web page, not a table: download the file behind it.")
    return parse_separated(text, str(path), header=header)


def content_of(path: Path, suffix: str) -> tuple[bytes, str]:
    """The bytes of the file, unpacked, and the name of what was unpacked."""
    try:
        if suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                names = [
                    n for n in archive.namelist() if not n.endswith("/") and not n.startswith("__MACOSX")
                ]
                if len(names) != 1:
                    shown = ", ".join(names[:5]) or "nothing"
                    raise TableError(
                        f"{path} must hold one file, and holds {len(names)} ({shown}): unpack it first."
                    )
                return archive.read(names[0]), names[0]
        if suffix in _OPENERS:
            with _OPENERS[suffix](path, "rb") as stream:
                return stream.read(), path.stem
        return path.read_bytes(), path.name
    except (OSError, EOFError, zipfile.BadZipFile, lzma.LZMAError, RuntimeError) as error:
        raise TableError(f"{path} cannot be read: {error}. Is the download complete?") from error


def is_json(text: str, name: str) -> bool:
    """Whether text is JSON, by the name of its file or by its beginning."""
    return Path(name).suffix.lower() in (".jsonl", ".ndjson", ".json") or text.lstrip()[:2] in ('{"', "[{")


def _read_json(text: str, where: str) -> dict[str, Cells]:
    """JSON lines, or one list of records."""
    records: list[dict] = []
    if text.lstrip().startswith("["):
        lines = [(1, text)]
    else:
        lines = [(k, line) for k, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for number, line in lines:
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise TableError(f"line {number} of {where} is not JSON: {error.msg}.") from None
        records += found if isinstance(found, list) else [found]
    if not records:
        raise TableError(f"{where} is empty.")
    if not all(isinstance(record, dict) for record in records):
        raise TableError(f"{where} must hold one JSON object per row, with the column names as keys.")
    names = dict.fromkeys(str(name) for record in records for name in record)
    return {name: _cells(name, [record.get(name) for record in records]) for name in names}


def _read_parquet(path: Any) -> dict[str, Cells]:
    try:
        if find_spec("polars"):
            import polars

            return _columns(polars.read_parquet(path))
        import pandas

        return _columns(pandas.read_parquet(path))
    except ImportError:
        raise TableError(
            "reading Parquet needs polars, or pandas with pyarrow: pip install polars, or save the table as CSV."
        ) from None
    except TableError:
        raise
    except Exception as error:  # whatever a reader raises about the user's file is the user's to read
        raise TableError(f"{path} cannot be read as Parquet: {error}.") from error


def _read_excel(path: Path, sheet: Any, header: bool) -> dict[str, Cells]:
    try:
        import openpyxl
    except ImportError:
        raise TableError(
            "reading Excel needs openpyxl: pip install 'weaklearn[excel]', or save the sheet as CSV."
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # as above
        raise TableError(
            f"{path} cannot be read as Excel: {error}. Save it again as .xlsx or CSV."
        ) from error
    try:
        chosen = sheet_of(book, path, sheet)
        rows = [list(row) for row in book[chosen].iter_rows(values_only=True)]
    finally:
        book.close()
    rows = [row for row in rows if any(cell is not None for cell in row)]
    if not rows:
        raise TableError(
            f"sheet {chosen!r} of {path} is empty; the sheets are: {', '.join(book.sheetnames)}."
        )
    width = max(max(k for k, cell in enumerate(row) if cell is not None) + 1 for row in rows)
    rows = [row[:width] + [None] * (width - len(row)) for row in rows]
    if header:
        names = column_names(rows[0] + [None] * (width - len(rows[0])), f"sheet {chosen!r} of {path}")
        names += [f"column {k}" for k in range(len(names) + 1, width + 1)]
    else:
        names = [f"column {k}" for k in range(1, width + 1)]
    body = rows[1:] if header else rows
    return {name: _cells(name, [row[k] for row in body]) for k, name in enumerate(names)}


def sheet_of(book: Any, path: Path, sheet: Any) -> str:
    """The name of the sheet that is asked for by name or number."""
    names = book.sheetnames
    if sheet is None:
        return names[0]
    if sheet in names:
        return sheet
    number = int(sheet) if str(sheet).isdigit() else 0
    if 1 <= number <= len(names):
        return names[number - 1]
    raise TableError(f"{path} has no sheet {sheet!r}; the sheets are: {', '.join(names)}.")
