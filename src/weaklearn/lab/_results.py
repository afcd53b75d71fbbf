"""Results of trials by table, row and column, wherever they are kept.

Tables, figures and claims read results through `Results`: a store under a profile (`StoredResults`), or the record of
the package (`weaklearn.lab._record.Record`). Both give a cell as a mapping from the index of a trial to its metrics.
"""

from collections.abc import Mapping
from typing import Any
from typing import Protocol as TypingProtocol

from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._spec import Figure, Profile, Table
from weaklearn.lab._store import Store

CellResults = Mapping[int, Mapping[str, Any]]


class Results(TypingProtocol):
    """Where results are looked up."""

    def of(self, part: Table | Figure, row: Row, column: Column) -> CellResults:
        """The metrics of the trials of a cell, by the index of the trial."""


class StoredResults:
    """The trials of a store that a profile asks for, so that what else the store holds does not matter."""

    def __init__(self, store: Store, profile: Profile) -> None:
        self._store, self._profile = store, profile

    def of(self, part: Table | Figure, row: Row, column: Column) -> CellResults:
        """See `Results`."""
        n_trials = self._profile.of(part).trials_of(row.label, column.name)
        if not n_trials:
            return {}
        trials = cell_trials(part, row, column, n_trials)
        found = self._store.results([trial.key for trial in trials])
        return {index: found[trial.key] for index, trial in enumerate(trials) if trial.key in found}


def cell_values(
    results: Results, part: Table | Figure, row: Row, column: Column, metric: str | None = None
) -> dict[int, float]:
    """A metric of a cell by the index of the trial, in the published unit if it is the table's own."""
    scale = 1.0
    if metric is None:
        if isinstance(part, Figure):
            raise LabError(f"{part.item} has no metric of its own: name one")
        metric = part.metric_of(column) + row.suffix
        scale = part.scale if column.metric is None else 1.0
    found = results.of(part, row, column)
    values = {index: scale * result[metric] for index, result in found.items() if metric in result}
    if found and not values:
        known = ", ".join(next(iter(found.values())))
        raise LabError(f"{part.item} wants the metric {metric!r} for {column.name}; recorded are: {known}")
    return values
