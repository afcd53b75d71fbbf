"""`CalibratedClassifier`: probabilities from held-out scores for classifiers that have none, or extreme ones."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.boosting import (
    AdaBoostClassifier,
    AlphaBoostClassifier,
    CGBoostClassifier,
    LogitBoostClassifier,
    NoiseTolerantBoostClassifier,
)
from weaklearn.datasets import make_twonorm
from weaklearn.display import ReliabilityDisplay
from weaklearn.linear import ZeroOneClassifier
from weaklearn.multiclass import AdaBoostECCClassifier
from weaklearn.robust import CalibratedClassifier
from weaklearn.robust._members import stratified_folds
from weaklearn.robust._noise import NoiseLink
from weaklearn.robust._stack import Calibration


@parametrize_with_checks(
    [CalibratedClassifier(LogisticRegression(), random_state=0)],
    expected_failed_checks=lambda estimator: dict.fromkeys(
        ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
        "folds are drawn over rows: a weight of two is not two rows",
    ),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def calibration_error(model, X, y):
    display = ReliabilityDisplay.from_estimator(model, X, y)
    plt.close(display.figure_)
    return display.expected_calibration_error


def twonorm_with_noise(noise, n=4000):
    """Training rows and three sets of 2,000 test rows, labels of all wrong at the same rate."""
    # A stream of its own: flips must not depend on X.
    random = np.random.RandomState(777)

    def draw(n, seed):
        X, y = make_twonorm(n, random_state=seed)
        return X, np.where(random.rand(n) < noise, -y, y)

    return draw(n, 0), [draw(2000, seed) for seed in (1, 2, 3)]


def mean_calibration_error(model, tests):
    # With one label in five wrong, a single set puts even perfect probabilities at 0.02, give or take 0.006.
    return np.mean([calibration_error(model, X, y) for X, y in tests])


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize(
    "booster",
    [
        AdaBoostClassifier(),
        LogitBoostClassifier(),
        AlphaBoostClassifier(),
        CGBoostClassifier(),
        NoiseTolerantBoostClassifier(n_estimators=200, random_state=0),
    ],
    ids=lambda booster: type(booster).__name__,
)
def test_boosting_with_and_without_noise(booster, noise):
    (X, given), tests = twonorm_with_noise(noise)
    raw = clone(booster).fit(X, given)
    model = CalibratedClassifier(booster, random_state=0).fit(X, given)
    assert mean_calibration_error(model, tests) < 0.03
    X_test, wanted = tests[0]
    assert log_loss(wanted, model.predict_proba(X_test)) < log_loss(wanted, raw.predict_proba(X_test))


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_linear_classifier_needs_no_calibration(noise):
    (X, given), tests = twonorm_with_noise(noise)
    model = ZeroOneClassifier("auto", random_state=0).fit(X, given)
    assert mean_calibration_error(model, tests) < 0.03


def test_scores_of_all_classifiers_are_averaged_and_calibrated_on_those_that_have_not_seen_a_row():
    X, y = make_twonorm(60, random_state=0)
    model = CalibratedClassifier(LogisticRegression(), n_folds=3, random_state=0).fit(X, y)
    assert len(model.estimators_) == 6
    random = np.random.RandomState(0)
    held_out, at_new, X_new = np.zeros((2, 60)), np.zeros(5), X[:5] / 3
    for scores in held_out:
        fold = stratified_folds((y > 0).astype(int), 3, random.randint(2**31 - 1))
        for k in range(3):
            one = LogisticRegression().fit(X[fold != k], y[fold != k])
            size = np.abs(one.decision_function(X[fold != k])).mean()
            scores[fold == k] = one.decision_function(X[fold == k]) / size
            at_new += one.decision_function(X_new) / size / 6
    noise = np.mean((held_out[0] - held_out[1]) ** 2) / 2
    held_out = held_out.mean(axis=0)
    signal = np.mean(held_out**2) - noise / 2
    at_new *= (signal + noise / 2) / (signal + noise / 6)
    both = np.column_stack([-held_out, held_out])
    codes, ones = (y > 0).astype(int), np.ones(60)
    calibration = Calibration(both, codes, ones)
    link = NoiseLink(calibration.log_odds(both), codes, ones)
    expected = link.given_probability(calibration.log_odds(np.column_stack([-at_new, at_new])))
    assert len(np.unique(expected.round(3))) > 5
    np.testing.assert_allclose(model.predict_proba(X_new), expected, atol=1e-5)


def test_true_labels_are_surer_than_given_ones():
    random = np.random.RandomState(0)
    X, y = make_twonorm(600, random_state=0)
    X_test, y_test = make_twonorm(2000, random_state=1)
    given = np.where(random.rand(600) < 0.2, -y, y)
    model = CalibratedClassifier(LogisticRegression(), labels="true", random_state=0).fit(X, given)
    assert 0.1 < model.noise_rate_ < 0.3
    assert calibration_error(model, X_test, y_test) < 0.06
    plain = CalibratedClassifier(LogisticRegression(), random_state=0).fit(X, given)
    assert log_loss(y_test, model.predict_proba(X_test)) < log_loss(y_test, plain.predict_proba(X_test))
    assert plain.predict_proba(X_test).max() < 0.95


@pytest.mark.parametrize(
    "estimator", [LinearSVC(), AdaBoostECCClassifier(n_estimators=50, random_state=0), KNeighborsClassifier()]
)
def test_three_classes(estimator):
    X, y = load_iris(return_X_y=True)
    model = CalibratedClassifier(estimator, random_state=0).fit(X[::2], y[::2])
    P = model.predict_proba(X[1::2])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert log_loss(y[1::2], P) < 0.45
    assert np.mean(model.predict(X[1::2]) == y[1::2]) > 0.9


def test_a_class_that_folds_lack():
    X, y = load_iris(return_X_y=True)
    kept = np.r_[0:101]  # a single row of the last class
    model = CalibratedClassifier(LogisticRegression(max_iter=500), random_state=0).fit(X[kept], y[kept])
    P = model.predict_proba(X)
    assert P.shape == (150, 3)
    assert np.isfinite(P).all()


def test_weights():
    X, y = make_twonorm(100, random_state=0)
    with pytest.raises(ValueError, match="takes no sample_weight"):
        CalibratedClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(100))
    weight = np.r_[np.zeros(20), np.full(80, 2.0)]
    a = CalibratedClassifier(LogisticRegression(), random_state=0).fit(X, y, sample_weight=weight)
    b = CalibratedClassifier(LogisticRegression(), random_state=0)
    b.fit(X[20:], y[20:], sample_weight=np.full(80, 2.0))
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))


def test_nothing_to_hold_out():
    with pytest.raises(ValueError, match="no fold can be held out"):
        CalibratedClassifier(LogisticRegression(), n_folds=2).fit([[0.0], [1.0]], [0, 1])
