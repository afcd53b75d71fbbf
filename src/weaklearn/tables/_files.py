"""Files of all formats: from bytes to the cells of each column.

pandas reads Parquet, Excel, and separated text in which every row has as many cells as the first. It fills short rows
silently, so all other separated text is read by Python's csv module, row by row, which finds the row that is wrong.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas

from weaklearn.tables._cells import Cells, frame_cells, named_cells
from weaklearn.tables._column import TableError

_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
EXCEL = (".xlsx", ".xlsm")
PARQUET = (".parquet", ".pq")
_PIECE = 1 << 20
_SEPARATORS = ",;\t|"
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def read_file(
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


def pandas_call(path: Path, separator: str) -> str:
    """How pandas reads another file like this one."""
    suffix = path.suffix.lower()
    if suffix in EXCEL:
        return f'pandas.read_excel("new_rows{suffix}")'
    if suffix in PARQUET:
        return f'pandas.read_parquet("new_rows{suffix}")'
    if not separator:
        return 'pandas.read_json("new_rows.jsonl", lines=True)'
    return 'pandas.read_csv("new_rows.csv"' + (
        ")" if separator == "," else f", sep={separator!r})".replace("'", '"')
    )


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
    return {name: named_cells(name, [record.get(name) for record in records]) for name in names}


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
    return frame_cells(frame if frame.index.names == [None] else frame.reset_index())


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
    return {
        name: named_cells(name, frame.iloc[int(header) :, k].tolist()) for k, name in enumerate(names)
    }, sheets


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
