"""Whether today's code still gives the recorded results.

A trial is a function of its description, so the strongest check is to run the first few again and compare the numbers:
they must be the same. Other versions of numpy and its kin, or another kind of processor, may round differently, and a
changed description means other random numbers; then the new trials are tested against the recorded mean and spread
(Student's t, Holm's procedure over all checked cells).
"""

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weaklearn._holm import holm
from weaklearn.lab._compare import cell_values
from weaklearn.lab._parts import Column, DataSource, Row
from weaklearn.lab._plan import Plan, cell_trials
from weaklearn.lab._register import N_FIRST, Place, Recorded, environment, study_of, table_cells
from weaklearn.lab._run import Observer, run_plan
from weaklearn.lab._sources import missing_data
from weaklearn.lab._spec import Experiment, Profile, Table
from weaklearn.lab._store import Store
from weaklearn.lab._trial import Trial
from weaklearn.lab._verdicts import FALSE_CONTRADICTION, Evidence

__all__ = ["Check", "check_register", "unchanged"]

SAME = "same"
CHANGED = "changed"
CONSISTENT = "consistent"
INCONSISTENT = "inconsistent"
FAILED = "failed"
NOT_CHECKED = "not checked"


# Sums in another order may differ in the last bits; a changed algorithm differs in the first.
_RELATIVE = 1e-9


@dataclass(frozen=True)
class Check:
    """Whether a recorded cell still holds.

    Attributes
    ----------
    recorded : Recorded
    outcome : str
        "same" (the same numbers), "changed" (other numbers from the same trials in the same environment), "consistent"
        or "inconsistent" (other trials or another environment, by a test), "failed" (a trial raised), "not checked".
    found : tuple of float
        Today's values of the first trials.
    reason : str
        Of a cell that failed or was not checked.
    """

    recorded: Recorded
    outcome: str
    found: tuple[float, ...] = ()
    reason: str = ""


def check_register(
    experiments: Sequence[Experiment],
    register: Mapping[Place, Recorded],
    *,
    n_trials: int = N_FIRST,
    seconds: float = 40.0,
    engine: str = "local",
    workers: int | None = None,
    observer: Observer | None = None,
) -> list[Check]:
    """Run the first trials of cheap cells again and compare them with the register.

    Nothing is stored. The cheapest cell of every table comes first, then the others from cheap to expensive, while the
    recorded times fit into the budget.

    Parameters
    ----------
    experiments : sequence of Experiment
    register : mapping
        As `load_register` returns it; cells of other experiments are left out.
    n_trials : int
        Trials per cell, at most three, the default (the register keeps no more).
    seconds : float
        The budget, in seconds of work by the recorded times.
    engine, workers, observer :
        As for `reproduce`.

    Returns
    -------
    list of Check
        In the order of the experiments; `unchanged` tells whether all is well.
    """
    if not 1 <= n_trials <= N_FIRST:
        raise ValueError(f"n_trials must be 1 to {N_FIRST}, got {n_trials}")
    cells = [
        (register[place], table, row, column)
        for experiment in experiments
        for table, row, column, place in table_cells(experiment)
        if place in register
    ]
    chosen = _affordable(cells, n_trials, seconds)
    trials: dict[str, Trial] = {}
    sources: dict[str, DataSource] = {}
    for recorded, table, row, column in cells:
        if recorded.place in chosen:
            if row.data is not None:
                sources[row.name] = row.data
            for trial in cell_trials(table, row, column, n_trials):
                trials[trial.key] = trial
    missing = missing_data(sources.values())
    plan = Plan(tuple(trials.values()), tuple(sources.values())).without(missing)
    own = Profile(n_trials)
    found: dict[Place, tuple[float, ...]] = {}
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "check.sqlite") as store:
        summary = run_plan(plan, store, engine=engine, workers=workers, observer=observer)
        for recorded, table, row, column in cells:
            if recorded.place in chosen:
                by_index = cell_values(table, own, row, column, store)
                found[recorded.place] = tuple(by_index[index] for index in sorted(by_index))
    errors: dict[str, str] = {}
    lacking: dict[str, str] = {}
    for outcome in summary.failures:
        # A trial may need other sets than that of its row.
        without_data = outcome.failure is not None and outcome.failure.kind == "no data"
        (lacking if without_data else errors)[outcome.key] = (outcome.error or "").strip().splitlines()[-1]
    checks = []
    for recorded, table, row, column in cells:
        keys = [trial.key for trial in cell_trials(table, row, column, n_trials)]
        failed = [errors[key] for key in keys if key in errors]
        unread = [lacking[key] for key in keys if key in lacking]
        values = found.get(recorded.place, ())
        if row.name in missing:
            checks.append(Check(recorded, NOT_CHECKED, reason=f"data missing: {missing[row.name]}"))
        elif recorded.place not in chosen:
            checks.append(Check(recorded, NOT_CHECKED, reason="too expensive"))
        elif unread and not failed:
            checks.append(Check(recorded, NOT_CHECKED, reason=f"data missing: {unread[0]}"))
        elif failed or len(values) < len(keys):
            checks.append(Check(recorded, FAILED, values, failed[0] if failed else "interrupted"))
        else:
            same = recorded.study == study_of(table, row, column)
            checks.append(_compared(recorded, values, same))
    return _tested(checks)


def unchanged(checks: Sequence[Check]) -> bool:
    """Whether today's code still gives what is recorded, as far as it was checked."""
    return not any(found.outcome in (CHANGED, INCONSISTENT, FAILED) for found in checks)


_Known = tuple[Recorded, Table, Row, Column]


def _affordable(cells: Sequence[_Known], n_trials: int, seconds: float) -> set[Place]:
    """The cheapest cell of each table, then the next cheap ones, within the budget."""
    by_cost = sorted(cells, key=lambda cell: cell[0].seconds)
    cheapest: dict[tuple[str, str], Place] = {}
    for recorded, *_ in by_cost:
        cheapest.setdefault((recorded.experiment, recorded.table), recorded.place)
    leaders = set(cheapest.values())
    chosen: set[Place] = set()
    paid: set[str] = set()
    spent = 0.0
    for recorded, table, row, column in sorted(by_cost, key=lambda cell: cell[0].place not in leaders):
        # Columns that read another metric of the same trials cost nothing more.
        trials = [trial.key for trial in cell_trials(table, row, column, n_trials)]
        cost = recorded.seconds * sum(key not in paid for key in trials)
        if spent + cost <= seconds:
            spent += cost
            paid.update(trials)
            chosen.add(recorded.place)
    return chosen


def _compared(recorded: Recorded, values: tuple[float, ...], same_study: bool) -> Check:
    """The exact comparison; what is left to a test is "inconsistent" until the test has been made."""
    if same_study and recorded.first:
        pairs = zip(values, recorded.first, strict=False)
        if all(math.isclose(new, old, rel_tol=_RELATIVE, abs_tol=1e-12) for new, old in pairs):
            return Check(recorded, SAME, values)
        if recorded.environment == environment():
            return Check(recorded, CHANGED, values)
    if recorded.n < 2:
        return Check(recorded, NOT_CHECKED, values, "one recorded trial, of another study or environment")
    return Check(recorded, INCONSISTENT, values)


def _tested(checks: Sequence[Check]) -> list[Check]:
    waiting = [k for k, found in enumerate(checks) if found.outcome == INCONSISTENT]
    p_values = holm([_p_value(checks[k]) for k in waiting])
    rejected = {k for k, p in zip(waiting, p_values, strict=True) if p <= FALSE_CONTRADICTION}
    return [
        Check(found.recorded, CONSISTENT, found.found) if k in waiting and k not in rejected else found
        for k, found in enumerate(checks)
    ]


def _p_value(found: Check) -> float:
    """The new trials as a publication without an error of its own: the recorded spread is the only one."""
    recorded = found.recorded
    assert recorded.error is not None
    return Evidence(
        n=recorded.n,
        mean=recorded.mean,
        spread=recorded.error * math.sqrt(recorded.n),
        published=math.fsum(found.found) / len(found.found),
        runs=len(found.found),
        digit=0.0,
        tolerance=0.0,
    ).p_different(recorded.n)
