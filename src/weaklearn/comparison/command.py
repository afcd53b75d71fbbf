"""``weaklearn compare``: an honest comparison of classifiers on a table."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from weaklearn.console import (
    Json,
    TableCall,
    check_output,
    fail,
    on_table,
    print_lines,
    print_table,
)

__all__ = ["COMMAND", "EXAMPLES"]

_WIDTH = 140
_DEMO_LABEL = "diagnosis"
_SIZES = {"n_folds": 5, "n_repeats": 3, "n_clones": 5}
_DEMO_SIZES = {"n_folds": 3, "n_repeats": 1, "n_clones": 0}  # a few seconds

EXAMPLES = """\b
Examples:
  weaklearn compare customers.csv --label bought --out comparison.html
  weaklearn compare customers.csv --label bought --folds 10 --repeats 5 --clones 0
  weaklearn compare trial.parquet --label responder --drop site --json
  weaklearn compare large.csv --label churned --engine local
  weaklearn compare --demo --out demo.html
"""


@on_table
def compare(
    call: TableCall,
    out: Annotated[Path | None, typer.Option(help="Where to write an HTML report.")] = None,
    folds: Annotated[
        int | None, typer.Option(min=2, help="Folds of cross-validation. Default: 5; 3 for the demo.")
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(min=1, help="How often cross-validation is repeated. Default: 3; 1 for the demo."),
    ] = None,
    clones: Annotated[
        int | None,
        typer.Option(min=0, help="Clones for the second opinion; 0 for none. Default: 5; 0 for the demo."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Json = False,
) -> None:
    """Compare classifiers on a table.

    weaklearn's own and well-known ones: repeated cross-validation with intervals and paired tests, probabilities, and a
    second opinion from clones of the table. Ctrl-C ends the comparison early and shows the classifiers that are done.
    """
    if out is not None:
        check_output(out, call.path)
    from weaklearn.comparison import compare as run
    from weaklearn.engines import EngineError

    demo = call.path is None
    if demo:
        typer.echo(_demo_note(), err=True)
    try:
        with call.engine() as engine:
            found = run(
                call.read(_demo_table() if demo else None),
                _DEMO_LABEL if demo else call.label,
                **_sizes(demo, n_folds=folds, n_repeats=repeats, n_clones=clones),
                seed=seed,
                engine=engine,
                progress=_progress,
            )
    except (ValueError, EngineError) as error:  # TableError is a ValueError
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped before a classifier was done", code=130)
    if out is not None:
        try:
            found.to_html(out)
        except OSError as error:
            fail(f"the report cannot be written: {error}")
    if as_json:
        typer.echo(json.dumps(found.to_dict(), allow_nan=False))
    else:
        _print(found, out)
    if found.interrupted:
        n = len(found.models)
        fail(f"stopped after {n} classifier{'s' * (n != 1)}; the others are left out", code=130)


def _sizes(demo: bool, **given: int | None) -> dict[str, Any]:
    """How much to do, where the user did not say."""
    usual = _DEMO_SIZES if demo else _SIZES
    return {name: usual[name] if value is None else value for name, value in given.items()}


def _progress(done: str) -> None:
    typer.echo(done, err=True)


def _demo_table():
    """The first 200 rows of the breast cancer table, every tenth label wrong: what small noisy tables are like."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    y = data.target[:200].copy()
    y[::10] = 1 - y[::10]
    columns = {str(name): data.data[:200, j] for j, name in enumerate(data.feature_names[:10])}
    return {**columns, _DEMO_LABEL: data.target_names[y].tolist()}


def _demo_note():
    usual, demo = _SIZES, _DEMO_SIZES
    return (
        "This is a demonstration on the first 200 rows and 10 columns of scikit-learn's breast cancer table, with "
        f"every tenth label made wrong: {demo['n_folds']} folds once, and no clones. Your own tables get "
        f"{usual['n_folds']} folds {usual['n_repeats']} times and {usual['n_clones']} clones, unless you say otherwise."
    )


def _print(found, out: Path | None) -> None:
    from weaklearn.comparison._report import heads, row
    from weaklearn.tables import described

    treatments: dict[str, list[str]] = {}
    for name, said in described(found.columns).items():
        treatments.setdefault(said, []).append(name)
    print_lines([f"{', '.join(names)}: {said}" for said, names in treatments.items()], _WIDTH)
    print_lines(map(str, found.notes), _WIDTH)
    shown, rows = heads(found), []
    for model in found.models:
        said = row(found, model)
        failed = ["failed", model.failure[:60], *[""] * (len(shown) - 2)]
        rows.append((model.name, "ours" if model.ours else "", *(failed if model.failure else said["cells"])))
    print_table(
        ("classifier", "", *shown),
        rows,
        left=("classifier", ""),
        title=f"{found.label}: {found.n_rows} rows; differences are paired, from the first, in percentage points",
        width=_WIDTH,
    )
    print_lines([found.verdict, found.advice, *found.clone.splitlines()[:1]], _WIDTH)
    if out is not None:
        typer.echo(f"Report: {out}")


COMMAND = compare
