from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

from weaklearn import costs
from weaklearn._fast.online import slope
from weaklearn.linear import LeastSquaresClassifier, Perceptron, SGDPerceptron
from weaklearn.linear._sgd import _COMPILED


@pytest.fixture
def data():
    return make_classification(100, 5, flip_y=0.1, random_state=0)


@pytest.mark.parametrize("cost", _COMPILED, ids=lambda cost: cost.__name__)
def test_compiled_slopes_are_the_costs_slopes(cost):
    margins = np.r_[np.linspace(-30, 30, 2001), np.nextafter(1, [0, 2]), np.nextafter(0, [-1, 1])]
    compiled = [slope(*_COMPILED[cost], margin) for margin in margins]
    np.testing.assert_allclose(compiled, cost().slope(margins), rtol=1e-13, atol=0)


@pytest.mark.parametrize("cost", _COMPILED, ids=lambda cost: cost.__name__)
def test_a_users_own_cost_runs_the_same(data, cost):
    X, y = data
    weight = np.random.default_rng(0).uniform(size=len(X))

    @dataclass(frozen=True)
    class Own(cost):
        pass

    def fit(cost):
        return SGDPerceptron(cost, learning_rate=0.01, max_iter=5, keep_path=True, random_state=0).fit(
            X, y, weight
        )

    np.testing.assert_allclose(fit(Own()).path_, fit(cost()).path_, rtol=1e-9, atol=1e-12)


def test_perceptron_criterion_is_rosenblatts_rule(data):
    X, y = data
    weight = np.random.default_rng(0).uniform(size=len(X))
    sgd = SGDPerceptron("perceptron", learning_rate=1.0, order="cyclic", max_iter=20, keep_path=True)
    plain = Perceptron(order="cyclic", max_iter=20, keep_path=True)
    np.testing.assert_allclose(sgd.fit(X, y, weight).path_, plain.fit(X, y, weight).path_, atol=1e-9)


def test_least_squares_is_approached(data):
    X, y = data
    exact = LeastSquaresClassifier().fit(X, y)
    sgd = SGDPerceptron("least_squares", learning_rate=1e-4, max_iter=20_000, random_state=0).fit(X, y)
    np.testing.assert_allclose(sgd.decision_function(X), exact.decision_function(X), atol=0.02)


@pytest.mark.parametrize("weighting", ["reweight", "resample"])
def test_weighted_cost_is_reduced(data, weighting):
    X, y = data
    weight = np.random.default_rng(0).uniform(size=len(X))
    model = SGDPerceptron("logistic", weighting=weighting, max_iter=200, keep_path=True, random_state=0)
    model.fit(X, y, sample_weight=weight)
    margins = (2 * y - 1) * (model.path_[:, :-1] @ X.T + model.path_[:, -1:])
    cost = costs.Logistic().value(margins) @ weight
    assert cost[-1] < 0.8 * cost[0]


def test_too_large_a_rate_is_told(data):
    with pytest.warns(ConvergenceWarning, match="learning_rate=10.0 is too large"):
        model = SGDPerceptron("least_squares", learning_rate=10.0, random_state=0).fit(*data)
    assert np.isfinite(model.coef_).all()
    assert model.n_iter_ == len(model.error_curve_) - 1 < 2000


@pytest.mark.parametrize("cost", ["zero_one", costs.ZeroOne()])
def test_a_cost_without_a_slope_is_refused(data, cost):
    with pytest.raises(ValueError, match="must have a slope"):
        SGDPerceptron(cost).fit(*data)


def test_an_unknown_cost_is_refused(data):
    with pytest.raises(ValueError, match="The 'cost' parameter of SGDPerceptron"):
        SGDPerceptron("hing").fit(*data)
