"""The curves and scenarios on which settings were chosen."""

import numpy as np
from benchmarks.threshold_tuning import dose_scenarios, plateau_cases, tuning_cases


def test_random_cases_rise_and_reach_their_target():
    x = np.linspace(0, 1, 101)
    for case in (*tuning_cases(n_s_shaped=4, n_other=5, n_forced=2), *plateau_cases(n=4)):
        p = case.curve(x)
        assert (np.diff(p) >= -1e-12).all()
        assert p[0] < case.target < p[-1]
        assert case.guess_rate - 1e-9 <= p.min()
        assert p.max() <= 1 + 1e-9


def test_the_right_dose_of_a_scenario_is_the_one_it_says():
    harm = dose_scenarios(n_each=3)
    assert harm.shape == (5, 3, 5)
    assert (np.diff(harm, axis=2) > 0).all()
    assert (np.abs(harm - 0.3).argmin(axis=2) == np.arange(5)[:, None]).all()
