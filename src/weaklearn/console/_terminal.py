"""What all commands share: how they print, how they fail, and options that mean the same everywhere.

Exit codes: 0 if the job was done, 1 if it was not, 2 for a wrong call, 130 after Ctrl-C. Results go to standard output,
progress and errors to standard error. Text from data is never read as markup.
"""

import difflib
import functools
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console

WRONG_CALL = 2

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


def fail(message: str, code: int = 1) -> NoReturn:
    """Print the message on standard error and exit."""
    print_wrapped(f"weaklearn: {message}", sys.stderr)
    raise typer.Exit(code)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the known name that is nearest to an unknown one; "" if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f" (did you mean {near[0]}?)" if near else ""


def print_wrapped(text: str, out: TextIO | None = None, *, indent: int = 0, end: str = "\n") -> None:
    """Print a paragraph whose words are not broken by a terminal; a file or a pipe gets one line."""
    out = sys.stdout if out is None else out
    own = len(text) - len(text.lstrip()) if out.isatty() else 0
    lines = [" " * indent + text]
    if out.isatty():
        width = max(shutil.get_terminal_size().columns, 20)
        margin = " " * (indent + own)
        # A long path or address stays whole: it may be copied.
        lines = textwrap.wrap(
            text.strip(),
            width - 1,
            initial_indent=margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
    print("\n".join(lines) + " " * (text.endswith(" ") and out.isatty()), end=end, file=out, flush=True)


def announcing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; the first time that it or one of its workers compiles a kernel, it says so."""

    @functools.wraps(command)
    def announced(*args: Any, **options: Any) -> Any:
        from weaklearn._compilations import announcing_compilation

        with announcing_compilation(functools.partial(typer.echo, err=True)):
            return command(*args, **options)

    return announced


def check_output(path: Path, table: Path | None = None) -> None:
    """Fail if a file cannot be written there, before any work is done."""
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent} for {path.name}", WRONG_CALL)
    if path.is_dir():
        fail(f"{path} is a folder: name a file in it", WRONG_CALL)
    if table is not None and path.resolve() == table.resolve():
        fail(f"{path} is the table itself: name another file", WRONG_CALL)


def output_console(width: int = 100) -> "Console":
    """Where text and tables are printed: standard output, without markup."""
    from rich.console import Console

    # A narrow terminal shows the table; a pipe has no width of its own and should not have it cut to 80 columns.
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if known else width, highlight=False, markup=False)


def print_lines(lines: Iterable[str], width: int = 100) -> None:
    """Print paragraphs as they are."""
    console = output_console(width)
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
    output_console(width).print(table)


@contextmanager
def progress_bar(text: str, *columns: Any) -> Iterator[Callable[..., None]]:
    """A bar on standard error, moved by calls with the part that is done and the whole; only on a terminal.

    A third argument replaces ``text``. ``columns`` of rich follow the bar; without any, the time that has passed and
    the time left.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    times = (TimeElapsedColumn(), TextColumn("time left"), TimeRemainingColumn())
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *(columns or times),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total, now=text: bar.update(task, completed=done, total=total, description=now)
