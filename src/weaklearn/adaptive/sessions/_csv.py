"""Answers as CSV: written for other programs, and read from trials made elsewhere."""

import csv
import io
import math

from weaklearn._formulas import defused

_OUTCOMES = {
    **dict.fromkeys(("1", "1.0", "y", "yes", "true", "correct", "right"), True),
    **dict.fromkeys(("0", "0.0", "n", "no", "false", "incorrect", "wrong"), False),
}
_LEVEL_NAMES = ("level", "x", "stimulus", "intensity", "dose")
_OUTCOME_NAMES = ("outcome", "answer", "response", "correct", "yes")
_MOST = 100_000


def answers_as_csv(record):
    """The answers (n, level, outcome, time, notes) as CSV text; notes stand beside the answer they followed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["n", "level", "outcome", "time", "notes"])
    for n, entry in enumerate(record["history"], start=1):
        # What was noted before the first answer stands beside it too.
        places = (0, 1) if n == 1 else (n,)
        remarks = " / ".join(note["text"] for note in record["notes"] if note["after"] in places)
        writer.writerow([n, repr(entry["level"]), int(entry["outcome"]), entry["time"], defused(remarks)])
    return text.getvalue()


def long_csv(sessions):
    """The answers of several sessions, a line for each: what R reads, and psignifit after one selection of columns.

    Columns: session, subject, condition, task, n, level, outcome (1 or 0), answers (always 1) and time. psignifit takes
    level, outcome and answers.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["session", "subject", "condition", "task", "n", "level", "outcome", "answers", "time"])
    for session in sessions:
        about = {"task": "yes/no", **session.about}
        names = [defused(about.get(name, "")) for name in ("subject", "condition", "task")]
        for n, entry in enumerate(session.history, start=1):
            place = [n, repr(entry["level"]), int(entry["outcome"]), 1, entry["time"]]
            writer.writerow([defused(session.path.stem), *names, *place])
    return text.getvalue()


def answers_from_csv(text, low, high):
    """(level, outcome, time or None) of every line; ValueError names the first line that cannot be read.

    The text has a header; columns are separated by commas, semicolons or tabs. Levels lie from ``low`` to ``high``.

    >>> answers_from_csv("level,outcome\\n2,yes\\n4,0\\n", 1, 8)
    [(2.0, True, None), (4.0, False, None)]
    """
    text = text.removeprefix("\ufeff").strip("\r\n")
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error as error:
        raise ValueError(f"this is not CSV: {error}") from None
    names = [name.strip().lower() for name in rows[0]] if rows else []
    level_at = _column(names, _LEVEL_NAMES, "level")
    outcome_at = _column(names, _OUTCOME_NAMES, "outcome")
    time_at = names.index("time") if "time" in names else None
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(names):
            raise ValueError(f"line {number} has {len(row)} columns, the header has {len(names)}")
        level = _level(row[level_at], number, low, high)
        word = row[outcome_at].strip().lower()
        if word not in _OUTCOMES:
            raise ValueError(
                f"line {number}: the outcome {word[:40]!r} is none of 1/0, yes/no, correct/incorrect"
            )
        time = row[time_at].strip()[:40] if time_at is not None else ""
        found.append((level, _OUTCOMES[word], time or None))
    if not found:
        raise ValueError("there are no answers below the header")
    if len(found) > _MOST:
        raise ValueError(f"at most {_MOST} answers, got {len(found)}")
    return found


def _column(names, known, what):
    at = [position for position, name in enumerate(names) if name in known]
    if len(at) != 1:
        raise ValueError(
            f"the first line must name one column {what!r} (or {', '.join(known[1:])}); it names {len(at)}"
        )
    return at[0]


def _level(cell, number, low, high):
    try:
        level = float(cell)
    except ValueError:
        raise ValueError(f"line {number}: the level {cell.strip()[:40]!r} is not a number") from None
    if not math.isfinite(level) or not low <= level <= high:
        raise ValueError(f"line {number}: the level {cell.strip()[:40]} lies outside {low:g} to {high:g}")
    return level
