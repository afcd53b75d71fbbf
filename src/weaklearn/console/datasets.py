"""``weaklearn datasets``: which real data sets there are, where each is read, how to get it, and getting it."""

from typing import Annotated

import typer

from weaklearn.console._terminal import Json

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn datasets
  weaklearn datasets --json
  weaklearn datasets --download sonar
  weaklearn datasets --download all
"""

Download = Annotated[
    list[str] | None,
    typer.Option(
        "--download",
        metavar="NAME|all",
        help="Download a set from its public home, check its content and keep it; can be given again.",
    ),
]


def datasets(names: Download = None, as_json: Json = False) -> None:
    """List the real data sets, or download them.

    For each one: its size, and where it is read or how to get it. Downloads go to the folder in WEAKLEARN_CACHE, or
    else to the cache folder of the user. "all" gets those that are not found yet. The exit code is 1 if one fails.
    """
    from weaklearn.console import _downloads

    if names:
        _downloads.download_sets(names, as_json)
    else:
        _downloads.print_list(as_json)


COMMAND = datasets
