"""What the commands of the lab do, apart from their options: choosing, running, printing, exit codes."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import typer

from weaklearn.console import WRONG_CALL, did_you_mean, fail, print_lines, print_table
from weaklearn.engines import EngineError, check_engine, memory_bytes
from weaklearn.lab._check import check_record, unchanged
from weaklearn.lab._claim import OPEN
from weaklearn.lab._code import current_stamps
from weaklearn.lab._compare import Score
from weaklearn.lab._decide import decide as decide_claims
from weaklearn.lab._discover import discover, discover_claims, load_experiment
from weaklearn.lab._errors import CallError, LabError
from weaklearn.lab._plan import profile_of
from weaklearn.lab._progress import observer_for
from weaklearn.lab._record import load_record
from weaklearn.lab._record import record as write_record
from weaklearn.lab._reproduce import Claims, recorded_report, reproduce, reproduce_claims
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._spec import Experiment
from weaklearn.lab._status import status_report
from weaklearn.lab._store import Store
from weaklearn.lab._terminal import print_claims, print_sentences, print_tables
from weaklearn.lab._wording import claim_places, claims_sentence, duration, score_line, sentence, source_name

_Parameters = ParamSpec("_Parameters")
_Value = TypeVar("_Value")


def _failing(function: Callable[_Parameters, _Value]) -> Callable[_Parameters, _Value]:
    """End the command with one line if the lab or the engine says what is wrong."""

    @wraps(function)
    def work(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Value:
        try:
            return function(*args, **kwargs)
        except (CallError, EngineError) as error:
            fail(str(error), WRONG_CALL)
        except LabError as error:
            fail(str(error))

    return work


@_failing
def chosen(
    names: list[str] | None,
    profile: str | None = None,
    items: list[str] | None = None,
    rows: list[str] | None = None,
    trials: int | None = None,
) -> list[Experiment]:
    """The experiments with these names or in these files, all if there are none, without what was not asked for.

    Fails if something that was asked for does not exist.
    """
    known = discover()
    if not names and not known:
        raise LabError("there are no experiments: give a file that defines EXPERIMENT")
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
                near = did_you_mean(name, there)
                raise CallError(f"{option} {name!r} not found{near}; choose from: {'; '.join(there)}")
    if profile is not None:
        for experiment in experiments:
            profile_of(experiment, profile)
    smaller = [experiment.narrowed(items, tuple(rows) or None, trials) for experiment in experiments]
    return [experiment for experiment in smaller if experiment.parts]


def _experiment(name: str, known: dict[str, Experiment]) -> Experiment:
    if name.endswith(".py"):
        return load_experiment(name)
    if name not in known:
        choices = ", ".join(known) or "none"
        raise CallError(f"unknown experiment {name!r}{did_you_mean(name, known)}; known: {choices}")
    return known[name]


def print_list(experiments: list[Experiment], as_json: bool) -> None:
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
def run(
    experiments: list[Experiment], out: Path, as_json: bool, claims: Claims | None = None, **options: Any
) -> None:
    """Run what is missing, write the report and print the scores; the exit code is 0 only if everything was done.

    With claims: test the live ones, and report on everything recorded.
    """
    runs = not options.get("stored_only")
    if runs:
        _check_limits(options)
    reproduced = reproduce_claims if claims else reproduce
    try:
        result = reproduced(experiments, claims or {}, out=out, observer=observer_for(sys.stderr), **options)
    except KeyboardInterrupt:  # before the first trial or after the last: a stopped run itself has a result
        fail("stopped: finished trials are kept; rerun the same command to resume", code=130)
    _print_result(result, out, as_json)
    if runs:
        _leave(result, out)


@_failing
def report(experiments: list[Experiment], out: Path, as_json: bool, *, record: Path | None) -> None:
    """Report on the recorded results."""
    result = recorded_report(experiments, claims_of(experiments), out=out, record=record)
    _print_result(result, out, as_json)


def claims_of(experiments: list[Experiment]) -> Claims:
    """The claims of the documents that the experiments belong to."""
    documents = {document for one in experiments for document in one.documents}
    return {document: some for document, some in discover_claims().items() if document in documents}


def _check_limits(options: dict[str, Any]) -> None:
    """Put the memory limit into bytes; refuse what no engine can be opened with."""
    if options.get("memory_limit") is not None:
        try:
            options["memory_limit"] = memory_bytes(options["memory_limit"])
        except EngineError as error:
            raise EngineError(f"--memory-limit {error}") from error
    check_engine(
        options["engine"],
        options["workers"],
        timeout=options.get("trial_timeout"),
        memory_limit=options.get("memory_limit"),
    )


@_failing
def print_status(experiments: list[Experiment], profile: str, store: Path, as_json: bool) -> None:
    """How many trials are fresh, stale, missing, failed or damaged."""
    records = [asdict(study) for study in status_report(experiments, profile=profile, store=store)]
    if as_json:
        typer.echo(json.dumps(records))
    else:
        heads = ("study", "planned", "fresh", "stale", "missing", "failed", "damaged")
        rows = [tuple(map(str, record.values())) for record in records]
        print_table(heads, rows, left=("study",), title=f"profile {profile}")
    if any(record["damaged"] for record in records):
        fail(f"some stored results in {store} are damaged: the next run names them and runs them again")


@_failing
def record(experiments: list[Experiment], store: Path, folder: Path | None, prune: bool) -> None:
    """Add the results of the store to the recorded ones."""
    if not store.is_file():
        fail(f"there is no store {store}: run `weaklearn reproduce` first")
    with Store(store, current_stamps()) as opened:
        for path in write_record(experiments, opened, folder, prune=prune):
            typer.echo(f"Recorded: {path}", err=True)


@_failing
def check(
    experiments: list[Experiment],
    rows: list[str] | None,
    folder: Path | None,
    engine: str,
    workers: int | None,
    as_json: bool,
) -> None:
    """Run a few trials and compare them with the recorded ones."""
    check_engine(engine, workers)
    recorded = load_record(folder)
    if not len(recorded):
        fail("nothing is recorded: `weaklearn lab record` does that")
    follow = observer_for(sys.stderr)
    checks = check_record(
        experiments, recorded, rows=rows or (), engine=engine, workers=workers, observer=follow
    )
    if as_json:
        typer.echo(json.dumps([asdict(check) for check in checks]))
    else:
        for one in checks:
            if not unchanged([one]):
                place = ", ".join((one.experiment, one.item, one.row, one.column))
                typer.echo(f"{one.outcome}: {place} {one.reason}".rstrip())
        counts = Counter(check.outcome for check in checks)
        again, identical = (sum(getattr(one, name) for one in checks) for name in ("n", "identical"))
        cells = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        same = f"{identical} of them identical to the last bit"
        print_lines([f"{again} trials run again, {same}. Cells: {cells}."])
    if not unchanged(checks):
        fail("today's code does not give the recorded results")


@_failing
def decide(
    experiments: list[Experiment],
    documents: list[str] | None,
    minutes: float,
    store: Path,
    folder: Path | None,
    workers: int | None,
) -> None:
    """Run trials of open claims."""
    claims = discover_claims()
    for name in documents or ():
        if name not in claims:
            near = did_you_mean(name, claims)
            raise CallError(f"unknown document {name!r}{near}; known: {', '.join(claims)}")
    wanted = {name: some for name, some in claims.items() if not documents or name in documents}
    say = partial(typer.echo, err=True)
    with Store(store, current_stamps()) as opened:
        results = decide_claims(
            experiments, wanted, load_record(folder), opened, minutes=minutes, workers=workers, say=say
        )
    for one in results:
        if one.verdict == OPEN:
            typer.echo(f"open: {one.document}: {one.claim.id} ({claim_places(one)})")
    print_lines([sentence(claims_sentence(results))])


def _print_result(result: Reproduction, out: Path, as_json: bool) -> None:
    """Claims by document and a line for each table, or everything as JSON."""
    if as_json:
        found = {**result.to_dict(), "report": str(out / "report.html")}
        typer.echo(json.dumps(found, allow_nan=False))
        return
    print_claims(result)
    print_tables(result.tables)
    if result.profile != "recorded":
        _print_cells(result)
    print_sentences(result)
    typer.echo(f"Report: {out / 'report.html'} ({duration(result.summary.seconds)})")


def _print_cells(result: Reproduction) -> None:
    """How many cells of each table were run, and their verdicts."""
    rows = []
    for experiment, tables in result.cells.items():
        for item, cells in tables.items():
            score = Score.of(cells)
            counts = (score.published, score.run, score.confirmed, score.contradicted, score.undecided)
            name = f"{source_name(experiment, cells[0].source)} {item}" if cells else item
            rows.append((name, *map(str, counts)))
    heads = ("table", "published", "run", "confirmed", "contradicted", "undecided")
    print_table(heads, rows, left=("table",), title=f"cells, profile {result.profile}")
    print_lines([sentence(score_line(result.score))])


def _leave(result: Reproduction, out: Path) -> None:
    """Say what is missing or failed; the exit code is 0 only if everything was done."""
    summary = result.summary
    for line in missing_lines(result.missing):
        typer.echo(f"weaklearn: {line}", err=True)
    for damage in summary.damaged[:10]:
        typer.echo(f"weaklearn: damaged: {damage}", err=True)
    for worker, reason in summary.refused.items():
        typer.echo(f"weaklearn: the Dask worker {worker} was refused: {reason}", err=True)
    for failure in summary.failures[:3]:
        typer.echo(f"weaklearn: a trial failed: {failure.last_line}\n    {failure.description}", err=True)
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
