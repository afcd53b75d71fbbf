"""From experiments and a profile to the trials that have to be run."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from weaklearn.lab._build import home_of
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, DataSource, Row
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

    def without(self, names: Iterable[str]) -> "Plan":
        """The plan without the data sets of these names."""
        left_out = set(names)
        trials = tuple(trial for trial in self.trials if home_of(trial.data_name) not in left_out)
        return Plan(trials, tuple(source for source in self.sources if source.name not in left_out))


def profile_of(experiment: Experiment, profile: str) -> Profile:
    """The profile of that name, or an error that names those there are."""
    try:
        return experiment.profiles[profile]
    except KeyError:
        known = ", ".join(experiment.profiles)
        message = f"{experiment.name} has no profile {profile!r}; choose one of: {known}"
        raise LabError(message) from None


def cell_trials(part: Table | Figure, row: Row, column: Column, n_trials: int) -> list[Trial]:
    """The first `n_trials` trials behind one cell of a table or one curve of a figure; two if it is deterministic."""
    assert part.protocol is not None, "an illustration has no rows"
    if isinstance(part, Table) and part.is_deterministic(row.label, column.name):
        # One would do; the second shows that the declaration is true.
        n_trials = min(n_trials, 2)
    return Trial.series(part.protocol, row, column.algorithm, n_trials)


def _cells(part: Table | Figure, profile: Profile) -> Iterator[tuple[Row, Column]]:
    for row in part.rows:
        for column in part.columns:
            if profile.includes(row.label, column.name):
                yield row, column


def make_plan(experiments: Sequence[Experiment], profile: str) -> Plan:
    """Every trial that the profile asks of the experiments, without repetition."""
    trials: dict[str, tuple[int, Trial]] = {}
    sources: dict[str, DataSource] = {}
    for experiment in experiments:
        whole = profile_of(experiment, profile)
        for part in experiment.parts:
            chosen = whole.of(part)
            for row, column in _cells(part, chosen):
                if row.data is not None:
                    sources.setdefault(row.name, row.data)
                for index, trial in enumerate(
                    cell_trials(part, row, column, chosen.trials_of(row.label, column.name))
                ):
                    trials.setdefault(trial.description, (index, trial))
    # sorted() keeps the order of the experiments among trials of the same index.
    ordered = sorted(trials.values(), key=lambda pair: pair[0])
    return Plan(tuple(trial for _, trial in ordered), tuple(sources.values()))
