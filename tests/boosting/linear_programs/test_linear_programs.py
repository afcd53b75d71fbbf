import itertools
import re

import numpy as np
import pytest
from problems import noisy_ring, ten_data_sets
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from weaklearn.boosting import AdaBoostClassifier, AlphaBoostClassifier, DLPBoostClassifier, LPBoostClassifier
from weaklearn.boosting._alphaboost import descend
from weaklearn.boosting.linear_programs._linear_program import (
    dominating_coefficients,
    largest_margin,
    least_gain,
    least_soft_nu,
)
from weaklearn.costs import Exponential
from weaklearn.stumps import DecisionStump

SETS = ten_data_sets()


def all_votes(X, y):
    """``y_i h(x_i)`` of every stump there is."""
    rows = [y.astype(float), -y.astype(float)]
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for lower, upper in itertools.pairwise(values):
            h = np.where(X[:, feature] > (lower + upper) / 2, 1.0, -1.0)
            rows += [y * h, -y * h]
    return np.array(rows)


def primal(votes, share, nu):
    """The margin program itself, over all columns: variables a, xi, rho."""
    n_columns, n = votes.shape
    soft = np.concatenate([np.zeros(n_columns), share / nu if nu else np.zeros(n), [-1.0]])
    constraints = np.hstack([-votes.T, -np.eye(n) if nu else np.zeros((n, n)), np.ones((n, 1))])
    simplex = np.concatenate([np.ones(n_columns), np.zeros(n + 1)])[None]
    bounds = [(0, None)] * (n_columns + n) + [(None, None)]
    return -linprog(soft, constraints, np.zeros(n), simplex, [1.0], bounds, method="highs").fun


@pytest.mark.parametrize("nu", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_column_generation_reaches_the_optimum_over_all_stumps(nu, seed):
    X, y, weight = noisy_ring(n=40, m=2, seed=seed)
    model = LPBoostClassifier(n_estimators=500, nu=nu, tol=1e-9).fit(X, y, weight)
    # An optimum of 0 is one at which no hypothesis has an edge.
    assert model.stop_reason_ == ("no edge" if abs(model.cost_curve_[-1]) < 1e-9 else "optimal")
    share = weight / weight.sum()
    best = primal(all_votes(X, y), share, nu)
    assert -model.cost_curve_[-1] == pytest.approx(best, abs=1e-7)
    # The coefficients, not only the bound, reach it.
    margins = y * model.decision_function(X)
    reached = margins.min()
    if nu:
        reached = max(rho - (share * np.maximum(rho - margins, 0)).sum() / nu for rho in margins)
    assert reached == pytest.approx(best, abs=1e-6)
    assert model.estimator_weights_.sum() == pytest.approx(1)
    assert (model.estimator_weights_ > 0).all()
    assert (np.diff(model.cost_curve_) <= 1e-9).all()


@pytest.mark.parametrize("nu", [0.0, 0.3])
def test_primal_and_dual_meet(nu):
    rng = np.random.default_rng(0)
    votes = np.where(rng.random((12, 25)) < 0.6, 1.0, -1.0)
    share = rng.dirichlet(np.ones(25))
    caps = np.minimum(share / nu, 1.0) if nu else np.ones(25)
    coefficients, weights, beta = largest_margin(votes, caps)
    assert beta == pytest.approx(primal(votes, share, nu), abs=1e-9)
    assert (votes @ weights).max() == pytest.approx(beta, abs=1e-9)
    assert weights.sum() == pytest.approx(1)
    assert (weights <= caps + 1e-9).all()
    # Complementary slackness: hypotheses of positive weight have the largest edge.
    assert (votes @ weights)[coefficients > 1e-9] == pytest.approx(beta, abs=1e-8)


@pytest.mark.parametrize("objective", ["mean", "cost", "each"])
@pytest.mark.parametrize("name", SETS)
def test_dlpboost_dominates_adaboost_pointwise(name, objective):
    X, y = SETS[name]
    plain = AdaBoostClassifier(DecisionStump(constant=False), 80).fit(X, y)
    better = DLPBoostClassifier(DecisionStump(constant=False), 80, objective).fit(X, y)
    signs = np.where(y == plain.classes_[1], 1, -1)
    before = signs * plain.decision_function(X) / plain.estimator_weights_.sum()
    after = signs * better.decision_function(X)
    assert (after - before).min() >= -1e-9
    distinct = {(h.feature_, h.threshold_, h.polarity_) for h in plain.estimators_}
    assert len(better.estimators_) <= len(distinct)
    assert better.estimator_weights_.sum() == pytest.approx(1)
    weight = np.exp(-before) if objective == "cost" else np.ones(len(y))
    assert weight @ after >= weight @ before - 1e-7


def test_dlpboost_solves_its_program():
    rng = np.random.default_rng(1)
    votes = np.where(rng.random((15, 40)) < 0.6, 1.0, -1.0)
    start = rng.dirichlet(np.ones(15))
    weight = rng.random(40)
    found = dominating_coefficients(votes, start, weight)
    # Strong duality: no a can do better, by the dual of the program.
    dual = linprog(
        np.concatenate([-(start @ votes), [1.0, -1.0]]),
        A_ub=np.hstack([votes, -np.ones((15, 1)), np.ones((15, 1))]),
        b_ub=-(votes @ weight),
        bounds=(0, None),
        method="highs",
    )
    assert weight @ (found @ votes) == pytest.approx(dual.fun, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_no_margin_can_gain_more_than_the_least_gain_and_none_alone(seed):
    """objective="each": the value of a game, by its dual; and a Pareto optimum."""
    rng = np.random.default_rng(seed)
    votes = np.where(rng.random((12, 10)) < 0.6, 1.0, -1.0)
    start = rng.dirichlet(np.ones(12))
    # The game: one side picks a hypothesis, the other an example; the payoff is what the example gains. Weights of the
    # examples bound the value from above by the best hypothesis against them.
    payoff = votes - start @ votes
    dual = linprog(
        np.append(np.zeros(10), 1.0),
        A_ub=np.column_stack([payoff, -np.ones(12)]),
        b_ub=np.zeros(12),
        A_eq=np.append(np.ones(10), 0.0)[None],
        b_eq=[1.0],
        bounds=[*[(0, None)] * 10, (None, None)],
    )
    gain = least_gain(votes, start)
    assert gain == pytest.approx(dual.fun, abs=1e-8)
    assert gain > 0.01  # there is something to gain, so that the next line says something
    found = dominating_coefficients(votes, start, np.ones(10), gain)
    assert (found @ votes - start @ votes).min() == pytest.approx(dual.fun, abs=1e-8)
    # Nothing dominates it: what could be added to its margins, without lowering any, sums to 0.
    more = linprog(
        -votes.sum(axis=1),
        A_ub=-votes.T,
        b_ub=-(found @ votes),
        A_eq=np.ones((1, 12)),
        b_eq=[1.0],
        bounds=(0, None),
    )
    assert -more.fun == pytest.approx((found @ votes).sum(), abs=1e-7)


@pytest.mark.parametrize("name", SETS)
def test_alphaboost_has_the_lower_cost(name):
    """100 rounds and 50 steps against 150 rounds, as in Table 2.2 of pratap2008."""
    X, y = SETS[name]
    plain = AdaBoostClassifier(DecisionStump(constant=False), 150).fit(X, y)
    lower = AlphaBoostClassifier(DecisionStump(constant=False), n_estimators=100, n_descent=50).fit(X, y)
    np.testing.assert_array_equal(lower.cost_curve_[:100], plain.cost_curve_[:100])
    assert (np.diff(lower.cost_curve_[99:]) < 0).all()
    assert lower.cost_curve_[-1] < plain.cost_curve_[-1]
    assert lower.error_curve_.shape == lower.cost_curve_.shape
    assert len(lower.estimators_) == 100


def test_the_descent_is_polak_ribieres():
    rng = np.random.default_rng(0)
    votes = np.where(rng.random((6, 50)) < 0.6, 1.0, -1.0)
    start = rng.random(6)
    weight = np.ones(50)
    path = descend(Exponential(), votes, start, weight, 4)
    a, gradient, direction = start, None, None
    for found in path:
        new = votes @ np.exp(-(a @ votes))
        beta = 0.0 if gradient is None else new @ (new - gradient) / (gradient @ gradient)
        direction = new if gradient is None else new + beta * direction
        gradient = new
        # The step is along the direction, to where the cost is stationary.
        step = (found - a) @ direction / (direction @ direction)
        np.testing.assert_allclose(found, a + step * direction, rtol=1e-9)
        assert direction @ (votes @ np.exp(-(found @ votes))) == pytest.approx(0, abs=1e-8)
        a = found


def test_the_descent_with_a_fixed_step_is_algorithm_3():
    rng = np.random.default_rng(4)
    votes = np.where(rng.random((6, 50)) < 0.6, 1.0, -1.0)
    start, weight, eta = rng.random(6), rng.random(50), 0.3
    path = descend(Exponential(), votes, start, weight, 8, eta)
    a, earlier, direction = start, None, None
    for found in path:
        gradient = votes @ (weight * np.exp(-(a @ votes))) / weight.sum()
        beta = 0.0 if earlier is None else gradient @ (gradient - earlier) / (earlier @ earlier)
        direction = gradient if direction is None else gradient + beta * direction
        direction = gradient if direction @ gradient <= 0 else direction
        a, earlier = a + eta * direction, gradient
        np.testing.assert_allclose(found, a, rtol=1e-9)
    assert len(path) == 8
    assert not descend(Exponential(), votes, start, weight, 8, 1e6)  # such a step would raise the cost
    X, y, _ = noisy_ring()
    model = AlphaBoostClassifier(n_estimators=20, n_descent=10, step_size=0.1).fit(X, y)
    assert (np.diff(model.cost_curve_[19:]) < 0).all()


def test_the_descent_finds_the_minimum():
    rng = np.random.default_rng(0)
    votes = np.where(rng.random((5, 80)) < 0.6, 1.0, -1.0)
    *_, last = descend(Exponential(), votes, np.zeros(5), np.ones(80), 100)
    assert np.abs(votes @ np.exp(-(last @ votes))).max() < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_least_nu_is_where_the_objective_changes_its_sign(seed):
    rng = np.random.default_rng(seed)
    votes = np.where(rng.random((6, 30)) < 0.62, 1.0, -1.0)
    share = rng.uniform(0.5, 1.5, 30)
    share /= share.sum()
    nu = least_soft_nu(votes, share)
    assert 0.05 < nu < 0.95
    assert largest_margin(votes, share / (nu + 1e-4))[2] > 0
    assert largest_margin(votes, share / (nu - 1e-4))[2] <= 1e-9


def test_a_soft_margin_that_is_not_positive_warns_and_says_which_nu_would_do():
    X, y, weight = noisy_ring()
    with pytest.warns(
        ConvergenceWarning, match=r"no combination with a positive soft margin for nu=0.05"
    ) as caught:
        LPBoostClassifier(nu=0.05, n_estimators=3).fit(X, y, weight)
    nu = float(re.search(r"Use nu=([.0-9]+) or more", str(caught[0].message))[1])
    model = LPBoostClassifier(nu=nu, n_estimators=100).fit(X, y, weight)
    assert model.cost_curve_[-1] < 0
