"""Running a plan: send what is not finished to the engine, store what comes back."""

import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Protocol as TypingProtocol

from weaklearn.lab._engines import Engine, Outcome, check_engine, open_engine
from weaklearn.lab._errors import LabError
from weaklearn.lab._plan import Plan
from weaklearn.lab._store import Finished, Store
from weaklearn.lab._trial import Trial

__all__ = ["Observer", "RunSummary", "run_plan"]

# Chunks of about this length make the cost of sending and storing a trial vanish, and keep what
# a killed run can lose to a moment's work.
_CHUNK_SECONDS = 0.25
_LARGEST_CHUNK = 64


class Observer(TypingProtocol):
    """Whoever wants to follow a run."""

    def start(self, total: int, done: int) -> None:
        """Called once, with the number of trials in the plan and of those finished before."""

    def advance(self, outcomes: Sequence[Outcome]) -> None:
        """Called when trials came back, finished or failed."""

    def stop(self) -> None:
        """Called once at the end, however the run ends."""


@dataclass
class RunSummary:
    """What a run did.

    Attributes
    ----------
    planned, found, finished : int
        Trials in the plan, found finished in the store, finished by this run.
    failures : list of Outcome
    interrupted : bool
        Whether Ctrl-C ended the run.
    seconds : float
        Wall-clock time.
    """

    planned: int
    found: int = 0
    finished: int = 0
    failures: list[Outcome] = field(default_factory=list)
    interrupted: bool = False
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
) -> RunSummary:
    """Run the trials of a plan that the store does not have.

    Results depend on neither the engine nor the number of workers. A trial that fails is
    reported in the summary, is not stored, and does not stop the others.
    """
    check_engine(engine)
    start = time.monotonic()
    known = store.known([trial.key for trial in plan.trials])
    pending = [trial for trial in plan.trials if trial.key not in known]
    summary = RunSummary(planned=len(plan.trials), found=len(known))
    if observer is not None:
        observer.start(summary.planned, summary.found)
    try:
        if pending:
            with open_engine(engine, workers, n_trials=len(pending)) as opened:
                _drain(_Queue(pending), opened, store, summary, observer)
    except KeyboardInterrupt:
        summary.interrupted = True
    except BrokenProcessPool as error:
        raise LabError(
            f"a worker process died (killed, or out of memory); {summary.found + summary.finished} of "
            f"{summary.planned} trials are stored and the same command goes on from there"
        ) from error
    finally:
        if observer is not None:
            observer.stop()
        summary.seconds = time.monotonic() - start
    return summary


def _drain(
    queue: "_Queue", engine: Engine, store: Store, summary: RunSummary, observer: Observer | None
) -> None:
    running: dict[Future[list[Outcome]], list[Trial]] = {}
    while True:
        # One chunk waits behind each that runs, so that no worker idles while we store.
        while len(running) < 2 * engine.n_workers and (chunk := queue.take()):
            # Another run that shares the store may have been here first.
            known = store.known([trial.key for trial in chunk])
            summary.found += len(known)
            queue.skip([trial for trial in chunk if trial.key in known])
            if left := [trial for trial in chunk if trial.key not in known]:
                running[engine.submit([trial.description for trial in left])] = left
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            outcomes = future.result()
            queue.finished(running.pop(future), outcomes)
            _keep(outcomes, store, summary)
            if observer is not None:
                observer.advance(outcomes)


def _keep(outcomes: list[Outcome], store: Store, summary: RunSummary) -> None:
    good = [
        Finished(outcome.key, outcome.description, outcome.result, outcome.seconds, outcome.version)
        for outcome in outcomes
        if outcome.result is not None
    ]
    store.add(good)
    summary.finished += len(good)
    summary.failures += [outcome for outcome in outcomes if outcome.result is None]


class _Queue:
    """Hands out chunks of trials, in order but for one rule about compilation.

    On a clean machine the first trial of an algorithm compiles its kernels, which takes longer
    than the trial and leaves them on disk for everyone. So while a builder's first trial runs,
    other trials that need that builder wait and the workers go on to other builders: different
    kernels compile at the same time, none compiles twice.
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self._pending = deque(trials)
        self._warm: set[str] = set()
        self._warming: set[str] = set()
        self._seconds: float | None = None

    def take(self) -> list[Trial]:
        """The next chunk; empty if there is none, or none that may start yet."""
        chunk: list[Trial] = []
        passed: list[Trial] = []
        size = self._chunk_size()
        while self._pending and len(chunk) < size:
            trial = self._pending.popleft()
            builders = trial.builders
            if builders & self._warming:
                passed.append(trial)
            elif builders <= self._warm:
                chunk.append(trial)
            elif chunk:
                passed.append(trial)
                break
            else:
                chunk.append(trial)
                self._warming |= builders - self._warm
                break
        self._pending.extendleft(reversed(passed))
        return chunk

    def _chunk_size(self) -> int:
        if self._seconds is None:
            return 1
        return max(1, min(_LARGEST_CHUNK, int(_CHUNK_SECONDS / max(self._seconds, 1e-6))))

    def skip(self, trials: list[Trial]) -> None:
        """Take back trials that need not run after all."""
        for trial in trials:
            self._warming -= trial.builders

    def finished(self, chunk: list[Trial], outcomes: list[Outcome]) -> None:
        """Learn from a chunk that came back."""
        for trial, outcome in zip(chunk, outcomes, strict=True):
            cold = not trial.builders <= self._warm
            self._warm |= trial.builders
            self._warming -= trial.builders
            if not cold:  # a first trial's time is the compiler's
                before = outcome.seconds if self._seconds is None else self._seconds
                self._seconds = 0.9 * before + 0.1 * outcome.seconds
