"""Running what would decide open claims: cheapest first, within a budget."""

import math
import time
from collections.abc import Callable, Sequence

from weaklearn.lab._claim import MOST_TRIALS, OPEN, ClaimResult
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import Plan, cell_trials
from weaklearn.lab._record import Record
from weaklearn.lab._reproduce import Claims, asked_cells, judge_claims
from weaklearn.lab._results import CellResults, StoredResults
from weaklearn.lab._run import run_plan
from weaklearn.lab._spec import Experiment, Figure, Profile, Table
from weaklearn.lab._store import Store

_PILOT = 4


class _Both:
    """Recorded trials and those of a store."""

    def __init__(self, record: Record, store: Store) -> None:
        self._record, self._stored = record, StoredResults(store, Profile(MOST_TRIALS))

    def of(self, part: Table | Figure, row: Row, column: Column) -> CellResults:
        return {**self._record.of(part, row, column), **self._stored.of(part, row, column)}


def decide(
    experiments: Sequence[Experiment],
    claims: Claims,
    record: Record,
    store: Store,
    *,
    minutes: float,
    workers: int | None,
    say: Callable[[str], None],
) -> list[ClaimResult]:
    """Run trials of open claims, the cheapest claim first, until all are decided or the CPU minutes are spent.

    A claim without trials gets a pilot of four; then the number of trials is planned from their spread. A claim that
    is still open after what was planned for it is planned again.

    Parameters
    ----------
    experiments, claims :
        As `discover` and `discover_claims` return them.
    record, store :
        What is recorded, and where new trials go.
    minutes : float
        CPU minutes, by the recorded times of trials.
    workers : int, optional
        As for `reproduce`.
    say : callable
        Is told, line by line, what is run.

    Returns
    -------
    list of ClaimResult
        The claims with all trials.
    """
    both = _Both(record, store)
    given_up: set[tuple[str, str]] = set()
    left = 60.0 * minutes
    while True:
        results = judge_claims(experiments, claims, record, both)
        open_ones = [
            one for one in results if one.verdict == OPEN and one.claim.tests and _id(one) not in given_up
        ]
        if not open_ones or left <= 0:
            return results
        one = min(open_ones, key=lambda one: math.inf if one.minutes is None else one.minutes)
        if one.found and not math.isfinite(one.needed):
            given_up.add(_id(one))
            continue
        plan, _ = _more_trials(one, experiments, both).split_by_data()
        known = store.known([trial.key for trial in plan.trials])
        todo = Plan(tuple(trial for trial in plan.trials if trial.key not in known), plan.sources)
        cost = 0.0 if one.minutes is None else 60.0 * one.minutes
        if not todo.trials or cost > left:
            given_up.add(_id(one))
            continue
        say(f"{one.document}: {one.claim.id}: {len(todo.trials)} trials, about {cost / 60:.1f} minutes")
        began = time.process_time(), time.monotonic()
        summary = run_plan(todo, store, workers=workers)
        left -= max(cost, (time.monotonic() - began[1]) * (workers or 1))
        if summary.interrupted or summary.failures:
            given_up.add(_id(one))
            if summary.interrupted:
                return judge_claims(experiments, claims, record, both)


def _id(result: ClaimResult) -> tuple[str, str]:
    return result.document, result.claim.id


def _more_trials(result: ClaimResult, experiments: Sequence[Experiment], both: _Both) -> Plan:
    n = result.n_trials
    wanted = _PILOT if not n else min(MOST_TRIALS, math.ceil(1.1 * n * min(result.needed, 8.0)) + 2)
    cells = asked_cells(experiments, result.document, result.claim)
    return Plan.of(
        (
            row,
            ((k, trial) for k, trial in enumerate(cell_trials(part, row, column, wanted)) if k not in there),
        )
        for part, row, column in cells
        for there in [both.of(part, row, column)]
    )
