"""The curves on which settings were chosen."""

import numpy as np
from benchmarks.threshold_tuning import plateau_cases, tuning_cases


def test_random_cases_rise_and_reach_their_target():
    x = np.linspace(0, 1, 101)
    for case in (*tuning_cases(n_s_shaped=4, n_other=5, n_forced=2), *plateau_cases(n=4)):
        p = case.curve(x)
        assert (np.diff(p) >= -1e-12).all()
        assert p[0] < case.target < p[-1]
        assert case.guess_rate - 1e-9 <= p.min()
        assert p.max() <= 1 + 1e-9
