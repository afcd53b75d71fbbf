"""``weaklearn reproduce``: run the experiments of the source documents and compare every cell."""

import difflib
import json
import sys
from collections import Counter
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
    trial_timeout: Annotated[
        float | None, typer.Option(help="Seconds that a trial may take before it is ended and fails.")
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option(help="Memory that a trial may take before it fails, such as 2GB.")
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Keep results of older code if a sample of each cell gives the same bits now."
        ),
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run trials again that failed before with the same code.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Save what is intact in a damaged store, then run what is lost.")
    ] = False,
    stored_only: Annotated[
        bool, typer.Option("--stored-only", help="Run nothing: report on what is stored already.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Count fresh, stale, missing and failed trials, and exit.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Add the results to the register of recorded results.")
    ] = False,
    register: Annotated[
        Path | None, typer.Option(help="The folder of the register. Default: the one of the package.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Run a few trials and tell whether the recorded results still hold."),
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables as Markdown.")] = None,
    as_json: Json = False,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
) -> None:
    """Reproduce the published tables and figures.

    Runs the experiments of the source documents and compares every cell with the published one. Finished trials are
    stored: after a run was stopped or killed, rerun the same command to resume. Exit codes: 0 all trials have a result;
    1 some failed, or the run could not be done; 2 wrong call; 130 interrupted.
    """
    from weaklearn.lab import LabError

    chosen = _chosen(experiments or [])
    if list_them:
        _list(chosen, as_json)
        return
    _check(chosen, profile, items or [], rows or [], markdown)
    _check_places(store, out)
    narrowed = [experiment.narrowed(items or [], tuple(rows or ()) or None, trials) for experiment in chosen]
    narrowed = [experiment for experiment in narrowed if experiment.parts]
    memory = _checked_limits(engine, workers, trial_timeout, memory_limit)
    try:
        if repair:
            _repair(narrowed, profile, store)
        if status:
            _status(narrowed, profile, store, as_json)
            return
        if check:
            _check_register(narrowed, register, engine, workers, as_json)
            return
        result = _run(
            narrowed,
            markdown,
            profile=profile,
            engine=engine,
            store=store,
            out=out,
            workers=workers,
            trial_timeout=trial_timeout,
            memory_limit=memory,
            stale="verify" if verify else "rerun",
            retry_failed=retry_failed,
            stored_only=stored_only,
        )
        if record:
            _record(narrowed, profile, store, register)
    except LabError as error:
        fail(str(error))
    if as_json:
        from weaklearn.lab.report import machine_readable

        found = {**machine_readable(result), "report": str(out / "report.html")}
        typer.echo(json.dumps(found, allow_nan=False))
    else:
        _print(result, out)
    if not stored_only:
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
        fail(str(error), WRONG_CALL)


def _check(experiments: Any, profile: str, items: Any, rows: Any, markdown: Path | None) -> None:
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


def _check_places(store: Path, out: Path) -> None:
    if store.is_dir():
        fail(f"--store {store} is a folder: name a file in it", WRONG_CALL)
    for folder in (store.parent, out):
        taken = next((place for place in (folder, *folder.parents) if place.exists()), folder)
        if not taken.is_dir():
            fail(f"the folder {folder} cannot be made: {taken} is a file", WRONG_CALL)


def _checked_limits(
    engine: str, workers: int | None, timeout: float | None, memory: str | None
) -> int | None:
    """The memory limit in bytes, if an engine can be opened with all this."""
    from weaklearn.engines import EngineError, check_engine, memory_bytes

    try:
        n_bytes = None if memory is None else memory_bytes(memory)
    except EngineError as error:
        fail(f"--memory-limit {error}", WRONG_CALL)
    try:
        check_engine(engine, workers, timeout=timeout, memory_limit=n_bytes)
    except EngineError as error:
        fail(str(error), WRONG_CALL)
    return n_bytes


def _repair(experiments: "list[Experiment]", profile: str, store: Path) -> None:
    from weaklearn.lab import repair

    found = repair(experiments, profile=profile, store=store)
    for damage in found.damage[:10]:
        typer.echo(f"weaklearn: damaged: {damage}", err=True)
    if found.backup is not None:
        typer.echo(
            f"weaklearn: {len(found.damage)} places were damaged, {found.kept} results are intact; "
            f"the damaged file is kept as {found.backup}",
            err=True,
        )


def _status(experiments: "list[Experiment]", profile: str, store: Path, as_json: bool) -> None:
    from dataclasses import asdict

    from weaklearn.lab import check_store, status_report

    damage = check_store(store) if store.exists() else []
    records = [asdict(study) for study in status_report(experiments, profile=profile, store=store)]
    if as_json:
        typer.echo(json.dumps(records))
    else:
        heads = ("study", "planned", "fresh", "stale", "missing", "failed", "damaged")
        rows = [tuple(map(str, record.values())) for record in records]
        print_table(heads, rows, left=("study",), title=f"profile {profile}")
    for one in damage[:10]:
        typer.echo(f"weaklearn: damaged: {one}", err=True)
    if damage:
        places = "1 place is" if len(damage) == 1 else f"{len(damage)} places are"
        fail(f"{places} damaged in {store}: rerun with --repair")


def _record(experiments: "list[Experiment]", profile: str, store: Path, folder: Path | None) -> None:
    from weaklearn.lab import Store, current_stamps, record

    with Store(store, current_stamps()) as opened:
        for path in record(experiments, profile, opened, folder):
            typer.echo(f"Recorded: {path}", err=True)


def _check_register(
    experiments: "list[Experiment]", folder: Path | None, engine: str, workers: int | None, as_json: bool
) -> None:
    from dataclasses import asdict

    from weaklearn.lab import check_register, load_register, unchanged
    from weaklearn.lab._progress import observer_for

    register = load_register(folder)
    if not register:
        fail("nothing is recorded: run with --record first")
    checks = check_register(
        experiments, register, engine=engine, workers=workers, observer=observer_for(sys.stderr)
    )
    counts = Counter(check.outcome for check in checks)
    if as_json:
        typer.echo(json.dumps([asdict(check) for check in checks]))
    else:
        for check in checks:
            if not unchanged([check]):
                place = ", ".join(check.recorded.place)
                typer.echo(f"{check.outcome}: {place} {check.reason}".rstrip())
        print_lines([", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + "."])
    if not unchanged(checks):
        fail("today's code does not give the recorded results")


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
    for worker, reason in summary.refused.items():
        typer.echo(f"weaklearn: the Dask worker {worker} was refused: {reason}", err=True)
    for failure in summary.failures[:3]:
        last = (failure.error or "").strip().splitlines()[-1]
        typer.echo(f"weaklearn: a trial failed: {last}\n    {failure.description}", err=True)
    done = f"{summary.found + summary.finished} of {summary.planned} trials are stored"
    if summary.interrupted:
        fail(f"stopped: {done}; rerun the same command to resume", code=130)
    if summary.stopped:
        fail(f"{summary.stopped}; {done}")
    if summary.failures:
        before = f" ({summary.failed_before} of them before: --retry-failed runs them again)"
        fail(
            f"{len(summary.failures)} trials failed{before if summary.failed_before else ''}; "
            f"all tracebacks are in {out / 'failures.txt'}"
        )
    if not result.done:
        fail("nothing could be run: none of the data sets was found")
