"""Comparing our cells with the published ones.

Ours is the mean over trials, with its standard error s (the sample deviation over the square root
of n). A published cell has a printed standard error p; where none is printed but the number of
runs is, p is our sample deviation over the square root of that number. A printed value is known
to within its last digit u, which adds the deviation u / sqrt(12) of a uniform rounding error. The
difference is stated in combined standard errors, sqrt(s^2 + p^2 + u^2 / 12), and a cell agrees if
it is at most three. Where chance plays no part on either side, only the rounding is left: then the difference stands
for itself and is not stated in standard errors.

On artificial rows of a table with a reference column, the level belongs to the one set that was
drawn. There the compared quantity is the difference from the reference column, paired over
trials for us and with the two printed errors combined for the publication, and a cell agrees if
the two differences are within three combined standard errors or within the table's tolerance.
The reference cell itself then has nothing left to compare and is not counted.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials, profile_of
from weaklearn.lab._published import PublishedCell, load_published
from weaklearn.lab._spec import Experiment, Profile, Table
from weaklearn.lab._store import Store

__all__ = [
    "AGREES",
    "DIFFERS",
    "NOT_RUN",
    "REFERENCE",
    "UNPUBLISHED",
    "Cell",
    "Score",
    "compare",
    "document_scores",
    "mean_and_error",
]

AGREES = "agrees"
DIFFERS = "differs"
NOT_RUN = "not run"
UNPUBLISHED = "no published value"
REFERENCE = "reference"

_LIMIT = 3.0


@dataclass(frozen=True)
class Cell:
    """One cell of a table, ours against published.

    Attributes
    ----------
    ours, ours_error : float or None
        Mean and standard error over `n` trials, in the published unit.
    published, published_error : float or None
    difference : float or None
        Ours minus published; on paired cells that of the differences from the reference column.
    deviation : float or None
        The difference in combined standard errors; None where chance plays no part.
    paired_with : str
        The reference column of a paired comparison, or "".
    verdict : str
        "agrees", "differs", "not run", "no published value" or "reference".
    reason : str
        Why a cell was not run.
    note : str
        What is known about the cell; it never changes the verdict.
    """

    experiment: str
    source: str
    table: str
    row: str
    column: str
    n: int
    ours: float | None
    ours_error: float | None
    published: float | None
    published_error: float | None
    decimals: int
    difference: float | None
    deviation: float | None
    paired_with: str
    verdict: str
    reason: str
    note: str

    def record(self) -> dict[str, Any]:
        """Plain data, for CSV and JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Score:
    """How many cells are published, were run and agree.

    A cell that was run is compared unless it is the reference of its row.
    """

    published: int
    run: int
    agree: int
    differ: int

    @property
    def compared(self) -> int:
        """Cells with a verdict."""
        return self.agree + self.differ

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> "Score":
        """Count."""
        return cls(
            published=sum(cell.published is not None for cell in cells),
            run=sum(cell.verdict in (AGREES, DIFFERS, REFERENCE) for cell in cells),
            agree=sum(cell.verdict == AGREES for cell in cells),
            differ=sum(cell.verdict == DIFFERS for cell in cells),
        )


def document_scores(cells: Sequence[Cell]) -> dict[str, tuple[int, Score]]:
    """By document: how many numbers it prints in all, and the score of the given cells of it."""
    scores = {}
    for source in dict.fromkeys(cell.source for cell in cells):
        score = Score.of([cell for cell in cells if cell.source == source])
        scores[source] = max(len(load_published(source)), score.published), score
    return scores


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Mean and standard error; a single value has no standard error.

    Sums are exact (`math.fsum`), so the order in which trials finished cannot matter.

    >>> mean_and_error([1.0, 3.0])
    (2.0, 1.0)
    """
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return mean, None
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, math.sqrt(variance / n)


def compare(
    experiment: Experiment,
    profile: str,
    store: Store,
    *,
    missing: Mapping[str, str] | None = None,
    failed: Mapping[str, str] | None = None,
) -> dict[str, list[Cell]]:
    """Compare all tables of an experiment with the published cells.

    Parameters
    ----------
    experiment : Experiment
    profile : str
        Its number of trials decides which stored trials count, so the comparison does not depend
        on what else the store holds.
    store : Store
    missing : mapping, optional
        Data sets that are not here, with how to get them.
    failed : mapping, optional
        Keys of trials that failed, with the error's last line.

    Returns
    -------
    dict
        By table ("table 2"): the cells, row by row, then published cells the table leaves out.
    """
    whole = profile_of(experiment, profile)
    return {
        table.item: _TableComparison(
            experiment.name, table, whole.of(table), store, missing or {}, failed or {}
        ).cells()
        for table in experiment.tables
    }


class _TableComparison:
    def __init__(
        self,
        experiment: str,
        table: Table,
        profile: Profile,
        store: Store,
        missing: Mapping[str, str],
        failed: Mapping[str, str],
    ) -> None:
        self.experiment, self.table, self.profile = experiment, table, profile
        self.store, self.missing, self.failed = store, missing, failed
        cells = load_published(table.source) if table.published is None else table.published
        self.published = {(cell.row, cell.column): cell for cell in cells if cell.table == table.number}
        self.reference = next((c for c in table.columns if c.name == table.reference_column), None)

    def cells(self) -> list[Cell]:
        cells = [self._cell(row, column) for row in self.table.rows for column in self.table.columns]
        seen = {(cell.row, cell.column) for cell in cells}
        for (row_name, column_name), published in self.published.items():
            if (row_name, column_name) not in seen:
                reason = "not part of this experiment"
                cells.append(self._finish(row_name, column_name, {}, published, NOT_RUN, reason=reason))
        return cells

    def _values(self, row: Row, column: Column) -> dict[int, float]:
        """Our values by trial index, in the published unit."""
        if not self.profile.includes(row.label, column.name):
            return {}
        metric = self.table.metric_of(column)
        scale = self.table.scale if column.metric is None else 1.0
        trials = cell_trials(self.table, row, column, self.profile.n_trials)
        results = self.store.results([trial.key for trial in trials])
        values = {}
        for index, trial in enumerate(trials):
            if trial.key not in results:
                continue
            try:
                values[index] = scale * results[trial.key][metric]
            except KeyError:
                known = ", ".join(results[trial.key])
                message = (
                    f"{self.table.item} wants the metric {metric!r} for {column.name}; recorded are: {known}"
                )
                raise LabError(message) from None
        return values

    def _why_not_run(self, row: Row, column: Column, n: int) -> str:
        if not self.profile.includes(row.label, column.name):
            return "not in this profile"
        if row.name in self.missing:
            return f"data missing: {self.missing[row.name]}"
        trials = cell_trials(self.table, row, column, self.profile.n_trials)
        errors = [self.failed[trial.key] for trial in trials if trial.key in self.failed]
        if errors:
            return f"{len(errors)} of {len(trials)} trials failed: {errors[0]}"
        return "only one trial so far" if n else "no trial so far"

    def _cell(self, row: Row, column: Column) -> Cell:
        values = self._values(row, column)
        published = self.published.get((row.label, column.name))
        if len(values) < 2:
            reason = self._why_not_run(row, column, len(values))
            return self._finish(row.label, column.name, values, published, NOT_RUN, reason=reason)
        if published is None:
            return self._finish(row.label, column.name, values, None, UNPUBLISHED)
        if self._is_paired(row, column):
            return self._paired(row, column, values, published)
        mean, error = mean_and_error(list(values.values()))
        difference = mean - published.value
        combined = _combine([error, *_uncertainties(published, error, len(values))])
        agrees = abs(difference) <= _LIMIT * combined
        without_chance = error == 0 and not published.error
        return self._finish(
            row.label,
            column.name,
            values,
            published,
            _verdict(agrees),
            difference=difference,
            combined=None if without_chance else combined,
        )

    def _is_paired(self, row: Row, column: Column) -> bool:
        # A column with a metric of its own cannot be subtracted from the reference.
        if row.kind != "artificial" or self.reference is None:
            return False
        return self.table.metric_of(column) == self.table.metric_of(self.reference)

    def _paired(self, row: Row, column: Column, values: dict[int, float], published: PublishedCell) -> Cell:
        assert self.reference is not None
        name = self.reference.name
        if column.name == name:
            return self._finish(row.label, column.name, values, published, REFERENCE, paired_with=name)
        others = self._values(row, self.reference)
        pairs = [values[index] - others[index] for index in sorted(values.keys() & others.keys())]
        their_reference = self.published.get((row.label, name))
        if their_reference is None or len(pairs) < 2:
            reason = f"no {name} to compare the difference with"
            return self._finish(row.label, column.name, values, published, NOT_RUN, reason=reason)
        mean, error = mean_and_error(pairs)
        difference = mean - (published.value - their_reference.value)
        theirs = (_uncertainties(cell, error, len(pairs)) for cell in (published, their_reference))
        combined = _combine([error, *(part for parts in theirs for part in parts)])
        agrees = abs(difference) <= max(self.table.tolerance, _LIMIT * combined)
        return self._finish(
            row.label,
            column.name,
            values,
            published,
            _verdict(agrees),
            difference=difference,
            combined=combined,
            paired_with=name,
        )

    def _finish(
        self,
        row: str,
        column: str,
        values: Mapping[int, float],
        published: PublishedCell | None,
        verdict: str,
        *,
        difference: float | None = None,
        combined: float | None = None,
        paired_with: str = "",
        reason: str = "",
    ) -> Cell:
        mean, error = mean_and_error(list(values.values())) if values else (None, None)
        notes = [self.table.note_on(row, column), published.note if published else ""]
        return Cell(
            experiment=self.experiment,
            source=self.table.source,
            table=self.table.number,
            row=row,
            column=column,
            n=len(values),
            ours=mean,
            ours_error=error,
            published=published.value if published else None,
            published_error=published.error if published else None,
            decimals=published.decimals if published else 2,
            difference=difference,
            deviation=None if difference is None or not combined else difference / combined,
            paired_with=paired_with,
            verdict=verdict,
            reason=reason,
            note=" ".join(note for note in notes if note),
        )


def _uncertainties(published: PublishedCell, our_error: float | None, n: int) -> list[float]:
    """The standard errors of a published value: of its sampling and of its rounding."""
    rounding = 10.0**-published.decimals / math.sqrt(12)
    if published.error is not None:
        return [published.error, rounding]
    if published.n_runs and our_error is not None:
        return [our_error * math.sqrt(n / published.n_runs), rounding]
    return [rounding]


def _combine(errors: Sequence[float | None]) -> float:
    return math.sqrt(math.fsum(error**2 for error in errors if error is not None))


def _verdict(agrees: bool) -> str:
    return AGREES if agrees else DIFFERS
