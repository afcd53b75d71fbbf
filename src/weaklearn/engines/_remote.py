"""What runs on a Dask worker: chunks, each in a process of its own beside the worker.

A bad task then ends that process and not the Dask worker with its neighbours' tasks, can be ended when
it runs too long, and leaves the worker's heartbeat alone however long it holds the interpreter.
"""

import dataclasses
import threading
from collections.abc import Sequence

from weaklearn.engines._outcomes import Outcome
from weaklearn.engines._process import WorkerProcess
from weaklearn.engines._task import Setup

__all__ = ["run_here"]

# Processes wait this long for the next chunk before they are ended.
_IDLE_SECONDS = 60.0


class _Garage:
    """Worker processes between two chunks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._setup: Setup | None = None
        self._idle: list[WorkerProcess] = []
        self._timer: threading.Timer | None = None

    def take(self, setup: Setup) -> WorkerProcess:
        """A process for these tasks, used or new."""
        with self._lock:
            if self._setup != setup:
                self._clear()
                self._setup = setup
            return self._idle.pop() if self._idle else WorkerProcess(setup)

    def give_back(self, setup: Setup, process: WorkerProcess) -> None:
        """Keep the process for the next chunk."""
        with self._lock:
            if self._setup != setup:
                _end(process)
                return
            self._idle.append(process)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(_IDLE_SECONDS, self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        for process in self._idle:
            _end(process)
        self._idle = []


_GARAGE = _Garage()


def _end(process: WorkerProcess) -> None:
    process.close()
    process.join()


def run_here(setup: Setup, chunk: Sequence[tuple[int, bytes]]) -> list[Outcome]:
    """Run a chunk on this Dask worker; the values are still pickled."""
    setup = dataclasses.replace(setup, memory_limit=setup.memory_limit or _share_of_memory())
    process = _GARAGE.take(setup)
    try:
        outcomes = list(process.run(chunk))
    except BaseException:
        _end(process)
        raise
    _GARAGE.give_back(setup, process)
    return outcomes


def _share_of_memory() -> int | None:
    """What ``dask worker --memory-limit`` grants to each thread; its nanny does not see our processes."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return None
    limit = worker.memory_manager.memory_limit
    return limit // worker.state.nthreads if limit else None
