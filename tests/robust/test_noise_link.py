"""The prior of the classifier: noise rates from held-out log-odds, and probabilities of true labels."""

import numpy as np
import pytest
from scipy.special import expit, softmax

from weaklearn.robust._noise import NoiseLink, link_kinds


def noisy_rows(rates, n=1500, seed=0):
    """Log-odds that are flatter than the true ones, and labels of which these shares are wrong in each class."""
    random = np.random.RandomState(seed)
    f = 3 * random.randn(n)
    true = (random.rand(n) < expit(f)).astype(int)
    given = np.where(random.rand(n) < np.asarray(rates)[true], 1 - true, true)
    return np.column_stack([-f / 4, f / 4]), given, true


def link(rates, **options):
    S, given, true = noisy_rows(rates, **options)
    return NoiseLink(S, given, np.ones(len(given))), S, given, true


def one_class_probability(model):
    return model.posterior[np.array(model.names) != "alike"].sum()


def test_transitions():
    alike, *others = link_kinds(3, [0, 2])
    np.testing.assert_allclose(alike.transitions[4], np.full((3, 3), 0.1) + 0.7 * np.eye(3))
    assert [kind.name for kind in others] == ["0 as others", "2 as others"]
    np.testing.assert_allclose(link_kinds(2, [0])[1].transitions[3], [[0.8, 0.2], [0, 1]])


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.2, 0.3])
def test_equal_rates_are_found_and_believed_to_be_equal(rate):
    model, *_ = link((rate, rate))
    assert one_class_probability(model) < 0.4
    assert model.noise_rate == pytest.approx(rate, abs=0.04)


def test_rates_that_differ_are_found():
    model, S, _, true = link((0.35, 0.0))
    assert one_class_probability(model) > 0.95
    assert model.transition[0, 1] > 0.2
    assert model.transition[1, 0] < 0.1
    # The boundary is that of the true labels: given ones would move it by half the rows of class 0 near it.
    predicted = model.class_probability(S).argmax(axis=1)
    assert np.mean(predicted != true) < np.mean((S[:, 1] > 0) != true) + 0.01


@pytest.mark.parametrize("rate", [0.0, 0.2])
def test_probabilities_are_those_of_true_labels(rate):
    model, S, given, true = link((rate, rate), n=4000)
    for P, outcome in (
        (model.class_probability(S)[:, 1], true == 1),
        (model.given_probability(S)[:, 1], given == 1),
        (model.label_probability(S, given)[np.arange(4000), given], given == true),
    ):
        bins = np.minimum((10 * P).astype(int), 9)
        gap = sum(abs((P - outcome)[bins == k].sum()) for k in range(10)) / 4000
        assert gap < 0.03  # chance alone has 0.01


def test_the_posterior_is_prior_times_likelihood_to_a_power_times_doubt():
    model, S, given, _ = link((0.25, 0.05), n=200, seed=3)
    rows = np.arange(200)
    lead = np.abs(S[:, 1] - S[:, 0])
    predicted = S.argmax(axis=1)
    base = 1 - np.bincount(given).max() / 200
    skill = 1 - np.mean(predicted != given) / base
    strength = 0.3 * 200 * skill**2
    expected = []
    for name, fit in zip(model.names, model.fits, strict=True):
        r = 1 - fit.transition.diagonal().min()
        q = softmax(fit.a * S + fit.b, axis=1)
        likelihood = np.log((q @ fit.transition)[rows, given]).sum()
        penalty = 0.5 * (np.log(fit.a) - 4 * r) ** 2 + 0.025 * fit.b @ fit.b
        doubt, parts = 0.0, []
        for j in (0, 1):
            inside = np.flatnonzero(predicted == j)
            chosen = inside[np.argsort(-lead[inside])[: int(np.ceil(0.1 * len(inside)))]]
            parts.append((np.sqrt(len(inside)), np.mean(1 - q[chosen, j])))
        doubt = strength * sum(w * d for w, d in parts) / sum(w for w, _ in parts)
        prior = (3 * (1 + 30 * np.exp(-skill / 0.03)) if r == 0 else 1) * (
            1 if name == "alike" else np.exp(-1) / 2
        )
        expected.append(0.5 * (likelihood - penalty) - doubt + np.log(prior))
    np.testing.assert_allclose(model.posterior, softmax(expected), rtol=1e-6)


def test_more_classes_try_the_most_suspicious_ones():
    random = np.random.RandomState(0)
    true = random.randint(0, 9, 900)
    S = 3 * np.eye(9)[true] + 0.5 * random.randn(900, 9)
    given = np.where((true == 7) & (random.rand(900) < 0.3), (7 + random.randint(1, 9, 900)) % 9, true)
    model = NoiseLink(S, given, np.ones(900))
    tried = set(model.names) - {"alike"}
    assert len(tried) == 6
    assert "7 as others" in tried
    assert 1 - model.transition[7, 7] == pytest.approx(np.mean(given[true == 7] != 7), abs=0.06)
    assert np.delete(np.diag(model.transition), 7).min() > 0.97


def test_weights_count_rows():
    S, codes, _ = noisy_rows((0.2, 0.2), n=60)
    weight = np.arange(60) % 3 + 1.0
    repeated = np.repeat(np.arange(60), weight.astype(int))
    a = NoiseLink(S, codes, weight)
    b = NoiseLink(S[repeated], codes[repeated], np.ones(len(repeated)))
    np.testing.assert_allclose(a.class_probability(S), b.class_probability(S), atol=1e-4)
