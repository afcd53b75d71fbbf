"""Who is told that a kernel is being compiled, here or in a worker process. Importing this does not import numba.

numba reports every compilation to listeners; kernels that it finds in its cache are not compiled and not reported.
`weaklearn._fast`, without which there is no kernel, calls `listen` when it is imported. A worker of an engine sends the
names to its parent, which passes them on with `tell`.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NOTICE = "weaklearn: compiling (once per installation)"

_watchers: list[Callable[[str], None]] = []


class _Compiling(threading.local):
    """Of this thread: how many compilations it is in, one inside the other, and what the finished ones took."""

    depth, since, seconds = 0, 0.0, 0.0


_compiling = _Compiling()


def working_time() -> float:
    """Seconds of `time.perf_counter` without those that this thread has compiled: what time limits count."""
    return time.perf_counter() - _compiling.seconds


@contextmanager
def watching_compilation(report: Callable[[str], None]) -> Iterator[None]:
    """Call `report` with the name of every kernel whose compilation starts."""
    _watchers.append(report)
    try:
        yield
    finally:
        _watchers.remove(report)


@contextmanager
def announcing_compilation(say: Callable[[str], None]) -> Iterator[None]:
    """Call `say` with a sentence for the user when a first kernel has to be compiled."""
    kernels: list[str] = []

    def report(kernel: str) -> None:
        if not kernels:
            say(NOTICE)
        kernels.append(kernel)

    with watching_compilation(report):
        yield


def is_watched() -> bool:
    """Whether compilations are reported to any watcher in this process."""
    return bool(_watchers)


def tell(kernel: str) -> None:
    """Report that the compilation of a kernel starts."""
    for report in tuple(_watchers):
        report(kernel)


def listen() -> None:
    """Pass numba's reports on to the watchers, from now on."""
    from numba.core import event  # a third of a second: only a process with kernels needs it

    class Listener(event.Listener):
        def on_start(self, event):
            if _compiling.depth == 0:
                _compiling.since = time.perf_counter()
            _compiling.depth += 1
            tell(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            _compiling.depth -= 1
            if _compiling.depth == 0:
                _compiling.seconds += time.perf_counter() - _compiling.since

    event.register("numba:compile", Listener())
