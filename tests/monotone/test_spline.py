"""SplineFit against a quadratic program, isotonic regression and the mathematics of B-splines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline
from scipy.optimize import LinearConstraint, isotonic_regression, minimize

from weaklearn.monotone import Crossing, SplineFit


def draw_data(seed, n):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(1000, n, replace=False)) / 50.0
    return x, np.sin(x / 8) + rng.normal(0, 0.5, n), rng.integers(1, 6, n).astype(float)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 30))
def test_broken_lines_with_a_knot_at_every_level_are_isotonic_regression(seed, n):
    x, y, m = draw_data(seed, n)
    fit = SplineFit(n_knots=None, degree=1).fit(x, y, m)
    np.testing.assert_allclose(fit.values_, isotonic_regression(y, weights=m).x, atol=1e-8)
    falling = SplineFit(n_knots=None, degree=1, increasing=False).fit(x, y, m)
    np.testing.assert_allclose(
        falling.values_, isotonic_regression(y, weights=m, increasing=False).x, atol=1e-8
    )


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(8, 25), n_knots=st.integers(0, 4), degree=st.integers(1, 3))
def test_the_quadratic_program_by_another_solver(seed, n, n_knots, degree):
    """min |sqrt(m) (B c - y)|^2 with min y <= c_0 <= ... <= c_K <= max y, by SLSQP."""
    x, y, m = draw_data(seed, n)
    fit = SplineFit(n_knots, degree).fit(x, y, m)
    knots = np.quantile(x, np.linspace(0, 1, n_knots + 2))
    knots = np.concatenate([[x[0]] * degree, knots, [x[-1]] * degree])
    B = BSpline.design_matrix(x, knots, degree).toarray()
    K = B.shape[1]
    chain = LinearConstraint(np.diff(np.eye(K), axis=0), 0, np.inf)
    solved = minimize(
        lambda c: (m * (B @ c - y) ** 2).sum(),
        np.linspace(y.min(), y.max(), K),
        jac=lambda c: 2 * B.T @ (m * (B @ c - y)),
        bounds=[(y.min(), y.max())] * K,
        constraints=chain,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    loss = (m * (fit.values_ - y) ** 2).sum()
    assert loss <= solved.fun + 1e-8
    np.testing.assert_allclose(fit.values_, B @ solved.x, atol=1e-4)
    assert (np.diff(fit.spline_.c) >= -1e-12).all()
    assert fit.spline_.c[0] >= y.min() - 1e-12
    assert fit.spline_.c[-1] <= y.max() + 1e-12


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.floats(-3, 3), shift=st.floats(-5, 5))
def test_a_spline_of_its_own_family_is_found_again(seed, scale, shift):
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 1, 40)
    knots = np.concatenate([[0] * 3, np.quantile(x, np.linspace(0, 1, 5)), [1] * 3])
    truth = BSpline(knots, shift + np.exp(scale) * np.sort(rng.random(7)), 3)
    fit = SplineFit().fit(x, truth(x))
    fine = np.linspace(0, 1, 101)
    np.testing.assert_allclose(fit.predict(fine), truth(fine), atol=1e-6 * np.exp(scale))
    at = fit.threshold(
        lambda curve, low, high: Crossing(0.5)(lambda z: (curve(z) - shift) / np.exp(scale), low, high)
    )
    if 0 < at < 1:
        assert truth(at) == pytest.approx(shift + 0.5 * np.exp(scale), abs=1e-5 * np.exp(scale))


def test_smoother_than_isotonic_regression_and_constant_beyond_the_levels():
    x = np.arange(8.0)
    fit = SplineFit().fit(x, [0, 0.3, 0.2, 0.4, 0.3, 0.9, 0.8, 1])
    second = np.diff(fit.predict(np.linspace(0.01, 6.99, 2001)), 2)
    assert (
        np.abs(np.diff(second)).max() < 1e-5
    )  # continuous second derivative; a broken line has kinks of 1e-3
    assert fit.predict([-9.0])[0] == fit.predict([0.0])[0]
    assert fit.predict([99.0])[0] == fit.predict([7.0])[0]


def test_intervals_cover():
    """A 90% bootstrap interval holds the truth in most of 60 experiments; 0.75 is four standard errors below 0.90."""
    rng = np.random.default_rng(0)
    x, m = np.linspace(0, 1, 10), np.full(10, 6)
    p = 1 / (1 + np.exp(-(x - 0.45) / 0.12))
    held = 0
    for _ in range(60):
        fit = SplineFit().fit(x, rng.binomial(m, p) / m, m)
        low, high = fit.threshold_interval(Crossing(0.5), 0.9, n_resamples=100, random_state=rng)
        held += low <= 0.45 <= high
    assert held / 60 >= 0.75
