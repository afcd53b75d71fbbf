"""The reviews of an audit, a file to which lines are only ever added, and the estimate after them.

A line is an answer (``row`` and ``answer``, the true label), a note (``row`` and ``note``) or an undo (``undo``: the
number of the line that no longer counts). The number of lines is the revision. Every line is on disk before `Reviews`
returns; a line that a kill has torn was never confirmed, and the next one takes its place. A line that was damaged
later keeps its number and does not count. Writers of several processes take turns by a lock.
"""

import copy
import json
import os
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weaklearn._files import checked_json, checked_shape, file_lock
from weaklearn.web import JobError

UNCLEAR = "unclear"
# Random rows that a check proposes, and further ones after each round.
SAMPLE_ROWS = 20

_MOST_OPEN = 3


class ReviewsChangedError(Exception):
    """The reviews have changed meanwhile; nothing was undone."""


@dataclass(frozen=True)
class Reviewed:
    """What the lines say: true labels and notes by row number of the table, and the number of lines."""

    revision: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    last: dict[str, Any] | None = None  # what would be undone next
    damaged: tuple[int, ...] = ()  # numbers, from 1 on, of lines that cannot be used


class Reviews:
    """The reviews in ``path``; the file is made with the first one.

    Lines about other rows than ``rows`` or with other labels than ``classes``, if given, count as damaged.
    """

    def __init__(
        self, path: Path, rows: Collection[int] | None = None, classes: Collection[str] | None = None
    ):
        self.path, self.rows, self.classes = Path(path), rows, classes
        self._turn = threading.Lock()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Exclude other threads and other servers: between reading and adding, nobody else adds."""
        with self._turn, file_lock(self.path):
            yield

    def read(self) -> Reviewed:
        """All that counts."""
        return _replayed(self._lines())

    def answer(self, row: int, label: str) -> Reviewed:
        """The true label of a row; the same answer again adds nothing."""
        with self._alone():
            now = self.read()
            return now if now.answers.get(row) == label else self._add({"row": row, "answer": label})

    def note(self, row: int, text: str) -> Reviewed:
        """A note on a row; an empty one removes the note."""
        with self._alone():
            now = self.read()
            return now if now.notes.get(row, "") == text else self._add({"row": row, "note": text})

    def undo(self, revision: int) -> Reviewed:
        """Undo the last line that counts, if ``revision`` is the present one; sent twice, it is done once."""
        with self._alone():
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
        return [self._line(line) for line in raw.split(b"\n")[:-1]]

    def _line(self, raw: bytes) -> dict[str, Any]:
        """An entry; an empty one for a line that cannot be used."""
        try:
            line = checked_shape(checked_json(raw), dict)
            if "undo" in line:
                return checked_shape(line, {"undo": int})
            checked_shape(line, {"row": int, "answer" if "answer" in line else "note": str})
        except ValueError:
            return {}
        known = self.rows is None or line["row"] in self.rows
        named = self.classes is None or "answer" not in line or line["answer"] in self.classes
        return line if known and named else {}

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
    return [k for k, line in enumerate(lines) if "row" in line and k not in undone]


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
    damaged = tuple(k for k, line in enumerate(lines, start=1) if not line)
    return Reviewed(len(lines), answers, notes, lines[counting[-1]] if counting else None, damaged)


def reviewed_before(settings: Mapping[str, Any]) -> dict[int, str]:
    """The answers that a round of the audit begins with; JobError if they are damaged."""
    try:
        given = checked_shape(settings.get("reviewed", {}), dict, "'reviewed'")
        return {int(line): checked_shape(label, str, f"row {line}") for line, label in given.items()}
    except ValueError as error:
        raise JobError(f"The earlier reviews of this check are damaged: {error}.") from None


class Estimate(NamedTuple):
    """A fitted auditor, with row numbers of the table and labels as they were given."""

    auditor: Any
    lines: np.ndarray
    y: np.ndarray
    contradictions: int

    @property
    def lead(self) -> str:
        """The answer in one sentence."""
        from weaklearn.labels._findings import lead  # not before it is needed: the server starts sooner

        return lead(self.auditor, self.contradictions)

    @property
    def interval(self) -> list[float]:
        """The ends of the 90% interval of the number of wrong labels, in percent of the rows."""
        return [round(100 * float(end) / len(self.y), 2) for end in self.auditor.n_wrong_interval_]

    @property
    def probability(self) -> dict[int, float]:
        """By row number, that the label is wrong; 0 or 1 for reviewed rows."""
        return dict(zip(self.lines.tolist(), self.auditor.wrong_probability_.tolist(), strict=True))

    def corrections(self, answers: dict[int, str], above: float | None) -> dict[int, str]:
        """New labels by row number of the table: the answers, and labels of at least ``above`` probability."""
        given = dict(zip(self.lines.tolist(), self.y.tolist(), strict=True))
        known = set(self.auditor.classes_.tolist())
        new = {line: label for line, label in answers.items() if given[line] != label and label in known}
        if above is not None:
            suggested = self.auditor.suggested_label_
            certain = (self.auditor.label_probability_.max(axis=1) >= above) & (suggested != self.y)
            for row in np.flatnonzero(certain):
                if int(self.lines[row]) not in answers:
                    new[int(self.lines[row])] = str(suggested[row])
        return new


class Estimates:
    """Estimates of the audits that were looked at last; computing takes turns."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._open: dict[Path, Estimate] = {}
        self._last: dict[Path, tuple[dict[int, str], Estimate]] = {}

    def of(self, result: Path, answers: dict[int, str]) -> Estimate:
        """The estimate of the audit in ``result`` after the answers, by row number of the table."""
        with self._turn:
            known = self._last.get(result)
            if known is not None and known[0] == answers:
                return known[1]
            found = self._opened(result)
            if answers:
                place = {int(line): row for row, line in enumerate(found.lines)}
                found = found._replace(auditor=copy.deepcopy(found.auditor))
                found.auditor.update({place[line]: label for line, label in answers.items()})
            self._last = {result: (dict(answers), found)}
            return found

    def _opened(self, result: Path) -> Estimate:
        entry = self._open.pop(result, None)
        if entry is None:
            from weaklearn.persistence import load  # the server starts sooner

            with np.load(result / "rows.npz", allow_pickle=False) as rows:
                contradictions = int(rows["contradictions"]) if "contradictions" in rows else 0
                entry = Estimate(load(result / "auditor.skops"), rows["lines"], rows["y"], contradictions)
        self._open[result] = entry  # the last in the dict was used last
        while len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        return entry
