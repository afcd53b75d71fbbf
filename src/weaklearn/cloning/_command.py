"""``weaklearn compare``: the command, for the command line to register."""

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["compare_command"]


def compare_command(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A CSV, TSV or Parquet file with a header.")],
    label: Annotated[str, typer.Option(help="The column that holds the classes.")],
    out: Annotated[Path | None, typer.Option(help="Where to write an HTML report.")] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds of cross-validation.")] = 5,
    repeats: Annotated[int, typer.Option(min=1, help="How often it is repeated.")] = 3,
    clones: Annotated[int, typer.Option(min=0, help="Clones for the second estimate; 0: none.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Compare our classifiers and familiar ones on a table of yours, honestly.

    Repeated cross-validation with intervals and paired tests, and errors on clones of the table.
    """
    if out is not None and not out.parent.is_dir():
        _fail(f"there is no folder {out.parent} for {out.name}")
    if out is not None and out.resolve() == table.resolve():
        _fail(f"{out} is the table itself: name another file")
    from weaklearn.cloning._compare import compare

    try:
        found = compare(
            table, label, n_folds=folds, n_repeats=repeats, n_clones=clones, seed=seed, progress=_progress()
        )
    except ValueError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _fail("stopped before the comparison was done", code=130)
    if out is not None:
        try:
            found.to_html(out)
        except OSError as error:
            _fail(f"the report cannot be written: {error}")
    if as_json:
        typer.echo(found.to_json())
    else:
        _print(found, out)


def _fail(message, code=1):
    typer.echo(f"weaklearn: {message}", err=True)
    raise typer.Exit(code)


def _progress():
    if not sys.stderr.isatty():
        return None
    return lambda what: typer.echo(f"\x1b[2K\r{what} ...", err=True, nl=False)


def _print(found, out):
    from rich.console import Console
    from rich.table import Table

    from weaklearn.cloning._compare_html import verdict

    if sys.stderr.isatty():
        typer.echo("\x1b[2K\r", err=True, nl=False)
    console = Console(width=None if sys.stdout.isatty() else 110, highlight=False)
    treatments: dict[str, list[str]] = {}
    for name, said in found.columns:
        treatments.setdefault(said, []).append(name)
    for said, names in treatments.items():
        console.print(f"{', '.join(names)}: {said}", markup=False)
    for note in found.notes:
        console.print(note, markup=False)
    rows = Table(title=f"{found.label}: {found.n_rows} rows, errors in %", title_justify="left")
    for name in ("classifier", "", "error", "95% interval", "difference", "p (Holm)", "on clones", "seconds"):
        rows.add_column(name, justify="left" if name in ("classifier", "") else "right")
    for m in found.models:
        if m.failure:
            rows.add_row(m.name, "ours" if m.ours else "", "failed", m.failure[:60], "", "", "", "")
            continue
        error = "" if m.clone_standard_error is None else f" ± {100 * m.clone_standard_error:.1f}"
        rows.add_row(
            m.name,
            "ours" if m.ours else "",
            f"{100 * m.error:.1f}",
            f"{100 * m.low:.1f} to {100 * m.high:.1f}",
            "" if m.difference is None else f"{100 * m.difference:+.1f}",
            "" if m.p_value is None else "< 0.001" if m.p_value < 0.001 else f"{m.p_value:.3f}",
            "" if m.clone_error is None else f"{100 * m.clone_error:.1f}{error}",
            f"{m.seconds:.2g}",
        )
    console.print(rows)
    console.print(verdict(found), markup=False)
    if found.clone:
        console.print(found.clone.splitlines()[0], markup=False)
    if out is not None:
        typer.echo(f"Report: {out}")
