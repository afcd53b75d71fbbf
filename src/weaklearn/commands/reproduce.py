"""``weaklearn reproduce``: run the experiments of the source documents and compare every cell."""

import difflib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.commands._terminal import WRONG_CALL, Json, fail, print_lines, print_table

if TYPE_CHECKING:
    from weaklearn.lab import Experiment, Reproduction

__all__ = ["EXAMPLES", "reproduce"]

EXAMPLES = """\b
Examples:
  weaklearn reproduce
  weaklearn reproduce li2006_cgboost --profile full
  weaklearn reproduce --item "table 4.2" --row pima --trials 20
  weaklearn reproduce my_experiment.py --engine dask://10.0.0.5:8786
"""


def _experiment_names(incomplete: str) -> list[str]:
    """For the shell's completion."""
    from weaklearn.lab import studies

    return [name for name in studies.discover() if name.startswith(incomplete)]


def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...",
            help="Names from --list, or files of your own (FILE.py). Default: all.",
            autocompletion=_experiment_names,
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            help="How much to run: quick, or full as published.", autocompletion=lambda: ["quick", "full"]
        ),
    ] = "quick",
    items: Annotated[
        list[str] | None,
        typer.Option("--item", help='Only this table or figure ("table 4.2"); can be given again.'),
    ] = None,
    rows: Annotated[
        list[str] | None, typer.Option("--row", help="Only this row of the tables; can be given again.")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(min=1, help="Trials per cell, instead of the profile's.")
    ] = None,
    engine: Annotated[str, typer.Option(help="Where to run: local, or dask://HOST:PORT.")] = "local",
    store: Annotated[Path, typer.Option(help="The file that stores finished trials.")] = Path(
        "reproduction/store.sqlite"
    ),
    out: Annotated[Path, typer.Option(help="The folder for the report.")] = Path("reproduction"),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Local worker processes. Default: one per core.")
    ] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables as Markdown.")] = None,
    as_json: Json = False,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
) -> None:
    """Reproduce the published tables and figures.

    Runs the experiments of the source documents and compares every cell with the published one. Finished trials are
    stored: after a run was stopped or killed, rerun the same command to resume.
    """
    from weaklearn.lab import LabError

    chosen = _chosen(experiments or [])
    if list_them:
        _list(chosen, as_json)
        return
    _check(chosen, profile, items or [], rows or [], engine, markdown)
    narrowed = [experiment.narrowed(items or [], tuple(rows or ()) or None, trials) for experiment in chosen]
    try:
        result = _run(
            [experiment for experiment in narrowed if experiment.parts],
            markdown,
            profile=profile,
            engine=engine,
            store=store,
            out=out,
            workers=workers,
        )
    except LabError as error:
        fail(str(error))
    if as_json:
        from weaklearn.lab.report import machine_readable

        found = {**machine_readable(result), "report": str(out / "report.html")}
        typer.echo(json.dumps(found, allow_nan=False))
    else:
        _print(result, out)
    _exit(result, out)


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f" (did you mean {near[0]}?)" if near else ""


def _chosen(names: list[str]) -> "list[Experiment]":
    from weaklearn.lab import studies

    known = studies.discover()
    if not names:
        if not known:
            fail("there are no experiments: give a file that defines EXPERIMENT")
        return list(known.values())
    # A name given twice is run once.
    return [_experiment(name, known) for name in dict.fromkeys(names)]


def _experiment(name: str, known: "dict[str, Experiment]") -> "Experiment":
    if name.endswith(".py"):
        return _from_file(Path(name))
    if name not in known:
        choices = ", ".join(known) or "none"
        fail(f"unknown experiment {name!r}{_nearest(name, known)}; known: {choices}", WRONG_CALL)
    return known[name]


def _from_file(path: Path) -> "Experiment":
    from weaklearn.lab import LabError, load_experiment

    if not path.is_file():
        fail(f"there is no file {path}", WRONG_CALL)
    try:
        return load_experiment(path)
    except LabError as error:
        fail(str(error))


def _check(experiments: Any, profile: str, items: Any, rows: Any, engine: str, markdown: Path | None) -> None:
    """Refuse what cannot be right before anything runs."""
    known_items = dict.fromkeys(part.item for experiment in experiments for part in experiment.parts)
    known_rows = dict.fromkeys(
        row.label
        for experiment in experiments
        for part in experiment.parts
        if not items or part.item in items
        for row in part.rows
    )
    for option, asked, known in (("--item", items, known_items), ("--row", rows, known_rows)):
        for name in asked:
            if name not in known:
                choices = "; ".join(known)
                fail(
                    f"{option} {name!r} not found{_nearest(name, known)}; choose from: {choices}", WRONG_CALL
                )
    for experiment in experiments:
        if profile not in experiment.profiles:
            choices = ", ".join(experiment.profiles)
            fail(f"{experiment.name} has no profile {profile!r}; choose one of: {choices}", WRONG_CALL)
    if engine not in ("local", "inline") and not engine.startswith("dask://"):
        fail(f"unknown engine {engine!r}: use local or dask://HOST:PORT", WRONG_CALL)
    if markdown is not None and not markdown.parent.is_dir():
        fail(f"--markdown {markdown}: there is no folder {markdown.parent}", WRONG_CALL)


def _list(experiments: "list[Experiment]", as_json: bool) -> None:
    if as_json:
        records = [
            {
                "name": experiment.name,
                "source": experiment.source,
                "title": experiment.title,
                "items": [part.item for part in experiment.parts],
                "profiles": list(experiment.profiles),
            }
            for experiment in experiments
        ]
        typer.echo(json.dumps(records))
        return
    for experiment in experiments:
        typer.echo(f"{experiment.name}: {experiment.title}")
        typer.echo(f"    {', '.join(part.item for part in experiment.parts)}")


def _run(experiments: "list[Experiment]", markdown: Path | None, **options: Any) -> "Reproduction":
    from weaklearn.lab import reproduce as run
    from weaklearn.lab._progress import observer_for

    result = run(experiments, observer=observer_for(sys.stderr), **options)
    if markdown is not None:
        from weaklearn.lab.report import to_markdown, write_text

        write_text(markdown, to_markdown(result))
    return result


def _print(result: "Reproduction", out: Path) -> None:
    from weaklearn.lab import Score
    from weaklearn.lab.report import duration, score_line

    rows = []
    for tables in result.cells.values():
        for item, cells in tables.items():
            score = Score.of(cells)
            counts = (score.published, score.run, score.confirmed, score.contradicted, score.undecided)
            rows.append((f"{cells[0].source} {item}" if cells else item, *map(str, counts)))
    print_table(
        ("table", "published", "run", "confirmed", "contradicted", "undecided"),
        rows,
        left=("table",),
        title=f"profile {result.profile}",
    )
    print_lines([f"{score_line(result.score).capitalize()}."])
    typer.echo(f"Report: {out / 'report.html'} ({duration(result.summary.seconds)})")


def _exit(result: "Reproduction", out: Path) -> None:
    summary = result.summary
    for name, how in sorted(result.missing.items()):
        typer.echo(f"weaklearn: data set {name} not found, its rows were skipped. To get it: {how}", err=True)
    for failure in summary.failures[:3]:
        last = (failure.error or "").strip().splitlines()[-1]
        typer.echo(f"weaklearn: a trial failed: {last}\n    {failure.description}", err=True)
    if summary.failures:
        fail(f"{len(summary.failures)} trials failed; all tracebacks are in {out / 'failures.txt'}")
    if summary.interrupted:
        done = summary.found + summary.finished
        fail(
            f"stopped: {done} of {summary.planned} trials are stored; rerun the same command to resume",
            code=130,
        )
    if not result.done:
        fail("nothing could be run: none of the data sets was found")
