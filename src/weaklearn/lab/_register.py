"""The register: results at full strength, kept in the package.

One CSV file per document, ``recorded.csv`` beside its study, one line per cell: how many trials, their mean and
standard error, the values of the first few trials, what the trials were (a digest of their description), which versions
ran them, and when. `weaklearn.lab._register_check` tells whether today's code still gives them.
"""

import csv
import importlib.resources
import io
import platform
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weaklearn.lab._canonical import digest
from weaklearn.lab._code import library_versions
from weaklearn.lab._compare import Cell, TableComparison, cell_values
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials, profile_of
from weaklearn.lab._published import STUDIES
from weaklearn.lab._sample import Sample, mean_and_error
from weaklearn.lab._spec import Experiment, Profile, Table
from weaklearn.lab._store import Store

__all__ = [
    "N_FIRST",
    "Place",
    "Recorded",
    "compare_recorded",
    "environment",
    "load_register",
    "record",
    "study_of",
    "table_cells",
    "with_recorded",
]

Place = tuple[str, str, str, str]
"""Experiment, table, row and column."""

N_FIRST = 3
# Our own studies name no document.
_FOLDERS = {"weaklearn": "own"}


@dataclass(frozen=True)
class Recorded:
    """A recorded cell.

    Attributes
    ----------
    experiment, source, table, row, column : str
        Which cell.
    n : int
        Trials.
    mean : float
        In the published unit.
    error : float or None
        The standard error; None of a single trial.
    first : tuple of float
        The values of the first trials, exactly.
    seconds : float
        The median CPU time of a trial, on the machine that ran it: the first trial of a process also compiles.
    study : str
        Digest of what the trials are: protocol, data, algorithm, metric.
    version : str
        The weaklearn versions that ran the trials.
    environment : str
        The libraries and the kind of processor when it was recorded.
    date : str
    """

    experiment: str
    source: str
    table: str
    row: str
    column: str
    n: int
    mean: float
    error: float | None
    first: tuple[float, ...]
    seconds: float
    study: str
    version: str
    environment: str
    date: str

    @property
    def place(self) -> Place:
        """Which cell it is."""
        return self.experiment, self.table, self.row, self.column


def environment() -> str:
    """The versions of the libraries below us and the kind of processor, in one line."""
    return f"{library_versions()}, {platform.machine()}"


def record(
    experiments: Sequence[Experiment],
    profile: str,
    store: Store,
    folder: str | Path | None = None,
    *,
    date: str = "",
) -> list[Path]:
    """Write the stored results of the experiments into the register.

    Cells that are in the register already and were not run stay as they are, and so does a record of the same study
    with more trials.

    Parameters
    ----------
    experiments : sequence of Experiment
    profile : str
        Its number of trials decides which stored trials count.
    store : Store
    folder : path-like, optional
        Where the files are, made if it does not exist; the package's own register by default.
    date : str
        The day to record, today by default.

    Returns
    -------
    list of Path
        The files that were written, one per document.
    """
    day = date or datetime.now(UTC).date().isoformat()
    new: dict[str, dict[Place, Recorded]] = {}
    for experiment in experiments:
        whole = profile_of(experiment, profile)
        for table, row, column, place in table_cells(experiment):
            recorded = _recorded(experiment, table, row, column, whole.of(table), store, day)
            if recorded is not None:
                new.setdefault(table.source, {})[place] = recorded
    if folder is not None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LabError(f"the register {folder} cannot be written ({error.strerror})") from error
    written = []
    for source, cells in new.items():
        path = Path(str(_studies() / _FOLDERS.get(source, source) / "recorded.csv"))
        path = path if folder is None else Path(folder) / f"{source}.csv"
        merged = dict(_read(path.read_text(encoding="utf-8"), str(path))) if path.exists() else {}
        for place, cell in cells.items():
            old = merged.get(place)
            if old is None or old.study != cell.study or old.n <= cell.n:
                merged[place] = cell
        path.write_text(
            _written(sorted(merged.values(), key=lambda cell: cell.place)), encoding="utf-8", newline=""
        )
        written.append(path)
    return written


def load_register(folder: str | Path | None = None) -> dict[Place, Recorded]:
    """The recorded cells of all documents, from `folder` or from the package."""
    if folder is not None:
        files = sorted(Path(folder).glob("*.csv"))
    else:
        folders = sorted(_studies().iterdir(), key=lambda entry: entry.name)
        files = [file for entry in folders if (file := entry / "recorded.csv").is_file()]
    return {
        place: cell for file in files for place, cell in _read(file.read_text(encoding="utf-8"), str(file))
    }


def _studies() -> Any:
    return importlib.resources.files(STUDIES)


def with_recorded(
    experiment: Experiment, cells: Mapping[str, list[Cell]], register: Mapping[Place, Recorded]
) -> dict[str, list[Cell]]:
    """The cells of an experiment, by table, with what the register has of the same study."""
    same = {
        place: register[place]
        for table, row, column, place in table_cells(experiment)
        if place in register and register[place].study == study_of(table, row, column)
    }

    def completed(cell: Cell) -> Cell:
        found = same.get((cell.experiment, cell.table, cell.row, cell.column))
        if found is None:
            return cell
        reason = cell.reason if cell.n else f"recorded only: {cell.reason}"
        return replace(
            cell, recorded=found.mean, recorded_error=found.error, recorded_n=found.n, reason=reason
        )

    return {item: [completed(cell) for cell in some] for item, some in cells.items()}


def compare_recorded(experiment: Experiment, register: Mapping[Place, Recorded]) -> dict[str, list[Cell]]:
    """Compare what the register has of an experiment with the published cells, as `compare` does with a store.

    The register keeps no single trials: a difference from a reference column has the error of independent samples.
    """

    def compared(table: Table) -> list[Cell]:
        def sample(row: Row, column: Column) -> Sample:
            found = register.get((experiment.name, table.number, row.label, column.name))
            if found is None or found.study != study_of(table, row, column):
                return Sample()
            return Sample(found.n, found.mean, found.error)

        def why_not_run(row: Row, column: Column, n: int) -> str:
            return "only one trial recorded" if n else "not recorded"

        return TableComparison(experiment.name, table, sample, why_not_run).cells()

    return {table.item: compared(table) for table in experiment.tables}


def table_cells(experiment: Experiment) -> Iterator[tuple[Table, Row, Column, Place]]:
    """All cells of an experiment."""
    for table in experiment.tables:
        for row in table.rows:
            for column in table.columns:
                yield table, row, column, (experiment.name, table.number, row.label, column.name)


def study_of(table: Table, row: Row, column: Column) -> str:
    """What identifies the numbers of a cell, the index of the trial apart."""
    scale = table.scale if column.metric is None else 1.0
    parts = {
        "trial": cell_trials(table, row, column, 1)[0].description,
        "metric": table.metric_of(column),
        "scale": scale,
    }
    return digest(parts)[:16]


def _recorded(
    experiment: Experiment,
    table: Table,
    row: Row,
    column: Column,
    profile: Profile,
    store: Store,
    day: str,
) -> Recorded | None:
    values = cell_values(table, profile, row, column, store)
    if not values:
        return None
    mean, error = mean_and_error(list(values.values()))
    keys = [trial.key for trial in cell_trials(table, row, column, profile.trials_of(row.label, column.name))]
    _, versions = store.provenance(keys)
    seconds = statistics.median(row.seconds for row in store.stored(keys) if row.fresh)
    first: list[float] = []
    while len(first) < N_FIRST and len(first) in values:
        first.append(values[len(first)])
    return Recorded(
        experiment=experiment.name,
        source=table.source,
        table=table.number,
        row=row.label,
        column=column.name,
        n=len(values),
        mean=mean,
        error=error,
        first=tuple(first),
        seconds=seconds,
        study=study_of(table, row, column),
        version=" ".join(versions),
        environment=environment(),
        date=day,
    )


_WRITE: dict[str, Callable[[Any], str]] = {
    "mean": repr,
    "error": lambda error: "" if error is None else repr(error),
    "first": lambda values: " ".join(map(repr, values)),
    "seconds": lambda seconds: f"{seconds:.3g}",
}
_READ: dict[str, Callable[[str], Any]] = {
    "n": int,
    "mean": float,
    "error": lambda text: float(text) if text else None,
    "first": lambda text: tuple(map(float, text.split())),
    "seconds": float,
}
_COLUMNS = [field.name for field in fields(Recorded)]


def _written(cells: Sequence[Recorded]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([_WRITE.get(name, str)(getattr(cell, name)) for name in _COLUMNS] for cell in cells)
    return text.getvalue()


def _read(text: str, name: str) -> Iterator[tuple[Place, Recorded]]:
    for number, line in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        try:
            cell = Recorded(**{column: _READ.get(column, str)(line[column]) for column in _COLUMNS})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LabError(f"{name}, line {number} is not a valid record ({error})") from error
        yield cell.place, cell
