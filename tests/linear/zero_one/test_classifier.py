"""ZeroOneClassifier: scikit-learn's checks, recounts, weights, anytime behaviour, regularisation, many classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.linear import RCDPerceptron, ZeroOneClassifier
from weaklearn.linear.zero_one._noise import _newton, _noisy, _squared_hinge
from weaklearn.linear.zero_one._probability import fit_sigmoid, sigmoid_objective


def expected_failed_checks(estimator):
    if estimator.noise is not None:
        reason = "folds are drawn over rows, and weights are relative: a weight of two is not two rows"
        return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}
    return {}


@parametrize_with_checks(
    [
        ZeroOneClassifier(),
        ZeroOneClassifier(certify=True, max_iter=5, max_time=0.3),
        ZeroOneClassifier("auto"),
    ],
    expected_failed_checks=expected_failed_checks,
)
def test_scikit_learn(estimator, check):
    check(estimator)


def noisy(n, m, seed=0, flip=0.15):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)) * np.exp(rng.normal(size=m)) + 3 * rng.normal(size=m)
    centred = (X - X.mean(0)) / X.std(0)
    y = np.where(centred @ rng.normal(size=m) > 0.2, 1, -1) * np.where(rng.random(n) < flip, -1, 1)
    return X, y


@pytest.mark.parametrize("n", [60, 600, 3000])
@pytest.mark.parametrize("weighted", [False, True])
def test_reports_what_a_recount_finds_and_beats_descent(n, weighted):
    X, y = noisy(n, 6)
    weight = np.random.default_rng(1).exponential(size=n) if weighted else np.ones(n)
    model = ZeroOneClassifier(random_state=0, max_iter=30).fit(X, y, weight)
    assert model.error_ == pytest.approx(weight[y * model.decision_function(X) <= 0].sum(), abs=1e-9)
    assert 1 - model.score(X, y, weight) == pytest.approx(model.error_ / weight.sum())
    assert len(model.error_curve_) == model.n_iter_ + 1
    assert (np.diff(model.error_curve_) <= 0).all()
    assert model.error_curve_[-1] == pytest.approx(model.error_ / weight.sum())
    rcd = RCDPerceptron(random_state=0, max_iter=300).fit(X, y, weight)
    assert model.error_ <= rcd.error_curve_[-1] * weight.sum() + 1e-9


def test_weights_equal_copies_to_the_last_digit():
    X, y = noisy(50, 4)
    X = np.round(X)
    weight = np.random.default_rng(0).integers(0, 4, 50)
    weighted = ZeroOneClassifier(random_state=1).fit(X, y, weight)
    copied = ZeroOneClassifier(random_state=1).fit(X.repeat(weight, 0), y.repeat(weight))
    assert weighted.error_ == copied.error_
    assert_allclose(weighted.coef_, copied.coef_, rtol=1e-9)


def test_order_of_rows_does_not_matter():
    X, y = noisy(50, 4)
    order = np.random.default_rng(0).permutation(50)
    plain = ZeroOneClassifier(random_state=1).fit(X, y)
    shuffled = ZeroOneClassifier(random_state=1).fit(X[order], y[order])
    assert_allclose(plain.coef_, shuffled.coef_, rtol=1e-9)


def test_separable_data_have_no_error():
    rng = np.random.default_rng(0)
    for n in (40, 500, 2500):
        X = rng.normal(size=(n, 8))
        y = X @ rng.normal(size=8) > 0.1
        model = ZeroOneClassifier(random_state=0).fit(X, y)
        assert model.error_ == 0 or n > 2000
        assert model.error_ <= 0.002 * n


@pytest.mark.parametrize("n", [80, 3000])
def test_callback_sees_the_search_and_can_stop_it(n):
    X, y = noisy(n, 5)
    seen = []

    def stop_after_three(n_iter, error):
        seen.append((n_iter, error))
        return n_iter >= 3

    model = ZeroOneClassifier(max_iter=1000, callback=stop_after_three, random_state=0).fit(X, y)
    assert 3 <= model.n_iter_ < 10
    assert seen[-1] == (model.n_iter_, model.error_)


@pytest.mark.parametrize("n", [80, 3000])
def test_interrupt_keeps_the_best_so_far(n):
    X, y = noisy(n, 5)

    def interrupt(n_iter, error):
        if n_iter >= 2:
            raise KeyboardInterrupt

    model = ZeroOneClassifier(max_iter=1000, callback=interrupt, random_state=0).fit(X, y)
    assert 2 <= model.n_iter_ < 10
    assert model.error_ == np.sum(y * model.decision_function(X) <= 0)


def test_time_limit_is_kept():
    import time

    X, y = noisy(300, 15)
    model = ZeroOneClassifier(max_iter=10**9, max_time=0.3, random_state=0).fit(X, y)
    start = time.perf_counter()
    model.fit(X, y)
    assert time.perf_counter() - start < 30  # the billion iterations would take days
    assert model.n_iter_ >= 1


def test_of_equal_hyperplanes_the_one_in_the_middle():
    # One column: every threshold between 1 and 5 separates; the geometric mean of margins is largest in the middle.
    model = ZeroOneClassifier(random_state=0).fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1])
    assert -model.intercept_[0] / model.coef_[0, 0] == pytest.approx(3.0, abs=0.05)


def test_outliers_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    X_bad = np.vstack([X, np.tile([8.0, 1.0], (30, 1)) + 0.1 * rng.normal(size=(30, 2))])
    y_bad = np.append(y, -np.ones(30, dtype=int))
    test = rng.normal(size=(2000, 2))
    truth = np.where(test[:, 0] > 0, 1, -1)
    logistic = LogisticRegression().fit(X_bad, y_bad).score(test, truth)
    for model in (ZeroOneClassifier(random_state=0), ZeroOneClassifier("auto", random_state=0)):
        score = model.fit(X_bad, y_bad).score(test, truth)
        assert score > 0.97
        assert score > logistic + 0.02


def test_noise_zero_is_ridge_logistic_regression():
    X, y = noisy(200, 4)
    low, high = X.min(0), X.max(0)
    scaled = 2 * (X - low) / (high - low) - 1
    ours = ZeroOneClassifier(0.0).fit(scaled, y)
    theirs = LogisticRegression(C=1.0, tol=1e-8).fit(scaled, y)
    assert_allclose(ours.coef_, theirs.coef_, atol=2e-3)
    assert ours.noise_ == 0.0
    assert 0 < ZeroOneClassifier("auto", random_state=0).fit(X, y).noise_ < 0.5


@pytest.mark.parametrize("ridge", [1.0, 16.0])
@pytest.mark.parametrize("loss", [_squared_hinge, _noisy(0.0), _noisy(0.2), _noisy(0.4)])
def test_smooth_fits_are_minima(loss, ridge):
    X, y = noisy(150, 4)
    X = (X - X.mean(0)) / X.std(0)
    rows = np.column_stack([X, np.ones(150)]) * y[:, None]
    weight = np.random.default_rng(1).exponential(size=150)

    def objective(w):
        return loss(rows @ w, weight).value + 0.5 * ridge * (w[:-1] @ w[:-1])

    w, value = _newton(loss, rows, weight, ridge, np.zeros(5), tolerance=1e-12)
    assert value == pytest.approx(objective(w), abs=1e-4)
    for direction in np.vstack([np.eye(5), np.random.default_rng(2).normal(size=(20, 5))]):
        for step in (1e-3, -1e-3, 1e-2, -1e-2):
            assert objective(w + step * direction) > value - 1e-5
    # The slopes are those of the values.
    z = np.linspace(-3, 3, 150)
    up, down = loss(z + 1e-6, np.eye(150)), loss(z - 1e-6, np.eye(150))
    assert_allclose((up.value - down.value) / 2e-6, loss(z, np.ones(150)).slope, atol=1e-5)


@pytest.mark.parametrize("ridge", [1.0, 16.0])
def test_squared_hinge_is_a_linear_support_vector_machine(ridge):
    X, y = noisy(200, 3)
    X = (X - X.mean(0)) / X.std(0)
    rows = np.column_stack([X, np.ones(200)]) * y[:, None]
    ours, _ = _newton(_squared_hinge, rows, np.ones(200), ridge, np.zeros(4), tolerance=1e-10)
    # Its intercept has a ridge too, which a large scale makes small.
    theirs = LinearSVC(C=1 / ridge, dual=False, intercept_scaling=1000.0, tol=1e-10).fit(X, y)
    assert_allclose(ours, np.append(theirs.coef_, theirs.intercept_), atol=1e-3)


def test_auto_is_near_a_convex_fit_where_labels_are_right_and_leaves_it_where_they_are_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=400) > 0, 1, -1)
    clean = ZeroOneClassifier("auto", random_state=0).fit(X, y)
    far = np.argsort(-np.abs(X[:, 0]))[:160]
    y[rng.permutation(far)[:80]] *= -1
    wrong = ZeroOneClassifier("auto", random_state=0).fit(X, y)
    assert clean.noise_ < 0.1 < wrong.noise_


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_many_classes(load):
    X, y = load(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    apart = ZeroOneClassifier(random_state=0, max_iter=30).fit(X, names)
    scores = apart.decision_function(X)
    signs = np.where(y[:, None] == np.arange(3), 1, -1)
    assert_array_equal(apart.error_, np.sum(signs * scores <= 0, axis=0))
    assert (np.diff(apart.error_curve_, axis=1) <= 0).all()


def test_boosting_takes_its_weights():
    from weaklearn.boosting import AdaBoostClassifier

    X, y = noisy(100, 2, flip=0.2)
    base = ZeroOneClassifier(max_iter=1, random_state=0)
    model = AdaBoostClassifier(clone(base), n_estimators=20).fit(X, y)
    assert model.score(X, y) > base.fit(X, y).score(X, y)


def test_bad_parameters():
    X, y = noisy(30, 2)
    with pytest.raises(ValueError, match="certify=True needs noise=None"):
        ZeroOneClassifier("auto", certify=True).fit(X, y)
    with pytest.raises(ValueError, match="'noise' parameter"):
        ZeroOneClassifier(0.5).fit(X, y)


def test_probabilities_of_auto_are_those_of_held_out_scores():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    y = np.where(rng.random(1000) < expit(2 * X[:, 0] - X[:, 1]), "up", "down")
    model = ZeroOneClassifier("auto", random_state=0).fit(X, y)
    X_test = rng.normal(size=(2000, 3))
    truth = expit(2 * X_test[:, 0] - X_test[:, 1])
    P = model.predict_proba(X_test)
    assert_allclose(P.sum(axis=1), 1)
    assert np.abs(P[:, 1] - truth).mean() < 0.04
    agrees = model.classes_[P.argmax(axis=1)] == model.predict(X_test)
    assert agrees.mean() > 0.97


def test_probabilities_know_of_wrong_labels():
    """Far from the boundary 80% of the labels are those of the side, and the probability says 0.8."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 2))
    side = X[:, 0] > 0
    y = np.where(rng.random(800) < 0.2, ~side, side)
    model = ZeroOneClassifier("auto", random_state=0).fit(X, y)
    far = model.predict_proba([[4.0, 0.0], [-4.0, 0.0]])[:, 1]
    assert_allclose(far, [0.8, 0.2], atol=0.06)


def test_probabilities_of_more_classes_and_where_there_are_none():
    X, y = load_iris(return_X_y=True)
    model = ZeroOneClassifier("auto", random_state=0).fit(X, y)
    P = model.predict_proba(X)
    assert_allclose(P.sum(axis=1), 1)
    assert_array_equal(P.argmax(axis=1), model.predict(X))
    assert P[:50, 0].min() > P[50:, 0].max()  # setosa stands apart
    assert not hasattr(ZeroOneClassifier().fit(X, y), "predict_proba")


def test_gradient_of_the_sigmoid():
    rng = np.random.default_rng(0)
    scores, target, weight = rng.normal(size=30), rng.random(30), rng.random(30)
    for rate in (0.0, 0.2):
        arguments = (scores, target, weight, rate)
        difference = check_grad(
            lambda p, *a: sigmoid_objective(p, *a)[0],
            lambda p, *a: sigmoid_objective(p, *a)[1],
            np.array([0.7, -0.3]),
            *arguments,
        )
        assert difference < 1e-6


def test_a_sigmoid_without_scores_is_the_share():
    none = np.empty(0)
    assert fit_sigmoid(none, none > 0, none)(np.zeros(1)) == pytest.approx(0.5)
    one = fit_sigmoid(np.ones(8), np.ones(8, dtype=bool), np.ones(8))
    assert one(np.array([-5.0, 5.0])) == pytest.approx(0.9)
