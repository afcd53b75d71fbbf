"""Kernel functions against their formulas, and what rounding does to them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from weaklearn.kernel import (
    gaussian_kernel,
    linear_kernel,
    perceptron_kernel,
    polynomial_kernel,
    positive_shift,
    stump_kernel,
)
from weaklearn.kernel._functions import KERNELS

FORMULAS = {
    "linear": (linear_kernel, {}, lambda X, Y: X @ Y.T),
    "power": (polynomial_kernel, {"degree": 5}, lambda X, Y: (X @ Y.T) ** 5),
    "polynomial": (
        polynomial_kernel,
        {"degree": 6, "gamma": 0.5, "coef0": 1.5},
        lambda X, Y: (0.5 * X @ Y.T + 1.5) ** 6,
    ),
    "degree one": (polynomial_kernel, {"degree": 1}, lambda X, Y: X @ Y.T),
    "rbf": (gaussian_kernel, {"gamma": 0.3}, lambda X, Y: np.exp(-0.3 * cdist(X, Y) ** 2)),
    "perceptron": (perceptron_kernel, {"shift": 2.0}, lambda X, Y: 2 - cdist(X, Y)),
    "stump": (stump_kernel, {"shift": 2.0}, lambda X, Y: 2 - cdist(X, Y, "cityblock")),
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (130, 17), (1500, 5)])
def test_formula(name, shape):
    kernel, params, formula = FORMULAS[name]
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=shape), rng.normal(size=(11, shape[1]))
    assert_allclose(kernel(X, Y, **params), formula(X, Y), rtol=1e-10, atol=1e-10)
    gram = kernel(X, **params)
    assert_allclose(gram, formula(X, X), rtol=1e-10, atol=1e-10)
    assert_array_equal(gram, gram.T)


@pytest.mark.parametrize("name", FORMULAS)
def test_single_precision(name):
    kernel, params, formula = FORMULAS[name]
    X = np.random.default_rng(0).normal(size=(60, 9))
    gram = kernel(X, dtype=np.float32, **params)
    assert gram.dtype == np.float32
    exact = formula(X, X)
    assert_allclose(gram, exact, atol=1e-5 * np.abs(exact).max())


@pytest.mark.parametrize("kernel", [gaussian_kernel, perceptron_kernel, stump_kernel])
@pytest.mark.parametrize(("dtype", "atol"), [(np.float64, 1e-9), (np.float32, 1e-4)])
def test_distances_do_not_care_where_the_origin_is(kernel, dtype, atol):
    X = np.random.default_rng(1).normal(size=(40, 6))
    assert_allclose(kernel(X + 1e4, X[:5] + 1e4, dtype=dtype), kernel(X, X[:5]), atol=atol)


def test_near_pairs_keep_their_digits():
    X = np.random.default_rng(2).normal(size=(50, 8))
    near = X + 1e-7 * np.random.default_rng(3).normal(size=X.shape)
    assert_allclose(-perceptron_kernel(X, near).diagonal(), np.linalg.norm(X - near, axis=1), rtol=1e-6)
    assert_array_equal(perceptron_kernel(np.repeat(X, 2, axis=0)).diagonal(1)[::2], 0.0)


@pytest.mark.parametrize("name", ["perceptron", "stump"])
@pytest.mark.parametrize("m", [1, 2, 30])
def test_positive_shift(name, m):
    X = np.random.default_rng(m).normal(size=(60, m)) + 5
    gram = KERNELS[name](X, shift=positive_shift(name, X))
    values = np.linalg.eigvalsh(gram)
    assert values[0] > -1e-9 * values[-1]
    # Conditionally positive definite without it.
    centring = np.eye(60) - 1 / 60
    assert np.linalg.eigvalsh(centring @ KERNELS[name](X) @ centring)[0] > -1e-9 * values[-1]


def test_refuses_what_it_cannot_use():
    with pytest.raises(ValueError, match="same columns"):
        linear_kernel(np.zeros((2, 3)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="dtype must be"):
        gaussian_kernel(np.zeros((2, 3)), dtype=np.int64)


@pytest.mark.parametrize("unit", [1e-150, 1e-300, 1e-305])
def test_distances_of_tiny_numbers_do_not_vanish(unit):
    X = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]])
    assert_allclose(perceptron_kernel(X * unit) / unit, perceptron_kernel(X), rtol=1e-9)
    assert_allclose(perceptron_kernel(X * unit, X[:2] * unit) / unit, perceptron_kernel(X, X[:2]), rtol=1e-9)
    assert_allclose(positive_shift("perceptron", X * unit) / unit, positive_shift("perceptron", X), rtol=1e-9)
