"""Sample complexity: a learner whose expected error is known, curves that are known, and the document's learners."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, ClassifierMixin

from weaklearn.datasets import make_little_bit
from weaklearn.kernel import fit_growth, sample_complexity
from weaklearn.linear import (
    LeastSquaresClassifier,
    Perceptron,
    Winnow,
    novikoff_bound,
    winnow_disjunction_bound,
)


class WrongBy(ClassifierMixin, BaseEstimator):
    """Knows the answer, but errs on a share 4 / m of the examples, m the training size."""

    def fit(self, X, y):
        self.share_ = min(0.5, 4 / len(y))
        return self

    def predict(self, X):
        wrong = np.arange(len(X)) < self.share_ * len(X)
        return np.where(wrong, -X[:, 0], X[:, 0])


@pytest.mark.parametrize("method", ["increase", "bisect"])
def test_known_answer(method):
    found = sample_complexity(
        WrongBy(), make_little_bit, 5, error=0.101, method=method, n_test=2000, n_runs=3, random_state=0
    )
    assert found.n_samples == 40
    assert found.interval[0] < 40 <= found.interval[1]
    assert (np.diff(found.sizes) > 0).all()
    assert_allclose(found.errors[found.sizes == 40], 0.1, atol=1e-3)
    if method == "bisect":
        assert len(found.sizes) < 15
        assert found.runs.sum() < 45


def test_clear_answers_take_three_runs():
    model = LeastSquaresClassifier(fit_intercept=False)
    found = sample_complexity(model, make_little_bit, 40, n_test=1000, random_state=1)
    assert found.runs.min() == 3
    assert found.runs.max() == 10
    assert found.runs.mean() < 8
    assert found.interval[0] < found.n_samples
    again = sample_complexity(model, make_little_bit, 40, n_test=1000, random_state=1)
    assert again.n_samples == found.n_samples


def test_one_class_is_answered_by_that_class():
    # In one dimension two examples of both classes are enough; one class only is wrong half of the time.
    found = sample_complexity(Perceptron(fit_intercept=False), make_little_bit, 1, n_test=500, random_state=0)
    assert 2 <= found.n_samples <= 6
    assert found.errors[0] > 0.4


def test_refusals():
    with pytest.raises(ValueError, match="not enough"):
        sample_complexity(Winnow(), make_little_bit, 30, max_samples=3, n_test=200)
    with pytest.raises(ValueError, match="not enough"):
        sample_complexity(Winnow(), make_little_bit, 30, max_samples=3, n_test=200, method="bisect")
    with pytest.raises(ValueError, match="method must be"):
        sample_complexity(Winnow(), make_little_bit, 3, method="guess")
    with pytest.raises(ValueError, match="start must lie"):
        sample_complexity(Winnow(), make_little_bit, 3, start=0)
    with pytest.raises(ValueError, match="three positive"):
        fit_growth([1, 2], [3, 4])


@pytest.mark.parametrize(
    ("kind", "a", "b"), [("linear", 0.3, 1.7), ("log", 0.5, 7.1), ("exponential", 3.1, 0.394)]
)
def test_growth(kind, a, b):
    n = np.arange(2, 16)
    curve = {"linear": a + b * n, "log": a + b * np.log(n), "exponential": a * np.exp(b * n)}[kind]
    exact = fit_growth(n, curve)
    assert exact.best == kind
    assert_allclose(exact.coefficients[kind], (a, b), rtol=1e-5)
    noisy = fit_growth(n, curve * np.random.default_rng(0).normal(1, 0.03, len(n)))
    assert noisy.best == kind
    assert noisy.coefficients[kind][1] == pytest.approx(b, rel=0.1)


def test_mistake_bounds_hold():
    for n in (8, 64):
        X, y = make_little_bit(3000, n_features=n, random_state=n)
        perceptron = Perceptron(fit_intercept=False, max_iter=1).fit(X, y)
        assert perceptron.n_mistakes_ <= novikoff_bound(math.sqrt(n), 1.0)
        assert Winnow(max_iter=1).fit(X, y).n_mistakes_ <= winnow_disjunction_bound(1, n)
