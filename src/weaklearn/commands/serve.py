"""``weaklearn serve``: the local application in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.commands._terminal import fail

__all__ = ["EXAMPLES", "serve"]

EXAMPLES = """\b
Examples:
  weaklearn serve
  weaklearn serve --port 0 --folder study
"""


def serve(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")
    ] = 8765,
    folder: Annotated[
        Path, typer.Option(help="The folder for sessions, and for weaklearn-work with tables and jobs.")
    ] = Path(),
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Jobs that run at a time.")] = 1,
) -> None:
    """Check tables, compare classifiers, find thresholds and reproduce the papers in the browser.

    The server listens on 127.0.0.1 only, and lets in only the browser that opens the address it prints. Nothing is sent
    anywhere else.
    """
    from weaklearn.app._serve import ServeError
    from weaklearn.app._serve import serve as run

    try:
        run(folder, port, jobs)
    except ServeError as error:
        fail(str(error))
