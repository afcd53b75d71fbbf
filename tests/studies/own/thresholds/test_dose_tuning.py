"""The scenarios on which the numbers of `DoseEscalation` were chosen, and what happens in them."""

import itertools

import numpy as np
import pytest
from benchmarks.dose_tuning import dose_scenarios, operating, skeleton

from weaklearn.adaptive import DoseEscalation
from weaklearn.studies.own.thresholds.dose_trials import SKELETON, ContinualReassessment


@pytest.mark.parametrize(("n_doses", "target"), [(5, 0.3), (6, 0.2)])
def test_the_right_dose_of_a_scenario_is_the_one_it_says(n_doses, target):
    harm = dose_scenarios(n_each=3, n_doses=n_doses, target=target)
    assert harm.shape == (4, n_doses, 3, n_doses)
    assert (np.diff(harm, axis=-1) > 0).all()
    assert (np.abs(harm - target).argmin(axis=-1) == np.arange(n_doses)[:, None]).all()


def test_the_skeleton_is_that_of_the_study():
    np.testing.assert_allclose(skeleton(5, 0.3), SKELETON, atol=0.01)
    # Its definition: with the power at which a dose has the upper end of the zone, the one below has the lower end.
    guessed = skeleton(7, 0.25)
    powers = np.log(0.31) / np.log(guessed[1:])
    np.testing.assert_allclose(guessed[:-1] ** powers, 0.19)


@pytest.mark.parametrize(
    "start", [lambda: DoseEscalation([1.0, 2.0, 3.0, 4.0, 5.0], cohort=2), ContinualReassessment]
)
def test_exact_operating_characteristics_are_a_sum_over_all_answers(start):
    scenarios = np.array([[0.05, 0.2, 0.35, 0.5, 0.7], [0.3, 0.45, 0.6, 0.7, 0.8]])
    found, overdosed = np.zeros(2), np.zeros(2)
    for answers in itertools.product([False, True], repeat=6):
        trial, chance, high = start(), np.ones(2), np.zeros(2)
        for first in range(0, 6, 2):
            dose = trial.ask()
            harm = scenarios[:, int(dose) - 1]
            for harmed in answers[first : first + 2]:
                chance *= harm if harmed else 1 - harm
            high += 2 * (harm > 0.4)
            trial.tell(dose, answers[first : first + 2])
        found += chance * (np.abs(scenarios - 0.3).argmin(axis=1) == trial.recommend() - 1)
        overdosed += chance * high
    right, over = operating(start, scenarios, 0.3, n_patients=6, cohort=2)
    np.testing.assert_allclose(right, found, atol=1e-5)
    np.testing.assert_allclose(over, overdosed, atol=1e-4)
