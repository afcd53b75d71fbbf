"""Reproduce experiments: plan, run, compare, report."""

import json
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Literal

from weaklearn.lab._code import current_stamps
from weaklearn.lab._compare import Cell, compare
from weaklearn.lab._engines import engine_errors
from weaklearn.lab._errors import LabError
from weaklearn.lab._figures import Asked, DrawnFigure, draw_figures
from weaklearn.lab._html import to_html
from weaklearn.lab._plan import make_plan, profile_of
from weaklearn.lab._register import compare_recorded, load_register, with_recorded
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._run import Observer, RunSummary, run_plan
from weaklearn.lab._sources import missing_data
from weaklearn.lab._spec import Experiment
from weaklearn.lab._store import Store
from weaklearn.reports import csv_text, write_file

__all__ = ["recorded_report", "reproduce"]


def reproduce(
    experiments: Sequence[Experiment],
    *,
    profile: str = "quick",
    store: str | os.PathLike[str] = "reproduction/store.sqlite",
    out: str | os.PathLike[str] = "reproduction",
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
    trial_timeout: float | None = None,
    memory_limit: int | None = None,
    stale: Literal["rerun", "verify"] = "rerun",
    retry_failed: bool = False,
    stored_only: bool = False,
) -> Reproduction:
    """Run what is missing, compare everything, write the report.

    Rows whose data set is not found are left out; the report says so. The results depend on
    neither the engine, the number of workers, nor how often the run was interrupted.

    Parameters
    ----------
    experiments : sequence of Experiment
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
    trial_timeout : float, optional
        Seconds that a trial may take; one that takes longer is ended and fails.
    memory_limit : int, optional
        Bytes that a trial may allocate; one that asks for more fails.
    stale : {"rerun", "verify"}
        What to do with stored results that other code made: run all of them again, or run a sample of
        each cell and take the others over if every bit is equal.
    retry_failed : bool
        Try trials again that failed before with the same code and limits.
    stored_only : bool
        Run nothing: compare what is stored already.

    Returns
    -------
    Reproduction
    """
    profiles = {experiment.name: profile_of(experiment, profile) for experiment in experiments}
    plan = make_plan(experiments, profile)
    folder = _writable_folder(Path(out))
    with Store(store, current_stamps()) as opened:
        missing = missing_data(plan.sources)
        plan = plan.without(missing)
        summary = run_plan(
            plan,
            opened,
            engine=engine,
            workers=workers,
            observer=observer,
            trial_timeout=trial_timeout,
            memory_limit=memory_limit,
            stale=stale,
            retry_failed=retry_failed,
            stored_only=stored_only,
        )
        failed = {outcome.key: _last_line(outcome.error or "") for outcome in summary.failures}
        register = load_register()
        work_seconds, versions = opened.provenance([trial.key for trial in plan.trials])
        asked = [
            Asked(experiment.name, figure, profiles[experiment.name].of(figure))
            for experiment in experiments
            for figure in experiment.figures
        ]
        if observer is not None and asked:
            observer.note(f"drawing {len(asked)} figures and writing the report")
        with engine_errors():
            drawn = iter(draw_figures(asked, opened, engine, workers))
        reproduction = Reproduction(
            experiments=tuple(experiments),
            profile=profile,
            cells={
                experiment.name: with_recorded(
                    experiment,
                    compare(experiment, profile, opened, missing=missing, failed=failed),
                    register,
                )
                for experiment in experiments
            },
            figures={
                experiment.name: [next(drawn) for _ in experiment.figures] for experiment in experiments
            },
            summary=summary,
            missing=missing,
            work_seconds=work_seconds,
            versions=versions,
        )
    _write_report(reproduction, folder)
    return reproduction


def recorded_report(
    experiments: Sequence[Experiment],
    *,
    out: str | os.PathLike[str] = "reproduction",
    register: str | os.PathLike[str] | None = None,
) -> Reproduction:
    """Compare what is recorded with what is published, and write the report; nothing is run and no figure is drawn.

    Parameters
    ----------
    experiments : sequence of Experiment
    out : path-like
        The folder of the report, as for `reproduce`.
    register : path-like, optional
        The folder of the register; the package's own by default.

    Returns
    -------
    Reproduction
    """
    folder = _writable_folder(Path(out))
    recorded = load_register(None if register is None else Path(register))
    cells = {experiment.name: compare_recorded(experiment, recorded) for experiment in experiments}
    used = [record for record in recorded.values() if record.experiment in cells]
    reproduction = Reproduction(
        experiments=tuple(experiments),
        profile="recorded",
        cells=cells,
        figures={
            experiment.name: [
                DrawnFigure(figure.source, figure.number, figure.title, (), 0)
                for figure in experiment.figures
            ]
            for experiment in experiments
        },
        summary=RunSummary(planned=(total := sum(record.n for record in used)), found=total),
        missing={},
        work_seconds=sum(record.n * record.seconds for record in used),
        versions=sorted({version for record in used for version in record.version.split()}),
        recorded=True,
    )
    _write_report(reproduction, folder)
    return reproduction


def _write_text(path: Path, text: str) -> None:
    """Write a file whole; raise `LabError` if it cannot be written."""
    try:
        write_file(path, text)
    except OSError as error:
        raise LabError(f"{path} cannot be written ({error.strerror}): choose another place") from error


def _write_report(reproduction: Reproduction, folder: Path) -> None:
    """Write ``report.html``, ``cells.csv``, ``cells.json`` and, if trials failed, ``failures.txt``."""
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


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def _writable_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the folder {folder} cannot be made ({error.strerror})"
        raise LabError(f"{reason}: choose another with --out") from error
    if not os.access(folder, os.W_OK):
        raise LabError(f"the folder {folder} is read-only: choose another with --out")
    return folder
