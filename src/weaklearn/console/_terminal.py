"""What all commands share: how they print, how they fail, and options that mean the same everywhere.

Exit codes: 0 if the job was done, 1 if it was not, 2 for a wrong call, 130 after Ctrl-C. Results go to standard output,
progress and errors to standard error. Text from data is never read as markup.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "WRONG_CALL",
    "Categorical",
    "Drop",
    "Header",
    "Json",
    "Numeric",
    "OptionalTableFile",
    "Sheet",
    "TableFile",
    "check_output",
    "fail",
    "print_lines",
    "print_table",
]

WRONG_CALL = 2

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
_TABLE = typer.Argument(
    metavar="TABLE", help="A CSV, TSV, JSON lines (also .gz, .zip, .bz2, .xz), Parquet or Excel (.xlsx) file."
)
TableFile = Annotated[Path, _TABLE]
OptionalTableFile = Annotated[Path | None, _TABLE]
Drop = Annotated[
    list[str] | None, typer.Option("--drop", metavar="COLUMN", help="Leave a column out; can be given again.")
]
Categorical = Annotated[
    list[str] | None,
    typer.Option("--categorical", metavar="COLUMN", help="Read a column as categories; can be given again."),
]
Numeric = Annotated[
    list[str] | None,
    typer.Option("--numeric", metavar="COLUMN", help="Read a column as numbers; can be given again."),
]
Header = Annotated[
    bool,
    typer.Option(
        "--header/--no-header",
        help="Whether the first row holds the column names; without them, columns are 'column 1', 'column 2', ...",
    ),
]
Sheet = Annotated[
    str | None, typer.Option(help="The sheet of an Excel file, by name or number. Default: the first.")
]


def fail(message: str, code: int = 1) -> NoReturn:
    """Print one line on standard error and exit."""
    typer.echo(f"weaklearn: {message}", err=True)
    raise typer.Exit(code)


def check_output(path: Path, table: Path | None = None) -> None:
    """Fail if a file cannot be written there, before any work is done."""
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent} for {path.name}", WRONG_CALL)
    if path.is_dir():
        fail(f"{path} is a folder: name a file in it", WRONG_CALL)
    if table is not None and path.resolve() == table.resolve():
        fail(f"{path} is the table itself: name another file", WRONG_CALL)


def _console(width: int) -> "Console":
    from rich.console import Console

    # A narrow terminal shows the table; a pipe should not have it cut to 80 columns.
    return Console(width=None if sys.stdout.isatty() else width, highlight=False, markup=False)


def print_lines(lines: Iterable[str], width: int = 100) -> None:
    """Print paragraphs as they are."""
    console = _console(width)
    for line in lines:
        console.print(line)


def print_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Sequence[str] = (),
    fold: Sequence[str] = (),
    title: str = "",
    width: int = 100,
) -> None:
    """Print a table of plain text: columns in `left` are aligned to the left, those in `fold` are never cut."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left")
    for head in heads:
        table.add_column(
            Text(head),
            justify="left" if head in left else "right",
            overflow="fold" if head in fold else "ellipsis",
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    _console(width).print(table)
