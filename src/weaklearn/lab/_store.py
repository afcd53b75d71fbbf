"""The store: one SQLite file, one row per finished trial.

The contract, which the file itself enforces: a finished trial is immutable. Rows are only ever
added; adding a key that is there already does nothing; triggers refuse updates and deletions.
Every addition is one transaction, so killing a run at any moment loses the trials that were
running and nothing else, and two runs may share a store. Failed trials are never stored.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from weaklearn.lab._errors import LabError

__all__ = ["Finished", "Store"]

# "wekl" in ASCII: how we tell our files from other SQLite databases.
_APPLICATION_ID = 0x77656B6C
_SCHEMA_VERSION = 1
_SCHEMA = (
    """CREATE TABLE trials (
        key TEXT PRIMARY KEY,
        description TEXT NOT NULL,
        result TEXT NOT NULL,
        seconds REAL NOT NULL,
        version TEXT NOT NULL,
        created TEXT NOT NULL
    ) WITHOUT ROWID""",
    *(
        f"""CREATE TRIGGER no_{action} BEFORE {action} ON trials
        BEGIN SELECT RAISE(ABORT, 'finished trials are immutable'); END"""
        for action in ("UPDATE", "DELETE")
    ),
)
# Another run holds the write lock for milliseconds; a laptop waking up may need longer.
_BUSY_SECONDS = 60.0
_KEYS_PER_QUERY = 500


@dataclass(frozen=True)
class Finished:
    """A finished trial: its key, description, metrics, seconds of work and weaklearn version."""

    key: str
    description: str
    result: dict[str, Any]
    seconds: float
    version: str


class Store:
    """Finished trials on disk.

    Parameters
    ----------
    path : path-like
        The SQLite file; it and its folder are made if they are not there. A file that cannot be
        written, is no database or belongs to something else raises a `LabError` at once.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        path = self.path
        if path.is_dir():
            raise LabError(f"the store {path} is a folder: give --store the name of a file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"the folder of the store {path} cannot be made ({error.strerror})"
            raise LabError(f"{reason}: choose another place with --store") from error
        # SQLite opens a read-only file or folder happily and fails at the first write.
        for place in (path, path.parent) if path.exists() else (path.parent,):
            if not os.access(place, os.W_OK):
                raise LabError(
                    f"the store cannot be written ({place} is read-only): choose another with --store"
                )
        try:
            # As root a file may look writable and still refuse to be made.
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise LabError(self._explain(error)) from error
        try:
            self._prepare(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise LabError(self._explain(error)) from error
        except LabError:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # Under the write lock, so that of two runs that start together one makes the tables.
        with _transaction(connection):
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            n_objects = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if application == 0 and n_objects == 0:
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
            elif application != _APPLICATION_ID:
                raise LabError(
                    f"{self.path} is a database of another program: choose another file with --store"
                )
            elif version != _SCHEMA_VERSION:
                raise LabError(
                    f"the store {self.path} has format {version}, this weaklearn reads {_SCHEMA_VERSION}: "
                    f"choose another file with --store"
                )
        self._use_wal(connection)
        # In WAL mode this survives a killed process; only a power cut can lose the last commits.
        connection.execute("PRAGMA synchronous = NORMAL")

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # Changing the journal mode does not honour the busy timeout when two runs start together.
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def _explain(self, error: sqlite3.Error) -> str:
        text = str(error)
        if "not a database" in text or "malformed" in text:
            return f"{self.path} is not a weaklearn store: choose another file with --store"
        if "readonly" in text or "unable to open" in text:
            return f"the store {self.path} cannot be written ({text}): choose another file with --store"
        if "locked" in text:
            return f"the store {self.path} has been locked by another program for {_BUSY_SECONDS:.0f} s"
        return f"the store {self.path} failed ({text}): what was finished before is kept"

    def add(self, finished: Iterable[Finished]) -> None:
        """Add finished trials in one transaction; keys that are there already stay as they are."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            (
                trial.key,
                trial.description,
                json.dumps(trial.result, sort_keys=True, allow_nan=False),
                trial.seconds,
                trial.version,
                created,
            )
            for trial in finished
        ]
        try:
            with _transaction(self._connection):
                self._connection.executemany("INSERT OR IGNORE INTO trials VALUES (?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.DatabaseError as error:
            raise LabError(self._explain(error)) from error

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys whose trials are finished."""
        return {row[0] for row in self._select("key", keys)}

    def results(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The metrics of the finished trials among the keys."""
        return {key: json.loads(text) for key, text in self._select("key, result", keys)}

    def provenance(self, keys: Sequence[str]) -> tuple[float, list[str]]:
        """The seconds of work behind the keys, and the weaklearn versions that did it."""
        rows = list(self._select("seconds, version", keys))
        return sum(seconds for seconds, _ in rows), sorted({version for _, version in rows})

    def _select(self, columns: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            some = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(some))
            try:
                yield from self._connection.execute(
                    f"SELECT {columns} FROM trials WHERE key IN ({marks})", list(some)
                )
            except sqlite3.DatabaseError as error:
                raise LabError(self._explain(error)) from error

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
