"""The command line: lists the commands of all jobs.

Nothing heavy is imported here, so that ``--help`` answers at once.
"""

import sys
from typing import Annotated

import typer

from weaklearn import __version__
from weaklearn.comparison import command as compare
from weaklearn.console import announcing, datasets, warmup
from weaklearn.lab import command as reproduce
from weaklearn.labels import command as audit
from weaklearn.thresholds import command as threshold
from weaklearn.web import command as serve

__all__ = ["app", "main"]

app = typer.Typer(
    name="weaklearn",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    # Plain help: half the time to the first line, and brackets in it are brackets.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (reproduce, audit, compare, datasets, warmup):
    app.command(epilog=_command.EXAMPLES)(announcing(_command.COMMAND))
app.add_typer(reproduce.GROUP)
app.add_typer(threshold.COMMAND)
_doors = tuple(f"weaklearn.{_room}.pages" for _room in ("labels", "comparison", "thresholds", "lab"))
app.command(epilog=serve.EXAMPLES)(serve.serving(*_doors))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"weaklearn {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Find wrong labels, train despite them, find thresholds with few questions."""


def main() -> None:
    """Entry point of the ``weaklearn`` command."""
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("weaklearn: stopped", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
