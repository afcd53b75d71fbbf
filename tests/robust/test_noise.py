"""The stack's and the noise model's gradients, and what the noise model recovers."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import expit, softmax

from weaklearn.robust._anchors import confident_spread, find_anchors, skill
from weaklearn.robust._noise import NoiseModel, noise_objective, rate_prior
from weaklearn.robust._stack import Calibration, Stack, stack_objective
from weaklearn.robust._wrong_labels import best_f1_list, wrong_labels


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
    possible = np.ones((40, 3))
    possible[:5] = codes[:5, None] == np.arange(3)
    spread = random.rand(3, 3) * (1 - np.eye(3))
    spread /= spread.sum(axis=1, keepdims=True)
    for mask, uneven, centred in ((None, None, False), (possible, spread, True)):
        arguments = (r, S, codes, random.rand(40), asymmetric, mask, None, 2.0, centred, uneven)
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
        S, given, np.ones(6000), rates=rates, prior=rate_prior(rates), kappa=1.0, asymmetric=True
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


def test_interval_covers_the_count():
    """Rates from the prior, scores from the model: a 90% interval must cover about nine times in ten."""
    covered = []
    for seed in range(40):
        random = np.random.RandomState(seed)
        rate = random.beta(2, 14)
        x = 6 * random.randn(200)
        true = (random.rand(200) < expit(x)).astype(int)
        wrong = random.rand(200) < rate
        S = np.column_stack([-x / 2, x / 2])
        low, high = wrong_labels(S, np.where(wrong, 1 - true, true)).interval
        covered.append(low <= wrong.sum() <= high)
    # Two standard errors below 90%; the prior on hidden mistakes only makes it wider.
    assert np.mean(covered) >= 0.8


def test_reviewed_rows_sharpen_the_count():
    errors, widths = np.zeros((2, 6)), np.zeros((2, 6))
    for seed in range(6):
        random = np.random.RandomState(seed)
        x = 1.2 * random.randn(300)
        true = (random.rand(300) < expit(2 * x)).astype(int)
        wrong = random.rand(300) < 0.2
        given = np.where(wrong, 1 - true, true)
        S = np.column_stack([-x, x])
        known = np.full(300, -1)
        known[:150] = true[:150]
        found = wrong_labels(S, given), wrong_labels(S, given, known)
        np.testing.assert_array_equal(found[1].label_probability[:150].argmax(axis=1), true[:150])
        errors[:, seed] = [e.n_wrong - wrong.sum() for e in found]
        widths[:, seed] = [e.interval[1] - e.interval[0] for e in found]
    before, after = widths.mean(axis=1)
    assert after < 0.6 * before
    before, after = (errors**2).mean(axis=1)
    assert after < before


def test_gradient_of_anchors():
    S, codes, random = scores(40, 3)
    anchors = find_anchors(S, 0.3, 20.0)
    assert anchors.weight.sum() == pytest.approx(20)
    x = np.r_[1.3, 0.5 * random.randn(6)]
    arguments = (0.1, S, codes, np.ones(40), True, None, anchors)
    assert slope_error(noise_objective, x, arguments) < 1e-4


@pytest.mark.parametrize("one_way", [False, True])
def test_noise_on_separated_classes_is_not_taken_for_overlap(one_way):
    """Scores as learners give them: log-odds of the given label, which noise keeps small everywhere."""
    biases = []
    for seed in range(4):
        random = np.random.RandomState(seed)
        true = random.randint(0, 2, 240)
        wrong = random.rand(240) < (np.where(true == 1, 0.3, 0.0) if one_way else 0.2)
        margin = np.where(true == 1, 1, -1) * (1 + 0.3 * random.randn(240))
        level = np.where(margin > 0, np.log(0.7 / 0.3), 5.0) if one_way else np.log(0.8 / 0.2)
        S = np.outer(level * margin / 2, [-1, 1])
        given = np.where(wrong, 1 - true, true)
        found = wrong_labels(S, given)
        biases.append((found.n_wrong - wrong.sum()) / wrong.sum())
        listed = best_f1_list(1 - found.label_probability[np.arange(240), given])
        assert wrong[listed].mean() > 0.9
    assert abs(np.mean(biases)) < 0.15


def test_spread_follows_contradictions_of_confident_predictions():
    random = np.random.RandomState(0)
    true = random.randint(0, 4, 2000)
    S = 6 * np.eye(4)[true] + 0.1 * random.randn(2000, 4)
    given = np.where((true == 1) & (random.rand(2000) < 0.3), 2, true)
    spread = confident_spread(S, given, 2.0)
    np.testing.assert_allclose(spread.sum(axis=1), 1)
    np.testing.assert_array_equal(np.diag(spread), 0)
    assert spread[1, 2] > 0.9
    np.testing.assert_allclose(spread[0], [0, 1 / 3, 1 / 3, 1 / 3])


def test_skill_is_relative_to_the_majority_class():
    codes = np.repeat([0, 1], [30, 10])
    assert skill(np.eye(2)[codes], codes) == 1
    assert skill(np.eye(2)[np.zeros(40, dtype=int)], codes) == 0
    half = codes.copy()
    half[30:35] = 0
    assert skill(np.eye(2)[half], codes) == pytest.approx(0.5)


def test_list_maximises_expected_f1():
    random = np.random.RandomState(0)
    P = random.beta(0.3, 2, 50)
    listed = best_f1_list(P)
    values = [2 * np.sort(P)[::-1][:k].sum() / (k + P.sum()) for k in range(1, 51)]
    assert len(listed) == np.argmax(values) + 1
    np.testing.assert_array_equal(P[listed], np.sort(P)[::-1][: len(listed)])
