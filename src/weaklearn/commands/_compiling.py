"""Says on standard error that kernels are being compiled, when they are: on first use after installation."""

import functools
from collections.abc import Callable
from typing import Any

import typer

__all__ = ["announcing"]

NOTICE = "weaklearn: compiling (once per installation)"


def announcing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; the first time that it or one of its workers has to compile something, it says so."""

    @functools.wraps(command)
    def announced(*args: Any, **options: Any) -> Any:
        from weaklearn.engines import watching_compilation

        said: list[str] = []

        def report(kernel: str) -> None:
            if not said:
                typer.echo(NOTICE, err=True)
            said.append(kernel)

        with watching_compilation(report):
            return command(*args, **options)

    return announced
