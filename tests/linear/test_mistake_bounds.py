"""Mistakes counted by the plainest of online loops, against the bounds."""

import numpy as np
import pytest

from weaklearn.linear import novikoff_bound, winnow_disjunction_bound


def perceptron_mistakes(X, y):
    w, mistakes = np.zeros(X.shape[1]), []
    for index, (x, label) in enumerate(zip(X, y, strict=True)):
        if label * (w @ x) <= 0:
            w += label * x
            mistakes.append(index)
    return mistakes


def winnow_mistakes(X, y):
    n = X.shape[1]
    w, mistakes = np.ones(n), 0
    for x, label in zip(X, y, strict=True):
        guess = w @ x >= n
        if guess != label:
            w = np.where(x > 0, w * (2.0 if label else 0.5), w)
            mistakes += 1
    return mistakes


@pytest.mark.parametrize("seed", range(20))
def test_the_perceptron_keeps_novikoffs_bound(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 4))
    w = rng.normal(size=4)
    w /= np.linalg.norm(w)
    X = X[np.abs(X @ w) > 0.2]
    bound = novikoff_bound(np.linalg.norm(X, axis=1).max(), np.abs(X @ w).min())
    assert len(perceptron_mistakes(np.tile(X, (20, 1)), np.tile(np.sign(X @ w), 20))) <= bound


def test_novikoffs_bound_is_attained():
    """Orthogonal unit vectors, each a mistake: n of them, and the margin of the best separator is 1 / sqrt(n)."""
    n = 9
    assert len(perceptron_mistakes(np.eye(n), np.ones(n))) == n
    assert novikoff_bound(1.0, 1 / np.sqrt(n)) == pytest.approx(n)


@pytest.mark.parametrize("k", [1, 3])
def test_disjunctions(k):
    rng = np.random.default_rng(k)
    for n in (5, 20, 60):
        for share in (0.05, 0.2, 0.5):
            X = (rng.random((3000, n)) < share).astype(float)
            y = X[:, :k].any(axis=1)
            with_constant = np.column_stack([X, np.ones(len(X))])
            mistakes = len(perceptron_mistakes(with_constant, np.where(y, 1, -1)))
            # With 2 on the literals and -1 on the constant every example has |<w, x>| >= 1.
            assert mistakes <= novikoff_bound(np.sqrt(n + 1), 1 / np.sqrt(4 * k + 1))
            assert winnow_mistakes(X, y) <= winnow_disjunction_bound(k, n)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: novikoff_bound(1.0, 0.0), "margin"),
        (lambda: winnow_disjunction_bound(4, 3), "n_literals"),
    ],
)
def test_nonsense_is_refused(call, match):
    with pytest.raises(ValueError, match=match):
        call()
