"""Says on standard error that kernels are being compiled, when they are: on first use after installation."""

import functools
from collections.abc import Callable
from typing import Any

import typer

__all__ = ["announcing"]


def announcing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; the first time that it or one of its workers has to compile something, it says so."""

    @functools.wraps(command)
    def announced(*args: Any, **options: Any) -> Any:
        from weaklearn._compilations import announcing_compilation

        with announcing_compilation(functools.partial(typer.echo, err=True)):
            return command(*args, **options)

    return announced
