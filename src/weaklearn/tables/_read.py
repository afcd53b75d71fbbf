"""`read_table`: from a file, a data frame, a dict or an array to a `Table`."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas

from weaklearn.tables._cells import Cells, cells_of
from weaklearn.tables._column import TableError
from weaklearn.tables._csv import check_width, column_names, decoded, parse_separated
from weaklearn.tables._table import Table

__all__ = ["EXCEL", "PARQUET", "content_of", "is_json", "read_table", "sheet_of"]

_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
EXCEL = (".xlsx", ".xlsm")
PARQUET = (".parquet", ".pq")
_PIECE = 1 << 20


def read_table(
    source: Any,
    *,
    sheet: str | int | None = None,
    header: bool = True,
    drop: Any = (),
    categorical: Any = (),
    numeric: Any = (),
    most_columns: int | None = None,
    most_bytes: int | None = None,
) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path, DataFrame, dict of columns, array or Table
        Files: text separated by commas, semicolons, tabs or bars (the separator is found) and JSON lines, both also as
        .gz, .zip, .bz2 or .xz and in UTF-8, UTF-16 or Latin-1; Parquet (needs pyarrow); Excel (.xlsx, needs
        openpyxl). Frames: pandas or polars.
    sheet : str or int, default=None
        The sheet of an Excel file: its name, or its number from 1 on. None takes the first.
    header : bool, default=True
        Whether the first row of a file holds the names of the columns.
    drop, categorical, numeric : sequence of str
        Columns to leave out, to read as categories, and to read as numbers, whatever they look like.
    most_columns : int, default=None
        Refuse tables with more columns.
    most_bytes : int, default=None
        Refuse packed files (.gz, .zip, .bz2, .xz, .xlsx) that hold more than this.

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
    options: dict[str, Any] = {
        "drop": _names(drop), "categorical": _names(categorical), "numeric": _names(numeric)
    }  # fmt: skip
    if isinstance(source, Table):
        if any(options.values()):
            raise TableError(
                "drop, categorical and numeric are given when a table is read; this one has been read."
            )
        return source
    sheets: list[str] = []
    separator = ""
    if isinstance(source, str | Path):
        columns, separator, sheets = _read_file(
            Path(source).expanduser(), sheet, header, most_columns, most_bytes
        )
    elif sheet is not None or header is not True:
        raise TableError("sheet and header are for files; this table is already in memory.")
    else:
        columns = _columns(source)
    if not columns:
        raise TableError("the table has no columns.")
    check_width(len(columns), most_columns)
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) > 1:
        raise TableError(f"the columns of the table differ in length: {sorted(lengths)}.")
    return Table(columns, decimal_comma=separator == ";", sheets=sheets, **options)


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


def _read_file(
    path: Path, sheet: Any, header: bool, most_columns: int | None, most_bytes: int | None
) -> tuple[dict[str, Cells], str, list[str]]:
    """The columns, the separator of separated text, and the sheets of an Excel file."""
    if path.is_dir():
        raise TableError(f"{path} is a folder: name a file in it.")
    if not path.is_file():
        raise TableError(f"there is no file {path}.")
    suffix = path.suffix.lower()
    if suffix in EXCEL:
        columns, sheets = _read_excel(path, sheet, header, most_bytes)
        return columns, "", sheets
    if suffix == ".xls":
        raise TableError(f"{path} is in the old Excel format: save it as .xlsx or CSV.")
    if sheet is not None:
        raise TableError(f"{path} has no sheets: leave out sheet.")
    raw, name = content_of(path, most_bytes)
    if suffix in PARQUET or raw.startswith(b"PAR1"):
        return _read_parquet(raw, path), "", []
    if raw.startswith(b"PK\x03\x04"):
        raise TableError(f"{path} is an archive or an Excel file: give it the ending .zip or .xlsx.")
    text = decoded(raw, str(path))
    if is_json(text, name):
        return _read_json(text, str(path)), "", []
    if text.lstrip()[:5].lower() in ("<html", "<!doc"):
        raise TableError(f"{path} is a web page, not a table: download the file behind it.")
    columns, separator = parse_separated(text, str(path), header=header, most_columns=most_columns)
    return columns, separator, []


def content_of(path: Path, most_bytes: int | None = None) -> tuple[bytes, str]:
    """The bytes of the file, unpacked, and the name of what was unpacked."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                entries = [
                    entry
                    for entry in archive.infolist()
                    if not entry.is_dir() and not entry.filename.startswith("__MACOSX")
                ]
                if len(entries) != 1:
                    shown = ", ".join(entry.filename for entry in entries[:5]) or "nothing"
                    raise TableError(
                        f"{path} must hold one file, and holds {len(entries)} ({shown}): unpack it first."
                    )
                _check_size(entries[0].file_size, path, most_bytes)
                return archive.read(entries[0]), entries[0].filename
        if suffix not in _OPENERS:
            return path.read_bytes(), path.name
        pieces, size = [], 0
        with _OPENERS[suffix](path, "rb") as stream:
            while piece := stream.read(_PIECE):
                pieces.append(piece)
                size += len(piece)
                _check_size(size, path, most_bytes)
        return b"".join(pieces), path.stem
    except (OSError, EOFError, zipfile.BadZipFile, lzma.LZMAError, RuntimeError) as error:
        what = "cannot be read" if suffix not in _OPENERS else "cannot be read: it cannot be unpacked"
        raise TableError(f"{path} {what}: {error}. Is the download complete?") from error


def _check_size(size: int, path: Path, most_bytes: int | None) -> None:
    if most_bytes is not None and size > most_bytes:
        raise TableError(
            f"{path} holds more than {most_bytes // 1024**2} MB when it is unpacked: use a part of it."
        )


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


def _read_parquet(raw: bytes, path: Path) -> dict[str, Cells]:
    try:
        # With the nullable types integers stay integers beside missing cells.
        frame = pandas.read_parquet(io.BytesIO(raw), engine="pyarrow", dtype_backend="numpy_nullable")
    except ImportError:
        raise TableError(
            "reading Parquet needs pyarrow: pip install 'weaklearn[parquet]', or save the table as CSV."
        ) from None
    except MemoryError:
        raise
    except Exception as error:  # what a reader raises about the user's file is a message for the user
        raise TableError(f"{path} cannot be read as Parquet: {error}.") from error
    return _columns(frame if frame.index.names == [None] else frame.reset_index())


def _read_excel(
    path: Path, sheet: Any, header: bool, most_bytes: int | None
) -> tuple[dict[str, Cells], list[str]]:
    try:
        if most_bytes is not None:
            with zipfile.ZipFile(path) as archive:
                _check_size(sum(entry.file_size for entry in archive.infolist()), path, most_bytes)
        with pandas.ExcelFile(path, engine="openpyxl") as book:
            sheets = list(map(str, book.sheet_names))
            chosen = sheet_of(sheets, path, sheet)
            frame = pandas.read_excel(
                book, sheet_name=chosen, header=None, dtype=object, keep_default_na=False, na_values=[""]
            )
    except ImportError:
        raise TableError(
            "reading Excel needs openpyxl: pip install 'weaklearn[excel]', or save the sheet as CSV."
        ) from None
    except (TableError, MemoryError):
        raise
    except Exception as error:  # as above
        raise TableError(
            f"{path} cannot be read as Excel: {error}. Save it again as .xlsx or CSV."
        ) from error
    frame = frame.dropna(how="all")
    if frame.empty:
        raise TableError(f"sheet {chosen!r} of {path} is empty; the sheets are: {', '.join(sheets)}.")
    frame = frame.astype(object).where(frame.notna(), None)
    names = column_names(frame.iloc[0].tolist(), f"sheet {chosen!r} of {path}", header=header)
    names += [f"column {k}" for k in range(len(names) + 1, frame.shape[1] + 1)]
    return {name: _cells(name, frame.iloc[int(header) :, k].tolist()) for k, name in enumerate(names)}, sheets


def sheet_of(sheets: list[str], path: Path, sheet: Any) -> str:
    """The name of the sheet that is asked for by name or number."""
    if sheet is None:
        return sheets[0]
    if sheet in sheets:
        return sheet
    number = int(sheet) if str(sheet).isdigit() else 0
    if 1 <= number <= len(sheets):
        return sheets[number - 1]
    raise TableError(f"{path} has no sheet {sheet!r}; the sheets are: {', '.join(sheets)}.")
