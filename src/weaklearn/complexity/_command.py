"""``weaklearn audit``: the command, for the command line to register."""

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["audit_command"]


def audit_command(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A CSV, TSV or Parquet file with a header.")],
    label: Annotated[str, typer.Option(help="The column that holds the labels.")],
    out: Annotated[Path, typer.Option(help="Where to write the report.")] = Path("audit.html"),
    csv: Annotated[
        Path | None,
        typer.Option(help="Where to write all rows, ranked. Default: beside the report, as .csv."),
    ] = None,
    permutations: Annotated[int, typer.Option(min=4, help="Random orders, at most.")] = 200,
    max_rows: Annotated[
        int, typer.Option(min=10, help="Larger tables are subsampled to so many rows.")
    ] = 50_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Find the rows of a table whose labels do not belong, and say how complex the table is.

    Ctrl-C ends it early and keeps what was computed.
    """
    from weaklearn.complexity import AuditError, audit

    if csv is None:
        csv = out.with_suffix(".csv")
        if csv.resolve() == table.resolve():
            csv = out.with_name(f"{out.stem}_rows.csv")
    for path in (out, csv):
        if not path.parent.is_dir():
            _fail(f"there is no folder {path.parent} for {path.name}")
        if path.resolve() == table.resolve():
            _fail(f"{path} is the table itself: name another file")
    try:
        found = audit(
            table,
            label,
            n_permutations=permutations,
            max_rows=max_rows,
            random_state=seed,
            verbose=sys.stderr.isatty(),
        )
    except AuditError as error:
        _fail(str(error))
    except MemoryError:
        _fail("the table is too large for the memory: give a smaller --max-rows")
    except KeyboardInterrupt:
        _fail("stopped before anything was computed", code=130)
    try:
        found.to_html(out)
        found.to_csv(csv)
    except OSError as error:
        _fail(f"the report cannot be written: {error}")
    if as_json:
        typer.echo(found.to_json())
    else:
        _print(found, out, csv)
    if found.interrupted:
        _fail(f"stopped after {found.n_permutations} permutations; the report holds what they say", code=130)


def _fail(message, code=1):
    typer.echo(f"weaklearn: {message}", err=True)
    raise typer.Exit(code)


def _print(found, out, csv):
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 100, highlight=False)
    for note in found.notes:
        console.print(note, markup=False)
    rows = Table(title="most suspicious rows", title_justify="left")
    for name in ("row", "label", "surprise", "contribution", "nearest with another label"):
        rows.add_column(name, justify="left" if name in ("label", "nearest with another label") else "right")
    for record in found.summary()["top"][:10]:
        error = record["surprise_standard_error"]
        price = record["contribution"]
        rows.add_row(
            str(record["row"]),
            record["label"],
            f"{record['surprise']:+.2f}" + ("" if error is None else f" ± {error:.2f}"),
            "" if price is None else f"{price:.2f} ± {record['contribution_standard_error'] or 0:.2f}",
            f"row {record['nearest_disagreeing_row']}, {record['nearest_disagreeing_label']}",
        )
    console.print(rows)
    n = len(found.table.y)
    console.print(f"{len(found.suspicious)} of {n} labels are contradicted by the other rows.", markup=False)
    if found.complexity is not None:
        share = 100 * found.complexity.share
        console.print(f"The labels are {share:.0f}% as complex as shuffled ones.", markup=False)
    typer.echo(f"Report: {out}, all rows: {csv}")
