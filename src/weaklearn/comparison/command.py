"""``weaklearn compare``: an honest comparison of classifiers on a table."""

import json
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.console import (
    Json,
    TableCall,
    check_output,
    fail,
    on_table,
    print_lines,
    print_table,
    progress_bar,
)

__all__ = ["COMMAND", "EXAMPLES"]

_DEMO_LABEL = "diagnosis"

EXAMPLES = """\b
Examples:
  weaklearn compare customers.csv --label bought --out comparison.html --save model.skops
  weaklearn compare customers.csv --label bought --folds 10 --repeats 5
  weaklearn compare trial.parquet --label responder --drop site --json
  weaklearn compare large.csv --label churned --engine local
  weaklearn compare --demo --out demo.html
"""


@on_table
def compare(
    call: TableCall,
    out: Annotated[Path | None, typer.Option(help="Where to write an HTML report.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Where to save the recommended classifier, fitted to all rows (.skops)."),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            min=2, help="Folds of cross-validation. Default: 10; 5 above 2,000 rows; 3 for the demo."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often cross-validation is repeated.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Json = False,
) -> None:
    """Compare classifiers on a table, and choose one.

    weaklearn's own classifiers and well-known ones race over the folds of a cross-validation: those that cannot win any
    more are dropped. The choice comes with its reason and its expected regret. Ctrl-C ends the comparison early.
    """
    for path in (out, save):
        if path is not None:
            check_output(path, call.path)
    from weaklearn.comparison import compare as run
    from weaklearn.comparison._compare import announcement
    from weaklearn.comparison._models import default_models, save_choice
    from weaklearn.engines import EngineError
    from weaklearn.tables import labelled

    demo = call.path is None
    if demo:
        typer.echo(_DEMO_NOTE, err=True)
        folds = 3 if folds is None else folds
    try:
        data = labelled(
            call.read(_demo_table() if demo else None),
            _DEMO_LABEL if demo else call.label,
            merge_spellings=call.merge_spellings,
        )
        models = default_models(len(set(data.y.tolist())), seed)
        typer.echo(announcement(data, len(models), folds, repeats), err=True)
        with call.engine() as engine, progress_bar("starting") as bar:
            found = run(
                data,
                data.label,
                models=models,
                n_folds=folds,
                n_repeats=repeats,
                seed=seed,
                engine=engine,
                progress=lambda name, done, total: bar(done, total, name),
            )
        if save is not None and found.recommended is not None:
            save_choice(found, data, models, save)
    except (ValueError, TypeError, ImportError, EngineError) as error:  # TableError is a ValueError
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
        _print(found, out, save)
    if found.interrupted:
        fail("stopped; what was done by then is shown", code=130)


def _demo_table():
    """The first 200 rows of the breast cancer table, every tenth label wrong: what small noisy tables are like."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    y = data.target[:200].copy()
    y[::10] = 1 - y[::10]
    columns = {str(name): data.data[:200, j] for j, name in enumerate(data.feature_names[:10])}
    return {**columns, _DEMO_LABEL: data.target_names[y].tolist()}


_DEMO_NOTE = (
    "This is a demonstration on the first 200 of 569 rows and 10 of 30 columns of scikit-learn's breast cancer table, "
    "with every tenth label made wrong: 3 folds. Your own tables get 10, unless you say otherwise."
)


def _print(found, out: Path | None, save: Path | None) -> None:
    from weaklearn.comparison._report import row
    from weaklearn.tables import described

    treatments: dict[str, list[str]] = {}
    for name, said in described(found.columns).items():
        treatments.setdefault(said, []).append(name)
    print_lines([f"{', '.join(names)}: {said}" for said, names in treatments.items()])
    print_lines(map(str, found.notes))
    rows = []
    for model in found.models:
        said = row(model)
        if model.failure:
            rows.append((model.name, "failed", model.failure[:60], "", "", ""))
        else:
            error, _, difference, p_value, log_loss, _, n_folds, _ = said["cells"]
            rows.append((model.name, error, difference, p_value, log_loss, n_folds))
    print_table(
        ("classifier", "error, %", "difference", "p", "log loss", "folds"),
        rows,
        left=("classifier",),
        title=f"{found.label}, {found.n_rows} rows: differences in error are paired, from the first, ± s.e.",
    )
    print_lines([found.verdict, found.advice])
    if out is not None:
        typer.echo(f"Report: {out}")
    if save is not None and found.recommended is not None:
        print_lines([f"Saved: {save}. To use it:"])
        typer.echo(f"\n{found.code.replace('model.skops', str(save))}")  # not wrapped: it is to be copied


COMMAND = compare
