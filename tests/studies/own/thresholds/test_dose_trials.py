"""The dose trials of the study."""

import numpy as np

from weaklearn.lab import Trial
from weaklearn.studies.own.thresholds.dose_scenarios import DOSES, SCENARIOS
from weaklearn.studies.own.thresholds.dose_trials import (
    ContinualReassessment,
    DefaultEscalation,
    treat,
    treated,
)
from weaklearn.studies.own.thresholds.thresholds import CRM, EXPERIMENT


def test_crm_is_its_formula():
    """The power model by a sum over its grid, for one history."""
    method = ContinualReassessment()
    method.tell(1.0, [False, False, True])
    a = np.linspace(-5, 5, 401)
    p = np.array([0.09, 0.18, 0.30, 0.42, 0.53])[:, None] ** np.exp(a)
    weights = np.exp(-(a**2) / 2 / 1.34) * p[0] * (1 - p[0]) ** 2
    np.testing.assert_allclose(method.weights(), weights / weights.sum(), atol=1e-9)


def test_a_trial_finds_the_steep_dose_more_often_than_chance():
    rng = np.random.default_rng(0)
    found = [
        treat(DefaultEscalation().start(), SCENARIOS["steep, dose 3"], rng.random(30))[0] for _ in range(20)
    ]
    assert np.mean([dose == 3.0 for dose in found]) > 0.5


def test_overdosed_patients_are_counted():
    class Highest:
        def ask(self):
            return DOSES[-1]

        def tell(self, dose, outcomes):
            pass

        def recommend(self):
            return DOSES[0]

    assert treat(Highest(), SCENARIOS["flat, dose 4"], np.zeros(30)) == (1.0, 30)
    assert treat(Highest(), SCENARIOS["top, dose 5"], np.zeros(30)) == (1.0, 0)


def test_what_a_trial_records():
    table = EXPERIMENT.tables[3]
    trial = Trial.series(table.protocol, table.rows[0], CRM, 1)[0]
    found = treated(trial, n_runs=5)
    luck = np.random.default_rng(trial.data_seed).random((5, 30))
    runs = [treat(ContinualReassessment(), SCENARIOS["steep, dose 3"], one) for one in luck]
    assert found == {
        "right": 20.0 * sum(d == 3.0 for d, _ in runs),
        "overdosed": np.mean([o for _, o in runs]),
    }
