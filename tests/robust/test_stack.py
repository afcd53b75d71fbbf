"""Calibrated members and their stack."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import softmax

from weaklearn.robust._stack import Calibration, Stack, stack_objective


def scores(n, K, seed=0, sharpness=2.0):
    random = np.random.RandomState(seed)
    S = sharpness * random.randn(n, K)
    S -= S.mean(axis=1, keepdims=True)
    true = np.array([random.choice(K, p=p) for p in softmax(S, axis=1)])
    return S, true, random


def test_gradient_of_the_stack():
    S, codes, random = scores(40, 3)
    L = np.stack([S, random.randn(40, 3)])
    arguments = (L, codes, random.rand(40), 0.5, 1.2)
    x = random.rand(5)
    assert check_grad(*(lambda x, k=k: stack_objective(x, *arguments)[k] for k in (0, 1)), x) < 1e-4


def test_stack_prefers_the_member_that_knows():
    S, codes, random = scores(400, 3)
    L = np.array([S, random.randn(400, 3)])
    v = Stack(L, codes, np.ones(400)).weight
    assert v[0] > 0.8
    assert 0 <= v[1] < 0.1


def test_calibration_recovers_slope_and_constant():
    S, codes, _ = scores(4000, 3)
    calibration = Calibration(S / 5 - [0.3, 0.0, 0.0], codes, np.ones(4000))
    np.testing.assert_allclose(calibration.log_odds(S / 5 - [0.3, 0.0, 0.0]), S, atol=0.5)
    assert calibration.slope == pytest.approx(5, rel=0.1)
