import itertools
import math

import numpy as np
import pytest

from weaklearn.complexity import (
    budget_complexity,
    error_price,
    hypothesis_points,
    noise_at_price,
    principal_points,
    rightmost_segment,
)
from weaklearn.complexity._budget import _principal


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.3, 0.5])
def test_the_cheapest_hypothesis_is_the_most_probable_one(noise):
    """Bayes by hand: prior 2^-|h|, every label flipped with probability `noise`."""
    rng = np.random.default_rng(0)
    n = 30
    sizes, errors = rng.integers(1, 40, 50), rng.integers(0, n + 1, 50)
    log_posterior = -sizes + errors * math.log2(noise) + (n - errors) * math.log2(1 - noise)
    total = sizes + error_price(noise) * errors
    assert log_posterior[np.argmin(total)] == pytest.approx(log_posterior.max())
    assert log_posterior + total == pytest.approx(np.full(50, n * math.log2(1 - noise)))
    assert noise_at_price(error_price(noise)) == pytest.approx(noise)


def test_no_noise_allows_no_errors():
    assert error_price(0.0) == math.inf
    assert noise_at_price(math.inf) == 0.0
    assert budget_complexity([[0, 5], [7, 0]], math.inf) == 7.0


def rules(n):
    """A small model: labelings of n points on a line, of size 1 + the number of sign changes, all of them."""
    labels = np.array(list(itertools.product([0, 1], repeat=n)))
    return 1 + (np.diff(labels, axis=1) != 0).sum(axis=1), labels


def test_subsets_and_hypotheses_have_the_same_principal_points():
    """Theorem 1.4, by brute force over all subsets and all hypotheses."""
    rng = np.random.default_rng(1)
    n = 7
    sizes, labels = rules(n)
    for _ in range(20):
        y = rng.integers(0, 2, n)
        by_hypothesis = _principal(hypothesis_points(sizes, labels, y))
        points = []
        for mask in itertools.product([False, True], repeat=n):
            kept = np.array(mask)
            agrees = (labels[:, kept] == y[kept]).all(axis=1)
            points.append((sizes[agrees].min(), n - kept.sum()))
        assert _principal(np.array(points, dtype=float)).tolist() == by_hypothesis.tolist()


def test_theorem_13_and_the_outliers_of_the_rightmost_segment():
    """Adding examples costs at most the price each; leaving out those of the segment saves exactly that."""
    rng = np.random.default_rng(2)
    n, price = 8, 1.5
    sizes, labels = rules(n)

    def complexity(kept, y):
        return budget_complexity(hypothesis_points(sizes, labels[:, kept], y[kept]), price)

    for _ in range(20):
        y = rng.integers(0, 2, n)
        everything = np.ones(n, dtype=bool)
        whole = complexity(everything, y)
        for drop in range(n):
            kept = everything.copy()
            kept[drop] = False
            assert complexity(kept, y) <= whole <= complexity(kept, y) + price + 1e-12
        segment = rightmost_segment(hypothesis_points(sizes, labels, y), price)
        assert len(segment) >= 1
        assert segment[:, 0] + price * segment[:, 1] == pytest.approx(np.full(len(segment), whole))
        for size, errors in segment:
            best = labels[(sizes == size) & ((labels != y).sum(axis=1) == errors)][0]
            kept = best == y
            # Theorem 1.5: the left out examples cost their full price, together and each of them.
            assert complexity(kept, y) + price * errors == pytest.approx(whole)
            for drop in np.flatnonzero(~kept):
                others = everything.copy()
                others[drop] = False
                assert complexity(others, y) == pytest.approx(whole - price)


def test_the_segment_of_a_set_with_one_wrong_label():
    X = np.arange(12.0)[:, None]
    y = (X[:, 0] > 5).astype(int)
    y[2] = 1
    points = principal_points(X, y, clusters=None)
    segment = rightmost_segment(points, price=1.0)
    assert segment[:, 1].tolist() == [1.0]  # one error is cheaper than any complexity that avoids it


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: error_price(0.6), "noise"),
        (lambda: noise_at_price(-1), "price"),
        (lambda: budget_complexity([], 1.0), "pairs"),
        (lambda: budget_complexity([[1, 2]], -1.0), "price"),
        (lambda: hypothesis_points([1], [[0, 1]], [0]), "one row"),
    ],
)
def test_nonsense_is_refused(call, match):
    with pytest.raises(ValueError, match=match):
        call()
