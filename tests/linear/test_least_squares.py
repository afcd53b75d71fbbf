import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression

from weaklearn.linear import LeastSquaresClassifier


@pytest.fixture
def data():
    X, y = make_classification(120, 6, n_informative=4, n_redundant=0, random_state=0)
    return X, np.where(y == 1, 1.0, -1.0)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_is_linear_regression_on_signs(data, fit_intercept):
    X, y = data
    weight = np.random.default_rng(0).uniform(size=len(X))
    ours = LeastSquaresClassifier(fit_intercept=fit_intercept).fit(X, y, sample_weight=weight)
    theirs = LinearRegression(fit_intercept=fit_intercept).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_[0], theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.intercept_[0], theirs.intercept_, rtol=1e-9, atol=1e-12)


def test_weights_are_repetitions(data):
    X, y = data
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    once = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    often = LeastSquaresClassifier().fit(X.repeat(weight, axis=0), y.repeat(weight))
    np.testing.assert_allclose(once.coef_, often.coef_, rtol=1e-9)


def test_smallest_norm_where_there_are_many_solutions():
    rng = np.random.default_rng(0)
    X, y = rng.choice([-1.0, 1.0], (20, 50)), rng.choice([-1.0, 1.0], 20)
    model = LeastSquaresClassifier(fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.coef_[0], np.linalg.pinv(X) @ y, atol=1e-12)
    assert model.error_curve_[0] == 0
    assert model.intercept_[0] == 0
