"""``weaklearn serve``: threshold experiments on a local page."""

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.commands._terminal import WRONG_CALL, fail

__all__ = ["EXAMPLES", "serve"]

EXAMPLES = """\b
Examples:
  weaklearn serve
  weaklearn serve --port 0 --folder sessions
"""


def serve(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")
    ] = 8765,
    folder: Annotated[Path, typer.Option(help="The folder with the sessions.")] = Path(),
) -> None:
    """Run threshold experiments in the browser.

    The server listens on 127.0.0.1 only, and lets in only the browser that opens the address it prints.
    """
    if not folder.is_dir():
        fail(f"there is no folder {folder}", WRONG_CALL)
    from weaklearn.app._serve import ServeError
    from weaklearn.app._serve import serve as run

    try:
        run(folder, port)
    except ServeError as error:
        fail(str(error))
