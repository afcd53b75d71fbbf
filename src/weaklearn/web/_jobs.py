"""Jobs: long work that outlives the page, the browser and the server.

A job is a folder, and everything about it is in its files:

- ``job.json``: what is to be done (kind, title, settings). Written once.
- ``state.json``: waiting, running, done, failed or cancelled, and why. Written by the queue alone.
- ``cancel``: there if the job is to be stopped.
- ``progress.jsonl``: a line of JSON per piece of news. Written by the process that does the work (`Work`).
- ``log.txt``: what that process printed, tracebacks included.
- ``parts``: what a kind of work keeps there to resume from, if it can.
- ``result``: what was made. It is built as ``result.part`` and renamed when it is whole.

The folder of a job, like that of an uploaded table, appears whole and vanishes at once, even if the server is killed.

A folder may come from a stranger. Every path is made by `RecordFolder`, of plain names in a folder without links; what
does not pass is listed as damaged and is neither used nor changed.
"""

import json
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from weaklearn._files import checked_shape, plain_files, read_json, write_file

_KEY = re.compile(r"[0-9a-f]{16}")
_DESCRIPTION, _STATE, _PROGRESS = "job.json", "state.json", "progress.jsonl"
_LATEST = 1e11  # seconds since 1970; later moments have no date
Record = TypeVar("Record", bound=Any)  # anything with `key` and `created`


class JobError(Exception):
    """The work cannot be done; the message is a sentence for the user."""


class Damaged(NamedTuple):
    """A folder that is not used: where it is, from the user's folder on, and why."""

    place: str
    problem: str


class RecordFolder(Generic[Record]):
    """Makes, lists and finds records, each of them a folder, in ``path``; that is made with the first one."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self.lock = self.path / ".lock"

    def _read(self, key: str) -> Record:
        """The record in a folder; OSError or ValueError if it is damaged."""
        raise NotImplementedError

    def records(self) -> list[Record]:
        """All records, the latest first."""
        return self.listed()[0]

    def listed(self) -> tuple[list[Record], list[Damaged]]:
        """All records, the latest first, and the folders that cannot be used."""
        if self._linked():
            return [], [Damaged(self._place(), "it, or .lock in it, is a link; links are not followed")]
        found = [self._whole(key) for key in sorted(self._keys())]
        damaged = [one for one in found if isinstance(one, Damaged)]
        records = [one for one in found if one is not None and not isinstance(one, Damaged)]
        return sorted(records, key=lambda record: (record.created, record.key), reverse=True), damaged

    def find(self, key: str) -> Record | None:
        """The record with this key, or None; what was sent is compared with what is there and never made a path."""
        found = self._whole(key) if isinstance(key, str) and key in self._keys() else None
        return None if isinstance(found, Damaged) else found

    def member(self, key: str, name: str) -> Path:
        """The path of a file of a record; ValueError unless the name is plain and the file is there."""
        plain = name not in (".", "..") and not set(name) & set("/\\:\0")
        path = self.path / key / name
        if not plain or not path.is_file():
            raise ValueError(f"{name!a} is not the name of a file in this folder")
        return path

    def remove(self, record: Record) -> None:
        """Delete a record and everything in its folder, in one step; what a link in it leads to stays."""
        gone = self.path / f".gone-{record.key}"
        os.replace(self.path / record.key, gone)
        shutil.rmtree(gone, ignore_errors=True)  # the next sweep deletes what is left

    def new_folder(self, key: str) -> Path:
        """A folder to fill and then to `keep`; its name has the process that fills it."""
        if self._linked():
            raise JobError(
                f"{self._place()}, or .lock in it, is a link, and links are not followed. Delete the link."
            )
        self.path.mkdir(parents=True, exist_ok=True)
        folder = self.path / f".new-{os.getpid()}-{key}"
        folder.mkdir()
        return folder

    def keep(self, folder: Path, key: str) -> Record:
        """Make a record of a folder that is filled."""
        os.replace(folder, self.path / key)
        return self._read(key)

    def sweep(self) -> None:
        """Delete what killed servers left half made or half deleted; other servers may be making something now."""
        for name in os.listdir(self.path) if self.usable() else []:
            left = name.startswith(".new-") and not _alive(name.split("-")[1])
            if left or name.startswith(".gone-"):
                shutil.rmtree(self.path / name, ignore_errors=True)

    def _keys(self) -> set[str]:
        try:
            return set() if self._linked() else {key for key in os.listdir(self.path) if _KEY.fullmatch(key)}
        except (FileNotFoundError, NotADirectoryError):
            return set()

    def usable(self) -> bool:
        """Whether the folder is there, and a folder of its own."""
        return self.path.is_dir() and not self._linked()

    def _linked(self) -> bool:
        return any(path.is_symlink() for path in (self.path.parent, self.path, self.lock))

    def _place(self, key: str = "") -> str:
        return "/".join(filter(None, (self.path.parent.name, self.path.name, key)))

    def _whole(self, key: str) -> Record | Damaged | None:
        """The record, what is wrong with it, or None if it was removed meanwhile: it must harm no other record."""
        try:
            plain_files(self.path / key)
            return self._read(key)
        except (OSError, ValueError) as error:
            if not os.path.lexists(self.path / key):
                return None
            said = str(error)
            if isinstance(error, OSError) and error.filename:
                said = f"{Path(error.filename).name}: {error.strerror}"
            return Damaged(self._place(key), said)


def moment(seconds: float) -> float:
    """A time that has a date; ValueError if it has none."""
    if not 0 <= seconds <= _LATEST:
        raise ValueError(f"'created' must be seconds since 1970; got {seconds:g}")
    return float(seconds)


def _alive(process: str) -> bool:
    if sys.platform == "win32":  # asking would end it
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass
    return True


class State(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def finished(self) -> bool:
        """Whether nothing further happens to the job by itself."""
        return self in (State.DONE, State.FAILED, State.CANCELLED)

    @property
    def tone(self) -> str:
        """How its badge is coloured."""
        return {"done": "good", "failed": "bad", "cancelled": "none"}.get(self, "neutral")


@dataclass(frozen=True)
class Job:
    """What was asked for and where it stands; a snapshot.

    ``created`` is in seconds since 1970, ``message`` says why it failed, ``attempt`` counts how often it was started.
    """

    key: str
    path: Path
    kind: str
    title: str
    created: float
    settings: dict[str, Any]
    state: State
    message: str = ""
    attempt: int = 0

    @property
    def result(self) -> Path:
        """The folder of what was made; there only if the job is done."""
        return self.path / "result"

    @property
    def cancel_mark(self) -> Path:
        """The file that asks to stop the job."""
        return self.path / "cancel"

    def progress(self, start: int = 0) -> list[dict[str, Any]]:
        """The news from line ``start`` on; a line that is being written is left for next time."""
        try:
            raw = (self.path / _PROGRESS).read_bytes()
        except FileNotFoundError:
            return []
        lines = raw[: raw.rfind(b"\n") + 1].splitlines()
        return [_news(line) for line in lines[start:]]


def _news(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:  # torn by a kill; it keeps its place, so that numbers of lines stay the same
        return {}
    return found if isinstance(found, dict) else {}


_ASKED = {"kind": str, "title": str, "created": float, "settings": dict}
_STANDS = {"state": str, "message": str, "attempt": int}
# Settings of work on a table, whichever it is.
_ON_TABLE = {
    "table": str,
    "label": str,
    "sheet": (str, int, None),
    "header": bool,
    "merge_spellings": bool,
    "least_rows": int,
    "drop": [str],
    "categorical": [str],
    "numeric": [str],
}


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    if "table" in given:
        checked_shape(given, _ON_TABLE, "'settings'")
    return given


class JobFolder(RecordFolder[Job]):
    """The jobs in ``path``."""

    def create(self, kind: str, title: str, settings: Mapping[str, Any]) -> Job:
        """A new job that waits. It appears whole or not at all."""
        key = secrets.token_hex(8)
        new = self.new_folder(key)
        try:
            written = {"kind": kind, "title": title, "created": time.time(), "settings": dict(settings)}
            write_file(new / _DESCRIPTION, json.dumps(written, allow_nan=False))
            return self.keep(new, key)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise

    def _read(self, key: str) -> Job:
        path = self.path / key
        asked = read_json(path / _DESCRIPTION, _ASKED)
        try:
            found = read_json(path / _STATE, _STANDS)
        except FileNotFoundError:
            found = {"state": "waiting", "message": "", "attempt": 0}
        return Job(
            key=key,
            path=path,
            kind=asked["kind"],
            title=asked["title"],
            created=moment(asked["created"]),
            settings=_settings(asked["settings"]),
            state=State(found["state"]),
            message=found["message"],
            attempt=found["attempt"],
        )

    def set_state(self, job: Job, state: State, message: str = "") -> None:
        """Write down where the job stands."""
        now = {"state": state, "message": message, "attempt": job.attempt}
        write_file(job.path / _STATE, json.dumps(now))
