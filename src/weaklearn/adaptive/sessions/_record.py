"""The record of a session: a new one, and what an answer, an undone answer, a note or an extension makes of it.

Every change takes a record and returns the changed copy, its revision included; nothing here touches the disk.
"""

import datetime
import uuid

import numpy as np

from weaklearn.adaptive._registry import describe_target, plain_params, session_params
from weaklearn.adaptive._stopping import Budget, parts_of
from weaklearn.adaptive.sessions._session_file import FORMAT, VERSION


def _now():
    """The time as a record holds it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def new_record(levels, question, target, *, sampler, sampler_params, task, stop, seed, increasing, about):
    """The settings of `Session.create` as plain data; ValueError for those that cannot be stored."""
    grid = sorted({float(level) for level in levels})
    if len(grid) < 2 or not np.isfinite(grid).all():
        raise ValueError(f"levels must be at least two different finite numbers, got {levels!r}")
    if seed is not None and not 0 <= int(seed) < 2**63:
        raise ValueError(f"seed must not be negative and must be less than 2**63, got {seed!r}")
    targets = list(target) if isinstance(target, list | tuple) else [target]
    stop = Budget(3 * len(grid)) if stop is None else stop
    params = session_params(sampler, sampler_params, grid, stop, task)
    if task is not None:
        about = {"task": task, **about}
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": uuid.uuid4().hex,
        "created": _now(),
        "question": str(question),
        "levels": grid,
        "increasing": bool(increasing),
        "targets": [describe_target(one) for one in targets],
        "sampler": {"name": sampler, "params": plain_params(params)},
        "stop": stop.describe(),
        "seed": int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed),
        "revision": 0,
        "history": [],
        "undone": [],
        "notes": [],
        "about": {str(name): str(text) for name, text in about.items()},
    }


def as_bool(outcome):
    """The outcome of an answer, which is a truth value or 0 or 1."""
    if isinstance(outcome, bool | np.bool_) or (isinstance(outcome, int | float) and outcome in (0, 1)):
        return bool(outcome)
    raise ValueError(f"outcome must be True or False, got {outcome!r}")


def with_answers(record, answers):
    """``answers`` are (level, outcome, time or None); each makes a revision of its own."""
    first = record["revision"] + 1
    new = [
        {"level": level, "outcome": outcome, "revision": first + n, "time": time or _now()}
        for n, (level, outcome, time) in enumerate(answers)
    ]
    return {**record, "revision": record["revision"] + len(new), "history": [*record["history"], *new]}


def holds_answers(record, revision, answers):
    """Whether these very answers made the revisions after ``revision``, counted or undone since."""
    made = {entry["revision"]: entry for entry in (*record["history"], *record["undone"])}
    return all(
        (entry := made.get(revision + 1 + n)) is not None
        and (entry["level"], entry["outcome"]) == (level, outcome)
        for n, (level, outcome, _) in enumerate(answers)
    )


def without_last(record):
    """The last answer is kept under ``undone``."""
    if not record["history"]:
        raise ValueError("there is no answer to undo")
    *history, last = record["history"]
    undone = [*record["undone"], last]
    return {**record, "revision": record["revision"] + 1, "history": history, "undone": undone}


def with_note(record, text):
    """A note stands after the answers that were there."""
    note = {"after": len(record["history"]), "text": str(text), "time": _now()}
    return {**record, "revision": record["revision"] + 1, "notes": [*record["notes"], note]}


def holds_note(record, revision, text):
    """Whether this very note made the revision after ``revision`` and nothing happened since."""
    notes = record["notes"]
    return record["revision"] == revision + 1 and bool(notes) and notes[-1]["text"] == text


def extended(record, n, stop, sampler):
    """``n`` more answers: parts of the rule that are met now would stop at once, so they are dropped."""
    rule = Budget(len(record["history"]) + n)
    for part in parts_of(stop):
        if not isinstance(part, Budget) and part(sampler) is None:
            rule = rule | part
    return {**with_note(record, extension_note(n)), "stop": rule.describe()}


def extension_note(n):
    """The note that an extension leaves."""
    return f"Extended by {n} answer{'' if n == 1 else 's'}."
