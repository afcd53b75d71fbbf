"""What every booster must do with its stages: truncate, stage, go on, choose, restart, survive."""

import pickle

import numpy as np
import pytest
from problems import BOOSTERS, noisy_ring
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.boosting import (
    AdaBoostClassifier,
    AlphaBoostClassifier,
    AnyBoostClassifier,
    ArcGVClassifier,
    CGBoostClassifier,
    LogitBoostClassifier,
    NoiseTolerantBoostClassifier,
    PBoostClassifier,
)
from weaklearn.costs import ArcX4, Bisigmoid, Exponential, Hinge, Logistic, Sigmoid
from weaklearn.datasets import make_twonorm
from weaklearn.stumps import DecisionStump

# The soft margin of LPBoost is not positive after a few rounds, or on the random labels of some checks.
pytestmark = pytest.mark.filterwarnings("ignore:LPBoostClassifier found no combination")

NAMES = list(BOOSTERS)
VALIDATED = [name for name in NAMES if "n_folds" in BOOSTERS[name].get_params()]
CURVES = ("estimator_weights_", "estimator_errors_", "cost_curve_", "error_curve_")


def expected_failures(estimator):
    if isinstance(estimator, NoiseTolerantBoostClassifier):
        reason = "bootstrap samples are drawn by row: copies of a row and its weight draw differently"
        return {
            "check_sample_weight_equivalence_on_dense_data": reason,
            "check_sample_weight_equivalence_on_sparse_data": reason,
        }
    return {}


@parametrize_with_checks(
    [BOOSTERS[name] for name in NAMES if name not in ("AdaBoost", "DLPBoost cost")],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def assert_same(one, other, X):
    assert one.stop_reason_ == other.stop_reason_
    assert one.n_iter_ == other.n_iter_
    for name in CURVES:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    for a, b in zip(one.staged_decision_function(X), other.staged_decision_function(X), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", NAMES)
def test_truncated_is_the_shorter_fit_to_the_last_bit(name):
    X, y, weight = noisy_ring(n=90)
    model = clone(BOOSTERS[name]).fit(X, y, weight)
    new = np.random.default_rng(5).normal(size=(40, 3))
    for n in (1, 7, model.n_estimators):
        shorter = model.truncated(n)
        again = clone(model).set_params(n_estimators=n).fit(X, y, weight)
        assert shorter.get_params() == again.get_params()
        assert vars(shorter).keys() == vars(again).keys()
        assert_same(shorter, again, new)
    with pytest.raises(ValueError, match="n must be an integer from 1"):
        model.truncated(0)


@pytest.mark.parametrize("name", NAMES)
def test_stages_are_the_truncations_and_the_curves_those_of_the_stages(name):
    X, y, weight = noisy_ring(n=90)
    model = clone(BOOSTERS[name]).fit(X, y, weight)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == len(model.cost_curve_) == len(model.error_curve_)
    share = weight / weight.sum()
    errors = [share[y * scores <= 0].sum() for scores in stages]
    np.testing.assert_allclose(model.error_curve_, errors, atol=1e-12)
    if stages:
        np.testing.assert_allclose(stages[-1], model.decision_function(X), atol=1e-12)
    if len(stages) == model.n_iter_:  # no corrections afterwards
        for n in range(1, model.n_iter_ + 1):
            np.testing.assert_allclose(stages[n - 1], model.truncated(n).decision_function(X), atol=1e-12)
    labels = list(model.staged_predict(X))
    np.testing.assert_array_equal(labels[-1], np.where(stages[-1] > 0, 1, -1))


@pytest.mark.parametrize("name", NAMES)
def test_warm_start_goes_on_as_if_it_had_not_stopped(name):
    X, y, weight = noisy_ring(n=90)
    long = clone(BOOSTERS[name]).set_params(n_estimators=15).fit(X, y, weight)
    grown = clone(BOOSTERS[name]).set_params(n_estimators=4, warm_start=True).fit(X, y, weight)
    grown = pickle.loads(pickle.dumps(grown))
    grown.set_params(n_estimators=9).fit(X, y, weight)
    grown.set_params(n_estimators=15).fit(X, y, weight)
    assert_same(grown, long, X)


def test_warm_start_with_a_random_weak_learner_and_its_errors():
    X, y, _ = noisy_ring()
    tree = DecisionTreeClassifier(max_depth=1, splitter="random")
    long = AdaBoostClassifier(tree, 12, random_state=3).fit(X, y)
    grown = AdaBoostClassifier(tree, 5, warm_start=True, random_state=3).fit(X, y)
    grown.set_params(n_estimators=12).fit(X, y)
    assert_same(grown, long, X)
    with pytest.raises(ValueError, match="n_estimators must be at least 12"):
        grown.set_params(n_estimators=11).fit(X, y)
    with pytest.raises(ValueError, match="which had 150 examples"):
        grown.set_params(n_estimators=20).fit(X[:50], y[:50])
    with pytest.raises(ValueError, match="cannot be combined"):
        AdaBoostClassifier(warm_start=True, validation_fraction=0.2).fit(X, y)


@pytest.mark.parametrize("name", NAMES)
def test_pickles_and_labels(name):
    X, y, weight = noisy_ring(n=90)
    labels = np.array(["no", "yes"])[(y + 1) // 2]
    model = clone(BOOSTERS[name]).fit(X, labels, weight)
    twin = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.predict(X), twin.predict(X))
    np.testing.assert_array_equal(model.predict(X) == "yes", clone(model).fit(X, y, weight).predict(X) == 1)
    if hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(X)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        np.testing.assert_array_equal(probabilities[:, 1] > 0.5, model.predict(X) == "yes")


@pytest.mark.parametrize("name", VALIDATED)
@pytest.mark.parametrize("validation", [{"validation_fraction": 0.25}, {"n_folds": 3}], ids=str)
def test_validation_keeps_the_rounds_of_least_error(name, validation):
    X, y, weight = noisy_ring(n=90)
    model = clone(BOOSTERS[name]).set_params(**validation, random_state=1).fit(X, y, weight)
    curve = model.validation_curve_
    assert model.n_iter_ == np.argmin(curve) + 1
    assert model.stop_reason_ in ("validation", "n_estimators")
    # Truncation chooses among fewer rounds, as the shorter fit would.
    for n in (3, 10):
        shorter = model.truncated(n)
        again = clone(model).set_params(n_estimators=n).fit(X, y, weight)
        np.testing.assert_array_equal(shorter.validation_curve_, again.validation_curve_)
        assert_same(shorter, again, X)
    if model.n_folds is not None:  # the rounds themselves are those of a fit to all examples
        plain = clone(BOOSTERS[name]).set_params(n_estimators=model.n_iter_).fit(X, y, weight)
        np.testing.assert_array_equal(model.estimator_weights_, plain.estimator_weights_)


def test_the_held_out_curve_is_that_of_examples_not_trained_on():
    X, y, _ = noisy_ring(n=120)
    model = AdaBoostClassifier(n_estimators=25, validation_fraction=0.25, random_state=0).fit(X, y)
    kept = AnyBoostClassifier(
        step="conjugate", n_estimators=25, validation_fraction=0.25, random_state=0
    ).fit(X, y)
    assert len(model.validation_curve_) == len(kept.validation_curve_) == 25
    # 30 examples were held out, so errors are multiples of 1/30.
    np.testing.assert_allclose(
        model.validation_curve_ * 30, np.round(model.validation_curve_ * 30), atol=1e-9
    )


def test_no_change_stops_early():
    X, y, _ = noisy_ring(n=120)
    settings = {"validation_fraction": 0.3, "n_iter_no_change": 5, "random_state": 0}
    model = AdaBoostClassifier(n_estimators=500, **settings).fit(X, y)
    curve = model.validation_curve_
    assert len(curve) < 500
    assert len(curve) == np.argmin(curve) + 1 + 5


class SameStump(ClassifierMixin, BaseEstimator):
    """Looks at the sign of the first feature, whatever it is told."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(X[:, 0] > 0, 1, -1)


@pytest.mark.parametrize(
    "booster",
    [AdaBoostClassifier(), AnyBoostClassifier(), PBoostClassifier(variant="naive"), PBoostClassifier()],
    ids=str,
)
def test_restarts(booster):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 1))
    y = np.where((X[:, 0] > 0) ^ (rng.random(40) < 0.2), 1, -1)
    # After one round this learner's weighted error is 1/2; a bootstrap sample gives it an edge again.
    booster = clone(booster).set_params(estimator=SameStump(), n_estimators=10, random_state=0)
    assert booster.fit(X, y).n_iter_ == 1
    model = clone(booster).set_params(n_restarts=3).fit(X, y)
    assert model.stop_reason_ == "no edge"
    assert 2 <= model.n_iter_ <= 4
    again = clone(booster).set_params(n_restarts=100).fit(X, y)
    assert again.stop_reason_ == "n_estimators"
    assert len(set(np.round(again.estimator_weights_, 12))) > 1


@pytest.mark.parametrize("name", ["AdaBoost", "AnyBoost", "sloppy", "LogitBoost"])
def test_a_perfect_hypothesis_can_end_the_run(name):
    X = np.arange(10.0)[:, None]
    y = X[:, 0] > 3
    on = clone(BOOSTERS[name]).fit(X, y)
    assert on.n_iter_ == 20
    assert on.stop_reason_ == "n_estimators"
    ended = clone(BOOSTERS[name]).set_params(perfect="stop").fit(X, y)
    assert ended.n_iter_ == 1
    assert ended.stop_reason_ == "perfect"
    assert ended.score(X, y) == 1


def test_the_noise_tolerant_preset_is_a_sum_of_runs():
    X, y, _ = noisy_ring()
    model = NoiseTolerantBoostClassifier(n_estimators=30, run_length=10, random_state=0).fit(X, y)
    first = LogitBoostClassifier(DecisionStump(criterion="gini"), 10).fit(X, y)
    np.testing.assert_array_equal(model.truncated(10).estimator_weights_, first.estimator_weights_)
    # The second run starts from the weights of a bootstrap sample: its first error is a share of a count of 150.
    count = model.estimator_errors_[10] * 150
    assert count == pytest.approx(round(count), abs=1e-9)
    assert model.estimator_errors_[10] != model.estimator_errors_[0]


COST_OF = {
    "AnyBoost bisigmoid": Bisigmoid(1.0, 1.2),
    "AnyBoost hinge": Hinge(),
    "AnyBoost average": ArcX4(),
    "LogitBoost": Logistic(),
    "arc-x4": ArcX4(),
    "CGBoost bisigmoid": Bisigmoid(),
    "LPBoost": None,
    "LPBoost soft": None,
    "noise-tolerant": Logistic(),
    "sloppy bisigmoid": Bisigmoid(1.0, 1.2),
    "strict logistic": Logistic(),
    "naive logistic": Logistic(),
    "DOOM II": Sigmoid(),
    "DOOM II fixed step": Sigmoid(),
}
OF_SCORES = (
    AdaBoostClassifier,
    AlphaBoostClassifier,
    AnyBoostClassifier,
    ArcGVClassifier,
    CGBoostClassifier,
    LogitBoostClassifier,
)


@pytest.mark.parametrize("name", NAMES)
def test_the_cost_is_a_fitted_attribute(name):
    X, y, weight = noisy_ring(n=90)
    model = clone(BOOSTERS[name])
    assert not hasattr(model, "cost_")
    model.fit(X, y, weight)
    expected = COST_OF.get(name, Exponential())
    assert model.cost_ == model.truncated(3).cost_ == expected
    # It is the cost of the curve, wherever the curve is that of F itself.
    if isinstance(model, OF_SCORES) and getattr(model, "step", None) != "average":
        share = weight / weight.sum()
        values = [share @ expected.value(y * scores) for scores in model.staged_decision_function(X)]
        np.testing.assert_allclose(model.cost_curve_, values, rtol=1e-10)


def test_wrong_validation():
    X, y, _ = noisy_ring(n=30)
    for wrong in (1, 0.0, 1.0, "half"):
        with pytest.raises(ValueError, match="validation_fraction"):
            AdaBoostClassifier(validation_fraction=wrong).fit(X, y)
    with pytest.raises(ValueError, match="'n_folds' parameter"):
        AdaBoostClassifier(n_folds=1).fit(X, y)
    with pytest.raises(ValueError, match="cannot be combined"):
        AdaBoostClassifier(validation_fraction=0.2, n_folds=3).fit(X, y)
    with pytest.raises(ValueError, match="holds out none"):
        AdaBoostClassifier(validation_fraction=0.01).fit(X, y)
    with pytest.raises(ValueError, match="n_folds=25 needs 25 examples"):
        AdaBoostClassifier(n_folds=25).fit(X, y)


def test_probabilities_of_restarted_runs_are_those_of_their_mean():
    X, y, weight = noisy_ring()
    model = NoiseTolerantBoostClassifier(n_estimators=24, run_length=6, n_restarts=0, random_state=0)
    model.fit(X, y, weight)
    assert model.n_iter_ == 24
    scores = np.array(list(model.staged_decision_function(X)))
    runs = np.diff(scores[5::6], axis=0, prepend=np.zeros((1, len(X))))  # what each run of 6 rounds added
    expected = 1 / (1 + np.exp(-runs.mean(axis=0)))  # F of a run estimates the log-odds
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-12)
    for n, n_runs in ((6, 1), (7, 2), (12, 2)):
        short = model.truncated(n)
        np.testing.assert_allclose(
            short.predict_proba(X)[:, 1], 1 / (1 + np.exp(-scores[n - 1] / n_runs)), atol=1e-12
        )


def test_probabilities_of_noise_tolerant_boosting_are_calibrated():
    X, y = make_twonorm(4000, random_state=0)
    flipped = np.where(np.random.default_rng(1).random(4000) < 0.2, -y, y)
    model = NoiseTolerantBoostClassifier(n_estimators=200, run_length=20, random_state=0)
    p = model.fit(X[:2000], flipped[:2000]).predict_proba(X[2000:])[:, 1]
    bins = np.digitize(p, np.linspace(0, 1, 11)[1:-1])
    share = [
        abs((flipped[2000:][bins == b] == 1).mean() - p[bins == b].mean())
        for b in range(10)
        if (bins == b).any()
    ]
    weight = [(bins == b).mean() for b in range(10) if (bins == b).any()]
    assert np.average(share, weights=weight) < 0.06  # the sum of the ten runs, not divided: 0.24
