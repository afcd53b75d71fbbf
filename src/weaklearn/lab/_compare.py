"""Comparing our cells with the published ones.

Ours is the mean over trials, with its standard error (the sample deviation over the square root of n).
`weaklearn.lab._verdicts` says what the two numbers, their errors and the table's tolerance amount to: *confirmed*,
*contradicted* or *undecided*. The cells of a table are judged together, because they share the rates of false verdicts.

On artificial rows of a table with a reference column, the level belongs to the one set that was
drawn. There the compared quantity is the difference from the reference column, paired over
trials for us and with the two published errors combined for the publication. The reference cell itself then has
nothing left to compare and is not counted.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials, profile_of
from weaklearn.lab._published import PublishedCell, load_published
from weaklearn.lab._sample import Sample
from weaklearn.lab._spec import Experiment, Profile, Table
from weaklearn.lab._store import Store
from weaklearn.lab._verdicts import CONFIRMED, CONTRADICTED, UNDECIDED, Evidence, Judgement, judge

__all__ = [
    "CONFIRMED",
    "CONTRADICTED",
    "NOT_RUN",
    "REFERENCE",
    "UNDECIDED",
    "UNPUBLISHED",
    "Cell",
    "Score",
    "TableComparison",
    "cell_values",
    "compare",
    "document_scores",
]

NOT_RUN = "not run"
UNPUBLISHED = "no published value"
REFERENCE = "reference"


@dataclass(frozen=True)
class Cell:
    """One cell of a table, ours against published.

    Attributes
    ----------
    ours, ours_error : float or None
        Mean and standard error over `n` trials, in the published unit.
    published, published_error : float or None
    relation : {"value", "at least", "at most"}
        Whether the published number is a value or a bound.
    difference : float or None
        Ours minus published; on paired cells that of the differences from the reference column.
    deviation : float or None
        The difference in standard errors of the difference; None for deterministic cells.
    paired_with : str
        The reference column of a paired comparison, or "".
    verdict : str
        "confirmed", "contradicted", "undecided", "not run", "no published value" or "reference".
    tolerance : float or None
        The smallest difference that counts as meaningful.
    tolerance_reason : str
        Where the tolerance comes from.
    trials_needed : int or None
        Of an undecided cell: how many trials would decide it, if any number would.
    deterministic : bool
        Whether every trial gives the same number.
    reason : str
        Why a cell was not run, or could not be judged.
    note : str
        What is known about the cell; it never changes the verdict.
    recorded, recorded_error : float or None
        Mean and standard error in the register, over `recorded_n` trials; None if nothing is recorded.
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
    relation: str
    decimals: int
    difference: float | None
    deviation: float | None
    paired_with: str
    verdict: str
    tolerance: float | None
    tolerance_reason: str
    trials_needed: int | None
    deterministic: bool
    reason: str
    note: str
    recorded: float | None = None
    recorded_error: float | None = None
    recorded_n: int = 0

    def record(self) -> dict[str, Any]:
        """Plain data, for CSV and JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Score:
    """How many cells are published, were run, and what the verdicts are.

    A cell that was run is compared unless it is the reference of its row.
    """

    published: int
    run: int
    confirmed: int
    contradicted: int
    undecided: int

    @property
    def compared(self) -> int:
        """Cells with a verdict."""
        return self.confirmed + self.contradicted + self.undecided

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> "Score":
        """Count."""
        verdicts = [cell.verdict for cell in cells]
        counts = {verdict: verdicts.count(verdict) for verdict in (CONFIRMED, CONTRADICTED, UNDECIDED)}
        return cls(
            published=sum(cell.published is not None for cell in cells),
            run=sum(counts.values()) + verdicts.count(REFERENCE),
            confirmed=counts[CONFIRMED],
            contradicted=counts[CONTRADICTED],
            undecided=counts[UNDECIDED],
        )


def document_scores(cells: Sequence[Cell]) -> dict[str, tuple[int, Score]]:
    """By document: how many results it publishes in all, and the score of the given cells of it."""
    scores = {}
    for source in dict.fromkeys(cell.source for cell in cells):
        score = Score.of([cell for cell in cells if cell.source == source])
        # Settings are facts about the experiments, not results of theirs.
        results = sum(cell.table != "settings" for cell in load_published(source))
        scores[source] = max(results, score.published), score
    return scores


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
    missing, failed = missing or {}, failed or {}

    def compared(table: Table) -> list[Cell]:
        own = whole.of(table)

        def sample(row: Row, column: Column) -> Sample:
            return Sample.of(cell_values(table, own, row, column, store))

        def why_not_run(row: Row, column: Column, n: int) -> str:
            if not own.includes(row.label, column.name):
                return "not in this profile"
            if row.name in missing:
                return f"data missing: {missing[row.name]}"
            trials = cell_trials(table, row, column, own.trials_of(row.label, column.name))
            errors = [failed[trial.key] for trial in trials if trial.key in failed]
            if errors:
                return f"{len(errors)} of {len(trials)} trials failed: {errors[0]}"
            return "only one trial so far" if n else "no trial so far"

        return TableComparison(experiment.name, table, sample, why_not_run).cells()

    return {table.item: compared(table) for table in experiment.tables}


def cell_values(table: Table, profile: Profile, row: Row, column: Column, store: Store) -> dict[int, float]:
    """The stored values of a cell by trial index, in the published unit; `profile` is the table's own."""
    if not profile.includes(row.label, column.name):
        return {}
    metric = table.metric_of(column)
    scale = table.scale if column.metric is None else 1.0
    trials = cell_trials(table, row, column, profile.trials_of(row.label, column.name))
    results = store.results([trial.key for trial in trials])
    values = {}
    for index, trial in enumerate(trials):
        if trial.key not in results:
            continue
        try:
            values[index] = scale * results[trial.key][metric]
        except KeyError:
            known = ", ".join(results[trial.key])
            message = f"{table.item} wants the metric {metric!r} for {column.name}; recorded are: {known}"
            raise LabError(message) from None
    return values


@dataclass(frozen=True)
class _Draft:
    """A cell before the verdicts of its table: `evidence` awaits one, `verdict` has it already."""

    row: str
    column: str
    sample: Sample
    published: PublishedCell | None
    verdict: str = ""
    reason: str = ""
    paired_with: str = ""
    evidence: Evidence | None = None


class TableComparison:
    """Compares the cells of one table.

    Parameters
    ----------
    experiment : str
    table : Table
    sample : callable
        From row and column to the trials of the cell.
    why_not_run : callable
        From row, column and the number of trials to why these are too few.
    """

    def __init__(
        self,
        experiment: str,
        table: Table,
        sample: Callable[[Row, Column], Sample],
        why_not_run: Callable[[Row, Column, int], str],
    ) -> None:
        self.experiment, self.table = experiment, table
        self.sample, self.why_not_run = sample, why_not_run
        cells = load_published(table.source) if table.published is None else table.published
        self.published = {(cell.row, cell.column): cell for cell in cells if cell.table == table.number}
        self.reference = next((c for c in table.columns if c.name == table.reference_column), None)

    def cells(self) -> list[Cell]:
        drafts = [self._draft(row, column) for row in self.table.rows for column in self.table.columns]
        seen = {(draft.row, draft.column) for draft in drafts}
        drafts += [
            _Draft(*place, Sample(), published, NOT_RUN, "not part of this experiment")
            for place, published in self.published.items()
            if place not in seen
        ]
        judgements = iter(judge([draft.evidence for draft in drafts if draft.evidence is not None]))
        return [self._finish(draft, next(judgements) if draft.evidence else None) for draft in drafts]

    def _draft(self, row: Row, column: Column) -> _Draft:
        sample = self.sample(row, column)
        published = self.published.get((row.label, column.name))
        deterministic = self.table.is_deterministic(row.label, column.name)
        place = (row.label, column.name, sample, published)
        if sample.n < (1 if deterministic else 2):
            return _Draft(*place, NOT_RUN, self.why_not_run(row, column, sample.n))
        if published is None:
            return _Draft(*place, UNPUBLISHED)
        if deterministic and sample.varies:
            return _Draft(*place, UNDECIDED, "declared deterministic, but its trials differ")
        if self._is_paired(row, column):
            return self._paired(row, column, sample, published)
        stated = None if self.reference is not None else self.table.tolerance
        return _Draft(*place, evidence=_evidence(sample, published, deterministic, stated))

    def _is_paired(self, row: Row, column: Column) -> bool:
        # A column with a metric of its own cannot be subtracted from the reference.
        if row.kind != "artificial" or self.reference is None:
            return False
        return self.table.metric_of(column) == self.table.metric_of(self.reference)

    def _paired(self, row: Row, column: Column, sample: Sample, published: PublishedCell) -> _Draft:
        assert self.reference is not None
        name = self.reference.name
        place = (row.label, column.name, sample, published)
        if column.name == name:
            return _Draft(*place, REFERENCE, paired_with=name)
        differences = sample.minus(self.sample(row, self.reference))
        theirs = self.published.get((row.label, name))
        if theirs is None or differences.n < 2:
            return _Draft(*place, NOT_RUN, f"no {name} to compare the difference with")
        deterministic = self.table.is_deterministic(row.label, column.name)
        evidence = _evidence(differences, published, deterministic, self.table.tolerance)
        errors = None if published.error is None or theirs.error is None else (published.error, theirs.error)
        evidence = replace(
            evidence,
            published=published.value - theirs.value,
            error=math.hypot(*errors) if errors else None,
            digit=published.digit + theirs.digit,
            of_difference=True,
        )
        return _Draft(*place, paired_with=name, evidence=evidence)

    def _finish(self, draft: _Draft, judgement: Judgement | None) -> Cell:
        published = draft.published
        notes = [self.table.note_on(draft.row, draft.column), published.note if published else ""]
        stated = draft.evidence is not None and draft.evidence.tolerance is not None
        reason = "" if judgement is None else judgement.tolerance_reason
        return Cell(
            experiment=self.experiment,
            source=self.table.source,
            table=self.table.number,
            row=draft.row,
            column=draft.column,
            n=draft.sample.n,
            ours=draft.sample.mean,
            ours_error=draft.sample.error,
            published=published.value if published else None,
            published_error=published.error if published else None,
            relation=published.relation if published else "value",
            decimals=published.decimals if published else 2,
            difference=None if judgement is None else judgement.difference,
            deviation=_deviation(judgement),
            paired_with=draft.paired_with,
            verdict=draft.verdict if judgement is None else judgement.verdict,
            tolerance=None if judgement is None else judgement.tolerance,
            tolerance_reason=(stated and self.table.tolerance_reason) or reason,
            trials_needed=None if judgement is None else judgement.trials_needed,
            deterministic=self.table.is_deterministic(draft.row, draft.column),
            reason=draft.reason,
            note=" ".join(note for note in notes if note),
        )


def _evidence(
    sample: Sample, published: PublishedCell, deterministic: bool, tolerance: float | None
) -> Evidence:
    assert sample.mean is not None
    return Evidence(
        n=sample.n,
        mean=sample.mean,
        spread=sample.spread,
        published=published.value,
        error=published.error,
        runs=published.n_runs,
        digit=published.digit,
        relation=published.relation,
        deterministic=deterministic,
        tolerance=tolerance,
    )


def _deviation(judgement: Judgement | None) -> float | None:
    if judgement is None or not judgement.standard_error:
        return None
    return judgement.difference / judgement.standard_error
