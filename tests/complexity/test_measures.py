"""Measures against LIBSVM, and at their edges."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from weaklearn.complexity import LookupComplexity, SVMComplexity, complexity
from weaklearn.datasets import make_yinyang
from weaklearn.kernel import gaussian_kernel, perceptron_kernel, polynomial_kernel, stump_kernel
from weaklearn.kernel._incremental import NotSeparableError

GAUSSIAN = partial(gaussian_kernel, gamma=40.0)
POLYNOMIAL = partial(polynomial_kernel, degree=12, coef0=1.0)
KERNELS = [
    (SVMComplexity(), perceptron_kernel),
    (SVMComplexity("stump"), stump_kernel),
    (SVMComplexity(GAUSSIAN), GAUSSIAN),
    (SVMComplexity(POLYNOMIAL), POLYNOMIAL),
    (SVMComplexity(lambda X, Y: -np.sqrt(np.abs(X[:, None] - Y).sum(axis=2))), None),
]


@pytest.mark.parametrize(("measure", "kernel"), KERNELS[:4])
def test_counts_support_vectors(measure, kernel):
    # Few examples: with the smooth kernels, more make the Gram matrix singular in double precision.
    X, y = make_yinyang(30, random_state=0)
    machine = SVC(kernel="precomputed", C=1e9, tol=1e-9).fit(kernel(X), y)
    assert measure(X, y) == len(machine.support_)


def test_takes_any_conditionally_positive_definite_kernel():
    X, y = make_yinyang(50, random_state=0)
    assert 2 <= KERNELS[4][0](X, y) <= 50


@pytest.mark.parametrize("measure", [SVMComplexity(), LookupComplexity()])
def test_nothing_and_one_class_are_not_complex(measure):
    assert measure(np.empty((0, 2)), np.empty(0)) == 0.0
    assert measure([[0.0, 1.0], [1.0, 2.0]], ["a", "a"]) == 0.0
    assert clone(measure)([[0.0], [1.0]], [1, 1]) == 0.0


def test_contradictions_cost_two_each_whatever_the_order():
    X = np.array([[0.0], [1.0], [1.0], [5.0], [6.0]])
    y = np.array([0, 0, 1, 1, 1])
    # The pair at 1 is set aside; 0 and 5 are left to separate.
    assert complexity(X, y) == 2 + 2
    assert complexity(X[::-1], y[::-1]) == 4
    # With a majority the place keeps its label.
    assert complexity([[0], [1], [1], [1], [5]], [0, 0, 0, 1, 1]) == 2 + 2


def test_more_classes_are_half_the_sum_over_one_against_the_rest():
    X, _ = make_yinyang(60, random_state=1)
    y = np.digitize(X[:, 0], [-0.4, 0.4])
    parts = [complexity(X, y == k) for k in range(3)]
    assert complexity(X, np.array(["a", "b", "c"])[y]) == sum(parts) / 2


def test_scaling_and_shifting_all_features_alike_changes_nothing():
    X, y = make_yinyang(80, flip=0.1, random_state=2)
    assert complexity(X, y) == complexity(1e5 * X + 1e6, y) == complexity(1e-7 * X, y)


def test_what_cannot_be_separated_is_an_error_that_says_so():
    with pytest.raises(NotSeparableError, match="linear kernel cannot separate"):
        SVMComplexity("linear")([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])


def test_lookup_counts_size_and_errors():
    X, y = make_yinyang(100, random_state=3)
    model = LogisticRegression().fit(X, y)
    errors = np.sum(model.predict(X) != y)
    assert LookupComplexity(LogisticRegression(), lam=3)(X, y) == 2 + 3 * errors
    machine = SVC(kernel=perceptron_kernel, C=1.0).fit(X, y)
    expected = len(machine.support_) + np.sum(machine.predict(X) != y)
    assert LookupComplexity()(X, y) == expected


def test_unknown_sizes_are_refused():
    from sklearn.neighbors import KNeighborsClassifier

    with pytest.raises(ValueError, match="size of a KNeighborsClassifier"):
        LookupComplexity(KNeighborsClassifier(1))([[0], [1]], [0, 1])


def test_nan_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        complexity([[0.0], [np.nan]], [0, 1])
