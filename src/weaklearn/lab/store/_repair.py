"""Finding damage in a store, and saving what is intact.

Repair writes every intact row into a new file and puts it in the old one's place; the old one is kept
beside it. What is lost is missing then, and the next run runs it again.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weaklearn.lab._errors import LabError
from weaklearn.lab.store._format import (
    APPLICATION_ID,
    CHECKED_TABLES,
    FORMAT,
    SCHEMA,
    UNREADABLE,
    create,
    intact,
    seal,
    seal_is_broken,
    sealed,
    set_text_factory,
    transaction,
)
from weaklearn.lab.store._stamps import UNKNOWN

__all__ = ["Damage", "Repair", "check_store", "repair_store"]

_PAGE = 4096
_DESCRIPTION = {"trials": 3, "failures": 3}
_PRIMARY_KEY = {"stamps": "id", "trials": "key, stamp", "verified": "cell, old, new", "failures": "key"}


@dataclass(frozen=True)
class Damage:
    """Something in the file that is not as it was written: where, what, and the trial if it is one."""

    where: str
    what: str
    description: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.description})" if self.description else "")


@dataclass(frozen=True)
class Repair:
    """What a repair did.

    Attributes
    ----------
    damage : list of Damage
    kept : int
        Finished trials that were intact.
    backup : Path or None
        Where the damaged file is now; None if there was nothing to repair.
    """

    damage: list[Damage]
    kept: int
    backup: Path | None


def check_store(path: str | os.PathLike[str]) -> list[Damage]:
    """All damage in a store: its header, its pages, its tables, its rows, and the bytes between them."""
    path = _existing(path)
    connection = _connect(path)
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application == APPLICATION_ID and version == 1:
            return []  # nothing to check it by
        found = _damaged_header(connection, application, version)
        found += _damaged_pages(connection)
        found += [damage for table in CHECKED_TABLES for damage in _damaged_rows(connection, table)]
        n_writes = connection.execute("SELECT n FROM writes").fetchone()[0]
    except UNREADABLE as error:
        return [Damage("file", str(error))]
    finally:
        connection.close()
    if seal_is_broken(path, n_writes) and not found:
        found.append(
            Damage("file", "bytes between the rows changed since it was closed; no result is touched")
        )
    return found


def _existing(path: str | os.PathLike[str]) -> Path:
    path = Path(path)
    if not path.is_file():
        raise LabError(f"there is no store {path}")
    return path


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    set_text_factory(connection)
    return connection


def _damaged_header(connection: sqlite3.Connection, application: int, version: int) -> list[Damage]:
    found = []
    if application != APPLICATION_ID:
        found.append(Damage("header", f"application {application:#x}, not {APPLICATION_ID:#x}"))
    if version != FORMAT:
        found.append(Damage("header", f"format {version}, not {FORMAT}"))
    schema = {row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if schema != set(SCHEMA):
        found.append(Damage("tables", "the definitions are not those of a store"))
    return found


def _damaged_pages(connection: sqlite3.Connection) -> list[Damage]:
    rows = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    return [] if rows == ["ok"] else [Damage("pages", row.replace("\n", "; ")) for row in rows]


def _damaged_rows(connection: sqlite3.Connection, table: str) -> Iterator[Damage]:
    try:
        for row in connection.execute(f"SELECT * FROM {table}"):
            if not intact(row):
                place = _DESCRIPTION.get(table)
                yield Damage(f"{table} {row[0]!r}", "the checksum is wrong", str(row[place]) if place else "")
    except UNREADABLE as error:
        yield Damage(table, str(error))


def repair_store(path: str | os.PathLike[str], keys: Iterable[str] = ()) -> Repair:
    """Save the intact rows of a damaged store; a store without damage is left alone.

    Parameters
    ----------
    path : path-like
    keys : iterable of str
        Trials to look up one by one, should the pages be so damaged that not all rows can be listed.
    """
    path = _existing(path)
    damage = check_store(path)
    if not damage:
        connection = _connect(path)
        kept = connection.execute("SELECT count(*) FROM trials").fetchone()[0]
        connection.close()
        return Repair([], kept, None)
    new = path.with_name(path.name + ".repaired")
    new.unlink(missing_ok=True)
    rows = _salvage(path, list(keys))
    _write(new, rows)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    backup = path.with_name(f"{path.name}.damaged-{stamp}")
    for suffix in ("-wal", "-shm", ".seal"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            os.replace(beside, backup.with_name(backup.name + suffix))
    os.replace(path, backup)
    os.replace(new, path)
    seal(path, 2)
    return Repair(damage, len(rows["trials"]), backup)


def _salvage(path: Path, keys: list[str]) -> dict[str, set[tuple[Any, ...]]]:
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        rows = _read(path, keys)
        if not rows["trials"] or not rows["stamps"]:
            # The first page tells where the tables are. In a store that was never migrated it can be rebuilt.
            mended = Path(folder) / "mended.sqlite"
            _mend_first_page(path, mended)
            more = _read(mended, keys)
            rows = {table: rows[table] | more[table] for table in CHECKED_TABLES}
    return rows


def _read(path: Path, keys: list[str]) -> dict[str, set[tuple[Any, ...]]]:
    rows: dict[str, set[tuple[Any, ...]]] = {table: set() for table in CHECKED_TABLES}
    connection = _connect(path)
    try:
        for table in CHECKED_TABLES:
            # From both ends, each until the first page that cannot be read; then one by one.
            for direction in ("ASC", "DESC"):
                order = ", ".join(f"{name} {direction}" for name in _PRIMARY_KEY[table].split(", "))
                rows[table].update(_readable(connection, f"SELECT * FROM {table} ORDER BY {order}", ()))
        missing = set(keys) - {row[0] for row in rows["trials"]}
        for key in missing:
            rows["trials"].update(_readable(connection, "SELECT * FROM trials WHERE key = ?", (key,)))
    finally:
        connection.close()
    return rows


def _readable(
    connection: sqlite3.Connection, select: str, values: tuple[Any, ...]
) -> Iterator[tuple[Any, ...]]:
    try:
        for row in connection.execute(select, values):
            if intact(row):
                yield row
    except UNREADABLE:
        return  # what comes after it may be reached another way


def _mend_first_page(path: Path, mended: Path) -> None:
    model = mended.with_name("model.sqlite")
    connection = sqlite3.connect(model, isolation_level=None)
    with transaction(connection):
        create(connection)
    connection.close()
    shutil.copyfile(path, mended)
    first = bytearray(model.read_bytes()[:_PAGE])
    first[28:32] = (path.stat().st_size // _PAGE).to_bytes(4, "big")
    with open(mended, "r+b") as file:
        file.write(first)


def _write(path: Path, rows: dict[str, set[tuple[Any, ...]]]) -> None:
    known = {row[0] for row in rows["stamps"]}
    # Results whose stamp is lost are as good as results from before stamps were kept.
    lost = sorted({row[1] for table in ("trials", "failures") for row in rows[table]} - known)
    stamps = rows["stamps"] | {sealed((number, UNKNOWN.fingerprint, f"lost {number}")) for number in lost}
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        with transaction(connection):
            create(connection)
            for table in CHECKED_TABLES:
                some = sorted(stamps if table == "stamps" else rows[table], key=lambda row: row[:3])
                if some:
                    marks = ", ".join("?" * len(some[0]))
                    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", some)
            connection.execute("UPDATE writes SET n = n + 1")
    finally:
        connection.close()
