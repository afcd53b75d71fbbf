"""Tables that were uploaded: received, inspected, kept as they came.

A table is a folder with the file as it was sent, ``about.json`` (its name, which is only text) and
``preview.json`` (what `weaklearn.tables` found in it). A file is read only by a process with a limit on time and
memory (`limited`), or by a job: a file that crashes its reader does not stop the server. What the browser sends is
never made part of a path.
"""

import json
import os
import re
import secrets
import shutil
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weaklearn._files import read_json, write_file
from weaklearn.engines import EngineError, Outcome, run_limited
from weaklearn.web._jobs import JobError, RecordFolder, moment
from weaklearn.web._shell import FormError
from weaklearn.web._work import Work

if TYPE_CHECKING:
    from weaklearn.tables import Table

UPLOAD_LIMIT = 200 * 1024**2  # bytes of a file
UNPACKED_LIMIT = 1024**3  # bytes of what is packed in it
MOST_COLUMNS = 1000
LEAST_ROWS = 3  # of a class; smaller ones are set aside unless they are to be kept
_SECONDS = 60.0
_MEMORY = 4 * 1024**3 if sys.platform.startswith("linux") else None  # where processes can be limited
_TURN = threading.Lock()
_FORMS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".xlsx", ".xlsm", ".xls")
_PACKED = (".gz", ".bz2", ".xz", ".zip")
_LONGEST_NAME = 120
# What a column may be taken as, and the option of read_table that says so; "" leaves it as found.
CHOICES = {"": "as found", "numeric": "numbers", "categorical": "categories", "drop": "leave out"}


def _call(payload: dict[str, Any]) -> Outcome:
    with _TURN:
        return run_limited("weaklearn.web._reading:call", payload, timeout=_SECONDS, memory_limit=_MEMORY)


def warm_up() -> None:
    """Start the process that reads tables, in the background: an upload is likely."""
    threading.Thread(target=_call, args=({"function": "nothing"},), daemon=True).start()


def limited(function: str, payload: dict[str, Any]) -> Any:
    """What a function of `_reading` returns, called in a process that may take a minute and four gigabytes.

    Raises
    ------
    JobError
        If the table cannot be used; the message says why.
    """
    try:
        outcome = _call({**payload, "function": function})
    except EngineError as error:
        raise JobError(f"No process to read the table could be started: {error}.") from error
    if outcome.failure is not None:
        reason = {
            "timeout": f"reading it took longer than {_SECONDS:.0f} seconds",
            "memory": "reading it takes too much memory",
            "killed": "reading it takes too much memory, or the reader crashed",
        }.get(outcome.failure.kind, f"reading it failed ({outcome.failure.message})")
        path = Path(payload["path"])
        way = "upload fewer rows" + ("." if ".csv" in path.suffixes else ", or save it as CSV.")
        size = path.stat().st_size / 1024**2
        raise JobError(f"The table cannot be used: {reason}. Its file has {size:,.1f} MB: {way}")
    if "problem" in outcome.value:
        raise JobError(outcome.value["problem"])
    return outcome.value["found"]


@dataclass(frozen=True)
class StoredTable:
    """A table that was received.

    ``path`` is the file as it was sent, ``name`` what its owner calls it, ``preview`` what
    `weaklearn.web._reading.inspect` found.
    """

    key: str
    path: Path
    name: str
    created: float
    preview: dict[str, Any]

    def options(self) -> dict[str, Any]:
        """How the file is to be read."""
        return {"sheet": self.preview["sheet"], "header": self.preview["header"]}


class Incoming:
    """A file that is being received into ``folder``; `keep` makes a table of it, `drop` deletes it."""

    def __init__(self, tables: "TableFolder", name: str):
        self.tables, self.name = tables, _shown_name(name)
        self.key = secrets.token_hex(8)
        self.folder = tables.new_folder(self.key)
        self.path = self.folder / f"table{_ending(self.name)}"
        self._file = open(self.path, "wb")  # noqa: SIM115 (closed by keep and drop)

    def write(self, piece: bytes) -> None:
        """Add the next piece."""
        self._file.write(piece)

    def keep(self) -> StoredTable:
        """Inspect the file and keep it as a table; JobError if it cannot be read."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if self.path.stat().st_size == 0:
            raise JobError("The file is empty.")
        found = limited("inspect", {"path": str(self.path), "name": self.name, "sheet": None, "header": True})
        about = {"name": self.name, "file": self.path.name, "created": time.time()}
        write_file(self.folder / "preview.json", json.dumps(found))
        write_file(self.folder / "about.json", json.dumps(about))
        return self.tables.keep(self.folder, self.key)

    def drop(self) -> None:
        """Delete what has been received so far."""
        self._file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


_ABOUT = {"name": str, "file": str, "created": float}
_PREVIEW = {
    "n_rows": int,
    "columns": [
        {
            "name": str,
            "kind": str,
            "used": bool,
            "sentence": str,
            "label": bool,
            "notes": [str],
            "telling": [int],
        }
    ],
    "head": [list],
    "label": (str, None),
    "sheets": [str],
    "sheet": (str, int, None),
    "header": bool,
}


class TableFolder(RecordFolder[StoredTable]):
    """The tables in ``path``."""

    def read_differently(self, table: StoredTable, sheet: str | None, header: bool) -> None:
        """Take another sheet, or the first row as names or as data; JobError if that cannot be read."""
        asked = {"path": str(table.path), "name": table.name, "sheet": sheet, "header": header}
        write_file(table.path.parent / "preview.json", json.dumps(limited("inspect", asked)))

    def _read(self, key: str) -> StoredTable:
        folder = self.path / key
        about = read_json(folder / "about.json", _ABOUT)
        preview = read_json(folder / "preview.json", _PREVIEW)
        path = self.member(key, about["file"])
        return StoredTable(key, path, about["name"], moment(about["created"]), preview)


def _shown_name(name: str) -> str:
    """The last part of what the browser calls the file, without characters that do not show."""
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip()
    return visible[-_LONGEST_NAME:] or "table"


def _ending(name: str) -> str:
    """The ending of our own file, by which the reader chooses; text if the name has none that is known."""
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    packed = suffixes.pop() if suffixes and suffixes[-1] in _PACKED else ""
    form = suffixes[-1] if suffixes and suffixes[-1] in _FORMS else ".csv"
    return form + packed


def chosen(form: Mapping[str, str], table: StoredTable) -> dict[str, Any]:
    """Settings of a job from the form, whose fields are numbered like the columns: names may hold any characters."""
    names = [column["name"] for column in table.preview["columns"]]
    place = form.get("label", "")
    if not place.isascii() or not place.isdigit() or int(place) >= len(names):
        raise JobError("Choose the column with the labels first.")
    label = names[int(place)]
    options: dict[str, list[str]] = {option: [] for option in CHOICES if option}
    for k, name in enumerate(names):
        choice = form.get(f"column-{k}", "")
        if choice not in CHOICES:
            raise FormError("The form holds an unknown choice for a column.")
        if choice and name != label:
            options[choice].append(name)
    labels = {
        "merge_spellings": form.get("keep_spellings") != "yes",
        "least_rows": 1 if form.get("keep_small_classes") == "yes" else LEAST_ROWS,
    }
    return {"table": table.key, "label": label, **table.options(), **labels, **options}


@contextmanager
def table_of(work: Work) -> "Iterator[Table]":
    """The table of a job, read as it was `chosen`; errors use the name of the uploaded file."""
    from weaklearn.tables import read_table  # jobs read tables; the server does not wait for this import

    work.report(text="Reading the table")
    stored = TableFolder(work.folder.parent.parent / "tables").find(work.settings["table"])
    if stored is None:
        raise JobError("The table of this job has been deleted.")
    try:
        options = ("sheet", "header", "drop", "categorical", "numeric")
        yield read_table(stored.path, **{option: work.settings[option] for option in options})
    except ValueError as error:  # TableError is one
        said = str(error).replace(str(stored.path), stored.name)
        raise JobError(said[:1].upper() + said[1:]) from error
