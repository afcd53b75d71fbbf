"""The posterior by brute force, the rule of the race by simulation, and the choice on recorded fits."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from weaklearn.comparison import _choice
from weaklearn.comparison._choice import Beliefs, beliefs, worth

NAMES = ["robust classifier", "random forest", "mine"]


def losses(n, errors=(0.1, 0.15, 0.3), seed=0):
    """Losses that have half of the rows' hardness in common."""
    rng = np.random.default_rng(seed)
    common, own = rng.random(n), rng.random((len(errors), n))
    which = rng.random(n) < 0.5
    return (np.where(which, common, own) < np.array(errors)[:, None]).astype(float)


def test_the_posterior_is_prior_times_likelihood():
    """On a fine grid of the two differences, integrating the level out."""
    wrong = losses(40)[:2]
    found = beliefs(NAMES[:2], wrong)
    u = ((wrong.sum(axis=1) + 1) / 42).min()
    prior = _choice._prior(NAMES[:2], np.sqrt(u * (1 - u)))
    S = np.cov(wrong, bias=True) / 40 + np.eye(2) / 1600
    grid = np.linspace(-1.5, 1.5, 601)
    points = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)
    weight = multivariate_normal(prior.mean, prior.covariance).pdf(points)
    weight *= multivariate_normal(wrong.mean(axis=1), S).pdf(points)
    weight /= weight.sum()
    mean = np.einsum("ij,ijk->k", weight, points)
    centred = points - mean
    np.testing.assert_allclose(found.mean, mean, atol=1e-6)
    np.testing.assert_allclose(
        found.covariance, np.einsum("ij,ijk,ijl->kl", weight, centred, centred), rtol=1e-3, atol=1e-8
    )


def test_blocks_of_the_same_classifiers_add_up():
    """With the same covariance per row, two blocks are one: the update is that of all rows."""
    known = _choice._prior(NAMES, 0.3)
    S, e = np.cov(losses(60), bias=True), losses(60).mean(axis=1)
    once = known.after(np.arange(3), e, S / 60)
    twice = known.after(np.arange(3), e, S / 20).after(np.arange(3), e, S / 40)
    np.testing.assert_allclose(once.mean, twice.mean)
    np.testing.assert_allclose(once.covariance, twice.covariance, atol=1e-12)


def test_more_rows_outweigh_the_prior_and_order_does_not_matter():
    wrong = losses(20_000, errors=(0.2, 0.18, 0.15))
    found = beliefs(NAMES, wrong)
    np.testing.assert_allclose(found.mean, wrong.mean(axis=1), atol=2e-3)
    assert found.best == 2
    again = beliefs(NAMES[::-1], wrong[::-1])
    np.testing.assert_allclose(again.mean[::-1], found.mean)


def test_without_evidence_the_prior_decides():
    """Three rows that all get right say nothing: the one that usually wins is chosen."""
    assert beliefs(["logistic regression", "robust classifier"], np.zeros((2, 3))).best == 1


def test_who_left_counts_with_what_was_seen():
    wrong = losses(100)
    wrong[2, 20:] = np.nan
    found = beliefs(NAMES, wrong)
    full = beliefs(NAMES, losses(100))
    assert found.covariance[2, 2] - found.covariance[2, 0] > full.covariance[2, 2] - full.covariance[2, 0]
    assert found.best == 0


def test_repeats_count_as_one():
    wrong = losses(50)
    once, twice = beliefs(NAMES, wrong), beliefs(NAMES, np.tile(wrong, 2), 2)
    np.testing.assert_allclose(twice.covariance, once.covariance)
    np.testing.assert_allclose(twice.mean, once.mean)


def test_regret_by_simulation_and_for_two_in_closed_form():
    known = Beliefs(np.array([0.1, 0.12]), np.array([[4e-4, 1e-4], [1e-4, 4e-4]]))
    s = np.sqrt(6e-4)
    z = 0.02 / s
    expected = s * (np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)) - 0.02 * (1 - _choice.norm.cdf(z))
    regret, most = known.regret()
    assert regret == pytest.approx(expected, rel=0.05)
    assert most == pytest.approx(max(0.0, s * 1.6449 - 0.02), rel=0.05)


def test_what_more_folds_are_worth_is_what_they_bring():
    """The rest of the rows drawn from the posterior: by how much they lower the expected error of the choice."""
    wrong = losses(60, errors=(0.2, 0.22, 0.5))[:2]
    known, n_left = beliefs(NAMES[:2], wrong), 60
    found = worth(known, wrong, [0, 1], n_left)
    evidence = _choice._evidence(wrong, n_left)
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(4000):
        truth = rng.multivariate_normal(known.mean, known.covariance)
        later = known.after(np.arange(2), rng.multivariate_normal(truth, evidence), evidence)
        gains.append(later.mean[known.best] - later.mean.min())
    other = 1 - known.best
    assert found[known.best] == np.inf
    assert found[other] == pytest.approx(np.mean(gains), abs=4 * np.std(gains) / np.sqrt(4000))
    assert worth(known, wrong, [0, 1], 0.001)[other] < found[other]
