"""The exact minimum of the 0/1 error against independent searches."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from weaklearn.linear import minimum_zero_one_error


def separable(X, y):
    """Whether a hyperplane gets every example strictly right (linear program)."""
    rows = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    result = linprog(
        np.zeros(rows.shape[1]), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=[(None, None)] * rows.shape[1]
    )
    return result.status == 0


def by_dropping(X, y, weight):
    """Smallest total weight of a set of examples without which the rest is separable."""
    best = weight.sum()
    for dropped in product([False, True], repeat=len(y)):
        kept = ~np.array(dropped)
        loss = weight[~kept].sum()
        if loss < best and (not kept.any() or separable(X[kept], y[kept])):
            best = loss
    return best


def recount(found, X, y, weight):
    return weight[y * (X @ found.coef + found.intercept) <= 0].sum()


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("kind", ["continuous", "binary", "grid"])
def test_equals_dropping_every_subset(m, kind):
    rng = np.random.default_rng([m, len(kind)])
    n = 8
    for _ in range(4):
        values = {"continuous": None, "binary": 2, "grid": 3}[kind]
        X = rng.normal(size=(n, m)) if values is None else rng.integers(0, values, size=(n, m)).astype(float)
        y = rng.choice([-1.0, 1.0], n)
        y[:2] = -1, 1
        weight = rng.integers(1, 4, n).astype(float)
        found = minimum_zero_one_error(X, y, weight)
        assert found.error == by_dropping(X, y, weight)
        assert found.optimal
        assert found.lower_bound == found.error
        assert recount(found, X, y, weight) == found.error


def test_plane_agrees_with_integer_program():
    rng = np.random.default_rng(3)
    for _ in range(4):
        X = rng.normal(size=(25, 2))
        y = np.where(X[:, 0] + rng.normal(size=25) > 0, 1, -1)
        plane = minimum_zero_one_error(X, y)
        # A third column that carries nothing sends the same problem through the integer program.
        program = minimum_zero_one_error(np.column_stack([X, np.zeros(25)]), y)
        assert (plane.method, program.method) == ("enumeration", "branch and bound")
        assert plane.error == program.error


def test_time_limit_leaves_an_honest_bound():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 8)), rng.choice([-1, 1], 120)
    found = minimum_zero_one_error(X, y, max_time=0.5)
    assert not found.optimal
    assert found.lower_bound < found.error <= 60
    assert recount(found, X, y, np.ones(120)) == found.error


def test_bad_input():
    with pytest.raises(ValueError, match="minimum_zero_one_error needs examples of at least two classes"):
        minimum_zero_one_error([[1.0], [2.0]], [1, 1])
    with pytest.raises(ValueError, match="at most 1500 distinct points"):
        minimum_zero_one_error(np.random.default_rng(0).normal(size=(1600, 2)), np.arange(1600) % 2)
    with pytest.raises(ValueError, match="max_time"):
        minimum_zero_one_error([[1.0], [2.0]], [0, 1], max_time=0)
