"""What a store has of a plan: fresh, stale, missing, failed, damaged."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weaklearn.lab._plan import make_plan
from weaklearn.lab._spec import Experiment
from weaklearn.lab._trial import Trial
from weaklearn.lab.store._repair import Repair, repair_store
from weaklearn.lab.store._stamps import current_stamps
from weaklearn.lab.store._store import Failed, Store, StoredTrial

__all__ = ["StudyStatus", "Survey", "repair", "status_report", "survey"]


@dataclass(frozen=True)
class Survey:
    """The state of some trials in a store.

    Attributes
    ----------
    fresh : set of str
        Keys of trials whose result counts.
    stale : dict
        By key: the latest result of other code, of trials without a fresh one.
    failed : dict
        By key: failures of trials that would fail again.
    missing : list of Trial
        Trials with none of these.
    damaged : list of StoredTrial
        Rows whose checksum is wrong.
    """

    fresh: set[str] = field(default_factory=set)
    stale: dict[str, StoredTrial] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
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
            found.stale.setdefault(row.key, row)
    for key in found.fresh & found.stale.keys():
        del found.stale[key]
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
    plans = [(experiment.name, make_plan([experiment], profile)) for experiment in experiments]
    if not Path(store).exists():
        return [StudyStatus(name, n := len(plan.trials), 0, 0, n, 0, 0) for name, plan in plans]
    report = []
    with Store(store, current_stamps()) as opened:
        for name, plan in plans:
            found = survey(opened, plan.trials)
            stale = found.stale.keys() - found.failed.keys()
            report.append(
                StudyStatus(
                    name,
                    len(plan.trials),
                    len(found.fresh),
                    len(stale),
                    len(found.missing),
                    len(found.failed),
                    len(found.damaged),
                )
            )
    return report


def repair(
    experiments: Sequence[Experiment],
    *,
    profile: str = "quick",
    store: str | os.PathLike[str] = "reproduction/store.sqlite",
) -> Repair:
    """Save what is intact in a damaged store; the next run runs what is lost.

    Parameters
    ----------
    experiments : sequence of Experiment
        Their trials are looked for one by one where the file cannot be listed.
    profile : str
    store : path-like

    Returns
    -------
    Repair
        The damage that was found, by name, and where the damaged file is kept.
    """
    return repair_store(store, [trial.key for trial in make_plan(experiments, profile).trials])
