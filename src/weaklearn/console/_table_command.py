"""Commands on a table: the options that they share, declared once."""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.console._terminal import WRONG_CALL, fail

if TYPE_CHECKING:
    from weaklearn.tables import Table


@dataclass(frozen=True)
class TableCall:
    """What the shared options say: a table and its column of labels, or the demo; how to read it; where to fit.

    ``reading`` has the options of `weaklearn.tables.read_table`.
    """

    path: Path | None
    label: str
    reading: dict[str, Any]
    merge_spellings: bool
    engine_name: str

    def read(self, demo: Any = None) -> "Table":
        """The table, or that of the demo."""
        from weaklearn.tables import read_table

        return read_table(demo if self.path is None else self.path, **self.reading)

    @contextmanager
    def engine(self) -> Iterator[Any]:
        """The engine; None for this process, where nothing has to be sent and Ctrl-C ends the fit that is running."""
        from weaklearn.engines import open_engine

        if self.engine_name == "inline":
            yield None
        else:
            with open_engine(self.engine_name) as opened:
                yield opened


Columns = list[str] | None


def _called(
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="TABLE",
            help="A CSV, TSV, JSON lines (also .gz, .zip, .bz2, .xz), Parquet or Excel (.xlsx) file.",
            show_default=False,
        ),
    ] = None,
    label: Annotated[str | None, typer.Option(help="The column with the labels.")] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Use a small table that comes with the package.")
    ] = False,
    engine: Annotated[
        str, typer.Option(help="Where to fit: inline (this process), local (processes), or dask://HOST:PORT.")
    ] = "inline",
    drop: Annotated[
        Columns, typer.Option(metavar="COLUMN", help="Leave a column out; can be given again.")
    ] = None,
    categorical: Annotated[
        Columns, typer.Option(metavar="COLUMN", help="Read a column as categories; can be given again.")
    ] = None,
    numeric: Annotated[
        Columns, typer.Option(metavar="COLUMN", help="Read a column as numbers; can be given again.")
    ] = None,
    header: Annotated[
        bool,
        typer.Option(help="Whether the first row holds the column names; if not, they are 'column 1', ..."),
    ] = True,
    sheet: Annotated[
        str | None, typer.Option(help="The sheet of an Excel file, by name or number. Default: the first.")
    ] = None,
    keep_spellings: Annotated[
        bool, typer.Option("--keep-spellings", help="Do not merge labels that differ in case or spaces.")
    ] = False,
) -> TableCall:
    from weaklearn.engines import EngineError, check_engine

    try:
        check_engine(engine)
    except EngineError as error:
        fail(str(error), WRONG_CALL)
    reading: dict[str, Any] = {"drop": drop or (), "categorical": categorical or (), "numeric": numeric or ()}
    if demo:
        if table is not None or label is not None:
            fail("--demo brings its own table: leave out TABLE and --label", WRONG_CALL)
        return TableCall(None, "", reading, not keep_spellings, engine)
    if table is None:
        fail("name a table and its label (TABLE --label COLUMN), or try --demo", WRONG_CALL)
    if not table.is_file():
        fail(f"there is no file {table}", WRONG_CALL)
    reading |= {"sheet": sheet, "header": header}
    return TableCall(table, label or _no_label(table, reading), reading, not keep_spellings, engine)


def _no_label(table: Path, reading: dict[str, Any]) -> str:
    from weaklearn.tables import TableError, read_table

    try:
        names: Sequence[str] = read_table(table, **reading).names
    except TableError as error:
        fail(str(error))
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    fail(f"name the column with the labels by --label; the columns are: {shown}", WRONG_CALL)


def on_table(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the shared options; it is called with a `TableCall` and its own options."""
    shared = inspect.signature(_called).parameters
    own = list(inspect.signature(command).parameters.values())[1:]
    first, rest = list(shared.values())[:2], list(shared.values())[2:]

    @functools.wraps(command)
    def called(**given: Any) -> None:
        call = _called(**{name: given.pop(name) for name in shared})
        command(call, **given)

    parameters = [*first, *own, *rest]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called
