"""The file of a session: read with suspicion, written so that no moment can spoil it.

A record is JSON; nothing is unpickled or looked up by name outside this package. It is written by `write_file`: a
reader sees the old record or the new one, never part of one, and a process killed at any moment leaves the file whole.
Writers take turns by a lock on a file beside it, which the operating system releases when its holder dies.
"""

import contextlib
import itertools
import json
import math
import os
from pathlib import Path

from weaklearn._files import checked_json, file_lock, write_file

FORMAT = "weaklearn-session"
VERSION = 1
_LARGEST = 20_000_000  # bytes; a million answers take less


class SessionFileError(ValueError):
    """The file is not there, not a session, damaged, or of another version. It is left as it is."""


class SessionChangedError(RuntimeError):
    """The file holds answers that this session object, or the sender of this answer, has not seen."""


def file_state(path):
    """What tells whether a file was replaced or written to since; None if it is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_record(path):
    """The checked record in ``path``."""
    return record_from(path, read_text(path))


def read_text(path):
    """The text of a session file."""
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise SessionFileError(f"{path} is too large for a session")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SessionFileError(f"there is no session file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SessionFileError(f"{path} cannot be read as a session: {error}") from error


def record_from(path, text):
    """The checked record in the ``text`` of a session file."""
    try:
        record = checked_json(text)
    except ValueError as error:
        raise SessionFileError(f"{path} is damaged or not a session file: {error}") from None
    try:
        check_record(record)
    except _Wrong as error:
        raise SessionFileError(f"{path} is not a valid session file: {error}") from None
    return record


class _Wrong(Exception):
    pass


def _require(condition, message):
    if not condition:
        raise _Wrong(message)


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_KEYS = {
    "format": str,
    "version": int,
    "id": str,
    "created": str,
    "question": str,
    "levels": list,
    "increasing": bool,
    "targets": list,
    "sampler": dict,
    "stop": dict,
    "seed": int,
    "revision": int,
    "history": list,
    "undone": list,
    "notes": list,
    "about": dict,
}


def check_record(record):
    """Raise if ``record`` is not what a session writes."""
    _require(isinstance(record, dict) and record.get("format") == FORMAT, f"it does not say {FORMAT!r}")
    found = record.get("version")
    _require(found == VERSION, f"it has version {found!r}, this weaklearn reads version {VERSION}")
    _require(set(record) == set(_KEYS), f"wrong entries: {sorted(set(record) ^ set(_KEYS))}")
    for key, kind in _KEYS.items():
        value = record[key]
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        _require(right, f"{key} must be of type {kind.__name__}")
    levels = record["levels"]
    _require(len(levels) >= 2 and all(map(_is_number, levels)), "levels must be two or more numbers")
    _require(all(a < b for a, b in itertools.pairwise(levels)), "levels must increase")
    _require(
        _is_count(record["seed"]) and _is_count(record["revision"]), "seed and revision must not be negative"
    )
    _require(set(record["sampler"]) == {"name", "params"}, "sampler must have a name and params")
    _require(all(isinstance(text, str) for text in record["about"].values()), "about must hold texts")
    for name in ("history", "undone"):
        for entry in record[name]:
            _require(isinstance(entry, dict), f"{name} must hold answers")
            _require(
                set(entry) == {"level", "outcome", "revision", "time"},
                f"an answer in {name} has wrong entries",
            )
            right = _is_number(entry["level"]) and isinstance(entry["outcome"], bool)
            _require(right and _is_count(entry["revision"]), f"an answer in {name} is malformed")
            _require(isinstance(entry["time"], str), f"an answer in {name} has no time")
    revisions = [entry["revision"] for entry in record["history"]]
    _require(all(a < b for a, b in itertools.pairwise(revisions)), "the history is out of order")
    _require(not revisions or revisions[-1] <= record["revision"], "the history is newer than the revision")
    for note in record["notes"]:
        right = isinstance(note, dict) and set(note) == {"after", "text", "time"}
        _require(right and _is_count(note["after"]) and isinstance(note["text"], str), "a note is malformed")


def write_record(path, record):
    """Replace the file by ``record`` and return its text; the caller holds the lock."""
    check_record(record)
    text = json.dumps(record, allow_nan=False, ensure_ascii=False, indent=1) + "\n"
    write_file(path, text)
    return text


@contextlib.contextmanager
def locked(path):
    """Exclude other writers of ``path`` for the time of the block."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(file_lock(path))
        except TimeoutError as error:
            raise SessionFileError(str(error)) from None
        yield
