import math

import numpy as np
import pytest
from scipy import stats

from weaklearn.datasets import make_ringnorm, make_threenorm, make_twonorm

MANY = 100_000


def tolerance(error):
    return 5 * math.sqrt(error * (1 - error) / MANY)


def log_density(X, mean):
    return -0.5 * ((X - mean) ** 2).sum(axis=1)


def test_twonorm_best_error():
    X, y = make_twonorm(MANY, random_state=0)
    best = stats.norm.cdf(-2)
    assert best == pytest.approx(0.023, abs=5e-4)
    assert np.mean(np.sign(X.sum(axis=1)) != y) == pytest.approx(best, abs=tolerance(best))


def test_threenorm_best_error():
    X, y = make_threenorm(MANY, random_state=0)
    a = 2 / math.sqrt(20)
    mean = np.full(20, a)
    alternating = mean * np.tile((1, -1), 10)
    first = np.logaddexp(log_density(X, mean), log_density(X, -mean)) - math.log(2)
    predicted = np.where(first > log_density(X, alternating), 1, -1)
    assert np.mean(predicted != y) == pytest.approx(0.105, abs=0.004)


def ringnorm_best_error(a):
    """Exact: the best region of the narrow class is a ball, so both errors are noncentral chi-square tails.

    Squaring out, the log-likelihood ratio is positive for the narrow class iff
    |x - 4m/3|^2 < (4/3) (2 d ln 2 + |m|^2 / 3).
    """
    squared_norm = 20 * a**2
    radius_squared = 4 / 3 * (40 * math.log(2) + squared_norm / 3)
    narrow_outside = stats.ncx2.sf(radius_squared, 20, squared_norm / 9)
    wide_inside = stats.ncx2.cdf(radius_squared / 4, 20, 4 / 9 * squared_norm)
    return (narrow_outside + wide_inside) / 2


@pytest.mark.parametrize(("a", "documented"), [(None, 0.015), (2 / math.sqrt(20), 0.0124)])
def test_ringnorm_best_error(a, documented):
    X, y = make_ringnorm(MANY, a=a, random_state=0)
    shift = 1 / math.sqrt(20) if a is None else a
    wide = -0.125 * (X**2).sum(axis=1) - 20 * math.log(2)
    predicted = np.where(wide > log_density(X, shift), 1, -1)
    best = ringnorm_best_error(shift)
    assert best == pytest.approx(documented, abs=1e-4)
    assert np.mean(predicted != y) == pytest.approx(best, abs=tolerance(best))


@pytest.mark.parametrize("make", [make_twonorm, make_threenorm, make_ringnorm])
def test_classes_are_drawn_with_probability_one_half(make):
    _, y = make(MANY, n_features=1, random_state=0)
    assert np.mean(y > 0) == pytest.approx(0.5, abs=tolerance(0.5))


@pytest.mark.parametrize(
    ("make", "positive_mean", "positive_second_moment", "negative_mean", "negative_second_moment"),
    [
        (make_twonorm, [3, 3, 3], 10, [-3, -3, -3], 10),
        (make_threenorm, [0, 0, 0], 10, [3, -3, 3], 10),
        (make_ringnorm, [0, 0, 0], 4, [3, 3, 3], 10),
    ],
)
def test_moments(make, positive_mean, positive_second_moment, negative_mean, negative_second_moment):
    X, y = make(MANY, n_features=3, a=3.0, random_state=0)
    np.testing.assert_allclose(X[y > 0].mean(axis=0), positive_mean, atol=0.1)
    np.testing.assert_allclose((X[y > 0] ** 2).mean(axis=0), positive_second_moment, atol=0.3)
    np.testing.assert_allclose(X[y < 0].mean(axis=0), negative_mean, atol=0.1)
    np.testing.assert_allclose((X[y < 0] ** 2).mean(axis=0), negative_second_moment, atol=0.3)


def test_default_distance_between_means_does_not_depend_on_the_dimension():
    for n_features in (5, 80):
        X, y = make_twonorm(MANY // 4, n_features=n_features, random_state=0)
        gap = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
        assert np.linalg.norm(gap) == pytest.approx(4, abs=0.1)


@pytest.mark.parametrize(("make", "steps"), [(make_twonorm, -2), (make_threenorm, 2), (make_ringnorm, 1)])
def test_default_mean_of_the_second_class(make, steps):
    X, y = make(MANY, random_state=0)
    assert X[y < 0, 0].mean() == pytest.approx(steps / math.sqrt(20), abs=5 / math.sqrt(MANY / 2))
