"""The folder of tables. What the browser sends is never made part of a path; the name of a file is only text."""

import json
import os
import re
import secrets
import shutil
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weaklearn._files import write_file
from weaklearn.web.jobs import JobError
from weaklearn.web.jobs._folders import RecordFolder
from weaklearn.web.uploads._limits import limited

__all__ = ["Incoming", "StoredTable", "TableFolder", "shown_name"]

_FORMS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".xlsx", ".xlsm")
_PACKED = (".gz", ".bz2", ".xz", ".zip")
_LONGEST_NAME = 120


@dataclass(frozen=True)
class StoredTable:
    """A table that was received.

    Attributes
    ----------
    key : str
    path : Path
        The file, as it was sent.
    name : str
        What its owner calls it; only text.
    size : int
        Bytes.
    created : float
    preview : dict
        What `inspect` found.
    """

    key: str
    path: Path
    name: str
    size: int
    created: float
    preview: dict[str, Any]

    def options(self) -> dict[str, Any]:
        """How the file is to be read."""
        return {"sheet": self.preview["sheet"], "header": self.preview["header"]}


class Incoming:
    """A file that is being received into ``folder``; `keep` makes a table of it, `drop` deletes it."""

    def __init__(self, tables: "TableFolder", name: str):
        self.tables, self.name = tables, shown_name(name)
        self.key = secrets.token_hex(8)
        self.folder = tables.new_folder(self.key)
        self.path = self.folder / f"table{_ending(name)}"
        self._file = open(self.path, "wb")  # noqa: SIM115 (closed by keep and drop)
        self.size = 0

    def write(self, piece: bytes) -> None:
        """Add the next piece."""
        self._file.write(piece)
        self.size += len(piece)

    def keep(self) -> StoredTable:
        """Inspect the file and keep it as a table; JobError if it cannot be read."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if self.size == 0:
            raise JobError("The file is empty.")
        found = limited("inspect", {"path": str(self.path), "name": self.name, "sheet": None, "header": True})
        about = {"name": self.name, "file": self.path.name, "size": self.size, "created": time.time()}
        write_file(self.folder / "preview.json", json.dumps(found))
        write_file(self.folder / "about.json", json.dumps(about))
        os.replace(self.folder, self.tables.path / self.key)
        table = self.tables.find(self.key)
        assert table is not None
        return table

    def drop(self) -> None:
        """Delete what has been received so far."""
        self._file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class TableFolder(RecordFolder[StoredTable]):
    """The tables in ``path``."""

    def read_differently(self, table: StoredTable, sheet: str | None, header: bool) -> None:
        """Take another sheet, or the first row as names or as data; JobError if that cannot be read."""
        asked = {"path": str(table.path), "name": table.name, "sheet": sheet, "header": header}
        write_file(table.path.parent / "preview.json", json.dumps(limited("inspect", asked)))

    def _read(self, key: str) -> StoredTable:
        folder = self.path / key
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        preview = json.loads((folder / "preview.json").read_text(encoding="utf-8"))
        return StoredTable(
            key, folder / about["file"], about["name"], about["size"], about["created"], preview
        )


def shown_name(name: str) -> str:
    """The last part of what the browser calls the file, without characters that do not show."""
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip()
    return visible[-_LONGEST_NAME:] or "table"


def _ending(name: str) -> str:
    """The ending of our own file, by which the reader chooses; text if the name has none that is known."""
    suffixes = [suffix.lower() for suffix in Path(shown_name(name)).suffixes]
    packed = suffixes.pop() if suffixes and suffixes[-1] in _PACKED else ""
    form = suffixes[-1] if suffixes and suffixes[-1] in (*_FORMS, ".xls") else ".csv"
    return form + packed
