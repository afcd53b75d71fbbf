"""Trials as tasks of an engine: what is sent to a worker, what it does, what comes back.

A worker receives a description and the stamp that the result will carry, and returns the metrics; it
never touches the store. What it computes depends on the description alone. A worker whose code or
libraries would give another stamp refuses, and the engine looks for a better one.
"""

import functools
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from weaklearn import __version__
from weaklearn.datasets import DatasetNotFoundError, hand_over, load
from weaklearn.engines import EngineError, NoDataHere, VersionMismatch
from weaklearn.engines import Outcome as TaskOutcome
from weaklearn.lab._build import known_code, use_code
from weaklearn.lab._code import Stamp, Stamper, current_stamps
from weaklearn.lab._errors import LabError
from weaklearn.lab._store import Outcome
from weaklearn.lab._trial import Trial, run_protocol

RUN_TRIAL = "weaklearn.lab._engines:run_trial"


@contextmanager
def engine_errors() -> Iterator[None]:
    """An engine that cannot run is the lab's error."""
    try:
        yield
    except EngineError as error:
        raise LabError(str(error)) from error


def shared_by_trials(engine: str, trials: Sequence[Trial]) -> dict[str, Any]:
    """What every worker is told once.

    A new process cannot import users' files before it knows their folders; a worker on another machine need
    not have the data sets, so they travel along.
    """
    shared: dict[str, Any] = {"code": known_code(), "datasets": []}
    if engine.startswith("dask://"):
        data = [trial.data for trial in trials]
        names = sorted({part["name"] for part in data if part is not None and part["kind"] == "real"})
        shared["datasets"] = [load(name) for name in names]
    return shared


def run_trial(payload: tuple[str, Stamp], shared: dict[str, Any]) -> dict[str, Any]:
    """Run one trial in this process: its result, CPU seconds and version, as fields of its `Outcome`.

    Parameters
    ----------
    payload : tuple
        The trial's description and the stamp that its result will carry.
    shared : dict
        See `shared_by_trials`.
    """
    use_code(shared["code"])
    for dataset in shared["datasets"]:
        hand_over(dataset)
    description, stamp = payload
    _check_stamp(description, Stamp(*stamp))
    trial = Trial(description)
    try:
        if trial.data is not None:
            trial.load()
        # The time of a trial is its work: neither the reading of files nor what else the machine was doing.
        start = time.process_time()
        result = run_protocol(trial)
    except DatasetNotFoundError as error:
        name = trial.data_name or "of the trial"
        raise NoDataHere(f"data set {name} not found there: {error}") from error
    return {"result": result, "seconds": time.process_time() - start, "version": __version__}


def outcome_of(trial: Trial, task: TaskOutcome, stamp: Stamp) -> Outcome:
    """The end of a trial, from what its task returned."""
    failed = {"failure": task.failure, "seconds": task.seconds, "version": __version__}
    return Outcome(trial.key, trial.description, stamp=stamp, **(failed if task.failure else task.value))


@functools.cache
def _stamps_here(path: tuple[str, ...]) -> Stamper:
    return current_stamps()


def _check_stamp(description: str, expected: Stamp) -> None:
    here = _stamps_here(tuple(sys.path))(description)
    if here.code != expected.code:
        raise VersionMismatch("its weaklearn code differs from ours: install the same weaklearn everywhere")
    if here.libraries != expected.libraries:
        raise VersionMismatch(f"it has {here.libraries}, we have {expected.libraries}")
