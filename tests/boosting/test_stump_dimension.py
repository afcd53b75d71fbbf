"""The VC dimension of stumps against brute force, and by construction where that is too much."""

import itertools

import numpy as np
import pytest

from weaklearn.boosting import stump_dichotomies, stump_dimension


def _orders(m):
    """The orders of m points, one of each pair that are each other's reverse; stumps do not tell these apart."""
    return [order for order in itertools.permutations(range(m)) if order[0] < order[-1]]


def _sets(order):
    """The labellings of one feature as bit masks."""
    m, found, mask = len(order), {0, 2 ** len(order) - 1}, 0
    for point in order:
        mask |= 1 << point
        found |= {mask, 2**m - 1 - mask}
    return found


@pytest.mark.parametrize("n_features", [1, 2, 3, 4])
def test_dimension_by_brute_force(n_features):
    def shattered(m):
        sets = [_sets(order) for order in _orders(m)]
        # One feature may have any order; which point is called which does not matter, so the first is given.
        rest = itertools.combinations(sets[1:], n_features - 1)
        return any(len(sets[0].union(*some)) == 2**m for some in rest)

    d = stump_dimension(n_features)
    assert d <= n_features + 1  # theorem 13
    assert shattered(d)
    assert not shattered(d + 1)


@pytest.mark.parametrize(("n_features", "m"), [(5, 5), (10, 6)])
def test_dimension_by_construction(n_features, m):
    """As many features as the formula asks for, and no more, shatter m points: greedy orders, the rest by count."""
    assert stump_dimension(n_features) == m
    assert stump_dimension(n_features - 1) == m - 1
    rng = np.random.default_rng(0)
    sets = [_sets(order) for order in _orders(m)]
    for _ in range(2000):
        covered = set()
        for _ in range(n_features):
            gains = np.array([len(some - covered) for some in sets]) + rng.random(len(sets))
            covered |= sets[int(np.argmax(gains))]
        if len(covered) == 2**m:
            return
    pytest.fail("no shattered set was found")


def test_dichotomies_are_those_of_fitted_thresholds():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(6, 3)).astype(float)  # with ties
    brute = {
        tuple(sign * np.where(X[:, j] > cut, 1, -1))
        for j in range(3)
        for cut in np.arange(-0.5, 4)
        for sign in (-1, 1)
    }
    assert stump_dichotomies(X) == len(brute)
    assert stump_dichotomies(rng.normal(size=(40, 2))) == 2 + 2 * 2 * 39


@pytest.mark.parametrize("n_features", [0, -1, 2.5])
def test_bad_number_of_features(n_features):
    with pytest.raises(ValueError, match="positive integer"):
        stump_dimension(n_features)
