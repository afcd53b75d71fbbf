"""The format of a store: its tables, its checksums, and the step from the format before.

Every row of every table that results depend on ends in a SHA-256 over the rest of the row, so a changed
digit or a damaged byte is found when the row is read. A file that was closed in peace has a seal beside
it, a SHA-256 over all its bytes, so that `check_store` finds damage between the rows, too.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weaklearn.lab.store._stamps import UNKNOWN, cell_key

__all__ = [
    "APPLICATION_ID",
    "CHECKED_TABLES",
    "FORMAT",
    "SCHEMA",
    "UNREADABLE",
    "checksum",
    "create",
    "intact",
    "migrate",
    "seal",
    "seal_is_broken",
    "sealed",
    "set_text_factory",
    "transaction",
]

# "wekl" in ASCII: how we tell our files from other SQLite databases.
APPLICATION_ID = 0x77656B6C
FORMAT = 2
# What reading a damaged file may raise: sqlite3 decodes names in the schema and in its own messages.
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)

_TABLES = (
    """CREATE TABLE stamps (
        id INTEGER PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        libraries TEXT NOT NULL,
        checksum BLOB NOT NULL,
        UNIQUE (fingerprint, libraries)
    )""",
    # A trial that was run again with other code has a row for each.
    """CREATE TABLE trials (
        key TEXT NOT NULL,
        stamp INTEGER NOT NULL,
        cell BLOB NOT NULL,
        description TEXT NOT NULL,
        result TEXT NOT NULL,
        seconds REAL NOT NULL,
        version TEXT NOT NULL,
        created TEXT NOT NULL,
        checksum BLOB NOT NULL,
        PRIMARY KEY (key, stamp)
    ) WITHOUT ROWID""",
    # A sample of the cell's trials with the old stamp gave the same bits with the new one.
    """CREATE TABLE verified (
        cell BLOB NOT NULL,
        old INTEGER NOT NULL,
        new INTEGER NOT NULL,
        n_sample INTEGER NOT NULL,
        n_trials INTEGER NOT NULL,
        created TEXT NOT NULL,
        checksum BLOB NOT NULL,
        PRIMARY KEY (cell, old, new)
    ) WITHOUT ROWID""",
    """CREATE TABLE failures (
        key TEXT PRIMARY KEY,
        stamp INTEGER NOT NULL,
        limits TEXT NOT NULL,
        description TEXT NOT NULL,
        kind TEXT NOT NULL,
        message TEXT NOT NULL,
        traceback TEXT NOT NULL,
        created TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) WITHOUT ROWID""",
    # Counts transactions: tells whether a seal is of this state of the file.
    "CREATE TABLE writes (n INTEGER NOT NULL)",
)
CHECKED_TABLES = ("stamps", "trials", "verified", "failures")
_IMMUTABLE = ("stamps", "trials", "verified")
SCHEMA = (
    *_TABLES,
    *(
        f"""CREATE TRIGGER {table}_no_{action} BEFORE {action} ON {table}
        BEGIN SELECT RAISE(ABORT, 'finished trials are immutable'); END"""
        for table in _IMMUTABLE
        for action in ("UPDATE", "DELETE")
    ),
)


def checksum(values: Iterable[Any]) -> bytes:
    """SHA-256 over the values of a row; a number and its text differ, and so do 1 and 1.0."""
    return hashlib.sha256(repr(tuple(values)).encode()).digest()


def sealed(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row with its checksum at the end."""
    return (*values, checksum(values))


def intact(row: tuple[Any, ...]) -> bool:
    """Whether the checksum at the end of the row is that of the rest."""
    return checksum(row[:-1]) == row[-1]


def set_text_factory(connection: sqlite3.Connection) -> None:
    """Let damaged text through: the checksum finds it, and then its row can be named."""
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, under the write lock."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def create(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file, inside a transaction."""
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute("INSERT INTO writes VALUES (1)")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a store of format 1 up to date, inside a transaction. Its trials have no known stamp."""
    for name in ("no_UPDATE", "no_DELETE"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("ALTER TABLE trials RENAME TO old_trials")
    create(connection)
    stamp = 1
    connection.execute("INSERT INTO stamps VALUES (?, ?, ?, ?)", sealed((stamp, *UNKNOWN)))
    columns = "key, description, result, seconds, version, created"
    old = connection.execute(f"SELECT {columns} FROM old_trials")
    connection.executemany(
        "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (sealed((key, stamp, cell_key(description), description, *rest)) for key, description, *rest in old),
    )
    connection.execute("DROP TABLE old_trials")


def _seal_file(path: Path) -> Path:
    return path.with_name(path.name + ".seal")


def _log_file(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal(path: Path, n_writes: int) -> None:
    """Write the seal of a closed store, unless another run has it open."""
    try:
        before = path.stat().st_mtime_ns
        if _log_file(path).exists():  # the last one to close takes it away
            return
        text = json.dumps({"writes": n_writes, "sha256": _digest(path)})
        if _log_file(path).exists() or path.stat().st_mtime_ns != before:
            return
        beside = path.with_name(path.name + f".seal-{os.getpid()}")
        beside.write_text(text, encoding="ascii")
        os.replace(beside, _seal_file(path))
    except OSError:
        return  # a store without a seal is checked row by row all the same


def seal_is_broken(path: Path, n_writes: int) -> bool:
    """Whether bytes of the file changed since it was closed with this number of writes."""
    try:
        seal = json.loads(_seal_file(path).read_text(encoding="ascii"))
        log = _log_file(path)
        if seal["writes"] != n_writes or (log.exists() and log.stat().st_size):
            return False
        return seal["sha256"] != _digest(path)
    except (OSError, ValueError, KeyError, TypeError):
        return False
