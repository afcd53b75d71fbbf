"""The files of a report, each of them whole or not there."""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from weaklearn import __version__
from weaklearn._files import write_file
from weaklearn.lab._engines import Outcome
from weaklearn.lab._errors import LabError
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab.comparison._compare import Cell, Score
from weaklearn.lab.report._html import to_html
from weaklearn.reports import csv_text

__all__ = ["machine_readable", "write_report", "write_text"]


def write_text(path: Path, text: str) -> None:
    """Write a file; raise `LabError` if it cannot be written."""
    try:
        write_file(path, text)
    except OSError as error:
        raise LabError(f"{path} cannot be written ({error.strerror}): choose another place") from error


def write_report(reproduction: Reproduction, folder: Path) -> None:
    """Write ``report.html``, ``cells.csv``, ``cells.json`` and, if trials failed, ``failures.txt``."""
    records = [cell.record() for cell in reproduction.all_cells]
    write_text(folder / "report.html", to_html(reproduction))
    write_text(folder / "cells.csv", csv_text(records, [field.name for field in fields(Cell)]))
    write_text(folder / "cells.json", json.dumps(records, indent=1, allow_nan=False) + "\n")
    failures = folder / "failures.txt"
    if reproduction.summary.failures:
        write_text(failures, "\n".join(_failure(outcome) for outcome in reproduction.summary.failures))
    elif failures.exists():
        failures.unlink()  # left by an earlier run


def _failure(outcome: Outcome) -> str:
    return f"{outcome.description}\n{outcome.error}"


def machine_readable(reproduction: Reproduction) -> dict[str, Any]:
    """Everything but the figures, as plain data."""
    summary = reproduction.summary
    return {
        "version": __version__,
        "profile": reproduction.profile,
        "done": reproduction.done,
        "interrupted": summary.interrupted,
        "trials": {
            "planned": summary.planned,
            "found": summary.found,
            "finished": summary.finished,
            "failed": len(summary.failures),
        },
        "seconds": round(summary.seconds, 3),
        "missing": dict(reproduction.missing),
        "failures": [
            {"description": json.loads(outcome.description), "error": outcome.error}
            for outcome in summary.failures
        ],
        "scores": [
            {"experiment": name, "table": item, **asdict(Score.of(cells))}
            for name, tables in reproduction.cells.items()
            for item, cells in tables.items()
        ],
        "cells": [cell.record() for cell in reproduction.all_cells],
    }
