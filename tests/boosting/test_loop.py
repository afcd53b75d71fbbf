import itertools

import numpy as np
import pytest

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.boosting._loop import Ensemble, boosting_rounds, learning_curves
from weaklearn.boosting._steps import STEP_RULES
from weaklearn.costs import Exponential, Hinge
from weaklearn.stumps import DecisionStump


def problem(n=80):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] * X[:, 1] + X[:, 2] > 0, 1.0, -1.0)


def test_an_estimator_takes_rounds_and_an_experiment_can_trace_them():
    X, y = problem()
    ensemble = Ensemble(len(y))
    rounds = boosting_rounds(
        DecisionStump().prepare(X, y),
        np.ones(len(y)),
        Exponential(),
        STEP_RULES["closed_form"](),
        ensemble,
        None,
    )
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    for t, stage in enumerate(itertools.islice(rounds, 12)):
        assert stage.error == model.estimator_errors_[t]
        assert stage.hypothesis.feature_ == model.estimators_[t].feature_
        np.testing.assert_array_equal(stage.margins, y * model.truncated(t + 1).decision_function(X))
    np.testing.assert_array_equal(ensemble.coefficients, model.estimator_weights_)
    assert ensemble.stop_reason is None


def test_margins_of_earlier_rounds_stay_as_they_were():
    X, y = problem()
    rounds = boosting_rounds(
        DecisionStump().prepare(X, y),
        np.ones(len(y)),
        Exponential(),
        STEP_RULES["closed_form"](),
        Ensemble(len(y)),
        None,
    )
    first = next(rounds)
    kept = first.margins.copy()
    next(rounds)
    np.testing.assert_array_equal(first.margins, kept)


def test_a_cost_that_is_flat_everywhere_ends_the_loop():
    X, y = problem()
    ensemble = Ensemble(len(y))
    ensemble.add(5.0, np.ones(len(y)))  # beyond the hinge
    rounds = boosting_rounds(
        DecisionStump().prepare(X, y), np.ones(len(y)), Hinge(), STEP_RULES["closed_form"](), ensemble, None
    )
    assert list(rounds) == []
    assert ensemble.stop_reason == "no edge"


def test_a_margin_of_zero_is_an_error():
    costs, errors = learning_curves(
        [np.array([0.0, 1.0, -1.0, 2.0])], np.array([2.0, 1, 1, 1]), Exponential()
    )
    assert errors == pytest.approx([3 / 5])
    assert costs == pytest.approx([(2 + np.exp(-1) + np.exp(1) + np.exp(-2)) / 5])
