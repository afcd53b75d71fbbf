"""How many answers: the plan agrees with the simulation it rests on."""

import numpy as np
import pytest

from weaklearn.adaptive import EqualAllocation, PosteriorMinEnt, plan_trials

LEVELS = np.linspace(0, 1, 11)


def guess(x):
    return 1 / (1 + np.exp((0.4 - x) / 0.05))


def test_the_plan_is_read_off_the_simulated_widths():
    heard = []
    plan = plan_trials(
        PosteriorMinEnt(LEVELS),
        guess,
        0.25,
        max_answers=40,
        n_runs=25,
        random_state=0,
        progress=lambda *now: heard.append(now),
    )
    assert heard[-1] == (40, 40)
    share = (plan.simulation.widths[0] <= 0.25).mean(axis=0)
    assert (share[plan.needed - 1 :] >= 0.8).all()
    assert share[plan.needed - 2] < 0.8
    assert plan.typical_width[-1] <= 0.25
    assert plan.rmse.shape == plan.coverage.shape == plan.n_answers.shape == (40,)
    assert plan.coverage[-1] >= 0.7
    assert f"About {plan.needed} answers" in plan.sentence()


def test_a_precision_out_of_reach_is_said():
    plan = plan_trials(PosteriorMinEnt(LEVELS), guess, 0.001, max_answers=12, n_runs=5, random_state=0)
    assert plan.needed is None
    assert "12 answers are not enough" in plan.sentence()


def test_samplers_with_bootstrap_intervals_can_be_planned_too():
    plan = plan_trials(EqualAllocation(LEVELS), guess, 0.9, max_answers=11, n_runs=3, random_state=0)
    assert plan.simulation.widths.shape == (1, 3, 11)


@pytest.mark.parametrize("wrong", [{"width": 0}, {"share": 0}, {"confidence": 1}])
def test_wrong_settings(wrong):
    settings = {"width": 0.1, **wrong}
    with pytest.raises(ValueError, match="width must be positive"):
        plan_trials(PosteriorMinEnt(LEVELS), guess, **settings)
