"""Calls in a process of their own, with limits: one at a time (`run_limited`), or a chunk beside a Dask worker.

A bad task then ends that process and not its parent, can be ended when it runs too long, and leaves the heartbeat of a
Dask worker alone however long it holds the interpreter. Processes wait for the next call for a minute.
"""

import threading
from collections.abc import Sequence
from typing import Any

from weaklearn.engines._process import WorkerProcess
from weaklearn.engines._task import Outcome, Setup, pickled, unpacked

_IDLE_SECONDS = 60.0


class _IdleWorkers:
    """Worker processes between two chunks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._timer: threading.Timer | None = None

    def take(self, setup: Setup) -> WorkerProcess:
        """A process for these tasks, used or new; those that wait for other tasks are ended."""
        with self._lock:
            for process in self._idle:
                if process.setup != setup:
                    process.end()
            self._idle = [process for process in self._idle if process.setup == setup]
            return self._idle.pop() if self._idle else WorkerProcess(setup)

    def give_back(self, process: WorkerProcess) -> None:
        """Keep the process for the next chunk."""
        with self._lock:
            self._idle.append(process)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(_IDLE_SECONDS, self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            for process in self._idle:
                process.end()
            self._idle = []


_IDLE = _IdleWorkers()


def run_chunk(setup: Setup, chunk: Sequence[tuple[int, bytes]]) -> list[Outcome]:
    """Run a chunk in a process; the values are still pickled."""
    process = _IDLE.take(setup)
    try:
        outcomes = list(process.run(chunk))
    except BaseException:
        process.end()
        raise
    _IDLE.give_back(process)
    return outcomes


def run_limited(
    function: str, payload: Any, *, timeout: float | None = None, memory_limit: int | None = None
) -> Outcome:
    """Call ``function(payload)`` once in a process with limits; the process waits a minute for the next such call.

    Parameters
    ----------
    function : str
        ``"module:name"`` of a function.
    payload : object
        Anything that can be pickled.
    timeout : float, optional
        Seconds that the call may take.
    memory_limit : int, optional
        Bytes that the call may allocate (not on Windows).

    Returns
    -------
    Outcome
        The value, or the failure: of kind "timeout", "memory" or "killed" if a limit was exceeded.

    Raises
    ------
    EngineError
        If no process could be started, or the function cannot be imported.

    Examples
    --------
    >>> from weaklearn.engines import run_limited
    >>> run_limited("math:sqrt", 4.0, timeout=60).value
    2.0
    """
    setup = Setup(function, timeout=timeout, memory_limit=memory_limit)
    (outcome,) = run_chunk(setup, [(0, pickled(payload))])
    return unpacked(outcome)
