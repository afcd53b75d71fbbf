"""The store: one SQLite file, one row per finished trial and code that ran it.

The contract, which the file itself enforces: a finished trial is immutable. Rows are only ever added;
adding a trial that is there already with the same stamp does nothing; triggers refuse updates and
deletions. Every addition is one transaction, so killing a run at any moment loses the trials that were
running and nothing else, and two runs may share a store. Failed trials are kept apart, by name, and are
never results.

A store that is opened with stamps (`current_stamps`) gives out fresh results only: those of the code
that would run now, or verified against it. Results of other code are stale and are never mixed in.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from weaklearn.lab._errors import LabError
from weaklearn.lab.store._format import (
    APPLICATION_ID,
    FORMAT,
    UNREADABLE,
    create,
    intact,
    migrate,
    seal,
    sealed,
    set_text_factory,
    transaction,
)
from weaklearn.lab.store._stamps import UNKNOWN, Stamp, cell_key

__all__ = ["Failed", "Finished", "Store", "StoredTrial"]

# Another run holds the write lock for milliseconds; a laptop waking up may need longer.
_BUSY_SECONDS = 60.0
_KEYS_PER_QUERY = 500
_CACHE_KIB = 256 * 1024
_TRIAL_COLUMNS = "key, stamp, cell, description, result, seconds, version, created, checksum"


@dataclass(frozen=True)
class Finished:
    """A finished trial: its key, description, metrics, CPU seconds, weaklearn version and stamp."""

    key: str
    description: str
    result: dict[str, Any]
    seconds: float
    version: str
    stamp: Stamp = UNKNOWN


@dataclass(frozen=True)
class Failed:
    """A trial that failed: why (see `weaklearn.engines.Failure`), with which stamp and under which limits.

    No limits means that the failure has nothing to do with them.
    """

    key: str
    description: str
    kind: str
    message: str
    traceback: str
    stamp: Stamp
    limits: str = ""


class StoredTrial(NamedTuple):
    """A row: its result as text, whether it is fresh, and whether its checksum is right."""

    key: str
    stamp: int
    cell: bytes
    description: str
    result: str
    seconds: float
    version: str
    fresh: bool
    intact: bool


class Store:
    """Finished trials on disk.

    Parameters
    ----------
    path : path-like
        The SQLite file; it and its folder are made if they are not there. A file that cannot be
        written, is no database or belongs to something else raises a `LabError` at once. A store of an
        older format is brought up to date.
    stamps : callable, optional
        From a description to the stamp that the trial would get now (see `current_stamps`). Without it
        every stored result counts as fresh, whichever code made it.
    """

    def __init__(self, path: str | os.PathLike[str], stamps: Callable[[str], Stamp] | None = None) -> None:
        self.path = Path(path)
        self.stamps = stamps
        self._wrote = False
        self._connection = self._open()
        self._fresh: dict[bytes, dict[int, int]] = {}

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
        set_text_factory(connection)
        try:
            self._prepare(connection)
            self._check_stamps(connection)
        except UNREADABLE as error:
            connection.close()
            raise LabError(self._explain(error)) from error
        except LabError:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # Under the write lock, so that of two runs that start together one makes the tables.
        with transaction(connection):
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            n_objects = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if application == 0 and n_objects == 0:
                create(connection)
            elif application != APPLICATION_ID:
                raise LabError(
                    f"{self.path} is a database of another program: choose another file with --store"
                )
            elif version == 1:
                migrate(connection)
            elif version != FORMAT:
                raise LabError(
                    f"the store {self.path} has format {version}, this weaklearn reads {FORMAT}: "
                    f"choose another file with --store"
                )
        self._use_wal(connection)
        # In WAL mode this survives a killed process; only a power cut can lose the last commits.
        connection.execute("PRAGMA synchronous = NORMAL")
        # Keys are hashes, so every write goes to another page: keep up to this many KiB of them at hand.
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")

    def _check_stamps(self, connection: sqlite3.Connection) -> None:
        # Freshness rests on these few rows: every run looks at all of them.
        if not all(intact(row) for row in connection.execute("SELECT * FROM stamps")):
            raise LabError(f"the store {self.path} is damaged (stamps): rerun with --repair")

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # Changing the journal mode does not honour the busy timeout when two runs start together.
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def _explain(self, error: Exception) -> str:
        if isinstance(error, UnicodeDecodeError):
            return f"the store {self.path} is damaged: rerun with --repair to save what is intact"
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # extended codes keep the kind in the low byte
        if code == sqlite3.SQLITE_NOTADB:
            return f"{self.path} is not a weaklearn store: choose another file with --store"
        if code == sqlite3.SQLITE_CORRUPT:
            return f"the store {self.path} is damaged ({error}): rerun with --repair to save what is intact"
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            return f"the store {self.path} cannot be written ({error}): choose another file with --store"
        if code == sqlite3.SQLITE_BUSY:
            return f"the store {self.path} has been locked by another program for {_BUSY_SECONDS:.0f} s"
        return f"the store {self.path} failed ({error}): what was finished before is kept"

    def add(self, finished: Iterable[Finished]) -> dict[str, str]:
        """Add finished trials in one transaction; those that are there already stay as they are.

        Returns the results as they are written, by key.
        """
        created = _now()
        rows = [(trial, json.dumps(trial.result, sort_keys=True, allow_nan=False)) for trial in finished]
        if not rows:
            return {}
        with self._writing():
            numbers = {stamp: self._stamp_id(stamp) for stamp in {trial.stamp for trial, _ in rows}}
            self._connection.executemany(
                "INSERT OR IGNORE INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    sealed(
                        (
                            trial.key,
                            numbers[trial.stamp],
                            cell_key(trial.description),
                            trial.description,
                            text,
                            float(trial.seconds),
                            trial.version,
                            created,
                        )
                    )
                    for trial, text in rows
                ],
            )
            self._connection.executemany("DELETE FROM failures WHERE key = ?", [(t.key,) for t, _ in rows])
        return {trial.key: text for trial, text in rows}

    def add_failed(self, failed: Iterable[Failed]) -> None:
        """Note trials that failed; the latest failure of a trial replaces the one before."""
        created = _now()
        rows = list(failed)
        with self._writing():
            numbers = {stamp: self._stamp_id(stamp) for stamp in {trial.stamp for trial in rows}}
            self._connection.executemany(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    sealed(
                        (
                            trial.key,
                            numbers[trial.stamp],
                            trial.limits,
                            trial.description,
                            trial.kind,
                            trial.message,
                            trial.traceback,
                            created,
                        )
                    )
                    for trial in rows
                ],
            )

    def add_verified(self, cell: bytes, old: int, new: Stamp, n_sample: int, n_trials: int) -> None:
        """Note that a sample of a cell's trials with stamp `old` gave the same bits with stamp `new`."""
        with self._writing():
            row = sealed((cell, old, self._stamp_id(new), n_sample, n_trials, _now()))
            self._connection.execute("INSERT OR IGNORE INTO verified VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self._fresh.clear()

    def _stamp_id(self, stamp: Stamp) -> int:
        select = "SELECT id FROM stamps WHERE fingerprint = ? AND libraries = ?"
        found = self._connection.execute(select, stamp).fetchone()
        if found is None:
            number = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM stamps").fetchone()[0]
            self._connection.execute("INSERT INTO stamps VALUES (?, ?, ?, ?)", sealed((number, *stamp)))
            self._fresh.clear()
            return number
        return found[0]

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys whose trials have a fresh result."""
        if self.stamps is None:
            return {row[0] for row in self._select("key", "trials", keys)}
        return {trial.key for trial in self.stored(keys) if trial.fresh}

    def results(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The metrics of the trials among the keys that have a fresh result."""
        return {trial.key: json.loads(trial.result) for trial in self._fresh_rows(keys)}

    def provenance(self, keys: Sequence[str]) -> tuple[float, list[str]]:
        """The CPU seconds of work behind the keys, and the weaklearn versions that did it."""
        rows = list(self._fresh_rows(keys))
        return sum(trial.seconds for trial in rows), sorted({trial.version for trial in rows})

    def _fresh_rows(self, keys: Sequence[str]) -> Iterator[StoredTrial]:
        seen = set()
        for trial in self.stored(keys):
            if not trial.intact:
                raise LabError(
                    f"a stored result in {self.path} is damaged ({trial.description}): "
                    f"rerun with --repair to run that trial again"
                )
            if not trial.fresh or trial.key in seen:
                continue
            seen.add(trial.key)
            yield trial

    def stored(self, keys: Sequence[str]) -> Iterator[StoredTrial]:
        """All rows of the trials among the keys, stale and damaged ones included.

        Of several fresh rows of a trial the one that was made by the very code comes first.
        """
        for row in self._select(_TRIAL_COLUMNS, "trials", keys, order="key, stamp DESC"):
            key, stamp, cell, description, result, seconds, version, _, _ = row
            good = intact(row)
            yield StoredTrial(
                key, stamp, cell, description, result, seconds, version,
                good and self._is_fresh(cell, stamp, description) if self.stamps else True, good,
            )  # fmt: skip

    def _is_fresh(self, cell: bytes, stamp: int, description: str) -> bool:
        fresh = self._fresh.get(cell)
        if fresh is None:
            assert self.stamps is not None
            fresh = self._verified_against(cell, self.stamps(description))
            if fresh:  # else another run may yet bring the stamp
                self._fresh[cell] = fresh
        return stamp in fresh

    def _verified_against(self, cell: bytes, now: Stamp) -> dict[int, int]:
        """The stamps that are as good as `now` for the cell, with the size of the smallest sample behind each."""
        select = "SELECT id FROM stamps WHERE fingerprint = ? AND libraries = ?"
        found = self._connection.execute(select, now).fetchone()
        if found is None:
            return {}
        rows = self._connection.execute("SELECT * FROM verified WHERE cell = ?", (cell,)).fetchall()
        good = {found[0]: 0}
        waiting = [found[0]]
        while waiting:
            target = waiting.pop()
            for row in rows:
                _, old, new, n_sample, *_ = row
                if new == target and old not in good and intact(row):
                    good[old] = n_sample
                    waiting.append(old)
        return good

    def failed(self, keys: Sequence[str], limits: str = "") -> dict[str, Failed]:
        """Failures of trials among the keys that would be run with the same stamp and limits now."""
        names = {row[0]: Stamp(row[1], row[2]) for row in self._connection.execute("SELECT * FROM stamps")}
        found = {}
        for row in self._select("*", "failures", keys):
            key, stamp, its_limits, description, kind, message, traceback, _, _ = row
            now = self.stamps(description) if self.stamps else names.get(stamp, UNKNOWN)
            if intact(row) and names.get(stamp) == now and its_limits in ("", limits):
                found[key] = Failed(key, description, kind, message, traceback, now, its_limits)
        return found

    def _select(
        self, columns: str, table: str, keys: Sequence[str], order: str = "key"
    ) -> Iterator[tuple[Any, ...]]:
        keys = sorted(keys)  # neighbours in the file: each page is read once
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            some = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(some))
            try:
                yield from self._connection.execute(
                    f"SELECT {columns} FROM {table} WHERE key IN ({marks}) ORDER BY {order}", some
                )
            except UNREADABLE as error:
                raise LabError(self._explain(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with transaction(self._connection):
                yield
                self._connection.execute("UPDATE writes SET n = n + 1")
        except UNREADABLE as error:
            raise LabError(self._explain(error)) from error
        self._wrote = True

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def close(self) -> None:
        """Close the file; if it was written to, seal it (see `seal`)."""
        if not self._wrote:
            self._connection.close()
            return
        n_writes = self._connection.execute("SELECT n FROM writes").fetchone()[0]
        self._connection.close()
        seal(self.path, n_writes)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
