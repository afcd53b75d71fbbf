"""The command line: registers the commands of `weaklearn.commands`.

Nothing heavy is imported here, so that ``--help`` answers at once.
"""

import sys
from typing import Annotated

import typer

from weaklearn import __version__
from weaklearn.commands import audit, compare, datasets, reproduce, serve, threshold, warmup
from weaklearn.commands._compiling import announcing

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
app.command(epilog=reproduce.EXAMPLES)(announcing(reproduce.reproduce))
app.command(epilog=audit.EXAMPLES)(announcing(audit.audit))
app.command(epilog=compare.EXAMPLES)(announcing(compare.compare))
app.command(epilog=threshold.EXAMPLES)(announcing(threshold.threshold))
app.command(epilog=datasets.EXAMPLES)(datasets.datasets)
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.command(epilog=warmup.EXAMPLES)(warmup.warmup)


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
    """Learning from weak hypotheses and hard data."""


def main() -> None:
    """Entry point of the ``weaklearn`` command."""
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("weaklearn: stopped", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
