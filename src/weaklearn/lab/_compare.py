"""Comparing our cells with the published ones.

Ours is the mean over trials, with its standard error (the sample deviation over the square root of n).
`weaklearn.lab._verdicts` says what the two numbers, their errors and the table's tolerance amount to: *confirmed*,
*contradicted* or *undecided*. The cells of a table are judged together, because they share the rates of false verdicts.

On artificial rows of a table with a reference column, the level belongs to the one set that was
drawn. There the compared quantity is the difference from the reference column, paired over
trials for us and with the two published errors combined for the publication. Where the table knows how much such a
difference moves from draw to draw (`Table.draw_error`), its standard error contains that of both draws. The reference
cell itself then has nothing left to compare and is not counted.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from weaklearn.lab._agreement import Agreement, Pair, agreement
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._published import PublishedCell, load_published
from weaklearn.lab._results import Results, cell_values
from weaklearn.lab._sample import Sample
from weaklearn.lab._spec import Experiment, Profile, Table
from weaklearn.lab._verdicts import CONFIRMED, CONTRADICTED, UNDECIDED, Evidence, Judgement, judge

NOT_RUN = "not run"
UNPUBLISHED = "no published value"
REFERENCE = "reference"
_FEWEST_CELLS = 3


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
    deterministic : bool
        Whether every trial gives the same number.
    reason : str
        Why a cell was not run, or could not be judged.
    note : str
        What is known about the cell; it never changes the verdict.
    kind : {"mean", "single run", "bound", "fact"}
        What the published number is. Only means are counted when a table is judged as a whole.
    unit : str
    difference_error : float or None
        The standard error of the difference.
    explained : bool
        Whether the table has a note on this cell, its row or its column.
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
    deterministic: bool
    reason: str
    note: str
    kind: str = "mean"
    unit: str = ""
    difference_error: float | None = None
    explained: bool = False

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


def compare(
    experiment: Experiment,
    results: Results,
    why_not_run: Callable[[Table, Row, Column, int], str] | None = None,
) -> dict[str, list[Cell]]:
    """Compare all tables of an experiment with the published cells.

    Parameters
    ----------
    experiment : Experiment
    results : Results
        Where the trials are: a store under a profile, or the record.
    why_not_run : callable, optional
        From table, row, column and the number of trials to why these are too few.

    Returns
    -------
    dict
        By table ("table 2"): the cells, row by row, then published cells the table leaves out.
    """
    reason = why_not_run or _not_recorded
    return {
        table.item: TableComparison(experiment.name, table, results, reason).cells()
        for table in experiment.tables
    }


def _not_recorded(table: Table, row: Row, column: Column, n: int) -> str:
    return "only one trial recorded" if n else "not recorded"


def why_missing(
    profile: Profile, missing: Mapping[str, str], failed: Mapping[str, str]
) -> Callable[[Table, Row, Column, int], str]:
    """Why a run left a cell without enough trials; `missing` are data sets, `failed` keys of trials, with reasons."""

    def why(table: Table, row: Row, column: Column, n: int) -> str:
        own = profile.of(table)
        if not own.includes(row.label, column.name):
            return "not in this profile"
        if row.name in missing:
            return f"data missing: {missing[row.name]}"
        trials = cell_trials(table, row, column, own.trials_of(row.label, column.name))
        errors = [failed[trial.key] for trial in trials if trial.key in failed]
        if errors:
            return f"{len(errors)} of {len(trials)} trials failed: {errors[0]}"
        return "only one trial so far" if n else "no trial so far"

    return why


def agreements(
    document: str, table: Table, cells: Sequence[Cell]
) -> list[tuple[Agreement, Agreement | None]]:
    """How well each measure of a table agrees: of all cells, and without those that a note explains, if there are any.

    Measures are told apart by their published unit. Numbers of the text are not judged together, nor are fewer than
    three cells.
    """
    if table.kind != "table":
        return []
    found = []
    for (_, _, unit), some in judged_cells(cells).items():
        if len(some) < _FEWEST_CELLS:
            continue
        pairs = [(_pair(cell), cell.explained) for cell in some]
        plain = [pair for pair, noted in pairs if not noted]
        whole = agreement(document, table.number, unit, [pair for pair, _ in pairs])
        explained = len(pairs) - len(plain)
        rest = agreement(document, table.number, unit, plain, explained) if explained and plain else None
        found.append((whole, rest))
    return found


def judged_cells(cells: Iterable[Cell]) -> dict[tuple[str, str, str], list[Cell]]:
    """The cells that tables are judged by: by document, table and measure."""
    judged: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        if cell.kind == "mean" and cell.difference_error is not None:
            judged.setdefault((cell.source, cell.table, cell.unit), []).append(cell)
    return judged


def _pair(cell: Cell) -> Pair:
    assert cell.difference is not None
    assert cell.difference_error is not None
    assert cell.published is not None
    assert cell.tolerance is not None
    return Pair(cell.row, cell.difference, cell.difference_error, cell.published, cell.tolerance)


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
    """Compares the cells of one table; the parameters are those of `compare`."""

    def __init__(
        self,
        experiment: str,
        table: Table,
        results: Results,
        why_not_run: Callable[[Table, Row, Column, int], str],
    ) -> None:
        self.experiment, self.table = experiment, table
        self.results, self.why_not_run = results, why_not_run
        cells = published_cells(table) if table.published is None else table.published
        self.published = {(cell.row, cell.column): cell for cell in cells}
        self.reference = next((c for c in table.columns if c.name == table.reference_column), None)

    def sample(self, row: Row, column: Column) -> Sample:
        return Sample.of(cell_values(self.results, self.table, row, column))

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
        place = row.label, column.name
        sample, published = self.sample(row, column), self.published.get(place)
        deterministic = self.table.is_deterministic(*place)
        if sample.n < (1 if deterministic else 2):
            why = self.why_not_run(self.table, row, column, sample.n)
            return _Draft(*place, sample, published, NOT_RUN, why)
        if published is None:
            return _Draft(*place, sample, published, UNPUBLISHED)
        if deterministic and sample.varies:
            why = "declared deterministic, but its trials differ"
            return _Draft(*place, sample, published, UNDECIDED, why)
        if self._is_paired(row, column):
            return self._paired(row, column, sample, published)
        stated = None if self.reference is not None else self.table.tolerance
        return _Draft(*place, sample, published, evidence=self._evidence(place, sample, published, stated))

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
        evidence = self._evidence(place[:2], differences, published, self.table.tolerance)
        errors = None if published.error is None or theirs.error is None else (published.error, theirs.error)
        evidence = replace(
            evidence,
            published=published.value - theirs.value,
            error=math.hypot(*errors) if errors else None,
            digit=published.digit + theirs.digit,
            of_difference=True,
        )
        return _Draft(*place, paired_with=name, evidence=evidence)

    def _evidence(
        self, place: tuple[str, str], sample: Sample, published: PublishedCell, tolerance: float | None
    ) -> Evidence:
        assert sample.mean is not None
        return Evidence(
            n=sample.n,
            mean=sample.mean,
            spread=sample.spread,
            published=published.value,
            error=published.error,
            runs=None if published.n_runs is None else max(published.n_runs // self.table.trial_runs, 1),
            digit=published.digit,
            relation=published.relation,
            deterministic=self.table.is_deterministic(*place),
            tolerance=tolerance,
            draw_error=self.table.draw_error.get(place, 0.0),
        )

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
            deterministic=self.table.is_deterministic(draft.row, draft.column),
            reason=draft.reason,
            note=" ".join(note for note in notes if note),
            kind=_kind(published, self.table.is_deterministic(draft.row, draft.column)),
            unit=published.unit if published else self.table.unit,
            difference_error=None if judgement is None else judgement.standard_error,
            explained=self.table.explains(draft.row, draft.column),
        )


def published_cells(table: Table) -> list[PublishedCell]:
    """The published cells of a table; of one that is named "KIND: NAME" those of KIND with its rows and columns."""
    kind, colon, _ = table.number.partition(": ")
    own = {(row.label, column.name) for row in table.rows for column in table.columns}
    cells = load_published(table.source, kind)
    return [cell for cell in cells if not colon or (cell.row, cell.column) in own]


def _kind(published: PublishedCell | None, deterministic: bool) -> str:
    if deterministic:
        return "fact"
    if published is not None and published.relation != "value":
        return "bound"
    return "single run" if published is not None and published.n_runs == 1 else "mean"


def _deviation(judgement: Judgement | None) -> float | None:
    if judgement is None or not judgement.standard_error:
        return None
    return judgement.difference / judgement.standard_error
