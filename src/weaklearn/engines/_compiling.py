"""Who is told when a kernel is compiled, in this process or in one of its workers.

numba reports every compilation to listeners; kernels that it finds in its cache are not compiled and not reported. A
worker sends the news over its channel, and its parent passes them on here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["NOTICE", "announcing_compilation", "is_watched", "pass_on", "watching_compilation"]

NOTICE = "weaklearn: compiling (once per installation)"

_watchers: list[Callable[[str], None]] = []


@contextmanager
def watching_compilation(report: Callable[[str], None]) -> Iterator[None]:
    """Call `report` with the name of every kernel whose compilation starts."""
    from numba.core import event  # a third of a second, which engines without kernels need not wait

    class Watcher(event.Listener):
        def on_start(self, event):
            report(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    _watchers.append(report)
    try:
        with event.install_listener("numba:compile", Watcher()):
            yield
    finally:
        _watchers.remove(report)


@contextmanager
def announcing_compilation(say: Callable[[str], None]) -> Iterator[None]:
    """Call `say` with a sentence for the user when a first kernel has to be compiled."""
    said: list[str] = []

    def report(kernel: str) -> None:
        if not said:
            say(NOTICE)
        said.append(kernel)

    with watching_compilation(report):
        yield


def is_watched() -> bool:
    """Whether anybody in this process wants to know."""
    return bool(_watchers)


def pass_on(kernel: str) -> None:
    """Report a compilation that started in a worker."""
    for report in tuple(_watchers):
        report(kernel)
