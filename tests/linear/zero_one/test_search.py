"""The parts of the 0/1 search: the simplex steps, the isotropic form, the centre, merged points."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from weaklearn._fast.isotropic import isotropic_rows
from weaklearn._fast.simplex import descend_hinge, new_vertex, refactor, set_cost, work_arrays
from weaklearn.linear import ZeroOneClassifier
from weaklearn.linear.zero_one._centre import analytic_centre
from weaklearn.linear.zero_one._problem import count_errors, zero_one_problem
from weaklearn.studies.own.zero_one_trials import KINDS, FarFlips


def hinge_sum(vertex):
    r, cost = vertex[4], vertex[5]
    return -(cost * np.minimum(r, 0.0)).sum()


def hinge_minimum(A, target, cost):
    """min_w sum_i c_i max(0, tau_i - <a_i, w>) by scipy's linear programming."""
    n, p = A.shape
    result = linprog(
        np.concatenate([np.zeros(p), cost]),
        A_ub=-np.column_stack([A, np.eye(n)]),
        b_ub=-target,
        bounds=[(None, None)] * p + [(0, None)] * n,
    )
    return result.fun


def assert_pull_is_that_of_violated_rows(A, vertex):
    _, _, pull, _, r, cost, inside = vertex
    assert_allclose(pull, (cost * (r < 0) * ~inside) @ A, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_vertex_descent_solves_the_elastic_program(seed):
    rng = np.random.default_rng(seed)
    n, p = 50, 1 + seed
    A = rng.normal(size=(n, p))
    A /= np.linalg.norm(A, axis=1)[:, None]
    target = 1 + 0.01 * rng.random(n)
    vertex = new_vertex(n, p, target)
    work = work_arrays(n)
    cost = rng.exponential(size=n)
    for i in range(n):
        set_cost(A, vertex, i, cost[i])
    # Rows leave and come back; the descent always goes on from where it stands.
    for _ in range(5):
        descend_hinge(A, np.ascontiguousarray(A.T), vertex, 10_000, work)
        value = hinge_sum(vertex)
        assert value == pytest.approx(hinge_minimum(A, target, vertex[5]), abs=1e-8)
        assert_allclose(A @ vertex[0] - target, vertex[4], atol=1e-9)
        assert_pull_is_that_of_violated_rows(A, vertex)
        refactor(A, target, vertex, work)
        assert hinge_sum(vertex) == pytest.approx(value, abs=1e-9)
        for i in rng.choice(n, 8, replace=False):
            set_cost(A, vertex, i, 0.0 if vertex[5][i] else cost[i])


@pytest.mark.parametrize("seed", range(40))
def test_ties_do_not_upset_the_pull(seed):
    # Points of a small grid and equal targets: many kinks at one place, which rounding puts on either side.
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, size=(60, 4)) / 3 + rng.choice([-0.1, 0.1], size=(60, 1))
    A /= np.linalg.norm(A, axis=1)[:, None]
    target = np.ones(60)
    vertex = new_vertex(60, 4, target)
    work = work_arrays(60)
    for i in range(60):
        set_cost(A, vertex, i, 1.0)
    for _ in range(10):
        descend_hinge(A, np.ascontiguousarray(A.T), vertex, 1000, work)
        assert_pull_is_that_of_violated_rows(A, vertex)
        for i in rng.choice(60, 8, replace=False):
            set_cost(A, vertex, i, 0.0 if vertex[5][i] else 1.0)


def test_isotropic_rows_are_isotropic_and_keep_signs():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 5)) * [1, 10, 0.1, 1, 3] + [0, 5, 0, 0, 1]
    weight = rng.exponential(size=400)
    unit, back = isotropic_rows(rows, weight, n_iter=100)
    assert_allclose(np.linalg.norm(unit, axis=1), 1)
    scatter = (unit * weight[:, None]).T @ unit / weight.sum()
    assert_allclose(np.linalg.eigvalsh(scatter) * 5, 1, atol=0.05)
    w = rng.normal(size=5)
    assert (np.sign(rows @ (w @ back)) == np.sign(unit @ w)).all()


def test_isotropic_rows_drop_dependent_columns():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(50, 3)).astype(float)
    rows = np.column_stack([X, X[:, 0] + X[:, 1], np.ones(50)])
    unit, back = isotropic_rows(rows, np.ones(50))
    assert unit.shape == (50, 4)
    assert back.shape == (4, 5)


def test_centre_is_where_the_gradient_vanishes():
    rng = np.random.default_rng(0)
    w = rng.normal(size=4)
    rows = rng.normal(size=(60, 4))
    rows *= np.sign(rows @ w)[:, None]
    weight = rng.exponential(size=60)
    weight /= weight.sum()
    centre = analytic_centre(rows, weight, w, tolerance=1e-14)
    assert (rows @ centre > 0).all()
    assert_allclose(centre, (weight / (rows @ centre)) @ rows, atol=1e-6)


def test_merging_changes_no_error():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(60, 2)).astype(float)
    y = rng.choice([-1.0, 1.0], 60)
    weight = rng.integers(1, 4, 60).astype(float)
    problem = zero_one_problem(X, y, weight)
    assert len(problem.rows) + len(problem.neutral) == len(np.unique(X, axis=0))
    for _ in range(50):
        w = rng.normal(size=3)
        assert count_errors(problem, w)[0] == weight[y * (X @ w[:-1] + w[-1]) <= 0].sum()


@pytest.mark.parametrize("kind", KINDS)
def test_small_problems_are_solved_to_the_proven_optimum(kind):
    optimal = 0
    for seed in range(10):
        X, y = KINDS[kind](np.random.default_rng([seed, 91]), 40, 6)
        short = ZeroOneClassifier(max_iter=90, random_state=seed).fit(X, y)
        proof = ZeroOneClassifier(certify=True, random_state=seed + 1).fit(X, y)
        assert proof.optimal_
        assert short.error_ >= proof.lower_bound_
        optimal += short.error_ == proof.lower_bound_
    assert optimal >= 9


def test_medium_problems_beat_descent_by_far():
    from weaklearn.linear import RCDPerceptron

    excess = []
    for seed in range(5):
        X, y = KINDS["flips"](np.random.default_rng([seed, 92]), 200, 20)
        ours = ZeroOneClassifier(max_iter=8, random_state=seed).fit(X, y).error_
        excess.append(RCDPerceptron(random_state=seed).fit(X, y).error_curve_[-1] * 200 - ours)
    assert np.mean(excess) > 4


def test_how_many_rounds_a_call_does_changes_nothing():
    X, y = KINDS["flips"](np.random.default_rng(0), 100, 8)
    whole = ZeroOneClassifier(max_iter=60, random_state=0).fit(X, y)
    # A callback wants to hear of single rounds first.
    parts = ZeroOneClassifier(max_iter=60, random_state=0, callback=lambda n_iter, error: False).fit(X, y)
    assert (whole.error_curve_ == parts.error_curve_).all()
    assert (whole.coef_ == parts.coef_).all()


def test_every_estimator_sees_the_same_wrong_labels():
    from sklearn.dummy import DummyClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    y = np.where(X[:, 0] > 0, "b", "a")

    class Keeps(DummyClassifier):
        def fit(self, X, y):
            self.seen_ = y
            return super().fit(X, y)

    seen = [FarFlips(Keeps(strategy=s)).fit(X, y).estimator_.seen_ for s in ("prior", "most_frequent")]
    assert (seen[0] == seen[1]).all()
    flipped = seen[0] != y
    assert flipped.sum() == 20
    assert np.abs(X[flipped, 0]).min() > np.median(np.abs(X[:, 0])) * 0.8
