"""KernelRCDClassifier: exactness of its counts, sparsity, and optima that can be had by other means."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from weaklearn.datasets import make_yinyang
from weaklearn.kernel import KernelRCDClassifier, KernelSVC, gaussian_kernel
from weaklearn.linear import minimum_zero_one_error


def wrong_share(model, X, y):
    margins = np.where(y == model.classes_[1], 1, -1) * model.decision_function(X)
    return np.mean(margins <= 0)


@pytest.mark.parametrize("kernel", ["rbf", "perceptron", "stump", "polynomial"])
def test_errors_are_recounts(kernel):
    X, y = make_yinyang(200, random_state=0)
    model = KernelRCDClassifier(kernel, max_iter=300, random_state=0).fit(X, y)
    assert model.error_curve_.shape == (301,)
    assert model.error_curve_[-1] == pytest.approx(wrong_share(model, X, y))
    assert model.error_curve_[-1] <= model.error_curve_[0]
    scores = model.decision_function(X)
    assert np.abs(scores).mean() == pytest.approx(1.0)


def test_no_line_search_raises_the_error():
    X, y = make_yinyang(200, random_state=1)
    # 64 line searches are one block, in which the columns stay the same.
    model = KernelRCDClassifier(gamma=2.0, max_iter=64, price=0.0, random_state=0).fit(X, y)
    assert (np.diff(model.error_curve_[:-1]) <= 1e-12).all()


@pytest.mark.parametrize("seed", range(3))
def test_finds_the_optimum_of_a_small_problem(seed):
    """With the linear kernel in the plane, two columns and a bias span all hyperplanes."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 2)), rng.choice([-1, 1], 30)
    best = minimum_zero_one_error(X, y).error
    # No price, but room for a second pair of columns.
    model = KernelRCDClassifier("linear", max_support=4, price=0.0, max_iter=2000, random_state=0).fit(X, y)
    assert model.error_curve_[-1] * 30 == pytest.approx(best * (30 if best < 1 else 1), abs=1e-6)


def test_sparsity_controls():
    X, y = make_yinyang(300, random_state=2)
    sizes = [
        KernelRCDClassifier(gamma=2.0, max_support=m, random_state=0).fit(X, y).n_support_[0]
        for m in (3, 10, 40)
    ]
    assert sizes[0] <= 3
    assert sizes[1] <= 10
    assert sizes[2] <= 40
    dear = KernelRCDClassifier(gamma=2.0, price=0.05, random_state=0).fit(X, y)
    cheap = KernelRCDClassifier(gamma=2.0, price=0.0, random_state=0).fit(X, y)
    assert dear.n_support_[0] < cheap.n_support_[0]
    assert dear.error_curve_[-1] > cheap.error_curve_[-1]


def test_a_third_of_the_columns_of_a_support_vector_machine_on_noisy_labels():
    X, y = make_yinyang(400, random_state=0)
    noisy = np.where(np.random.default_rng(0).random(400) < 0.1, -y, y)
    X_test, y_test = make_yinyang(4000, random_state=9)
    machine = KernelSVC(C=1000, gamma=2.0).fit(X, noisy)
    model = KernelRCDClassifier(gamma=2.0, random_state=0).fit(X, noisy)
    assert model.n_support_[0] < machine.n_support_[0] / 3
    assert model.error_curve_[-1] < 1 - machine.score(X, noisy)
    assert model.score(X_test, y_test) > machine.score(X_test, y_test) - 0.02


def test_a_weight_is_a_number_of_copies():
    X, y = make_yinyang(100, random_state=0)
    weight = np.random.default_rng(1).integers(0, 4, 100)
    model = KernelRCDClassifier(gamma=1.0, max_iter=200, random_state=0).fit(X, y, sample_weight=weight)
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(100), weight))
    copies = KernelRCDClassifier(gamma=1.0, max_iter=200, random_state=0).fit(X[rows], y[rows])
    assert_allclose(copies.decision_function(X), model.decision_function(X), atol=1e-8)


def test_more_classes_and_precomputed():
    X, y = load_iris(return_X_y=True)
    model = KernelRCDClassifier(gamma=0.5, max_support=8, random_state=0).fit(X, y)
    assert model.error_curve_.shape == (3, 2001)
    assert model.score(X, y) > 0.97
    gram = gaussian_kernel(X, gamma=0.5)
    given = KernelRCDClassifier("precomputed", max_support=8, random_state=0).fit(gram, y)
    assert given.score(gram, y) > 0.97
    assert_array_equal(given.predict(gram[:5]), [0] * 5)
