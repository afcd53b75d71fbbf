"""The reviews of an audit: a file to which lines are only ever added.

A line is an answer (``row`` and ``answer``, the true label), a note (``row`` and ``note``) or an undo (``undo``: the
number of the line that no longer counts). The number of lines is the revision. Every line is on disk before `Reviews`
returns; a line that a kill has torn was never confirmed, and the next one takes its place.
"""

import json
import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Reviewed", "Reviews", "ReviewsChangedError"]


class ReviewsChangedError(Exception):
    """The reviews have changed meanwhile; nothing was undone."""


@dataclass(frozen=True)
class Reviewed:
    """What the lines say: true labels and notes by row number of the table, and the number of lines."""

    revision: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    last: dict[str, Any] | None = None  # what would be undone next


class Reviews:
    """The reviews in ``path``; the file is made with the first one."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self._turn = threading.Lock()

    def read(self) -> Reviewed:
        """All that counts."""
        return _replayed(self._lines())

    def answer(self, row: int, label: str) -> Reviewed:
        """The true label of a row; the same answer again adds nothing."""
        with self._turn:
            now = self.read()
            return now if now.answers.get(row) == label else self._add({"row": row, "answer": label})

    def note(self, row: int, text: str) -> Reviewed:
        """A note on a row; an empty one removes the note."""
        with self._turn:
            now = self.read()
            return now if now.notes.get(row, "") == text else self._add({"row": row, "note": text})

    def undo(self, revision: int) -> Reviewed:
        """Undo the last line that counts, if ``revision`` is the present one; sent twice, it is done once."""
        with self._turn:
            lines = self._lines()
            if revision == len(lines) - 1 and "undo" in lines[-1]:
                return _replayed(lines)
            if revision != len(lines):
                raise ReviewsChangedError
            counting = _counting(lines)
            return self._add({"undo": counting[-1]}) if counting else _replayed(lines)

    def _lines(self) -> list[dict[str, Any]]:
        try:
            raw = self.path.read_bytes()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in raw[: raw.rfind(b"\n") + 1].splitlines()]

    def _add(self, entry: dict[str, Any]) -> Reviewed:
        new = not self.path.exists()
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        with os.fdopen(file, "r+b") as stream:
            raw = stream.read()
            stream.seek(raw.rfind(b"\n") + 1)
            stream.truncate()
            stream.write(json.dumps({**entry, "time": round(time.time(), 3)}).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        if new and os.name == "posix":
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return self.read()


def _counting(lines: list[dict[str, Any]]) -> list[int]:
    """Numbers of the lines that count."""
    undone = {line["undo"] for line in lines if "undo" in line}
    return [k for k, line in enumerate(lines) if "undo" not in line and k not in undone]


def _replayed(lines: list[dict[str, Any]]) -> Reviewed:
    answers: dict[int, str] = {}
    notes: dict[int, str] = {}
    counting = _counting(lines)
    for k in counting:
        line = lines[k]
        if "answer" in line:
            answers[line["row"]] = line["answer"]
        elif line["note"]:
            notes[line["row"]] = line["note"]
        else:
            notes.pop(line["row"], None)
    return Reviewed(len(lines), answers, notes, lines[counting[-1]] if counting else None)
