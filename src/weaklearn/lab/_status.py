"""What a store has of a plan: fresh, stale, missing, failed, damaged."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weaklearn.lab._code import current_stamps
from weaklearn.lab._plan import Plan, make_plan
from weaklearn.lab._spec import Experiment
from weaklearn.lab._store import Outcome, Store, StoredTrial
from weaklearn.lab._trial import Trial


@dataclass(frozen=True)
class Survey:
    """The state of some trials in a store.

    Attributes
    ----------
    fresh : set of str
        Keys of trials whose result counts.
    stale : dict
        By key: results of other code.
    failed : dict
        By key: failures of trials that would fail again.
    missing : list of Trial
        Trials with none of these, those of damaged rows included.
    damaged : list of StoredTrial
        Rows whose checksum is wrong.
    """

    fresh: set[str] = field(default_factory=set)
    stale: dict[str, StoredTrial] = field(default_factory=dict)
    failed: dict[str, Outcome] = field(default_factory=dict)
    missing: list[Trial] = field(default_factory=list)
    damaged: list[StoredTrial] = field(default_factory=list)


def survey(store: Store, trials: Sequence[Trial], limits: str = "") -> Survey:
    """Look up every trial; `limits` are those of the coming run (see `Store.failed`)."""
    found = Survey()
    keys = [trial.key for trial in trials]
    for row in store.stored(keys):
        if not row.intact:
            found.damaged.append(row)
        elif row.fresh:
            found.fresh.add(row.key)
        else:
            found.stale[row.key] = row
    for key, failed in store.failed(keys, limits).items():
        if key not in found.fresh:
            found.failed[key] = failed
    known = found.fresh | found.stale.keys() | found.failed.keys()
    found.missing.extend(trial for trial in trials if trial.key not in known)
    return found


@dataclass(frozen=True)
class StudyStatus:
    """How many trials of a study are fresh, stale, missing, failed or damaged."""

    study: str
    planned: int
    fresh: int
    stale: int
    missing: int
    failed: int
    damaged: int


def status_report(
    experiments: Sequence[Experiment],
    *,
    profile: str = "quick",
    store: str | os.PathLike[str] = "reproduction/store.sqlite",
) -> list[StudyStatus]:
    """Count the trials of each study; nothing is run.

    Parameters
    ----------
    experiments : sequence of Experiment
    profile : str
    store : path-like
        A file that is not there counts as empty and is not made.

    Returns
    -------
    list of StudyStatus
        One for each experiment, in order.
    """
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(Store(store, current_stamps())) if Path(store).exists() else None
        return [
            _status(experiment.name, make_plan([experiment], profile), opened) for experiment in experiments
        ]


def _status(name: str, plan: Plan, store: Store | None) -> StudyStatus:
    found = Survey(missing=list(plan.trials)) if store is None else survey(store, plan.trials)
    stale = found.stale.keys() - found.failed.keys()
    counts = map(len, (plan.trials, found.fresh, stale, found.missing, found.failed, found.damaged))
    return StudyStatus(name, *counts)
