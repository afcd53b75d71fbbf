"""From experiments and a profile to the trials that have to be run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weaklearn.lab._build import home_of
from weaklearn.lab._errors import CallError
from weaklearn.lab._parts import Column, DataSource, Row
from weaklearn.lab._sources import missing_data
from weaklearn.lab._spec import Experiment, Figure, Profile, Table
from weaklearn.lab._trial import Trial


@dataclass(frozen=True)
class Plan:
    """What is to be run.

    Attributes
    ----------
    trials : tuple of Trial
        Each trial once, however many tables use it. The split's index changes slowest, so all
        cells fill evenly and an interrupted run already has a usable table.
    sources : tuple of DataSource
        The data sources of the trials.
    """

    trials: tuple[Trial, ...]
    sources: tuple[DataSource, ...]

    @classmethod
    def of(cls, cells: Iterable[tuple[Row, Iterable[tuple[int, Trial]]]]) -> "Plan":
        """The trials of some cells, each with its index."""
        trials: dict[str, tuple[int, Trial]] = {}
        sources: dict[str, DataSource] = {}
        for row, numbered in cells:
            if row.data is not None:
                sources.setdefault(row.name, row.data)
            for index, trial in numbered:
                trials.setdefault(trial.description, (index, trial))
        # sorted() keeps the order of the cells among trials of the same index.
        ordered = sorted(trials.values(), key=lambda pair: pair[0])
        return cls(tuple(trial for _, trial in ordered), tuple(sources.values()))

    def split_by_data(self) -> "tuple[Plan, dict[str, str]]":
        """The part whose data sets are found; the sets that are not, with how to get them."""
        missing = missing_data(self.sources)
        trials = tuple(trial for trial in self.trials if home_of(trial.data_name) not in missing)
        return Plan(trials, tuple(source for source in self.sources if source.name not in missing)), missing


def profile_of(experiment: Experiment, profile: str) -> Profile:
    """The profile of that name, or an error that names those there are."""
    try:
        return experiment.profiles[profile]
    except KeyError:
        known = ", ".join(experiment.profiles)
        raise CallError(f"{experiment.name} has no profile {profile!r}; choose one of: {known}") from None


def cell_trials(part: Table | Figure, row: Row, column: Column, n_trials: int) -> list[Trial]:
    """The first `n_trials` trials behind one cell of a table or one curve of a figure; two if it is deterministic."""
    assert part.protocol is not None, "an illustration has no rows"
    if isinstance(part, Table) and part.is_deterministic(row.label, column.name):
        # One would do; the second shows that the declaration is true.
        n_trials = min(n_trials, 2)
    return Trial.series(part.protocol, row, column.algorithm, n_trials)


def make_plan(experiments: Sequence[Experiment], profile: str) -> Plan:
    """Every trial that the profile asks of the experiments, without repetition."""
    return Plan.of(
        (row, enumerate(cell_trials(part, row, column, n_trials)))
        for experiment in experiments
        for whole in [profile_of(experiment, profile)]
        for part, row, column in experiment.cells
        if (n_trials := whole.of(part).trials_of(row.label, column.name))
    )
