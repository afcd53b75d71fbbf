"""KernelPerceptronClassifier: the dual is the primal, blocks and streams are the same game, budgets are kept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_classification

from weaklearn.datasets import make_yinyang
from weaklearn.kernel import KernelPerceptronClassifier, gaussian_kernel, polynomial_kernel
from weaklearn.linear import Perceptron


def digits(n=400):
    X, y = load_digits(return_X_y=True)
    return X[:n] / 16, y[:n]


def primal_rest(features, y, n_epochs, strength=None):
    """Algorithm 3 of may2020 with explicit weight vectors; also their mean over all trials, and mistakes."""
    strength = np.ones(len(y)) if strength is None else strength
    W = np.zeros((y.max() + 1, features.shape[1]))
    total, trials, mistakes = np.zeros_like(W), 0, np.zeros(n_epochs, dtype=int)
    for epoch in range(n_epochs):
        for x, label, size in zip(features, y, strength, strict=True):
            scores = W @ x
            others = np.delete(np.arange(len(W)), label)
            rival = others[scores[others].argmax()]
            if scores[label] <= scores[rival]:
                W[label] += size * x
                W[rival] -= size * x
                mistakes[epoch] += 1
            total += W
            trials += 1
    return W, total / trials, mistakes


def quadratic_features(X):
    """All products of two features: the inner product of these is the square of the inner product."""
    return np.einsum("ij,ik->ijk", X, X).reshape(len(X), -1)


@pytest.mark.parametrize("averaged", [False, True])
def test_dual_is_primal_one_against_the_rest(averaged):
    X, y = load_iris(return_X_y=True)
    X = X - X.mean(axis=0)
    weight = np.random.default_rng(0).uniform(0.5, 2, 150)
    features = quadratic_features(X)
    W, mean, mistakes = primal_rest(features, y, 4, weight)
    model = KernelPerceptronClassifier(
        "polynomial", degree=2, gamma=1.0, shuffle=False, tol=None, max_iter=4, averaged=averaged
    ).fit(X, y, sample_weight=weight)
    assert_allclose(model.decision_function(X), features @ (mean if averaged else W).T, rtol=1e-8, atol=1e-8)
    assert_array_equal(model.mistakes_, mistakes)


def test_two_classes_are_rosenblatts_rule():
    X, y = make_classification(120, 6, flip_y=0.1, random_state=0)
    model = KernelPerceptronClassifier("linear", shuffle=False, tol=None, max_iter=9).fit(X, y)
    primal = Perceptron(fit_intercept=False, order="cyclic", max_iter=9).fit(X, y)
    assert_allclose(model.decision_function(X), X @ primal.coef_[0], atol=1e-9)
    assert_array_equal(model.mistakes_, primal.mistakes_)
    sign = np.where(y[model.support_] == 1, 1, -1)
    assert (model.dual_coef_[0] * sign > 0).all()
    assert np.abs(model.dual_coef_).sum() == model.mistakes_.sum()


def test_pairs_are_binary_machines():
    X, y = digits()
    model = KernelPerceptronClassifier(
        "rbf", gamma=0.1, multi_class="ovo", shuffle=False, tol=None, max_iter=3
    ).fit(X, y)
    assert model.dual_coef_.shape[0] == 45
    votes = np.zeros((len(y), 10))
    machine = 0
    for low in range(10):
        for high in range(low + 1, 10):
            rows = (y == low) | (y == high)
            binary = KernelPerceptronClassifier("rbf", gamma=0.1, shuffle=False, tol=None, max_iter=3).fit(
                X[rows], y[rows]
            )
            # A binary machine may stop before the third epoch, when it has nothing left to learn.
            assert_array_equal(model.n_support_[machine], binary.n_support_[0])
            sign = binary.decision_function(X) > 0
            votes[np.arange(len(y)), np.where(sign, high, low)] += 1
            machine += 1
    scores = model.decision_function(X)
    assert_array_equal(np.round(scores), votes)
    assert_array_equal(model.predict(X), scores.argmax(axis=1))


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("averaged", [False, True])
def test_blocks_are_the_same_game(multi_class, averaged):
    X, y = digits(700)
    params = {"degree": 2, "multi_class": multi_class, "averaged": averaged, "random_state": 3, "tol": None}
    whole = KernelPerceptronClassifier("polynomial", max_iter=3, **params).fit(X, y)
    blocks = KernelPerceptronClassifier("polynomial", max_iter=3, gram_limit=0, **params).fit(X, y)
    assert_array_equal(blocks.mistakes_, whole.mistakes_)
    assert_array_equal(blocks.support_, whole.support_)
    assert_array_equal(blocks.dual_coef_, whole.dual_coef_)
    gram = polynomial_kernel(X, degree=2)
    given = KernelPerceptronClassifier("precomputed", max_iter=3, **{**params, "degree": 1}).fit(gram, y)
    assert_array_equal(given.dual_coef_, whole.dual_coef_)
    assert_array_equal(given.predict(gram), whole.predict(X))


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("averaged", [False, True])
def test_a_stream_is_one_epoch(multi_class, averaged):
    X, y = digits(600)
    params = {"gamma": 0.05, "multi_class": multi_class, "averaged": averaged}
    whole = KernelPerceptronClassifier("rbf", shuffle=False, max_iter=1, **params).fit(X, y)
    stream = KernelPerceptronClassifier("rbf", **params)
    for rows in np.array_split(np.arange(600), [1, 2, 50, 300]):
        stream.partial_fit(X[rows], y[rows], classes=np.arange(10))
    assert stream.mistakes_.sum() == whole.mistakes_[0]
    assert_array_equal(stream.support_, whole.support_)
    assert_allclose(stream.dual_coef_, whole.dual_coef_)
    # The stream goes on after fit as well.
    both = KernelPerceptronClassifier("rbf", shuffle=False, max_iter=1, **params).fit(X[:300], y[:300])
    assert_allclose(both.partial_fit(X[300:], y[300:]).dual_coef_, whole.dual_coef_)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_budget(multi_class):
    X, y = digits(900)
    model = KernelPerceptronClassifier("rbf", gamma=0.05, multi_class=multi_class, budget=80)
    unlimited = KernelPerceptronClassifier("rbf", gamma=0.05, multi_class=multi_class)
    for rows in np.array_split(np.arange(900), 9):
        model.partial_fit(X[rows], y[rows], classes=np.arange(10))
        unlimited.partial_fit(X[rows], y[rows], classes=np.arange(10))
        assert len(model.support_) <= 80
    assert len(unlimited.support_) > 80
    assert model.score(X, y) > 0.6
    loose = KernelPerceptronClassifier("rbf", gamma=0.05, multi_class=multi_class, budget=900)
    loose.partial_fit(X, y, classes=np.arange(10))
    assert_array_equal(loose.support_, unlimited.support_)
    assert len(model.fit(X, y).support_) <= 80


def test_budget_drops_the_example_that_needs_itself_least():
    # Two classes on a line; the third mistake makes one support example too many.
    X, y = np.array([[1.0], [1.2], [-3.0], [0.1]]), np.array([1, 1, 0, 0])
    model = KernelPerceptronClassifier("rbf", gamma=1.0, budget=2)
    model.partial_fit(X, y, classes=[0, 1])
    support, alpha = [0], np.zeros(4)
    alpha[0] = 1.0
    gram, sign = gaussian_kernel(X), np.array([1, 1, -1, -1])
    for t in (1, 2, 3):
        if sign[t] * (alpha @ gram[t]) <= 0:
            alpha[t] = sign[t]
            support.append(t)
        if len(support) > 2:
            margins = [sign[i] * (alpha @ gram[i] - alpha[i]) for i in support]
            gone = support.pop(int(np.argmax(margins)))
            alpha[gone] = 0
    assert_array_equal(model.support_, sorted(support))
    assert_allclose(model.dual_coef_[0], alpha[sorted(support)])


def test_stopping_rule_of_the_document():
    X, y = make_yinyang(300, random_state=1)
    model = KernelPerceptronClassifier("rbf", gamma=0.5, patience=3, tol=0.01, random_state=0).fit(X, y)
    accuracy = 1 - model.mistakes_ / 300
    settled = [
        accuracy[t - 3 : t].mean() < accuracy[t - 6 : t - 3].mean() + 0.01
        for t in range(6, model.n_iter_ + 1)
    ]
    assert settled[-1]
    assert not any(settled[:-1])
    free = KernelPerceptronClassifier("rbf", gamma=0.5, tol=None, max_iter=25, random_state=0).fit(X, y)
    assert free.n_iter_ == 25
    assert_array_equal(free.mistakes_[: model.n_iter_], model.mistakes_)


def test_an_epoch_without_an_update_ends_the_run():
    X, y = digits(200)
    model = KernelPerceptronClassifier("rbf", gamma=1.0, tol=None, max_iter=50).fit(X, y)
    assert model.n_iter_ < 50
    assert model.mistakes_[-1] == 0
    assert model.score(X, y) == 1.0


def test_counts_per_machine():
    X, y = digits()
    model = KernelPerceptronClassifier("polynomial", degree=3, random_state=0).fit(X, y)
    assert model.n_support_.shape == (10,)
    assert_array_equal(model.n_support_, (model.dual_coef_ != 0).sum(axis=1))
    assert_array_equal(X[model.support_], model.support_vectors_)
    # The joint update moves one machine up and one down.
    assert_allclose(model.dual_coef_.sum(axis=0), 0)


def test_single_precision():
    X, y = digits()
    double = KernelPerceptronClassifier("polynomial", degree=3, random_state=0).fit(X, y)
    single = KernelPerceptronClassifier("polynomial", degree=3, random_state=0, dtype="float32").fit(X, y)
    assert np.mean(double.predict(X) == single.predict(X)) > 0.99


def test_refusals():
    X, y = digits(50)
    with pytest.raises(ValueError, match="cannot be combined with budget"):
        KernelPerceptronClassifier(budget=5, averaged=True).fit(X, y)
    with pytest.raises(ValueError, match="needs all classes"):
        KernelPerceptronClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="label 9, which is not among"):
        KernelPerceptronClassifier().partial_fit(X, y, classes=range(9))
    with pytest.raises(ValueError, match="precomputed"):
        KernelPerceptronClassifier("precomputed").partial_fit(X, y, classes=range(10))
    model = KernelPerceptronClassifier().partial_fit(X, y, classes=range(10))
    with pytest.raises(ValueError, match="not those of the first call"):
        model.partial_fit(X, y, classes=range(11))


def test_zero_weights_are_absent_rows():
    X, y = digits(300)
    weight = np.ones(300)
    weight[::3] = 0
    machine = KernelPerceptronClassifier("polynomial", degree=2, shuffle=False)
    model, absent = clone(machine).fit(X, y, sample_weight=weight), machine.fit(X[weight > 0], y[weight > 0])
    assert_array_equal(model.support_, np.flatnonzero(weight)[absent.support_])
    assert_array_equal(model.dual_coef_, absent.dual_coef_)


def test_long_runs_without_a_mistake():
    X, y = digits(1797)
    X = X - X.mean(axis=0)
    W, _, mistakes = primal_rest(X, y, 32)
    model = KernelPerceptronClassifier("linear", shuffle=False, tol=None, max_iter=32).fit(X, y)
    assert 0 < mistakes.min() < 20
    assert_array_equal(model.mistakes_, mistakes)
    assert_allclose(model.decision_function(X), X @ W.T, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_gram_matrix_with_holes(bad):
    X, y = digits(100)
    gram = polynomial_kernel(X, degree=2)
    gram[:, 0] = bad
    with pytest.raises(ValueError, match="NaN or infinity"):
        KernelPerceptronClassifier("precomputed").fit(gram, y)


@pytest.mark.parametrize("centre", [0.0, 3.0, 1000.0])
def test_defaults_separate_two_clusters(centre):
    """Six deviations apart, wherever they lie; a homogeneous polynomial, without a bias, does not."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 2)) + 6.0 * y[:, None] * [1, 0] + centre
    assert KernelPerceptronClassifier(random_state=0).fit(X, y).score(X, y) >= 0.99
    if centre == 0:
        assert KernelPerceptronClassifier("polynomial", random_state=0).fit(X, y).score(X, y) < 0.9
