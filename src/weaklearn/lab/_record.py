"""The record: every recorded trial, kept in the package.

One file per document, ``recorded.npz`` beside its study. It holds the metrics of each trial, by the cell that the trial
belongs to (its description without the index), so that claims, tables and figures are computed from the record alone
and recorded comparisons are paired. Numbers keep all their bits; a SHA-256 over them is checked when a file is read.
Lists are kept for cells of figures, whose curves they are, and of their first trials only.

The file has two arrays: ``values``, all numbers one after another, and ``about``, a JSON text that says which cell,
trial and metric they belong to, how long a trial took, and which versions ran it when.
"""

import hashlib
import importlib.resources
import json
import math
import platform
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from weaklearn.lab._code import cell_of, library_versions
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._published import STUDIES
from weaklearn.lab._results import CellResults
from weaklearn.lab._spec import Experiment, Figure, Table
from weaklearn.lab._store import Store

_FORMAT = 1
_FILE = "recorded.npz"
# Curves of figures: their bands need no more.
_N_LISTS = 8
# Our own studies name no document.
_FOLDERS = {"weaklearn": "own"}


@dataclass
class RecordedCell:
    """The recorded trials of a cell.

    Attributes
    ----------
    cell : str
        The description that its trials share, the index left out.
    results : dict
        By the index of the trial: its metrics.
    seconds : float
        The median CPU time of a trial.
    version, environment, date : str
        The weaklearn versions that ran the trials, the libraries and the kind of processor, and the day.
    """

    cell: str
    results: dict[int, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0
    version: str = ""
    environment: str = ""
    date: str = ""


class Record:
    """Recorded trials by cell; `of` gives those of a table or figure.

    Parameters
    ----------
    cells : iterable of RecordedCell
    """

    def __init__(self, cells: Iterable[RecordedCell] = ()) -> None:
        self.cells: dict[str, RecordedCell] = {}
        for recorded in cells:
            # Two documents may share a cell.
            known = self.cells.setdefault(recorded.cell, recorded)
            for index, result in recorded.results.items():
                known.results[index] = {**known.results.get(index, {}), **result}

    def of(self, part: Table | Figure, row: Row, column: Column) -> CellResults:
        """The metrics of the recorded trials of a cell, by the index of the trial."""
        found = self.cell(part, row, column)
        return {} if found is None else found.results

    def cell(self, part: Table | Figure, row: Row, column: Column) -> RecordedCell | None:
        """What is recorded of a cell of a table or figure."""
        return self.cells.get(cell_of(cell_trials(part, row, column, 1)[0].description))

    def trial(self, description: str) -> dict[str, Any] | None:
        """The recorded metrics of one trial."""
        found = self.cells.get(cell_of(description))
        return None if found is None else found.results.get(json.loads(description)["index"])

    def __len__(self) -> int:
        return sum(len(recorded.results) for recorded in self.cells.values())


@cache
def environment() -> str:
    """The versions of the libraries below us and the kind of processor, in one line.

    The kind includes the kernels that the linear algebra has chosen for it ("x86_64 Haswell"): they round differently.
    """
    kernels = {found["architecture"] for found in threadpool_info() if found.get("architecture")}
    return f"{library_versions()}, {' '.join([platform.machine(), *sorted(kernels)])}"


def load_record(folder: str | Path | None = None) -> Record:
    """The recorded trials of all documents, from `folder` (``*.npz``) or from the package."""
    if folder is not None:
        files = sorted(Path(folder).glob("*.npz"))
    else:
        files = sorted(Path(str(importlib.resources.files(STUDIES))).glob(f"*/{_FILE}"))
    return Record(cell for file in files for cell in _read(file))


def record(
    experiments: Sequence[Experiment],
    store: Store,
    folder: str | Path | None = None,
    *,
    prune: bool = False,
    date: str = "",
) -> list[Path]:
    """Add the results of a store to the recorded ones.

    Cells that were not run stay as they are; of a trial that is recorded already the new result counts.

    Parameters
    ----------
    experiments : sequence of Experiment
        Whose cells are recorded.
    store : Store
    folder : path-like, optional
        Where the files are, made if it does not exist; the package by default.
    prune : bool
        Drop recorded cells that none of the experiments of a document has: give all of them.
    date : str
        The day to record, today by default.

    Returns
    -------
    list of Path
        The files that were written, one per document.
    """
    day = date or datetime.now(UTC).date().isoformat()
    # By document: its cells, and whether a figure draws them. Describing them declares their code, without which the
    # store cannot tell fresh trials.
    cells: dict[str, dict[str, bool]] = {}
    for experiment in experiments:
        own = cells.setdefault(experiment.source, {})
        for part, line, column in experiment.cells:
            cell = cell_of(cell_trials(part, line, column, 1)[0].description)
            own[cell] = own.get(cell, False) or isinstance(part, Figure)
    rows: dict[str, list[Any]] = {}
    for row in store.stored(store.keys()):
        if row.fresh:
            rows.setdefault(cell_of(row.description), []).append(row)
    written = []
    for source, wanted in cells.items():
        path = _path_of(source, folder)
        known = {one.cell: one for one in _read(path)} if path.exists() else {}
        new = {cell for cell in wanted if cell in rows}
        for cell in new:
            _merge(known.setdefault(cell, RecordedCell(cell)), rows[cell], day)
        for cell, drawn in wanted.items():
            if cell in known:
                _drop_lists(known[cell], _N_LISTS if drawn else 0)
        kept = [one for cell, one in known.items() if cell in wanted or not prune]
        if new or len(kept) < len(known):
            _write(path, sorted(kept, key=lambda one: one.cell))
            written.append(path)
    return written


def _path_of(source: str, folder: str | Path | None) -> Path:
    if folder is None:
        return Path(str(importlib.resources.files(STUDIES))) / _FOLDERS.get(source, source) / _FILE
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"the record {folder} cannot be written ({error.strerror})") from error
    return Path(folder) / f"{source}.npz"


def _merge(recorded: RecordedCell, rows: Sequence[Any], day: str) -> None:
    for row in rows:
        recorded.results[json.loads(row.description)["index"]] = json.loads(row.result)
    recorded.results = dict(sorted(recorded.results.items()))
    recorded.seconds = median(row.seconds for row in rows)
    recorded.version = " ".join(sorted({*recorded.version.split(), *(row.version for row in rows)}))
    recorded.environment, recorded.date = environment(), day


def _drop_lists(recorded: RecordedCell, kept: int) -> None:
    """Drop lists but those of the first `kept` trials."""
    for index in list(recorded.results)[kept:]:
        recorded.results[index] = {
            name: value for name, value in recorded.results[index].items() if not isinstance(value, list)
        }


def _write(path: Path, cells: Sequence[RecordedCell]) -> None:
    values: list[np.ndarray] = []
    about: list[dict[str, Any]] = []
    for one in cells:
        metrics: list[list[Any]] = []
        for name in dict.fromkeys(name for result in one.results.values() for name in result):
            found = {index: result[name] for index, result in one.results.items() if name in result}
            arrays = [np.asarray(value, dtype=np.float64) for value in found.values()]
            shapes = [list(array.shape) for array in arrays]
            same = all(shape == shapes[0] for shape in shapes)
            metrics.append([name, _ranges(found), [shapes[0]] if same else shapes])
            values.extend(array.ravel() for array in arrays)
        run = {"version": one.version, "environment": one.environment, "date": one.date}
        about.append({"cell": one.cell, "metrics": metrics, "seconds": float(f"{one.seconds:.3g}"), **run})
    numbers = np.concatenate(values) if values else np.zeros(0)
    text = json.dumps({"format": _FORMAT, "sha256": _checksum(numbers), "cells": about}, ensure_ascii=False)
    with path.open("wb") as file:
        np.savez_compressed(file, values=numbers, about=np.frombuffer(text.encode(), dtype=np.uint8))


def _checksum(numbers: np.ndarray) -> str:
    return hashlib.sha256(numbers.astype("<f8").tobytes()).hexdigest()


def _ranges(indices: Iterable[int]) -> list[list[int]]:
    """Ascending numbers as pairs of a first number and the number after the last of a run.

    >>> _ranges([0, 1, 2, 5])
    [[0, 3], [5, 6]]
    """
    ranges: list[list[int]] = []
    for index in indices:
        if ranges and ranges[-1][1] == index:
            ranges[-1][1] = index + 1
        else:
            ranges.append([index, index + 1])
    return ranges


def _read(path: Path) -> list[RecordedCell]:
    try:
        with np.load(path, allow_pickle=False) as file:
            numbers, about = file["values"], json.loads(file["about"].tobytes())
        if about["format"] != _FORMAT or about["sha256"] != _checksum(numbers):
            raise ValueError("its numbers do not have the checksum of the file, or it is of another format")
        return _cells(numbers, about["cells"])
    except (OSError, KeyError, IndexError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise LabError(f"{path} is not a valid record ({error})") from error


def _cells(numbers: np.ndarray, about: Sequence[Mapping[str, Any]]) -> list[RecordedCell]:
    place = 0
    cells = []
    for entry in about:
        results: dict[int, dict[str, Any]] = {}
        for name, ranges, shapes in entry["metrics"]:
            indices = [index for low, high in ranges for index in range(low, high)]
            for k, index in enumerate(indices):
                shape = shapes[k % len(shapes)]
                end = place + math.prod(shape)
                results.setdefault(index, {})[name] = numbers[place:end].reshape(shape).tolist()
                place = end
        rest = {name: entry[name] for name in ("cell", "seconds", "version", "environment", "date")}
        cells.append(RecordedCell(results=dict(sorted(results.items())), **rest))
    if place != len(numbers):
        raise ValueError("its index does not fit its numbers")
    return cells
