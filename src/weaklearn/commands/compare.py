"""``weaklearn compare``: an honest comparison of classifiers on a table."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.commands._terminal import (
    WRONG_CALL,
    Categorical,
    Drop,
    Header,
    Json,
    Numeric,
    Sheet,
    TableFile,
    check_output,
    fail,
    print_lines,
    print_table,
)

__all__ = ["EXAMPLES", "compare"]

EXAMPLES = """\b
Examples:
  weaklearn compare customers.csv --label bought --out comparison.html
  weaklearn compare customers.csv --label bought --folds 10 --repeats 5 --clones 0
  weaklearn compare trial.parquet --label responder --drop site --json
"""


def compare(
    table: TableFile,
    label: Annotated[str, typer.Option(help="The column with the classes.")],
    out: Annotated[Path | None, typer.Option(help="Where to write an HTML report.")] = None,
    drop: Drop = None,
    categorical: Categorical = None,
    numeric: Numeric = None,
    header: Header = True,
    sheet: Sheet = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds of cross-validation.")] = 5,
    repeats: Annotated[int, typer.Option(min=1, help="How often cross-validation is repeated.")] = 3,
    clones: Annotated[int, typer.Option(min=0, help="Clones for the second estimate; 0 for none.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Json = False,
) -> None:
    """Compare classifiers on a table.

    weaklearn's own and well-known ones: repeated cross-validation with intervals and paired tests, and errors on clones
    of the table.
    """
    if not table.is_file():
        fail(f"there is no file {table}", WRONG_CALL)
    if out is not None:
        check_output(out, table)
    from weaklearn.cloning import compare as run
    from weaklearn.tables import read_table

    try:
        given = read_table(
            table,
            sheet=sheet,
            header=header,
            drop=drop or (),
            categorical=categorical or (),
            numeric=numeric or (),
        )
        found = run(
            given, label, n_folds=folds, n_repeats=repeats, n_clones=clones, seed=seed, progress=_progress()
        )
    except ValueError as error:  # TableError is one
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped before the comparison was done", code=130)
    if out is not None:
        try:
            found.to_html(out)
        except OSError as error:
            fail(f"the report cannot be written: {error}")
    if as_json:
        typer.echo(found.to_json())
    else:
        _print(found, out)


def _progress():
    if not sys.stderr.isatty():
        return None
    return lambda what: typer.echo(f"\x1b[2K\r{what} ...", err=True, nl=False)


def _print(found, out: Path | None) -> None:
    from weaklearn.cloning._compare_html import verdict

    if sys.stderr.isatty():
        typer.echo("\x1b[2K\r", err=True, nl=False)
    treatments: dict[str, list[str]] = {}
    for name, said in found.treatments:
        treatments.setdefault(said, []).append(name)
    print_lines([f"{', '.join(names)}: {said}" for said, names in treatments.items()], 110)
    print_lines(map(str, found.notes), 110)
    print_table(
        ("classifier", "", "error", "95% interval", "difference", "p (Holm)", "on clones", "seconds"),
        [_row(model) for model in found.models],
        left=("classifier", ""),
        title=f"{found.label}: {found.n_rows} rows, errors in %",
        width=110,
    )
    print_lines([verdict(found), *found.clone.splitlines()[:1]], 110)
    if out is not None:
        typer.echo(f"Report: {out}")


def _row(m) -> tuple[str, ...]:
    ours = "ours" if m.ours else ""
    if m.failure:
        return (m.name, ours, "failed", m.failure[:60], "", "", "", "")
    error = "" if m.clone_standard_error is None else f" ± {100 * m.clone_standard_error:.1f}"
    p_value = "" if m.p_value is None else "< 0.001" if m.p_value < 0.001 else f"{m.p_value:.3f}"
    return (
        m.name,
        ours,
        f"{100 * m.error:.1f}",
        f"{100 * m.low:.1f} to {100 * m.high:.1f}",
        "" if m.difference is None else f"{100 * m.difference:+.1f}",
        p_value,
        "" if m.clone_error is None else f"{100 * m.clone_error:.1f}{error}",
        f"{m.seconds:.2g}",
    )
