"""Says on standard error that kernels are being compiled, when they are: on first use after installation.

numba reports every compilation to listeners; kernels that it finds in its cache are not compiled and not reported.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

__all__ = ["announcing", "watching_compilation"]

NOTICE = "weaklearn: compiling (once per installation)"


@contextmanager
def watching_compilation(report: Callable[[str], None]) -> Iterator[None]:
    """Call `report` with the name of every kernel whose compilation starts."""
    from numba.core import event

    class Watcher(event.Listener):
        def on_start(self, event):
            report(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    with event.install_listener("numba:compile", Watcher()):
        yield


def announcing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; the first time it has to compile something, it says so."""

    @functools.wraps(command)
    def announced(*args: Any, **options: Any) -> Any:
        said: list[str] = []

        def report(kernel: str) -> None:
            if not said:
                typer.echo(NOTICE, err=True)
            said.append(kernel)

        with watching_compilation(report):
            return command(*args, **options)

    return announced
