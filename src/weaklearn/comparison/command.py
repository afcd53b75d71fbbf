"""``weaklearn compare``: an honest comparison of classifiers on a table."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from weaklearn.console import (
    WRONG_CALL,
    Categorical,
    Drop,
    Header,
    Json,
    Numeric,
    OptionalTableFile,
    Sheet,
    check_output,
    fail,
    print_lines,
    print_table,
)

__all__ = ["COMMAND", "EXAMPLES"]

_WIDTH = 120
_DEMO_LABEL = "diagnosis"
_SIZES = {"n_folds": 5, "n_repeats": 3, "n_clones": 5}
_DEMO_SIZES = {"n_folds": 3, "n_repeats": 1, "n_clones": 0}  # a few seconds

EXAMPLES = """\b
Examples:
  weaklearn compare customers.csv --label bought --out comparison.html
  weaklearn compare customers.csv --label bought --folds 10 --repeats 5 --clones 0
  weaklearn compare trial.parquet --label responder --drop site --json
  weaklearn compare large.csv --label churned --engine local --workers 4
  weaklearn compare --demo --out demo.html
"""


def compare(
    table: OptionalTableFile = None,
    label: Annotated[str | None, typer.Option(help="The column with the classes.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write an HTML report.")] = None,
    drop: Drop = None,
    categorical: Categorical = None,
    numeric: Numeric = None,
    header: Header = True,
    sheet: Sheet = None,
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
    engine: Annotated[
        str, typer.Option(help="Where to fit: inline (this process), local (processes), or dask://HOST:PORT.")
    ] = "inline",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Local processes. Default: one per core.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Compare on a small table that comes with scikit-learn.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare classifiers on a table.

    weaklearn's own and well-known ones: repeated cross-validation with intervals and paired tests, probabilities, and a
    second opinion from clones of the table. Ctrl-C ends the comparison early and shows the classifiers that are done.
    """
    if demo and (table is not None or label is not None):
        fail("--demo brings its own table: leave out TABLE and --label", WRONG_CALL)
    if not demo:
        if table is None or label is None:
            fail("name a table and its label: weaklearn compare TABLE --label COLUMN", WRONG_CALL)
        if not table.is_file():
            fail(f"there is no file {table}", WRONG_CALL)
    if out is not None:
        check_output(out, table)
    from weaklearn.comparison import compare as run
    from weaklearn.engines import EngineError, check_engine, open_engine
    from weaklearn.tables import read_table

    try:
        check_engine(engine)
    except EngineError as error:
        fail(str(error), WRONG_CALL)

    options: dict[str, Any] = {"drop": drop or (), "categorical": categorical or (), "numeric": numeric or ()}
    try:
        if table is None or label is None:
            typer.echo(_demo_note(), err=True)
            given, name = read_table(_demo_table(), **options), _DEMO_LABEL
        else:
            given, name = read_table(table, sheet=sheet, header=header, **options), label
        # In this process nothing has to be sent anywhere, and Ctrl-C ends the fit that is running.
        with nullcontext() if engine == "inline" else open_engine(engine, workers) as opened:
            found = run(
                given,
                name,
                **_sizes(demo, n_folds=folds, n_repeats=repeats, n_clones=clones),
                seed=seed,
                engine=opened,
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
        typer.echo(found.to_json())
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
    from weaklearn.comparison._result import advice, verdict

    treatments: dict[str, list[str]] = {}
    for name, said in found.treatments:
        treatments.setdefault(said, []).append(name)
    print_lines([f"{', '.join(names)}: {said}" for said, names in treatments.items()], _WIDTH)
    print_lines(map(str, found.notes), _WIDTH)
    clones = ("rank", "on clones") if found.n_clones else ()
    print_table(
        ("classifier", "", "error", "difference", "p (Holm)", "log loss", "AUC", *clones, "seconds"),
        [_row(model, bool(clones)) for model in found.models],
        left=("classifier", ""),
        title=f"{found.label}: {found.n_rows} rows; errors, and paired differences from the first ± s.e., in %",
        width=_WIDTH,
    )
    print_lines([verdict(found), advice(found), *found.clone.splitlines()[:1]], _WIDTH)
    if out is not None:
        typer.echo(f"Report: {out}")


def _row(m, clones: bool) -> tuple[str, ...]:
    ours = "ours" if m.ours else ""
    if m.failure:
        return (m.name, ours, "failed", m.failure[:60], *[""] * (6 if clones else 4))
    p_value = "" if m.p_value is None else "< 0.001" if m.p_value < 0.001 else f"{m.p_value:.3f}"
    return (
        m.name,
        ours,
        f"{100 * m.error:.1f}",
        _difference(m.difference, m.difference_standard_error),
        p_value,
        "" if m.log_loss is None else f"{m.log_loss:.3f}",
        "" if m.auc is None else f"{m.auc:.3f}",
        *((str(m.clone_rank), _difference(m.clone_difference, m.clone_standard_error)) if clones else ()),
        f"{m.seconds:.2g}",
    )


def _difference(mean, error) -> str:
    if mean is None:
        return ""
    return f"{100 * mean:+.1f}" + ("" if error is None else f" ± {100 * error:.1f}")


COMMAND = compare
