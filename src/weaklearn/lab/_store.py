"""The store: one SQLite file, one row per finished trial.

A finished trial is immutable: adding one that is there already with the same stamp does nothing; only a result of other
code gives way. Every addition is one transaction, so killing a run at any moment loses the trials that were running and
nothing else, and two runs may share a store. Failed trials are kept apart, by name, and are never results.

A store that is opened with stamps (`current_stamps`) gives out fresh results only: those of the code that would run
now, or verified against it. Results of other code are stale and are never mixed in. Every row ends in a checksum: a row
that was changed is damaged, is named and is run again. A file that SQLite itself cannot read is moved aside, and the
store starts anew from the rows that can still be read.
"""

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from weaklearn.engines import Failure
from weaklearn.lab._code import Stamp
from weaklearn.lab._errors import CallError, LabError

# "wekl" in ASCII: how we tell our files from other SQLite databases.
_APPLICATION_ID = 0x77656B6C
_FORMAT = 3
_TABLES = {
    "trials": """CREATE TABLE trials (
        key TEXT PRIMARY KEY,
        code TEXT NOT NULL,
        libraries TEXT NOT NULL,
        description TEXT NOT NULL,
        result TEXT NOT NULL,
        seconds REAL NOT NULL,
        version TEXT NOT NULL,
        created TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) WITHOUT ROWID""",
    "failures": """CREATE TABLE failures (
        key TEXT PRIMARY KEY,
        code TEXT NOT NULL,
        libraries TEXT NOT NULL,
        description TEXT NOT NULL,
        kind TEXT NOT NULL,
        message TEXT NOT NULL,
        traceback TEXT NOT NULL,
        limits TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) WITHOUT ROWID""",
}
_MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?"
# Another run holds the write lock for milliseconds; a laptop waking up may need longer.
_BUSY_SECONDS = 60.0
_KEYS_PER_QUERY = 500
_CACHE_KIB = 256 * 1024
# What reading a damaged file may raise: sqlite3 decodes names in the schema and in its own messages.
_UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNKNOWN = Stamp("", "")


@dataclass(frozen=True)
class Outcome:
    """The end of a trial: its result, or why there is none.

    Attributes
    ----------
    key, description : str
        Which trial.
    result : dict or None
        The metrics; None if it failed.
    seconds : float
        CPU time.
    version : str
        The weaklearn version that ran it.
    stamp : Stamp
        The code and the libraries that ran it.
    failure : Failure or None
    limits : str
        The limits that a failed trial ran under; "" if the failure has nothing to do with them.
    """

    key: str
    description: str
    result: dict[str, Any] | None = None
    seconds: float = 0.0
    version: str = ""
    stamp: Stamp = _UNKNOWN
    failure: Failure | None = None
    limits: str = ""

    @property
    def error(self) -> str | None:
        """The traceback of a failed trial, or the one line there is."""
        return None if self.failure is None else self.failure.traceback or self.failure.message

    @property
    def last_line(self) -> str:
        """What the error says, without its traceback."""
        return (self.error or "").strip().rpartition("\n")[2]


class StoredTrial(NamedTuple):
    """A row: its result as text, whether it is fresh, and whether its checksum is right."""

    key: str
    stamp: Stamp
    description: str
    result: str
    seconds: float
    version: str
    fresh: bool
    intact: bool


def result_text(result: dict[str, Any]) -> str:
    """A result as it is stored: equal texts mean equal bits."""
    return json.dumps(result, sort_keys=True, allow_nan=False)


def _sealed(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row with its checksum at the end; a number and its text differ, and so do 1 and 1.0."""
    return (*values, hashlib.sha256(repr(values).encode("utf-8", "surrogateescape")).digest())


def _intact(row: tuple[Any, ...]) -> bool:
    return _sealed(row[:-1]) == row


class Store:
    """Finished trials on disk.

    Parameters
    ----------
    path : path-like
        The SQLite file; it and its folder are made if they are not there. A file that cannot be written, is no
        database or belongs to something else raises a `LabError` at once.
    stamps : callable, optional
        From a description to the stamp that the trial would get now (see `current_stamps`). Without it
        every stored result counts as fresh, whichever code made it.

    Attributes
    ----------
    rescue : str
        What was done about a damaged file when it was opened; "" if it was in order.
    """

    def __init__(self, path: str | os.PathLike[str], stamps: Callable[[str], Stamp] | None = None) -> None:
        self.path = Path(path)
        self.stamps = stamps
        self.rescue = ""
        self._check_place()
        try:
            self._connection = self._open()
        except _UNREADABLE as error:
            if not _is_damaged(error) or not _was_ours(self.path):
                raise LabError(self._explain(error)) from error
            self._connection = self._rescued(error)

    def _check_place(self) -> None:
        path = self.path
        if path.is_dir():
            raise CallError(f"the store {path} is a folder: give --store the name of a file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"the folder of the store {path} cannot be made ({error.strerror})"
            raise CallError(f"{reason}: choose another place with --store") from error
        # SQLite opens a read-only file or folder happily and fails at the first write.
        for place in (path, path.parent) if path.exists() else (path.parent,):
            if not os.access(place, os.W_OK):
                raise LabError(
                    f"the store cannot be written ({place} is read-only): choose another with --store"
                )

    def _open(self) -> sqlite3.Connection:
        connection = _connect(self.path)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # Under the write lock, so that of two runs that start together one makes the tables.
        with _transaction(connection):
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            schema = [
                row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
            ]
            if application == 0 and not schema:
                for statement in _TABLES.values():
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {_FORMAT}")
            elif application != _APPLICATION_ID:
                raise LabError(
                    f"{self.path} is a database of another program: choose another file with --store"
                )
            elif version != _FORMAT:
                raise LabError(
                    f"the store {self.path} has format {version}, this weaklearn reads {_FORMAT}: "
                    f"choose another file with --store"
                )
            elif set(schema) != set(_TABLES.values()):
                raise sqlite3.DatabaseError("its tables are not those of a store")
            elif (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found.replace("\n", "; "))
        # Changing the journal mode does not honour the busy timeout when two runs start together.
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        # In WAL mode this survives a killed process; only a power cut can lose the last commits.
        connection.execute("PRAGMA synchronous = NORMAL")
        # Keys are hashes, so every write goes to another page: keep up to this many KiB of them at hand.
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")

    def _rescued(self, error: Exception) -> sqlite3.Connection:
        """A new store with the rows of the damaged one that can still be read."""
        backup = self.path.with_name(f"{self.path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        for suffix in ("-wal", "-shm", ""):
            beside = self.path.with_name(self.path.name + suffix)
            if beside.exists():
                os.replace(beside, backup.with_name(backup.name + suffix))
        rows = _readable_rows(backup)
        connection = self._open()
        with _transaction(connection):
            for table, some in rows.items():
                connection.executemany(f"INSERT INTO {table} VALUES ({_MARKS})", some)
        n = len(rows["trials"])
        self.rescue = (
            f"the store {self.path} was damaged ({error}) and is now {backup}; {n} results could be read "
            "and are kept, the others are run again"
        )
        return connection

    def _explain(self, error: Exception) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # extended codes keep the kind in the low byte
        if code == sqlite3.SQLITE_NOTADB:
            return f"{self.path} is not a weaklearn store: choose another file with --store"
        if _is_damaged(error):
            return (
                f"the store {self.path} is damaged ({error}): rerun the same command to keep what is intact"
            )
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            return f"the store {self.path} cannot be written ({error}): choose another file with --store"
        if code == sqlite3.SQLITE_BUSY:
            return f"the store {self.path} has been locked by another program for {_BUSY_SECONDS:.0f} s"
        return f"the store {self.path} failed ({error}): what was finished before is kept"

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Add trials that ended, in one transaction.

        A result that is there already with the same stamp stays as it is. Of failures the latest is kept, until the
        trial has a result.
        """
        outcomes = list(outcomes)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        finished = [
            _sealed(
                (o.key, *o.stamp, o.description, result_text(o.result), float(o.seconds), o.version, created)
            )
            for o in outcomes
            if o.result is not None
        ]
        failed = [
            _sealed((o.key, *o.stamp, o.description, why.kind, why.message, why.traceback, o.limits))
            for o in outcomes
            if (why := o.failure) is not None
        ]
        with self._writing() as connection:
            connection.executemany(
                f"INSERT INTO trials VALUES ({_MARKS}) ON CONFLICT (key) DO UPDATE SET code = excluded.code, "
                "libraries = excluded.libraries, description = excluded.description, result = excluded.result, "
                "seconds = excluded.seconds, version = excluded.version, created = excluded.created, "
                "checksum = excluded.checksum WHERE (code, libraries) != (excluded.code, excluded.libraries)",
                finished,
            )
            connection.executemany("DELETE FROM failures WHERE key = ?", [row[:1] for row in finished])
            connection.executemany(f"INSERT OR REPLACE INTO failures VALUES ({_MARKS})", failed)

    def restamp(self, keys: Sequence[str], stamp: Stamp) -> None:
        """Note that results of other code hold for the code of this stamp, because a sample gave the same bits."""
        with self._writing() as connection:
            rows = [
                _sealed((row[0], *stamp, *row[3:-1])) for row in self._select("trials", keys) if _intact(row)
            ]
            connection.executemany(f"INSERT OR REPLACE INTO trials VALUES ({_MARKS})", rows)

    def discard(self, keys: Sequence[str]) -> None:
        """Remove damaged rows: their trials have no result any more."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM trials WHERE key = ?", [(key,) for key in keys])

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys whose trials have a fresh result."""
        return {trial.key for trial in self.stored(keys) if trial.fresh}

    def results(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The metrics of the trials among the keys that have a fresh result."""
        return {trial.key: json.loads(trial.result) for trial in self.stored(keys) if trial.fresh}

    def provenance(self, keys: Sequence[str]) -> tuple[float, list[str]]:
        """The CPU seconds of work behind the keys, and the weaklearn versions that did it."""
        rows = [trial for trial in self.stored(keys) if trial.fresh]
        return sum(trial.seconds for trial in rows), sorted({trial.version for trial in rows})

    def stored(self, keys: Sequence[str]) -> Iterator[StoredTrial]:
        """The rows of the trials among the keys, stale and damaged ones included; a damaged one is never fresh."""
        for row in self._select("trials", keys):
            key, code, libraries, description, result, seconds, version, _, _ = row
            stamp, intact = Stamp(code, libraries), _intact(row)
            fresh = intact and (self.stamps is None or stamp == self.stamps(description))
            yield StoredTrial(key, stamp, description, result, seconds, version, fresh, intact)

    def failed(self, keys: Sequence[str], limits: str = "") -> dict[str, Outcome]:
        """Failures of trials among the keys that would be run with the same stamp and limits now."""
        found = {}
        for row in self._select("failures", keys):
            key, code, libraries, description, kind, message, traceback, its_limits, _ = row
            stamp = Stamp(code, libraries)
            same = self.stamps is None or stamp == self.stamps(description)
            if _intact(row) and same and its_limits in ("", limits):
                why = Failure(kind, message, traceback)
                found[key] = Outcome(key, description, stamp=stamp, failure=why, limits=its_limits)
        return found

    def _select(self, table: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        keys = sorted(keys)  # neighbours in the file: each page is read once
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            some = keys[start : start + _KEYS_PER_QUERY]
            select = f"SELECT * FROM {table} WHERE key IN ({','.join('?' * len(some))}) ORDER BY key"
            try:
                yield from self._connection.execute(select, some)
            except _UNREADABLE as error:
                raise LabError(self._explain(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with _transaction(self._connection):
                yield self._connection
        except _UNREADABLE as error:
            raise LabError(self._explain(error)) from error

    def keys(self) -> list[str]:
        """The keys of all stored trials."""
        return [key for (key,) in self._connection.execute("SELECT key FROM trials ORDER BY key")]

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    # Let damaged text through: the checksum finds it, and then its row can be named.
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    return connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, under the write lock."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _is_damaged(error: Exception) -> bool:
    """Whether the file is at fault, not its place or another program."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGED


def _was_ours(path: Path) -> bool:
    """Whether a file that SQLite cannot read was a store: never move a file of something else."""
    with open(path, "rb") as file:
        page = file.read(4096)
    return page[68:72] == _APPLICATION_ID.to_bytes(4, "big") or b"CREATE TABLE trials" in page


def _readable_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The intact rows that SQLite can still read: from both ends, each up to the first page that it cannot."""
    rows: dict[str, dict[str, tuple[Any, ...]]] = {table: {} for table in _TABLES}
    connection = _connect(path)
    try:
        for table, found in rows.items():
            for direction in ("ASC", "DESC"):
                try:
                    for row in connection.execute(f"SELECT * FROM {table} ORDER BY key {direction}"):
                        if _intact(row):
                            found[row[0]] = row
                except _UNREADABLE:
                    continue  # what lies beyond it may be reached from the other end
    finally:
        connection.close()
    return {table: list(found.values()) for table, found in rows.items()}
