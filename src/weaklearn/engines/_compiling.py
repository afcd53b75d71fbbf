"""Who is told when a kernel is compiled, in this process or in one of its workers.

A worker sends the news over its channel, and its parent passes them on here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from weaklearn import _compilations

__all__ = ["NOTICE", "announcing_compilation", "is_watched", "pass_on", "watching_compilation"]

NOTICE = "weaklearn: compiling (once per installation)"


@contextmanager
def watching_compilation(report: Callable[[str], None]) -> Iterator[None]:
    """Call `report` with the name of every kernel whose compilation starts."""
    _compilations.watchers.append(report)
    try:
        yield
    finally:
        _compilations.watchers.remove(report)


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
    return bool(_compilations.watchers)


def pass_on(kernel: str) -> None:
    """Report a compilation that started in a worker."""
    _compilations.tell(kernel)
