"""Calibrated members and their stack."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import softmax

from weaklearn.robust._stack import Calibration, Stack, stack_objective, wrong_label_objective


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


@pytest.mark.parametrize("K", [2, 4])
def test_gradient_of_the_stack_that_knows_of_wrong_labels(K):
    S, codes, random = scores(40, K)
    L = np.stack([S, random.randn(40, K)])
    arguments = (L, codes, random.rand(40))
    x = np.r_[random.rand(2), random.randn(K), 1.7, 0.13]
    assert check_grad(*(lambda x, k=k: wrong_label_objective(x, *arguments)[k] for k in (0, 1)), x) < 1e-4


def half_known(n, flipped, seed=0):
    """Members that know a half each, labels by the first half four times as much, some of them flipped."""
    random = np.random.RandomState(seed)
    L = random.randn(2, n, 3)
    L -= L.mean(axis=2, keepdims=True)
    true = np.array([random.choice(3, p=p) for p in softmax(8 * L[0] + 2 * L[1], axis=1)])
    wrong = random.rand(n) < flipped
    return L, np.where(wrong, (true + random.randint(1, 3, n)) % 3, true)


@pytest.mark.parametrize("flipped", [0.0, 0.1, 0.3])
def test_wrong_labels_do_not_change_the_balance_of_members(flipped):
    L, codes = half_known(4000, flipped)
    v = Stack(L, codes, np.ones(4000), wrong_labels=True).weight
    assert v[0] / v[1] == pytest.approx(4, rel=0.2)


def test_scores_of_the_stack_that_knows_are_those_of_given_labels():
    L, codes = half_known(4000, 0.3)
    S = Stack(L, codes, np.ones(4000), wrong_labels=True).log_odds(L)
    again = Calibration(S, codes, np.ones(4000))
    assert again.slope == pytest.approx(1, abs=0.01)
    np.testing.assert_allclose(again.constant, 0, atol=0.02)


def test_weights_are_copies_to_the_stack_that_knows():
    L, codes = half_known(300, 0.2)
    twice = np.r_[np.arange(300), np.arange(150)]
    weighted = Stack(L, codes, np.r_[np.full(150, 2.0), np.ones(150)], wrong_labels=True)
    copied = Stack(L[:, twice], codes[twice], np.ones(450), wrong_labels=True)
    np.testing.assert_allclose(weighted.weight, copied.weight, rtol=1e-3)


def test_calibration_recovers_slope_and_constant():
    S, codes, _ = scores(4000, 3)
    calibration = Calibration(S / 5 - [0.3, 0.0, 0.0], codes, np.ones(4000))
    np.testing.assert_allclose(calibration.log_odds(S / 5 - [0.3, 0.0, 0.0]), S, atol=0.5)
    assert calibration.slope == pytest.approx(5, rel=0.1)
