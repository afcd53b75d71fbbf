"""What the commands of the lab do, apart from their options: choosing, running, printing, exit codes."""

import difflib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import typer

from weaklearn import lab
from weaklearn.console import WRONG_CALL, fail, print_lines, print_table
from weaklearn.engines import EngineError, check_engine, memory_bytes
from weaklearn.lab._discover import discover
from weaklearn.lab._progress import observer_for
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._wording import duration, score_line

__all__ = ["check", "chosen", "print_list", "print_status", "record", "report", "run"]

_Parameters = ParamSpec("_Parameters")


def _failing(function: Callable[_Parameters, None]) -> Callable[_Parameters, None]:
    """End the command with one line if the lab says what is wrong."""

    @wraps(function)
    def work(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except lab.LabError as error:
            fail(str(error))

    return work


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f" (did you mean {near[0]}?)" if near else ""


def chosen(
    names: list[str] | None,
    profile: str | None = None,
    items: list[str] | None = None,
    rows: list[str] | None = None,
    trials: int | None = None,
) -> list[lab.Experiment]:
    """The experiments with these names or in these files, all if there are none, without what was not asked for.

    Fails if something that was asked for does not exist.
    """
    known = discover()
    if not names and not known:
        fail("there are no experiments: give a file that defines EXPERIMENT")
    # A name given twice is run once.
    experiments = [_experiment(name, known) for name in dict.fromkeys(names or known)]
    items, rows = items or [], rows or []
    known_items = dict.fromkeys(part.item for experiment in experiments for part in experiment.parts)
    known_rows = dict.fromkeys(
        row.label
        for experiment in experiments
        for part in experiment.parts
        if not items or part.item in items
        for row in part.rows
    )
    for option, asked, there in (("--item", items, known_items), ("--row", rows, known_rows)):
        for name in asked:
            if name not in there:
                choices = "; ".join(there)
                fail(
                    f"{option} {name!r} not found{_nearest(name, there)}; choose from: {choices}", WRONG_CALL
                )
    for experiment in experiments:
        if profile is not None and profile not in experiment.profiles:
            choices = ", ".join(experiment.profiles)
            fail(f"{experiment.name} has no profile {profile!r}; choose one of: {choices}", WRONG_CALL)
    smaller = [experiment.narrowed(items, tuple(rows) or None, trials) for experiment in experiments]
    return [experiment for experiment in smaller if experiment.parts]


def _experiment(name: str, known: dict[str, lab.Experiment]) -> lab.Experiment:
    if name.endswith(".py"):
        try:
            return lab.load_experiment(name)
        except lab.LabError as error:
            fail(str(error), WRONG_CALL)
    if name not in known:
        choices = ", ".join(known) or "none"
        fail(f"unknown experiment {name!r}{_nearest(name, known)}; known: {choices}", WRONG_CALL)
    return known[name]


def print_list(experiments: list[lab.Experiment], as_json: bool) -> None:
    """What can be run."""
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


@_failing
def run(experiments: list[lab.Experiment], out: Path, as_json: bool, *, store: Path, **options: Any) -> None:
    """Run what is missing, write the report and print the scores; the exit code is 0 only if everything was done."""
    _check_places(store, out)
    if not options.get("stored_only"):
        options["memory_limit"] = _checked_limits(**options)
    try:
        result = lab.reproduce(
            experiments, out=out, store=store, observer=observer_for(sys.stderr), **options
        )
    except KeyboardInterrupt:  # before the first trial or after the last: a stopped run itself has a result
        fail("stopped: finished trials are kept; rerun the same command to resume", code=130)
    _print_result(result, out, as_json)
    if not options.get("stored_only"):
        _leave(result, out)


@_failing
def report(experiments: list[lab.Experiment], out: Path, as_json: bool, *, register: Path | None) -> None:
    """Report on the recorded results."""
    _print_result(lab.recorded_report(experiments, out=out, register=register), out, as_json)


def _check_places(store: Path, out: Path) -> None:
    """Refuse a store or a folder for the report that cannot be made."""
    if store.is_dir():
        fail(f"--store {store} is a folder: name a file in it", WRONG_CALL)
    for folder in (store.parent, out):
        taken = next((place for place in (folder, *folder.parents) if place.exists()), folder)
        if not taken.is_dir():
            fail(f"the folder {folder} cannot be made: {taken} is a file", WRONG_CALL)


def _checked_limits(
    engine: str,
    workers: int | None,
    trial_timeout: float | None = None,
    memory_limit: str | None = None,
    **_: Any,
) -> int | None:
    """The memory limit in bytes; fails if no engine can be opened with all this."""
    try:
        n_bytes = None if memory_limit is None else memory_bytes(memory_limit)
    except EngineError as error:
        fail(f"--memory-limit {error}", WRONG_CALL)
    try:
        check_engine(engine, workers, timeout=trial_timeout, memory_limit=n_bytes)
    except EngineError as error:
        fail(str(error), WRONG_CALL)
    return n_bytes


@_failing
def print_status(experiments: list[lab.Experiment], profile: str, store: Path, as_json: bool) -> None:
    """How many trials are fresh, stale, missing, failed or damaged."""
    records = [asdict(study) for study in lab.status_report(experiments, profile=profile, store=store)]
    if as_json:
        typer.echo(json.dumps(records))
    else:
        heads = ("study", "planned", "fresh", "stale", "missing", "failed", "damaged")
        rows = [tuple(map(str, record.values())) for record in records]
        print_table(heads, rows, left=("study",), title=f"profile {profile}")
    if any(record["damaged"] for record in records):
        fail(f"some stored results in {store} are damaged: the next run names them and runs them again")


@_failing
def record(experiments: list[lab.Experiment], profile: str, store: Path, folder: Path | None) -> None:
    """Add the results of the store to the recorded ones."""
    if not store.is_file():
        fail(f"there is no store {store}: run `weaklearn reproduce` first")
    with lab.Store(store, lab.current_stamps()) as opened:
        for path in lab.record(experiments, profile, opened, folder):
            typer.echo(f"Recorded: {path}", err=True)


@_failing
def check(
    experiments: list[lab.Experiment], folder: Path | None, engine: str, workers: int | None, as_json: bool
) -> None:
    """Run a few trials and compare them with the recorded ones."""
    _checked_limits(engine, workers)
    register = lab.load_register(folder)
    if not register:
        fail("nothing is recorded: `weaklearn lab record` does that")
    checks = lab.check_register(
        experiments, register, engine=engine, workers=workers, observer=observer_for(sys.stderr)
    )
    counts = Counter(check.outcome for check in checks)
    if as_json:
        typer.echo(json.dumps([asdict(check) for check in checks]))
    else:
        for one in checks:
            if not lab.unchanged([one]):
                place = ", ".join(one.recorded.place)
                typer.echo(f"{one.outcome}: {place} {one.reason}".rstrip())
        print_lines([", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + "."])
    if not lab.unchanged(checks):
        fail("today's code does not give the recorded results")


def _print_result(result: lab.Reproduction, out: Path, as_json: bool) -> None:
    """The score of each table, or everything as JSON."""
    if as_json:
        found = {**result.to_dict(), "report": str(out / "report.html")}
        typer.echo(json.dumps(found, allow_nan=False))
        return
    rows = []
    for tables in result.cells.values():
        for item, cells in tables.items():
            score = lab.Score.of(cells)
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


def _leave(result: lab.Reproduction, out: Path) -> None:
    """Say what is missing or failed; the exit code is 0 only if everything was done."""
    summary = result.summary
    for line in missing_lines(result.missing):
        typer.echo(f"weaklearn: {line}", err=True)
    for damage in summary.damaged[:10]:
        typer.echo(f"weaklearn: damaged: {damage}", err=True)
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
        before = (
            f" ({summary.failed_before} of them before: `weaklearn lab run --retry-failed` runs them again)"
        )
        fail(
            f"{len(summary.failures)} trials failed{before if summary.failed_before else ''}; "
            f"all tracebacks are in {out / 'failures.txt'}"
        )
    if not result.done and result.missing:
        fail("nothing could be run: none of the data sets was found")
    if not result.done:
        typer.echo(
            f"weaklearn: the {result.profile} profile runs nothing of this, because each trial takes too long; the "
            "report shows what is recorded. Run it with --profile full.",
            err=True,
        )
