"""Reproduce documents: their claims from the record and live, or whole experiments under a profile."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from weaklearn.lab._check import is_identical, is_timed
from weaklearn.lab._claim import Claim, ClaimResult, Reader, judge_claim
from weaklearn.lab._code import current_stamps
from weaklearn.lab._compare import Cell, compare, why_missing
from weaklearn.lab._discover import discover
from weaklearn.lab._engines import engine_errors
from weaklearn.lab._errors import CallError, LabError
from weaklearn.lab._figures import Asked, DrawnFigure, draw_figures
from weaklearn.lab._html import to_html
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import Plan, cell_trials, make_plan, profile_of
from weaklearn.lab._record import Record, load_record
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._results import Results, StoredResults
from weaklearn.lab._run import Observer, RunSummary, run_plan
from weaklearn.lab._spec import Experiment, Figure, Profile, Table
from weaklearn.lab._store import Store
from weaklearn.reports import csv_text, write_file

Claims = Mapping[str, Sequence[Claim]]
"""By document, as `discover_claims` returns them."""


def judge_claims(
    experiments: Sequence[Experiment], claims: Claims, record: Record, results: Results | None = None
) -> list[ClaimResult]:
    """Test the claims of the documents that the experiments belong to.

    Parameters
    ----------
    experiments : sequence of Experiment
    claims : mapping
        By document: its claims.
    record : Record
        Tells how long trials take, which open claims quote.
    results : Results, optional
        Where the trials are; the record by default.
    """
    trials = record if results is None else results

    def seconds(asked: Iterable[Any]) -> float:
        cells = [record.cell(*place) for place in asked]
        return sum({cell.cell: cell.seconds for cell in cells if cell is not None}.values())

    # A claim may read tables of other experiments of its document than those that are asked for.
    known = list({**{one.name: one for one in experiments}, **discover()}.values())
    judged = []
    for document, some in claims.items():
        read = Reader(of_document(known, document), lambda _: trials)
        judged += [judge_claim(claim, document, read, seconds) for claim in some]
    return judged


def of_document(experiments: Sequence[Experiment], document: str) -> list[Experiment]:
    """Those with something of the document, its own first."""
    return sorted(experiments, key=lambda one: (document not in one.documents, one.source != document))


def live_plan(experiments: Sequence[Experiment], claims: Claims) -> Plan:
    """The trials that test the live claims on their own."""
    return Plan.of(
        (row, enumerate(cell_trials(part, row, column, claim.live)))
        for document, some in claims.items()
        for claim in some
        if claim.live
        for part, row, column in asked_cells(experiments, document, claim)
    )


def asked_cells(
    experiments: Sequence[Experiment], document: str, claim: Claim
) -> list[tuple[Table | Figure, Row, Column]]:
    """The cells that the tests of a claim read."""
    read = Reader(of_document(experiments, document), lambda _: Record())
    judge_claim(claim, document, read)
    return list(read.asked.values())


def reproduce_claims(
    experiments: Sequence[Experiment],
    claims: Claims,
    *,
    store: str | os.PathLike[str] = "reproduction/store.sqlite",
    out: str | os.PathLike[str] = "reproduction",
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
) -> Reproduction:
    """Test the live claims on new trials, compare these bit by bit with the record, and report on all of it."""
    folder = _writable_folder(Path(out))
    record = load_record()
    plan = live_plan(experiments, claims)
    with Store(store, current_stamps()) as opened:
        plan, missing = plan.split_by_data()
        summary = run_plan(plan, opened, engine=engine, workers=workers, observer=observer)
        results = opened.results([trial.key for trial in plan.trials])
        again = [
            is_identical(results[trial.key], old)
            for trial in plan.trials
            if trial.key in results
            and (old := record.trial(trial.description)) is not None
            and not is_timed(trial.description)
        ]
        live = {}
        for document, some in claims.items():
            for claim in some:
                if not claim.live:
                    continue
                stored = StoredResults(opened, Profile(claim.live))
                (result,) = judge_claims(experiments, {document: [claim]}, record, stored)
                if result.found:
                    live[document, claim.id] = result
    return _written(
        folder,
        replace(
            _recorded(experiments, claims, record, engine, workers, observer),
            summary=summary,
            missing=missing,
            live=live,
            checked=len(again),
            identical=sum(again),
            command="weaklearn reproduce",
        ),
    )


def recorded_report(
    experiments: Sequence[Experiment],
    claims: Claims,
    *,
    out: str | os.PathLike[str] = "reproduction",
    record: str | os.PathLike[str] | None = None,
) -> Reproduction:
    """Report on what is recorded; nothing is run and no figure is drawn.

    Parameters
    ----------
    experiments, claims :
        As `discover` and `discover_claims` return them.
    out : path-like
        The folder of the report, as for `reproduce`.
    record : path-like, optional
        The folder of the record; the package's own by default.

    Returns
    -------
    Reproduction
    """
    folder = _writable_folder(Path(out))
    found = load_record(None if record is None else Path(record))
    names = " ".join(experiment.name for experiment in experiments) if len(experiments) < 4 else ""
    command = " ".join(f"weaklearn reproduce {names} --recorded".split())
    return _written(folder, replace(_recorded(experiments, claims, found), command=command))


def _recorded(
    experiments: Sequence[Experiment],
    claims: Claims,
    record: Record,
    engine: str | None = None,
    workers: int | None = None,
    observer: Observer | None = None,
) -> Reproduction:
    """What there is to say of the record; no figures without an engine."""
    used = [
        cell
        for experiment in experiments
        for place in experiment.cells
        if (cell := record.cell(*place)) is not None
    ]
    cells = {cell.cell: cell for cell in used}.values()
    n_trials = sum(len(cell.results) for cell in cells)
    return Reproduction(
        experiments=tuple(experiments),
        profile="recorded",
        claims=tuple(judge_claims(experiments, claims, record)),
        cells={experiment.name: compare(experiment, record) for experiment in experiments},
        figures=_figures(experiments, lambda _: record, engine, workers, observer),
        summary=RunSummary(planned=n_trials, found=n_trials),
        missing={},
        work_seconds=sum(len(cell.results) * cell.seconds for cell in cells),
        versions=sorted({version for cell in cells for version in cell.version.split()}),
    )


def _figures(
    experiments: Sequence[Experiment],
    results: Callable[[Experiment], Results],
    engine: str | None,
    workers: int | None,
    observer: Observer | None,
) -> dict[str, list[DrawnFigure]]:
    asked = [
        Asked(experiment.name, figure, results(experiment))
        for experiment in experiments
        for figure in experiment.figures
    ]
    if engine is None:
        drawn = iter([DrawnFigure() for _ in asked])
    else:
        if observer is not None and asked:
            observer.note(f"drawing {len(asked)} figures and writing the report")
        with engine_errors():
            drawn = iter(draw_figures(asked, engine, workers))
    return {experiment.name: [next(drawn) for _ in experiment.figures] for experiment in experiments}


def reproduce(
    experiments: Sequence[Experiment],
    claims: Claims | None = None,
    *,
    profile: str = "quick",
    store: str | os.PathLike[str] = "reproduction/store.sqlite",
    out: str | os.PathLike[str] = "reproduction",
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
    **options: Any,
) -> Reproduction:
    """Run what is missing of some experiments, compare everything, write the report.

    Rows whose data set is not found are left out; the report says so. The results depend on
    neither the engine, the number of workers, nor how often the run was interrupted.

    Parameters
    ----------
    experiments : sequence of Experiment
    claims : mapping, optional
        By document: the claims to report on, tested on the recorded trials.
    profile : str
    store : path-like
        Where finished trials are kept.
    out : path-like
        The folder for ``report.html``, ``cells.csv``, ``cells.json`` and, if trials failed,
        ``failures.txt``.
    engine : str
        "local", "dask://HOST:PORT" or "inline".
    workers : int, optional
        Local worker processes; one per core by default.
    observer : Observer, optional
        Follows the run.
    **options
        Of `run_plan`: limits of time and memory, what to do with stale and failed trials, `stored_only`.

    Returns
    -------
    Reproduction
    """
    profiles = {experiment.name: profile_of(experiment, profile) for experiment in experiments}
    plan = make_plan(experiments, profile)
    folder = _writable_folder(Path(out))
    names = " ".join(experiment.name for experiment in experiments)
    with Store(store, current_stamps()) as opened:
        plan, missing = plan.split_by_data()
        summary = run_plan(plan, opened, engine=engine, workers=workers, observer=observer, **options)
        failed = {outcome.key: outcome.last_line for outcome in summary.failures}
        work_seconds, versions = opened.provenance([trial.key for trial in plan.trials])
        stored = {name: StoredResults(opened, own) for name, own in profiles.items()}
        cells = {
            one.name: compare(one, stored[one.name], why_missing(profiles[one.name], missing, failed))
            for one in experiments
        }
        figures = _figures(experiments, lambda one: stored[one.name], engine, workers, observer)
    reproduction = Reproduction(
        experiments=tuple(experiments),
        profile=profile,
        claims=tuple(judge_claims(experiments, claims, load_record())) if claims else (),
        cells=cells,
        figures=figures,
        summary=summary,
        missing=missing,
        work_seconds=work_seconds,
        versions=versions,
        command=f"weaklearn reproduce {names} --profile {profile}",
    )
    return _written(folder, reproduction)


def _written(folder: Path, reproduction: Reproduction) -> Reproduction:
    """The reproduction, with ``report.html``, ``cells.csv``, ``cells.json`` and ``failures.txt`` written."""
    records = [cell.record() for cell in reproduction.all_cells]
    _write_text(folder / "report.html", to_html(reproduction))
    _write_text(folder / "cells.csv", csv_text(records, [field.name for field in fields(Cell)]))
    _write_text(folder / "cells.json", json.dumps(records, indent=1, allow_nan=False) + "\n")
    failures = folder / "failures.txt"
    if reproduction.summary.failures:
        texts = [f"{outcome.description}\n{outcome.error}" for outcome in reproduction.summary.failures]
        _write_text(failures, "\n".join(texts))
    elif failures.exists():
        failures.unlink()  # left by an earlier run
    return reproduction


def _write_text(path: Path, text: str) -> None:
    """Write a file whole; raise `LabError` if it cannot be written."""
    try:
        write_file(path, text)
    except OSError as error:
        raise LabError(f"{path} cannot be written ({error.strerror}): choose another place") from error


def _writable_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the folder {folder} cannot be made ({error.strerror})"
        raise CallError(f"{reason}: choose another with --out") from error
    if not os.access(folder, os.W_OK):
        raise LabError(f"the folder {folder} is read-only: choose another with --out")
    return folder
