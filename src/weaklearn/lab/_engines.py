"""Engines: where trials run. Each is a `concurrent.futures` executor and a number of workers.

``local`` starts processes on this machine; ``dask://HOST:PORT`` uses the workers of a Dask
scheduler; ``inline`` runs in the calling process, for debuggers and tests. A worker receives
descriptions and returns outcomes; it never touches the store. What it computes depends on the
description alone: one BLAS thread everywhere, because sums in another order round differently.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from weaklearn import __version__
from weaklearn.lab._build import use_folders, user_folders
from weaklearn.lab._errors import LabError
from weaklearn.lab._trial import Trial, run_protocol

__all__ = ["Engine", "Outcome", "check_engine", "open_engine", "run_chunk"]

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
_CONNECT_SECONDS = 10


@dataclass(frozen=True)
class Outcome:
    """What became of a trial: a result, or the traceback of its failure."""

    key: str
    description: str
    result: dict[str, Any] | None
    seconds: float
    version: str
    error: str | None = None


def run_chunk(descriptions: list[str], folders: Sequence[str] = ()) -> list[Outcome]:
    """Run some trials in this process, one after the other. A failure spoils its own trial only.

    The folders are those of users' files, which a new process cannot import before it knows them.
    """
    use_folders(folders)
    with threadpool_limits(limits=1):
        return [_run_trial(Trial(description)) for description in descriptions]


def _run_trial(trial: Trial) -> Outcome:
    start = time.perf_counter()
    try:
        if trial.data is not None:
            trial.load()
        start = time.perf_counter()  # the time of a trial is its work, not the reading of files
        result = run_protocol(trial)
    except Exception:  # whatever a learner raises is reported with its trial; the run goes on
        seconds = time.perf_counter() - start
        return Outcome(trial.key, trial.description, None, seconds, __version__, traceback.format_exc())
    return Outcome(trial.key, trial.description, result, time.perf_counter() - start, __version__)


@dataclass(frozen=True)
class Engine:
    """An executor and how many trials it runs at a time."""

    executor: Executor
    n_workers: int

    def submit(self, descriptions: list[str]) -> "Future[list[Outcome]]":
        """Send a chunk of trials away."""
        with _interrupts_held():
            return self.executor.submit(run_chunk, descriptions, user_folders())


def check_engine(name: str) -> None:
    """Raise a `LabError` if there is no such engine, before any work starts."""
    if name not in ("local", "inline") and not name.startswith("dask://"):
        raise LabError(f"unknown engine {name!r}: use local or dask://HOST:PORT")
    if name.startswith("dask://"):
        host, _, port = name.removeprefix("dask://").rpartition(":")
        if not host or not port.isdigit():
            raise LabError(f"engine {name!r} lacks a host or a port: write dask://HOST:PORT")


@contextmanager
def open_engine(name: str, workers: int | None = None, *, n_trials: int) -> Iterator[Engine]:
    """An engine by name; leaving the block ends its workers, at once if by an exception."""
    check_engine(name)
    if workers is not None and workers < 1:
        raise LabError(f"the number of workers must be at least 1, got {workers}")
    if name == "inline":
        yield Engine(_InlineExecutor(), 1)
    elif name == "local":
        # More workers than trials would only start up and leave.
        with _local(min(workers or os.cpu_count() or 1, n_trials)) as engine:
            yield engine
    else:
        with _dask(name.removeprefix("dask://")) as engine:
            yield engine


class _InlineExecutor(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def _local(workers: int) -> Iterator[Engine]:
    before = set(multiprocessing.active_children())
    with _environment(dict.fromkeys(_THREAD_VARIABLES, "1")):
        # spawn, not fork: a forked child inherits half of the parent's threads and locks.
        executor = ProcessPoolExecutor(
            workers, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
        )
        try:
            yield Engine(executor, workers)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
            executor.shutdown(wait=True)
            raise
        executor.shutdown(wait=True)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with_parent() -> None:
        # A worker waits on a queue that it holds open itself, so it would outlive a killed parent.
        parent.join()
        os._exit(1)

    threading.Thread(target=leave_with_parent, daemon=True).start()


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    # Workers read these when they import numpy, so they must be set before the workers start.
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interrupts_held() -> Iterator[None]:
    # Submitting may start a worker, which inherits the mask and so never dies noisily of a Ctrl-C
    # that arrives while it imports. A Ctrl-C for us is delivered when the mask is lifted.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _dask(address: str) -> Iterator[Engine]:
    try:
        import distributed  # an optional extra
    except ImportError:
        raise LabError("the dask engine needs `distributed`: pip install 'weaklearn[dask]'") from None
    try:
        client = distributed.Client(f"tcp://{address}", timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise LabError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
    try:
        n_workers = sum(client.nthreads().values())
        if n_workers == 0:
            raise LabError(f"the Dask scheduler at {address} has no workers: start some with `dask worker`")
        executor = client.get_executor(pure=False)
        try:
            yield Engine(executor, n_workers)
        finally:
            executor.shutdown(wait=False)
    finally:
        client.close()
