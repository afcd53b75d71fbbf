"""What is done with a file that somebody has brought, in a process of its own: see `limited`.

Everything comes and goes as plain data. A table that cannot be read gives ``{"problem": sentence}``.
"""

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path
from typing import Any

from weaklearn.tables import Table, TableError, describe, read_table, rewritten
from weaklearn.web.uploads._label_guess import guessed_label, may_be_label
from weaklearn.web.uploads._limits import MOST_COLUMNS, UNPACKED_LIMIT

__all__ = ["call"]

_HEAD_ROWS = 8
_LONGEST_CELL = 60
_LONGEST_NAME = 200
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_ZIPPED = (".zip", ".xlsx", ".xlsm")
_PIECE = 1 << 20
_LONGEST_LINE = 64 << 20


def call(payload: dict[str, Any]) -> dict[str, Any]:
    """Call a function by its name. Errors about the table are sentences with the name that its owner knows."""
    if payload["function"] == "nothing":
        return {"found": None}
    try:
        return {"found": {"inspect": inspect, "rewrite": rewrite}[payload["function"]](payload)}
    except (TableError, RecursionError) as error:
        said = str(error).replace(payload["path"], payload["name"])
        return {"problem": said[:1].upper() + said[1:]}


def inspect(payload: dict[str, Any]) -> dict[str, Any]:
    """The preview: size, sheets, first rows, and each column with its kind and a sentence."""
    path, sheet, header = Path(payload["path"]), payload["sheet"], payload["header"]
    _check_unpacked(path)
    _check_first_line(path)
    table = read_table(path, sheet=sheet, header=header)
    _check_shape(table)
    columns = [
        {
            "name": column.name,
            "kind": column.kind.value,
            "used": column.used,
            "sentence": describe(column),
            "label": may_be_label(column, table.n_rows),
        }
        for column in table.columns
    ]
    n_head = min(_HEAD_ROWS, table.n_rows)
    return {
        "n_rows": table.n_rows,
        "columns": columns,
        "head": [[_short(table.cells[name][row]) for name in table.names] for row in range(n_head)],
        "label": guessed_label(table),
        "sheets": _sheets(path),
        "sheet": sheet,
        "header": header,
    }


def rewrite(payload: dict[str, Any]) -> int:
    """Write the table again with some labels replaced; the number of them."""
    source, target = Path(payload["path"]), Path(payload["target"])
    cells = {int(row): str(text) for row, text in payload["cells"].items()}
    content = rewritten(
        source, target, payload["column"], cells, sheet=payload["sheet"], header=payload["header"]
    )
    target.write_bytes(content)
    return len(cells)


def _check_unpacked(path: Path) -> None:
    """Refuse an archive that holds more than the limit, before it is unpacked."""
    suffix = path.suffix.lower()
    too_much = (
        f"{path} holds more than {UNPACKED_LIMIT // 1024**2} MB when it is unpacked: bring a part of it."
    )
    if suffix in _ZIPPED:
        try:
            with zipfile.ZipFile(path) as archive:
                size = sum(entry.file_size for entry in archive.infolist())
        except zipfile.BadZipFile as error:
            kind = "an archive" if suffix == ".zip" else "Excel"
            raise TableError(
                f"{path} cannot be read as {kind}: {error}. Is the download complete?"
            ) from error
        if size > UNPACKED_LIMIT:
            raise TableError(too_much)
    elif suffix in _OPENERS:
        size = 0
        try:
            with _OPENERS[suffix](path, "rb") as stream:
                while piece := stream.read(_PIECE):
                    size += len(piece)
                    if size > UNPACKED_LIMIT:
                        raise TableError(too_much)
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise TableError(f"{path} cannot be unpacked: {error}. Is the download complete?") from error


def _check_first_line(path: Path) -> None:
    """Refuse a first line with far too many cells before a reader makes an object of each."""
    suffix = path.suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            line = archive.open(names[0]).readline(_LONGEST_LINE) if len(names) == 1 else b""
    else:
        with _OPENERS.get(suffix, open)(path, "rb") as stream:
            line = stream.readline(_LONGEST_LINE)
    n_cells = 1 + max(line.count(separator) for separator in (b",", b";", b"\t", b"|"))
    if n_cells > 10 * MOST_COLUMNS:
        raise TableError(_too_many(n_cells))


def _too_many(n_columns: int) -> str:
    return (
        f"the table has {n_columns:,} columns; here it may have {MOST_COLUMNS:,}. Leave some out, or use the command "
        "line: weaklearn audit."
    )


def _check_shape(table: Table) -> None:
    if len(table.names) > MOST_COLUMNS:
        raise TableError(_too_many(len(table.names)))
    if table.n_rows == 0:
        raise TableError("the table has column names but no rows.")
    long = next((name for name in table.names if len(name) > _LONGEST_NAME), None)
    if long is not None:
        raise TableError(f"a column has a name of {len(long):,} characters; {_LONGEST_NAME} are allowed.")


def _sheets(path: Path) -> list[str]:
    if path.suffix.lower() not in (".xlsx", ".xlsm"):
        return []
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True)
    try:
        return list(book.sheetnames)
    finally:
        book.close()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
