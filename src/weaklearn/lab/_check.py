"""Whether today's code still gives the recorded results.

A trial is a function of its description, so the strongest check is to run a few again and compare the numbers: they
must be the same. Other versions of numpy and its kin, or another kind of processor, may round differently; then the new
trials of a cell are tested against the recorded mean and spread (Student's t, Holm's procedure over all checked cells).
"""

import json
import math
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from weaklearn._holm import holm
from weaklearn.lab._build import home_of
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import Plan, cell_trials
from weaklearn.lab._protocols import stated
from weaklearn.lab._record import Record, RecordedCell, environment
from weaklearn.lab._run import Observer, run_plan
from weaklearn.lab._spec import Experiment, Figure, Table
from weaklearn.lab._store import Outcome, Store
from weaklearn.lab._trial import Trial

SAME, CHANGED, CONSISTENT, INCONSISTENT = "same", "changed", "consistent", "inconsistent"
FAILED, NOT_CHECKED = "failed", "not checked"
# Sums in another order may differ in the last bits; a changed algorithm differs in the first.
_RELATIVE = 1e-9
_FALSE_ALARM = 0.01


@dataclass(frozen=True)
class Check:
    """Whether the recorded trials of a cell still hold.

    Attributes
    ----------
    experiment, item, row, column : str
        A place where the cell is used.
    outcome : str
        "same" (the same numbers), "changed" (other numbers in the same environment), "consistent" or "inconsistent"
        (another environment, by a test), "failed" (a trial raised), "not checked".
    n : int
        Trials that were run again.
    identical : int
        Those of them whose metrics are all equal to the last bit.
    reason : str
        Of a cell that failed or was not checked.
    """

    experiment: str
    item: str
    row: str
    column: str
    outcome: str
    n: int = 0
    identical: int = 0
    reason: str = ""


def unchanged(checks: Sequence[Check]) -> bool:
    """Whether today's code still gives what is recorded, as far as it was checked."""
    return not any(found.outcome in (CHANGED, INCONSISTENT, FAILED) for found in checks)


@dataclass(frozen=True)
class _Known:
    place: tuple[str, str, str, str]
    part: Table | Figure
    row: Row
    column: Column
    recorded: RecordedCell

    def trials(self, n_trials: int) -> list[Trial]:
        wanted = cell_trials(self.part, self.row, self.column, n_trials)
        return [trial for trial in wanted if trial.index in self.recorded.results]


def is_timed(description: str) -> bool:
    """Whether the results of a trial, or of the trials of a cell, are times."""
    return stated(home_of(json.loads(description)["protocol"]["name"])).timed


def _known(experiments: Iterable[Experiment], record: Record, rows: Collection[str]) -> list[_Known]:
    """Every recorded cell once, of these rows if there are any."""
    known: dict[str, _Known] = {}
    for experiment in experiments:
        for part, row, column in experiment.cells:
            if rows and row.label not in rows:
                continue
            recorded = record.cell(part, row, column)
            if recorded is not None and not is_timed(recorded.cell):
                place = (experiment.name, part.item, row.label, column.name)
                known.setdefault(recorded.cell, _Known(place, part, row, column, recorded))
    return list(known.values())


def check_record(
    experiments: Sequence[Experiment],
    record: Record,
    *,
    rows: Collection[str] = (),
    n_trials: int = 3,
    seconds: float = 40.0,
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
) -> list[Check]:
    """Run the first trials of cheap cells again and compare them with the record.

    Nothing is stored. The cheapest cell of every table and figure comes first, then the others from cheap to expensive,
    while the recorded times fit into the budget.

    Parameters
    ----------
    experiments : sequence of Experiment
    record : Record
        As `load_record` returns it; cells of other experiments are left out.
    rows : collection of str
        Only these rows; all if empty.
    n_trials : int
        Trials per cell.
    seconds : float
        The budget, in seconds of work by the recorded times.
    engine, workers, observer :
        As for `reproduce`.

    Returns
    -------
    list of Check
        In the order of the experiments; `unchanged` tells whether all is well.
    """
    known = _known(experiments, record, rows)
    chosen = _affordable(known, n_trials, seconds)
    plan, missing = Plan.of(
        (cell.row, ((trial.index, trial) for trial in cell.trials(n_trials)))
        for cell in known
        if cell.recorded.cell in chosen
    ).split_by_data()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "check.sqlite") as store:
        summary = run_plan(plan, store, engine=engine, workers=workers, observer=observer)
        results = store.results([trial.key for trial in plan.trials])
    failures = {outcome.key: outcome for outcome in summary.failures}
    checks: list[Check] = []
    waiting: dict[int, float] = {}
    for cell in known:
        again = cell.trials(n_trials)
        failed = [failures[trial.key] for trial in again if trial.key in failures]
        # A trial may need other sets than that of its row, or a package that is not installed.
        lacking = [one for one in failed if _lacks_something(one)]
        if cell.row.name in missing:
            check = Check(*cell.place, NOT_CHECKED, reason=f"data missing: {missing[cell.row.name]}")
        elif cell.recorded.cell not in chosen:
            check = Check(*cell.place, NOT_CHECKED, reason="too expensive")
        elif failed:
            last = (lacking or failed)[0].last_line
            outcome = NOT_CHECKED if lacking else FAILED
            check = Check(*cell.place, outcome, reason=f"missing: {last}" if lacking else last)
        elif any(trial.key not in results for trial in again):
            check = Check(*cell.place, FAILED, reason="interrupted")
        else:
            found = {trial.index: results[trial.key] for trial in again}
            check, p_value = compared(cell.place, cell.recorded, found)
            if check.outcome == INCONSISTENT:
                waiting[len(checks)] = p_value
        checks.append(check)
    for k, p in zip(waiting, holm(list(waiting.values())), strict=True):
        if p > _FALSE_ALARM:
            checks[k] = replace(checks[k], outcome=CONSISTENT)
    return checks


def _lacks_something(outcome: Outcome) -> bool:
    assert outcome.failure is not None
    return outcome.failure.kind == "no data" or "ModuleNotFoundError" in outcome.failure.message


def _affordable(known: Sequence[_Known], n_trials: int, seconds: float) -> set[str]:
    """The cheapest cell of each table or figure, then the next cheap ones, within the budget."""
    by_cost = sorted(known, key=lambda cell: cell.recorded.seconds)
    leaders: dict[tuple[str, str], str] = {}
    for cell in by_cost:
        leaders.setdefault(cell.place[:2], cell.recorded.cell)
    first = set(leaders.values())
    chosen: set[str] = set()
    spent = 0.0
    for cell in sorted(by_cost, key=lambda cell: cell.recorded.cell not in first):
        cost = cell.recorded.seconds * n_trials
        if spent + cost <= seconds:
            spent += cost
            chosen.add(cell.recorded.cell)
    return chosen


def is_identical(result: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Whether a trial that was run again gave everything recorded, to the last bit."""
    return all(name in result and result[name] == old for name, old in recorded.items())


def compared(
    place: tuple[str, str, str, str], recorded: RecordedCell, found: Mapping[int, Mapping[str, Any]]
) -> tuple[Check, float]:
    """Compare new results of recorded trials; what is left to a test is "inconsistent", with its p-value."""
    pairs = [
        (np.atleast_1d(result[name]), np.atleast_1d(old))
        for index, result in found.items()
        for name, old in recorded.results[index].items()
        if name in result
    ]
    identical = sum(is_identical(result, recorded.results[index]) for index, result in found.items())
    close = bool(pairs) and all(
        new.shape == old.shape and np.allclose(new, old, rtol=_RELATIVE, atol=1e-12) for new, old in pairs
    )
    if close:
        return Check(*place, SAME, len(found), identical), 1.0
    if recorded.environment == environment():
        return Check(*place, CHANGED, len(found), identical), 0.0
    return Check(*place, INCONSISTENT, len(found), identical), _p_value(recorded, found)


def _p_value(recorded: RecordedCell, found: Mapping[int, Mapping[str, Any]]) -> float:
    """The smallest p-value of the metrics, corrected for their number; their spread is the recorded one."""
    p_values = []
    for name in next(iter(found.values())):
        old = [result[name] for result in recorded.results.values() if name in result]
        if len(old) < 2 or isinstance(old[0], list):
            continue
        new = [result[name] for result in found.values()]
        error = float(np.std(old, ddof=1)) * math.sqrt(1 / len(old) + 1 / len(new))
        distance = abs(float(np.mean(new)) - float(np.mean(old)))
        p_values.append(
            2 * float(stats.t.sf(distance / error, len(old) - 1)) if error > 0 else float(distance == 0)
        )
    return min(1.0, len(p_values) * min(p_values)) if p_values else 1.0
