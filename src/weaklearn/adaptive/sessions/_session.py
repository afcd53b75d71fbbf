"""Session: an adaptive experiment in a file."""

import copy
import itertools
import os
from pathlib import Path
from typing import Any

from sklearn.base import clone

from weaklearn.adaptive._registry import DEFAULT_SAMPLER, make_sampler, target_from
from weaklearn.adaptive._sampler import Answer
from weaklearn.adaptive._stopping import rule_from
from weaklearn.adaptive.sessions._csv import answers_as_csv, answers_from_csv
from weaklearn.adaptive.sessions._record import (
    as_bool,
    extended,
    extension_note,
    holds_answers,
    holds_note,
    new_record,
    with_answers,
    with_note,
    without_last,
)
from weaklearn.adaptive.sessions._session_file import (
    SessionChangedError,
    SessionFileError,
    file_state,
    locked,
    read_text,
    record_from,
    write_record,
)

_FOR_THE_SAMPLER = ("levels", "targets", "sampler", "increasing", "seed")


class Session:
    """An experiment whose every answer is on disk before the next question is asked.

    Make one with `create`, come back to it with `open`; the constructor is not meant for users.

    The life of an experiment::

        session = Session.create("dose.json", levels=[1, 2, 4, 8], question="Did it help?", target=0.5)
        while not session.done:
            level = session.ask()
            session.answer(level, ask_the_patient(level))
        session.estimate()

    **Revision.** ``session.revision`` counts all changes (answers, undone answers, notes). A program that shows a
    question keeps the revision it was shown at, and sends it back with the answer: ``session.answer(level, outcome,
    revision=7)``. If the same change arrives twice (a retried request), the second one changes nothing. If anything
    else happened since, `SessionChangedError` is raised and nothing is recorded.

    **Several processes.** Every change takes a lock, compares the file with what was read last and, if it differs, the
    revisions. A session object that is behind the file raises `SessionChangedError` instead of writing; `reload`
    catches up.

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
    >>> from weaklearn.adaptive import Budget
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

    def __init__(self, path, record, text=None):
        self.path = Path(path)
        self._record: dict[str, Any] = {}
        self._state: tuple | None = None
        self.targets: list = []
        self.sampler: Any = None
        self._adopt(record, text)

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
            The wording; ``{level}`` in it stands for the level.
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
        record = new_record(
            levels,
            question,
            target,
            sampler=sampler,
            sampler_params=sampler_params or {},
            task=task,
            stop=stop,
            seed=seed,
            increasing=increasing,
            about=about or {},
        )
        session = cls(path, record)
        session.ask()  # a fault of the sampler shows before there is a file
        with locked(path):
            if path.exists():  # made by another process since
                raise SessionFileError(f"{path} exists already; open it, or choose another name")
            session._write(record)
        return session

    @classmethod
    def open(cls, path):
        """Come back to an experiment; raises `SessionFileError` if the file does not hold one."""
        state, text = file_state(path), read_text(path)
        session = cls(path, record_from(path, text), text)
        session._state = state
        return session

    def reload(self):
        """Catch up with the file, where another process may have written; an unchanged file is not read again."""
        state = file_state(self.path)
        if state is None or state != self._state:
            self._adopt(*self._current())
            self._state = state
        return self

    def _current(self):
        """Record and text on disk, which must be this session's; parsed and checked only if they have changed."""
        text = read_text(self.path)
        if text == self._text:
            return self._record, text
        record = record_from(self.path, text)
        if record["id"] != self.id:
            raise SessionFileError(f"{self.path} now holds another session")
        return record, text

    def _adopt(self, record, text):
        """Follow ``record``: the sampler is made anew only if its settings differ, and told only what is new."""
        old = self._record
        if record is old:
            self._text = text
            return
        try:
            if not old or any(old[name] != record[name] for name in _FOR_THE_SAMPLER):
                targets = [target_from(one) for one in record["targets"]]
                if not targets:
                    raise ValueError("a session needs at least one target")
                named = record["sampler"]
                settings = record["levels"], targets, record["increasing"], record["seed"]
                sampler = make_sampler(named["name"], named["params"], *settings)
            else:
                targets, sampler = self.targets, self.sampler
            stop = rule_from(record["stop"])
        except (TypeError, ValueError) as error:
            if not self.path.exists():
                raise  # a wrong parameter of `create`
            raise SessionFileError(f"{self.path} is not a valid session file: {error}") from None
        answers = [(entry["level"], entry["outcome"]) for entry in record["history"]]
        pairs = zip(sampler.history, answers, strict=False)
        n_same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        sampler.undo(len(sampler.history) - n_same)
        for level, outcome in answers[n_same:]:
            # What is in the file was accepted when it was told.
            sampler._answers().append(Answer(float(level), bool(outcome)))
        self.targets, self.sampler, self.stop = targets, sampler, stop
        self._record, self._text, self._question_at = record, text, None

    # --- what is recorded ----------------------------------------------------------------------------

    id = property(lambda self: self._record["id"], doc="The session's random name.")
    question = property(lambda self: self._record["question"], doc="The wording.")
    levels = property(lambda self: list(self._record["levels"]), doc="The levels that may be asked.")
    increasing = property(lambda self: self._record["increasing"], doc="As given to `create`.")
    seed = property(lambda self: self._record["seed"], doc="The seed.")
    revision = property(lambda self: self._record["revision"], doc="The number of changes so far.")
    about = property(lambda self: dict(self._record["about"]), doc="As given to `create`.")

    @property
    def record(self):
        """Everything that the file holds, a dict (a copy)."""
        return copy.deepcopy(self._record)

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
            The level that was tried, in the range of the levels; it need not be the one asked.
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
        level, outcome = self.sampler._checked_level(level), as_bool(outcome)
        self._add([(level, outcome, None)], revision)

    def import_csv(self, text, *, revision=None):
        """Add trials made elsewhere, all of them or none; returns their number.

        ``text`` is CSV whose header names a column ``level`` and a column ``outcome`` (1/0, yes/no, true/false or
        correct/incorrect); ``time`` is kept, other columns are passed over. What `to_csv` writes can be read. A line
        that cannot be read, or a level outside the session's levels, raises ValueError with the line's number. With
        ``revision`` (see `answer`) the same import sent twice counts once.
        """
        answers = answers_from_csv(text, self.levels[0], self.levels[-1])
        self._add(answers, revision, f"Imported {len(answers)} answer{'' if len(answers) == 1 else 's'}.")
        return len(answers)

    def _add(self, answers, revision, note=None):
        def added(record):
            record = with_answers(record, answers)
            return record if note is None else with_note(record, note)

        self._change(revision, added, lambda record, seen: holds_answers(record, seen, answers))

    def undo(self, *, revision=None, n_answers=None):
        """Undo the last answer; it is kept in the file, but no longer counts.

        Parameters
        ----------
        revision : int, default=None
            As in `answer`.
        n_answers : int, default=None
            The number of answers before, with ``revision``: the same undo sent twice is then recognised (only undoing
            makes the answers fewer) and counts once.
        """

        def undone(record, seen):
            return record["revision"] == seen + 1 and len(record["history"]) + 1 == n_answers

        self._change(revision, without_last, undone)

    def note(self, text, *, revision=None):
        """Write a remark down beside the answers. ``revision`` as in `answer`."""
        self._change(
            revision,
            lambda record: with_note(record, text),
            lambda record, seen: holds_note(record, seen, text),
        )

    def extend(self, n, *, revision=None):
        """Allow ``n`` more answers than there are now; a note says so. ``revision`` as in `answer`.

        The new rule stops then, or earlier by a part of the old rule that is not met yet.
        """
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise ValueError(f"n must be a whole number of answers, at least 1; got {n!r}")
        self._change(
            revision,
            lambda record: extended(record, n, self.stop, self.sampler),
            lambda record, seen: holds_note(record, seen, extension_note(n)),
        )

    def _change(self, revision, make, is_made):
        """Write ``make(record)``, unless the file has changed since ``revision``.

        ``is_made(record, seen)`` recognises the very same change, sent again.
        """
        seen = self.revision if revision is None else int(revision)
        with locked(self.path):
            record, text = self._current()
            if record["revision"] == seen:
                self._adopt(record, text)
                self._write(make(record))
            elif revision is not None and is_made(record, seen):
                self._adopt(record, text)
            else:
                raise SessionChangedError(
                    f"{self.path} is at revision {record['revision']}, this change was made at revision {seen}: "
                    "reload the session and look at the question again"
                )

    def _write(self, record):
        text = write_record(self.path, record)  # first: a change is in memory only once it is on disk
        self._state = file_state(self.path)
        self._adopt(record, text)

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
            One per target, with ``target`` (its description), ``value``, ``low``, ``high``, ``low_open`` and
            ``high_open`` (whether the interval reaches beyond the lowest or highest level, where ``low`` and ``high``
            end), ``outside`` (None, "below" or "above": where the threshold lies if it is not among the levels) and
            ``p_outside`` (the probability of that side, or of the likelier one).
        """
        found = []
        for target, name in zip(self.targets, self._record["targets"], strict=True):
            low, high = self.sampler.interval(target, confidence)
            value = self.sampler.estimate(target)
            # The interval need not come from the same fit as the estimate.
            low, high = min(low, value), max(high, value)
            outside = self.sampler.outside(target)
            first, last = self.levels[0], self.levels[-1]
            ends = {"low": float(max(low, first)), "high": float(min(high, last))}
            ends |= {"low_open": bool(low < first), "high_open": bool(high > last)}
            side = {"outside": outside.side, "p_outside": max(outside)}
            found.append({"target": dict(name), "value": value, **ends, **side})
        return found

    def warnings(self):
        """What a reader of the estimates should know, a list of sentences; empty if nothing is wrong."""
        found = []
        for target in self.targets:
            outside = self.sampler.outside(target)
            if outside.side is not None:
                end = self.levels[0 if outside.side == "below" else -1]
                found.append(
                    f"The threshold lies {outside.side} every level (p = {max(outside):.2f}): "
                    f"add levels beyond {end:g}."
                )
        misfit = getattr(self.sampler, "misfit_", None)
        if misfit is not None and misfit.found:
            found.append(misfit.message)
        drift = self.drift()
        if drift is not None:
            found.append(drift.message)
        return found

    def drift(self):
        """Where the first threshold was and is now, a `Drift`, if it has probably moved; else None.

        Only `PosteriorMinEnt` and `DoseEscalation` look for it.
        """
        return self.sampler.drift() if hasattr(self.sampler, "drift") else None

    # --- for others ----------------------------------------------------------------------------------------

    def to_dict(self, confidence=0.9):
        """Everything that a page or a terminal shows, as JSON data.

        Returns
        -------
        dict
            id, question, levels, about, increasing, revision, n_answers, next_level, done, stop_reason, estimates (see
            `estimate`), warnings, drift (None, or start, now, low, high and probability), notice (of the sampler),
            history and notes.
        """
        reason, drift = self.stop_reason, self.drift()
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
            "drift": None if drift is None else drift.to_dict(),
            "notice": self.sampler.notice,
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
        sampler, steps = clone(self.sampler), []
        for n, entry in enumerate(self._record["history"], start=1):
            step = {"n": n, "asked": sampler.ask(), "level": entry["level"], "outcome": entry["outcome"]}
            sampler._answers().append(Answer(float(entry["level"]), bool(entry["outcome"])))
            steps.append({**step, "estimates": [sampler.estimate(target) for target in self.targets]})
        return steps

    def to_csv(self, path=None):
        """The answers as CSV (n, level, outcome, time, notes); written to ``path`` or returned as text."""
        text = answers_as_csv(self._record)
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8")
        return None

    def plot(self, confidence=0.9):
        """A matplotlib Figure: the answers, the fitted curve with its band, the thresholds with their intervals."""
        from weaklearn.adaptive.drawing import session_figure  # which imports matplotlib

        return session_figure(self, confidence)

    def __repr__(self):
        name = self._record["sampler"]["name"]
        return f"<Session {os.fspath(self.path)!r}: {name}, {len(self._record['history'])} answers>"
