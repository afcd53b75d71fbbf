"""Running a plan: send what has no fresh result to the engine, store what comes back."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from typing import Protocol as TypingProtocol

from weaklearn.engines import Engine, EngineError, open_engine
from weaklearn.lab._code import Stamp, cell_of, current_stamps
from weaklearn.lab._engines import RUN_TRIAL, engine_errors, outcome_of, shared_by_trials
from weaklearn.lab._plan import Plan
from weaklearn.lab._status import survey
from weaklearn.lab._store import Outcome, Store, StoredTrial, result_text
from weaklearn.lab._trial import Trial

# How many trials of each stale cell are run again before the others are believed.
_SAMPLE = 2
# These say something about the cluster, not about the trial: it is tried again in the next run.
_NOT_THE_TRIAL = ("version mismatch", "no data")
_UNDER_LIMITS = ("memory", "timeout", "killed", "lost worker")


class Observer(TypingProtocol):
    """What follows a run, such as a progress bar."""

    def start(self, total: int, done: int) -> None:
        """Called once, with the number of trials in the plan and of those finished before."""

    def advance(self, outcomes: Sequence[Outcome]) -> None:
        """Called when trials ended, finished or failed."""

    def stop(self) -> None:
        """Called once at the end of the trials, however the run ends."""

    def note(self, text: str) -> None:
        """Called when something else begins that takes a while."""


@dataclass
class RunSummary:
    """What a run did.

    Attributes
    ----------
    planned, found, finished : int
        Trials in the plan, found fresh in the store (those verified by this run included), finished by this run.
    stale : int
        Trials whose stored result was made by other code.
    verified : int
        Those of them that were taken over after a sample of their cell gave the same bits.
    failures : list of Outcome
        Trials that failed, those of earlier runs that were not tried again included.
    failed_before : int
        How many of the failures are of earlier runs.
    damaged : list of str
        What was found damaged in the store, and is run again.
    refused : dict
        Dask workers that were refused, with the reason.
    interrupted : bool
        Whether Ctrl-C ended the run.
    stopped : str
        Why the engine gave up before the end, as when a Dask scheduler is lost; "" if it did not.
    seconds : float
        Wall-clock time.
    """

    planned: int
    found: int = 0
    finished: int = 0
    stale: int = 0
    verified: int = 0
    failures: list[Outcome] = field(default_factory=list)
    failed_before: int = 0
    damaged: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False
    stopped: str = ""
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether every planned trial has a result."""
        return self.found + self.finished == self.planned


def run_plan(
    plan: Plan,
    store: Store,
    *,
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
    trial_timeout: float | None = None,
    memory_limit: int | None = None,
    stale: Literal["rerun", "verify"] = "rerun",
    retry_failed: bool = False,
    stored_only: bool = False,
) -> RunSummary:
    """Run the trials of a plan that have no fresh result in the store.

    Results depend on neither the engine nor the number of workers. A trial that fails, or kills its
    worker, is named in the summary, is kept apart from results in the store, and does not stop the others.

    Parameters
    ----------
    plan : Plan
    store : Store
    engine : str
        "local", "dask://HOST:PORT" or "inline".
    workers : int, optional
        Local worker processes; one per core by default.
    observer : Observer, optional
    trial_timeout : float, optional
        Seconds that a trial may take; one that takes longer is ended and fails.
    memory_limit : int, optional
        Bytes that a trial may allocate; one that asks for more fails.
    stale : {"rerun", "verify"}
        What to do with results that other code made: run all of them again, or run a sample of each
        cell and take the others over if every bit is equal.
    retry_failed : bool
        Try trials again that failed before with the same code and limits.
    stored_only : bool
        Run nothing: only look up what is stored.

    Returns
    -------
    RunSummary
    """
    start = time.monotonic()
    run = _PlanRun(plan, store, f"timeout={trial_timeout} memory={memory_limit}", observer)
    run.prepare(stale, retry_failed, stored_only)
    if observer is not None:
        observer.start(run.summary.planned, run.summary.found)
    try:
        if (run.pending or run.samples) and not stored_only:
            with (
                engine_errors(),
                open_engine(engine, workers, timeout=trial_timeout, memory_limit=memory_limit) as opened,
            ):
                try:
                    run.run(opened)
                except EngineError as error:
                    run.summary.stopped = str(error)
                finally:
                    run.summary.refused = dict(opened.refused)
    except KeyboardInterrupt:
        run.summary.interrupted = True
    finally:
        if observer is not None:
            observer.stop()
        run.summary.seconds = time.monotonic() - start
    return run.summary


class _PlanRun:
    def __init__(self, plan: Plan, store: Store, limits: str, observer: Observer | None) -> None:
        self._plan, self._store, self._limits, self._observer = plan, store, limits, observer
        self.summary = RunSummary(planned=len(plan.trials))
        self.pending: list[Trial] = []
        self.samples: dict[tuple[str, Stamp], list[StoredTrial]] = {}
        self._stale: dict[str, StoredTrial] = {}
        self._results: dict[str, str] = {}

    def prepare(self, stale: str, retry_failed: bool, stored_only: bool) -> None:
        """Find out what there is to do."""
        if self._store.stamps is None:
            self._store.stamps = current_stamps()
        self._stamp: Callable[[str], Stamp] = self._store.stamps
        found = survey(self._store, self._plan.trials, self._limits)
        if self._store.rescue:
            self.summary.damaged.append(self._store.rescue)
        self.summary.damaged += [f"the stored result of {row.description}" for row in found.damaged]
        if not stored_only:
            self._store.discard([row.key for row in found.damaged])
        self.summary.found = len(found.fresh)
        self.summary.stale = len(found.stale)
        self._stale = found.stale if stale == "verify" else {}
        if retry_failed:
            found.failed.clear()
        self.summary.failed_before = len(found.failed)
        self.summary.failures = list(found.failed.values())
        done = found.fresh | found.failed.keys()
        self.pending = [t for t in self._plan.trials if t.key not in done and t.key not in self._stale]
        for key in self._stale.keys() - done:
            row = self._stale[key]
            self.samples.setdefault((cell_of(row.description), row.stamp), []).append(row)

    def run(self, engine: Engine) -> None:
        """Run a sample of the stale cells, then what is left to run."""
        by_key = {trial.key: trial for trial in self._plan.trials}
        chosen = {
            row.key: by_key[row.key]
            for rows in self.samples.values()
            for row in sorted(rows, key=lambda row: row.key)[:_SAMPLE]  # keys are hashes: as good as a draw
        }
        self._run_all(engine, list(chosen.values()))
        self.pending += [by_key[key] for key in self._settle(chosen.keys())]
        order = {trial.key: place for place, trial in enumerate(self._plan.trials)}
        self.pending.sort(key=lambda trial: order[trial.key])
        self._run_all(engine, self.pending)

    def _settle(self, chosen: Collection[str]) -> list[str]:
        """Take over the cells whose sample gave the same bits; the keys of all others."""
        left: list[str] = []
        for rows in self.samples.values():
            sample = [row for row in rows if row.key in chosen]
            rest = [row.key for row in rows if row.key not in chosen]
            if all(self._results.get(row.key) == row.result for row in sample):
                self._store.restamp(rest, self._stamp(rows[0].description))
                self.summary.verified += len(rows)
                self.summary.found += len(rest)
            else:
                left += rest
        return left

    def _run_all(self, engine: Engine, trials: list[Trial]) -> None:
        if not trials:
            return
        keys = [trial.key for trial in trials]

        def wanted(indices: Sequence[int]) -> list[int]:
            # Another run that shares the store may have been here first.
            known = self._store.known([keys[i] for i in indices])
            self.summary.found += len(known)
            return [i for i in indices if keys[i] not in known]

        batches = engine.run_batches(
            RUN_TRIAL,
            [(trial.description, tuple(self._stamp(trial.description))) for trial in trials],
            shared=shared_by_trials(engine.name, trials),
            warm_keys=[trial.builders for trial in trials],
            wanted=wanted,
        )
        for batch in batches:
            ended = [(trials[task.index], task) for task in batch]
            self._keep([outcome_of(trial, task, self._stamp(trial.description)) for trial, task in ended])

    def _keep(self, outcomes: list[Outcome]) -> None:
        told = [outcome for outcome in outcomes if _kind(outcome) not in _NOT_THE_TRIAL]
        self._store.add(
            replace(outcome, limits=self._limits) if _kind(outcome) in _UNDER_LIMITS else outcome
            for outcome in told
        )
        finished = [outcome for outcome in outcomes if outcome.result is not None]
        if self._stale:
            self._results.update((o.key, result_text(o.result)) for o in finished if o.result is not None)
        self.summary.finished += len(finished)
        self.summary.failures += [outcome for outcome in outcomes if outcome.result is None]
        if self._observer is not None:
            self._observer.advance(outcomes)


def _kind(outcome: Outcome) -> str:
    return "" if outcome.failure is None else outcome.failure.kind
