"""The classifier's noise link: equal rates unless the data say otherwise."""

import numpy as np
import pytest
from scipy.special import expit, softmax

from weaklearn.robust._noise_link import NoiseLink


def noisy_rows(rates, n=1500, seed=0):
    """True log-odds, and labels of which these shares are wrong in each class."""
    random = np.random.RandomState(seed)
    f = 3 * random.randn(n)
    true = (random.rand(n) < expit(f)).astype(int)
    given = np.where(random.rand(n) < np.asarray(rates)[true], 1 - true, true)
    return np.column_stack([-f / 2, f / 2]), given, true


def link(rates, **options):
    S, given, true = noisy_rows(rates, **options)
    return NoiseLink(S, given, np.ones(len(given))), S, given, true


def test_equal_rates_are_believed_to_be_equal():
    model, *_ = link((0.2, 0.2))
    assert model.parts[1][0] < 0.4
    assert model.rate == pytest.approx(0.2, abs=0.06)


def test_rates_that_differ_are_found():
    model, S, _, true = link((0.35, 0.0))
    assert model.parts[1][0] > 0.95
    rho = model.parts[1][1].transition
    assert rho[0, 1] > 0.2
    assert rho[1, 0] < 0.1
    # The boundary is that of the true labels: given ones would move it by half the rows of class 0 near it.
    predicted = model.class_probability(S).argmax(axis=1)
    assert np.mean(predicted != true) < np.mean((S[:, 1] > 0) != true) + 0.01


def test_probabilities_are_mixtures_of_both_models():
    model, S, given, _ = link((0.3, 0.1), n=300)
    (alike_share, alike), (own_share, own) = model.parts
    assert alike_share + own_share == pytest.approx(1)
    for name, arguments in {
        "class_probability": (S,),
        "given_probability": (S,),
        "label_probability": (S, given),
    }.items():
        mixed = getattr(model, name)(*arguments)
        expected = alike_share * getattr(alike, name)(*arguments) + own_share * getattr(own, name)(*arguments)
        np.testing.assert_allclose(mixed, expected)
        np.testing.assert_allclose(mixed.sum(axis=1), 1)


def test_the_weight_is_that_of_the_evidence():
    model, S, given, _ = link((0.25, 0.05), n=200, seed=3)
    (alike_share, alike), (own_share, own) = model.parts

    def evidence(noise):
        return np.mean(np.exp(0.5 * (noise.log_likelihood - own.log_likelihood.max())))

    assert own_share / alike_share == pytest.approx(evidence(own) / evidence(alike) / np.e)
    # The likelihood at rate 0 is that of the calibrated curve itself.
    fit = alike.fits[0]
    curve = softmax(fit.a * S + fit.b, axis=1)[np.arange(200), given]
    penalty = 0.1 * (fit.a - 1) ** 2 + 0.025 * (fit.b @ fit.b)
    assert alike.log_likelihood[0] == pytest.approx(np.log(curve).sum() - penalty)
