"""``weaklearn serve``: the local application in the browser."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.console import WRONG_CALL, fail

__all__ = ["EXAMPLES", "serving"]

EXAMPLES = """\b
Examples:
  weaklearn serve
  weaklearn serve --port 0 --folder study
  weaklearn serve --folder study --pages my_experiment
"""

# The modules whose ``DOOR`` is opened; `weaklearn.cli`, which knows the jobs, fills the list.
_DOORS: list[str] = []


def serving(*doors: str) -> Callable[..., None]:
    """The command, with the doors of these modules."""
    _DOORS[:] = doors
    return serve


def serve(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")
    ] = 8765,
    folder: Annotated[
        Path, typer.Option(help="The folder for sessions, and for weaklearn-work with tables and jobs.")
    ] = Path(),
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. Any but 127.0.0.1 opens the server to a network: asks first."
        ),
    ] = "127.0.0.1",
    accept_risk: Annotated[
        bool, typer.Option("--accept-risk", help="Do not ask about --host: the warning is understood.")
    ] = False,
    pages: Annotated[
        Path | None,
        typer.Option(help="A folder of own pages, such as a jsPsych experiment, served below /pages/."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Jobs that run at a time.")] = 1,
) -> None:
    """Check tables, compare classifiers, find thresholds and reproduce the papers in the browser.

    The server listens on 127.0.0.1 only, unless --host names another address, and answers only the browser that opens
    the address it prints. Nothing is sent anywhere else.
    """
    for place in (folder, *([] if pages is None else [pages])):
        if not place.is_dir():
            fail(f"there is no folder {place}", WRONG_CALL)
    try:
        from weaklearn.web._serve import ServeError, exposure
        from weaklearn.web._serve import serve as run
    except ModuleNotFoundError as error:
        fail(f"the pages need the package {error.name}: pip install 'weaklearn[web]'")

    try:
        warning = exposure(host)
        if warning is not None:
            typer.echo(f"Warning: {warning}", err=True)
            if not accept_risk and not (sys.stdin.isatty() and typer.confirm("Listen there?", err=True)):
                fail("not started: confirm the warning, or give --accept-risk", WRONG_CALL)
        run(folder, port, _DOORS, jobs, host, pages)
    except ServeError as error:
        fail(str(error))
