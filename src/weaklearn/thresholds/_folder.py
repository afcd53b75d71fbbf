"""The sessions of one folder, as the page knows them.

What the browser sends is never made part of a path. A session is named by a key that is computed from its file
name and its id; a key is looked up among the keys of the files that are there, and the path comes from the folder.

Sessions with the same text under "block" belong together. They are asked in rounds: each session that is not finished
gets one question, in random order, before any gets the next. The draw depends on what was recorded so far alone:
reloading a page does not change it.

`weaklearn.adaptive` takes a second to import: it waits until there is a session.
"""

import datetime
import hashlib
import os
import random
import secrets
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.exceptions import HTTPException

from weaklearn.thresholds._options import FIELDS
from weaklearn.thresholds._wording import CONFIDENCE

if TYPE_CHECKING:
    from weaklearn.adaptive import Session
    from weaklearn.thresholds._setup import Setup

_MARK = b'"weaklearn-session"'  # stands near the beginning of every session file
_MARK_WITHIN = 4096
# A file that was written or spoilt by hand can fail anywhere in a sampler; it must harm no other.
_SPOILT = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, MemoryError, RecursionError)
_MOST_OPEN = 50
_BLOCK_SECONDS = 20.0  # to find out which sessions of a block are finished; known ones take no time


@dataclass(frozen=True)
class Entry:
    """One file of the folder: a session (key), or one that cannot be read (problem)."""

    name: str
    changed: datetime.datetime
    key: str = ""
    question: str = ""
    n_answers: int = 0
    stop_reason: str | None = None
    estimates: tuple = ()
    computed: bool = False  # whether estimates and reason are known
    seed: int = 0
    revision: int = 0
    about: dict[str, str] = field(default_factory=dict)
    problem: str = ""


class SessionFolder:
    """Lists, finds and makes sessions in ``path``, which exists."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self._known: dict[str, tuple[tuple, Entry | None]] = {}
        self._opened: dict[str, Session] = {}

    def _session(self, name: str) -> "Session":
        """The session in a file. Those used last stay open: an unchanged file is not read again."""
        from weaklearn.adaptive import Session, SessionFileError  # there is one

        session = self._opened.pop(name, None)
        try:
            session = Session.open(self.path / name) if session is None else session.reload()
        except SessionFileError:
            if session is None:
                raise
            session = Session.open(self.path / name)  # the file was replaced by another session
        self._opened[name] = session  # last in the dict is used last
        if len(self._opened) > _MOST_OPEN:
            del self._opened[next(iter(self._opened))]
        return session

    def entries(self) -> list[Entry]:
        """Sessions and damaged session files, the last changed first; other files are passed over."""
        found = {}
        with os.scandir(self.path) as files:
            for file in files:
                # A link is not followed: its target may lie anywhere, and a write would replace the link.
                ours = file.name.endswith(".json") and file.name[0] != "."
                if ours and file.is_file(follow_symlinks=False):
                    status = file.stat(follow_symlinks=False)
                    state = (status.st_mtime_ns, status.st_size, status.st_ino)
                    known = self._known.get(file.name)
                    if known is None or known[0] != state:
                        known = (state, self._read(file.name, status.st_mtime_ns))
                    found[file.name] = known
        self._known = found
        listed = [entry for _, entry in found.values() if entry is not None]
        return sorted(listed, key=lambda entry: entry.changed, reverse=True)

    def _read(self, name: str, mtime_ns: int) -> Entry | None:
        path = self.path / name
        changed = datetime.datetime.fromtimestamp(mtime_ns / 1e9, datetime.UTC)
        try:
            with open(path, "rb") as file:
                if _MARK not in file.read(_MARK_WITHIN):
                    return None
            # Not before there is a session.
            from weaklearn.adaptive.sessions import read_record

            record = self._session(name).record if name in self._opened else read_record(path)
        except ValueError as error:  # a SessionFileError
            return Entry(name, changed, problem=without_folder(str(error), self.path))
        except OSError as error:
            return Entry(name, changed, problem=error.strerror or "cannot be read")
        return Entry(
            name,
            changed,
            key=_key(name, record["id"]),
            question=record["question"],
            n_answers=len(record["history"]),
            seed=record["seed"],
            revision=record["revision"],
            about=record["about"],
        )

    def outcomes(self, entries: list[Entry], seconds: float) -> list[Entry]:
        """The entries with their estimates, as far as they are known or can be computed within ``seconds``."""
        end = time.monotonic() + seconds
        found = []
        for entry in entries:
            if entry.key and not entry.computed and time.monotonic() < end:
                entry = self._computed(entry)
                if entry.name in self._known:
                    self._known[entry.name] = (self._known[entry.name][0], entry)
            found.append(entry)
        return found

    def _computed(self, entry: Entry) -> Entry:
        try:
            session = self._session(entry.name)
            session.ask()  # a fault of the sampler shows here
            estimates = tuple(session.estimate(CONFIDENCE)) if session.history else ()
            return replace(entry, estimates=estimates, stop_reason=session.stop_reason, computed=True)
        except (*_SPOILT, OSError) as error:
            problem = without_folder(str(error), self.path) or type(error).__name__
            return replace(entry, key="", problem=problem, computed=True)

    def open(self, key: str) -> "Session":
        """The session with this key; a request for one that is not there ends with status 404."""
        from weaklearn.adaptive import SessionFileError  # there is one

        names = [name for name, (_, entry) in self._known.items() if entry is not None and entry.key == key]
        for name in names or [entry.name for entry in self.entries() if entry.key and entry.key == key]:
            session = self._session(name)
            if _key(name, session.id) == key:  # or else the file was replaced since it was listed
                try:
                    session.ask()  # remembered by the session
                except _SPOILT as error:
                    raise SessionFileError(f"{session.path} cannot be used: {error}") from error
                return session
        raise HTTPException(404, "There is no such session.")

    def start(self, setup: "Setup", seed: int) -> str:
        """Start a session, once, and return its key: the same form sent again leads to the session it made."""
        for entry in self.entries():
            same = entry.key and entry.seed == seed and entry.question == setup.question
            if same and setup.difference(self._session(entry.name), FIELDS) is None:
                return entry.key
        today = datetime.date.today().isoformat()
        name = f"threshold-{today}-{secrets.token_hex(3)}.json"
        session = setup.start(self.path / name, seed)
        return _key(name, session.id)


def _key(name: str, session_id: str) -> str:
    return hashlib.sha256(f"{name}\0{session_id}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def without_folder(message: str, folder: Path) -> str:
    """The page needs the file's name, not where the folder is."""
    return message.replace(f"{folder}{os.sep}", "")


# --- blocks ---------------------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """The sessions of a block; ``next_key`` is the one to ask, None when all are finished."""

    name: str
    n_sessions: int
    n_finished: int
    next_key: str | None


def block_of(folder: SessionFolder, name: str) -> Block:
    """The block with this name; a request for one to which no session belongs ends with status 404."""
    members = _members(folder, name)
    if not members:
        raise HTTPException(404, "There is no such block.")
    known = folder.outcomes(members, _BLOCK_SECONDS)
    unfinished = [entry for entry in known if entry.key and entry.stop_reason is None]
    fewest = min((entry.n_answers for entry in unfinished), default=0)
    behind = sorted(entry.key for entry in unfinished if entry.n_answers == fewest)
    recorded = ",".join(f"{entry.key}:{entry.revision}" for entry in sorted(members, key=lambda e: e.key))
    drawn = random.Random(recorded).choice(behind) if behind else None
    return Block(name, len(members), len(members) - len(unfinished), drawn)


def last_answered(folder: SessionFolder, session: "Session") -> "tuple[str, Session] | None":
    """(key, session) of the last answer in the session's block: what "undo" means there. None outside blocks."""
    name = session.about.get("block")
    if name is None:
        return None
    answered = [entry for entry in _members(folder, name) if entry.n_answers]
    if not answered:
        return None
    last = max(answered, key=lambda entry: entry.changed)
    return last.key, folder.open(last.key)


def _members(folder: SessionFolder, name: str) -> list[Entry]:
    return [entry for entry in folder.entries() if entry.key and entry.about.get("block") == name]
