"""Session: an adaptive experiment in a file."""

import copy
import datetime
import os
import uuid
from pathlib import Path

import numpy as np

from weaklearn.adaptive._cautions import cautions
from weaklearn.adaptive._export import as_csv, replayed
from weaklearn.adaptive._registry import (
    DEFAULT_SAMPLER,
    describe_target,
    make_sampler,
    plain_params,
    session_params,
    target_from,
)
from weaklearn.adaptive._session_file import (
    FORMAT,
    VERSION,
    SessionChangedError,
    SessionFileError,
    has_answer,
    locked,
    read_record,
    write_record,
)
from weaklearn.adaptive._stopping import Budget, rule_from

__all__ = ["Session", "SessionChangedError", "SessionFileError"]


class Session:
    """An experiment whose every answer is on disk before the next question is asked.

    Make one with `create`, come back to it with `open`; the constructor is not meant for users.

    The life of an experiment::

        session = Session.create("dose.json", levels=[1, 2, 4, 8], question="Did it help?", target=0.5)
        while not session.done:
            level = session.ask()
            session.answer(level, ask_the_patient(level))
        session.estimate()

    **Revision.** ``session.revision`` counts all changes (answers, undone answers, notes). Whoever shows a question
    keeps the revision it was shown at, and sends it back with the answer: ``session.answer(level, outcome,
    revision=7)``. If the same answer arrives twice (a retried request), the second one changes nothing. If anything
    else happened since, `SessionChangedError` is raised and nothing is recorded.

    **Several processes.** Every change takes a lock, reads the file again and compares revisions. A session object that
    is behind the file raises `SessionChangedError` instead of writing; `reload` catches up.

    **Failure.** A change is in memory only after it is on disk. A process killed at any moment leaves a file with
    every recorded answer, and `open` then asks the same next question. A file that is damaged or not a session raises
    `SessionFileError` and is never written to.

    Attributes
    ----------
    path : pathlib.Path
    question, levels, increasing, seed, about
        As given to `create`; ``levels`` is a list of float, sorted.
    targets : list
        The functionals.
    sampler : Sampler
        A sampler with the session's history; do not tell it anything.
    stop : StoppingRule
    revision : int
    id : str
        Random, fixed at creation.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "demo.json"
    >>> session = Session.create(path, levels=[1, 2, 3, 4, 5], question="Can you hear it?", seed=1, stop=Budget(8))
    >>> while not session.done:
    ...     level = session.ask()
    ...     session.answer(level, level > 2.5)
    >>> session.stop_reason, len(session.history)
    ('8 answers', 8)
    >>> again = Session.open(path)
    >>> again.estimate() == session.estimate() and again.ask() == session.ask()
    True
    >>> folder.cleanup()
    """

    def __init__(self, path, record):
        self.path = Path(path)
        self._adopt(record)

    # --- making and opening --------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path,
        levels,
        question="",
        target=0.5,
        *,
        sampler=DEFAULT_SAMPLER,
        sampler_params=None,
        task=None,
        stop=None,
        seed=None,
        increasing=True,
        about=None,
    ):
        """Start an experiment in a new file.

        Parameters
        ----------
        path : path-like
            Must not exist yet.
        levels : sequence of float
            The levels that may be asked.
        question : str, default=""
            The wording, for whoever shows it.
        target : float, functional, or list of them, default=0.5
            A number is the level of a `Crossing`.
        sampler : str, default="PosteriorMinEnt"
            A name in ``weaklearn.adaptive.SAMPLERS``.
        sampler_params : mapping, default=None
            Further parameters of the sampler; ``fit`` by name ("MonotoneFit", "LogisticFit", "HybridFit"). If the
            sampler has a ``scale`` and none is given, it is "log" for levels that are evenly spaced in the logarithm.
        task : str, default=None
            "yes/no", or "2AFC", "3AFC", ... for a forced choice, which sets the sampler's guess rate. A target at or
            below the guess rate is refused.
        stop : StoppingRule, default=None
            None is ``Budget(3 * len(levels))``.
        seed : int, default=None
            None draws one. It is part of the file.
        increasing : bool, default=True
        about : mapping of str to str, default=None
            What belongs to the session and is not for the sampler: subject, condition, labels of the answers.

        Returns
        -------
        Session

        Raises
        ------
        ValueError
            If a parameter is wrong; nothing is written then.
        SessionFileError
            If the file exists.
        """
        path = Path(path)
        if path.exists():
            raise SessionFileError(f"{path} exists already; open it, or choose another name")
        grid = sorted({float(level) for level in levels})
        if len(grid) < 2 or not np.isfinite(grid).all():
            raise ValueError(f"levels must be at least two different finite numbers, got {levels!r}")
        targets = list(target) if isinstance(target, list | tuple) else [target]
        stop = Budget(3 * len(grid)) if stop is None else stop
        params = session_params(sampler, sampler_params or {}, grid, stop, task)
        record = {
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
            "about": {str(name): str(text) for name, text in (about or {}).items()},
        }
        if record["seed"] < 0:
            raise ValueError(f"seed must not be negative, got {seed!r}")
        session = cls(path, record)
        session.ask()  # whatever is wrong with the sampler shows before there is a file
        with locked(path):
            if path.exists():  # made by another process since
                raise SessionFileError(f"{path} exists already; open it, or choose another name")
            write_record(path, record)
        return session

    @classmethod
    def open(cls, path):
        """Come back to an experiment; raises `SessionFileError` if the file does not hold one."""
        return cls(path, read_record(path))

    def reload(self):
        """Read the file again, where another process may have written."""
        record = read_record(self.path)
        if record["id"] != self.id:
            raise SessionFileError(f"{self.path} now holds another session")
        self._adopt(record)
        return self

    def _adopt(self, record, parts=None):
        self.targets, self.stop, self.sampler = self._parts(record) if parts is None else parts
        self._record = record
        self._question_at = None

    def _parts(self, record):
        """Targets, stopping rule and sampler of a record, or an error if it names what there is not."""
        try:
            targets = [target_from(one) for one in record["targets"]]
            if not targets:
                raise ValueError("a session needs at least one target")
            stop = rule_from(record["stop"])
            named = record["sampler"]
            sampler = make_sampler(
                named["name"],
                named["params"],
                record["levels"],
                targets,
                record["increasing"],
                record["seed"],
            )
        except (TypeError, ValueError) as error:
            if not self.path.exists():
                raise  # a wrong parameter of `create`
            raise SessionFileError(f"{self.path} is no valid session file: {error}") from None
        for entry in record["history"]:
            sampler.tell(entry["level"], entry["outcome"])
        return targets, stop, sampler

    # --- what is recorded ----------------------------------------------------------------------------

    id = property(lambda self: self._record["id"], doc="The session's random name.")
    question = property(lambda self: self._record["question"], doc="The wording.")
    seed = property(lambda self: self._record["seed"], doc="The seed.")
    revision = property(lambda self: self._record["revision"], doc="The number of changes so far.")
    about = property(lambda self: dict(self._record.get("about", {})), doc="As given to `create`.")

    @property
    def levels(self):
        """The levels that may be asked."""
        return list(self._record["levels"])

    @property
    def increasing(self):
        """Whether yes becomes more likely as the level rises."""
        return self._record["increasing"]

    @property
    def history(self):
        """The answers that count: a list of dicts with level, outcome, revision and time."""
        return copy.deepcopy(self._record["history"])

    @property
    def notes(self):
        """The notes: a list of dicts with text, time and ``after``, the number of answers before it."""
        return copy.deepcopy(self._record["notes"])

    # --- the experiment --------------------------------------------------------------------------------

    def ask(self):
        """The level to try next, a float; the same until an answer is recorded or undone."""
        if self._question_at is None:
            self._question_at = self.sampler.ask()
        return self._question_at

    def answer(self, level, outcome, *, revision=None):
        """Record an answer, on disk, before returning.

        Parameters
        ----------
        level : float
            The level that was tried; it need not be the one asked.
        outcome : bool
        revision : int, default=None
            The revision at which the question was shown (see the class). None is the present one of this object.

        Raises
        ------
        SessionChangedError
            If the session has moved on and this answer is not one that is already recorded. Nothing is recorded.
        SessionFileError
            If the file is gone, damaged, or holds another session. It is not touched.
        """
        level, outcome = float(level), _as_bool(outcome)
        if not np.isfinite(level):
            raise ValueError(f"level must be finite, got {level}")
        seen = self.revision if revision is None else int(revision)
        with locked(self.path):
            record = self._current()
            if record["revision"] != seen:
                sent_before = revision is not None and has_answer(record, seen + 1, level, outcome)
                if not sent_before:
                    raise self._changed(record, seen)
                self._adopt(record)
                return
            entry = {"level": level, "outcome": outcome, "revision": seen + 1, "time": _now()}
            self._write({**record, "revision": seen + 1, "history": [*record["history"], entry]})

    def undo(self, *, revision=None):
        """Take back the last answer; it is kept in the file, but counts no more. ``revision`` as in `answer`."""
        with locked(self.path):
            record = self._check(revision)
            if not record["history"]:
                raise ValueError("there is no answer to undo")
            *history, last = record["history"]
            changed = {
                "revision": record["revision"] + 1,
                "history": history,
                "undone": [*record["undone"], last],
            }
            self._write({**record, **changed})

    def note(self, text, *, revision=None):
        """Write a remark down beside the answers. ``revision`` as in `answer`."""
        with locked(self.path):
            record = self._check(revision)
            new = {"after": len(record["history"]), "text": str(text), "time": _now()}
            self._write({**record, "revision": record["revision"] + 1, "notes": [*record["notes"], new]})

    def _current(self):
        """The record on disk, which must be this session's."""
        record = read_record(self.path)
        if record["id"] != self.id:
            raise SessionFileError(f"{self.path} now holds another session")
        return record

    def _check(self, revision):
        record = self._current()
        seen = self.revision if revision is None else int(revision)
        if record["revision"] != seen:
            raise self._changed(record, seen)
        return record

    def _changed(self, record, seen):
        return SessionChangedError(
            f"{self.path} is at revision {record['revision']}, this change was made at revision {seen}: "
            "reload the session and look at the question again"
        )

    def _write(self, record):
        parts = self._parts(record)  # first: what is on disk may have been spoilt by hand
        write_record(self.path, record)
        self._adopt(record, parts)

    @property
    def stop_reason(self):
        """Why the experiment is over, a str, or None while it is not."""
        return self.stop(self.sampler)

    @property
    def done(self):
        """Whether the stopping rule is met. Further answers are still accepted."""
        return self.stop_reason is not None

    def estimate(self, confidence=0.9):
        """The thresholds and their intervals.

        Returns
        -------
        list of dict
            One per target, with ``target`` (its description), ``value``, ``low``, ``high``, ``outside`` (None, "below"
            or "above": where the threshold lies if it is not among the levels) and ``p_outside`` (the probability of
            that side, or of the likelier one).
        """
        found = []
        for target, name in zip(self.targets, self._record["targets"], strict=True):
            low, high = self.sampler.interval(target, confidence)
            value = self.sampler.estimate(target)
            # The interval need not come from the same fit as the estimate.
            low, high = min(low, value), max(high, value)
            outside = self.sampler.outside(target)
            ends = {"low": float(low), "high": float(high)}
            side = {"outside": outside.side, "p_outside": max(outside)}
            found.append({"target": dict(name), "value": value, **ends, **side})
        return found

    def warnings(self):
        """What a reader of the estimates should know, a list of sentences; empty if nothing is wrong."""
        return cautions(self.sampler, self.targets)

    # --- for others ----------------------------------------------------------------------------------------

    def to_dict(self, confidence=0.9):
        """Everything that a page or a terminal shows, as JSON data.

        Returns
        -------
        dict
            id, question, levels, about, increasing, revision, n_answers, next_level, done, stop_reason, estimates (see
            `estimate`), warnings, history and notes.
        """
        reason = self.stop_reason
        return {
            "id": self.id,
            "question": self.question,
            "levels": self.levels,
            "about": self.about,
            "increasing": self.increasing,
            "revision": self.revision,
            "n_answers": len(self._record["history"]),
            "next_level": self.ask(),
            "done": reason is not None,
            "stop_reason": reason,
            "estimates": self.estimate(confidence),
            "warnings": self.warnings(),
            "history": self.history,
            "notes": self.notes,
        }

    def replay(self):
        """The experiment again, answer by answer.

        Returns
        -------
        list of dict
            Per answer: n, asked (the level that was the question), level, outcome, and the estimates after it.
        """
        return replayed(self._record, self.sampler, self.targets)

    def to_csv(self, path=None):
        """The answers as CSV (n, level, outcome, time, notes); written to ``path`` or returned as text."""
        text = as_csv(self._record)
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8")
        return None

    def plot(self, confidence=0.9):
        """A matplotlib Figure: the answers, the fitted curve with its band, the thresholds with their intervals."""
        from weaklearn.adaptive._plot import session_figure  # which imports matplotlib

        return session_figure(self, confidence)

    def __repr__(self):
        name = self._record["sampler"]["name"]
        return f"<Session {os.fspath(self.path)!r}: {name}, {len(self._record['history'])} answers>"


def _now():
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _as_bool(outcome):
    if isinstance(outcome, bool | np.bool_) or (isinstance(outcome, int | float) and outcome in (0, 1)):
        return bool(outcome)
    raise ValueError(f"outcome must be True or False, got {outcome!r}")
