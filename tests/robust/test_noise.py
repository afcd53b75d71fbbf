"""The stack's and the noise model's gradients, and what the noise model recovers."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import softmax

from weaklearn.robust._noise import NoiseModel, noise_objective
from weaklearn.robust._stack import Calibration, Stack, stack_objective


def scores(n, K, seed=0, sharpness=2.0):
    random = np.random.RandomState(seed)
    S = sharpness * random.randn(n, K)
    S -= S.mean(axis=1, keepdims=True)
    true = np.array([random.choice(K, p=p) for p in softmax(S, axis=1)])
    return S, true, random


def slope_error(f, x, arguments):
    return check_grad(lambda x: f(x, *arguments)[0], lambda x: f(x, *arguments)[1], x)


def test_gradient_of_the_stack():
    S, codes, random = scores(40, 3)
    L = np.stack([S, random.randn(40, 3)])
    arguments = (L, codes, random.rand(40), 0.5, 1.2)
    assert slope_error(stack_objective, random.rand(5), arguments) < 1e-4


@pytest.mark.parametrize("r", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("asymmetric", [False, True])
def test_gradient_of_the_noise_model(r, asymmetric):
    S, codes, random = scores(40, 3)
    x = np.r_[1.3, 0.5 * random.randn(6 if asymmetric else 3)]
    for centred in (False, True):
        arguments = (r, S, codes, random.rand(40), asymmetric, 2.0, centred)
        assert slope_error(noise_objective, x, arguments) < 1e-4


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


def test_noise_model_recovers_rates_of_classes():
    S, true, random = scores(6000, 3, sharpness=4.0)
    rho = np.array([0.05, 0.25, 0.05])
    move = random.rand(6000) < rho[true]
    given = np.where(move, (true + random.randint(1, 3, 6000)) % 3, true)
    rates = np.array([0.001, 0.03, 0.06, 0.09, 0.12, 0.15, 0.2, 0.3])
    model = NoiseModel(
        S, given, np.ones(6000), rates=rates, prior=np.ones(8) / 8, kappa=1.0, asymmetric=True
    )  # fmt: skip
    np.testing.assert_allclose(1 - np.diag(model.transition), rho, atol=0.03)
    # The probabilities are those of the true labels, calibrated.
    P = model.label_probability(S, given)
    wrong = 1 - P[np.arange(6000), given]
    for low, high in ((0, 0.05), (0.05, 0.3), (0.3, 0.7), (0.7, 1)):
        inside = (wrong >= low) & (wrong < high)
        spread = np.sqrt(0.25 / inside.sum())
        assert abs(wrong[inside].mean() - move[inside].mean()) < 0.02 + 3 * spread


def test_weights_count_rows():
    S, codes, _ = scores(60, 2)
    settings = {"rates": np.array([0.01, 0.1, 0.3]), "prior": np.ones(3), "kappa": 1.0, "asymmetric": True}
    weight = np.arange(60) % 3 + 1.0
    repeated = np.repeat(np.arange(60), weight.astype(int))
    a = NoiseModel(S, codes, weight, **settings)
    b = NoiseModel(S[repeated], codes[repeated], np.ones(len(repeated)), **settings)
    np.testing.assert_allclose(a.class_probability(S), b.class_probability(S), atol=1e-4)
