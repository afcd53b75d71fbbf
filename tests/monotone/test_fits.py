"""The fits against independent solvers and against the mathematics."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression, minimize
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.monotone import (
    BoundedJumpRegression,
    Crossing,
    HybridFit,
    LogisticFit,
    MonotoneFit,
    ProbitFit,
    SplineFit,
)

FITS = [MonotoneFit(), LogisticFit(), ProbitFit(), SplineFit(), HybridFit(), BoundedJumpRegression()]


def first_column(fit):
    """The fit as scikit-learn's checks want to see it.

    They pass several columns and any real y, which a curve of probabilities in one variable refuses (and the
    tags say so). This takes the first column and squeezes y into [0, 1]; all else is the fit's own.
    """
    cls = type(fit)

    class FirstColumn(cls):
        def fit(self, X, y, sample_weight=None):
            if not self._needs_shares or np.asarray(y).dtype.kind == "c":
                return super().fit(X, y, sample_weight)
            with contextlib.suppress(TypeError, ValueError):  # what is no number is for the fit to refuse
                numbers = np.asarray(y, dtype=float)
                if np.isfinite(numbers).all():
                    y = (numbers - numbers.min()) / (np.ptp(numbers) or 1.0)
            return super().fit(X, y, sample_weight)

        def _only_column(self, X):
            return X[:, 0]

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.one_d_array, tags.input_tags.two_d_array = False, True
            return tags

    # Pickling looks a class up by its name.
    FirstColumn.__name__ = FirstColumn.__qualname__ = f"FirstColumn{cls.__name__}"
    globals()[FirstColumn.__name__] = FirstColumn
    return FirstColumn(**fit.get_params())


def expected_failed_checks(estimator):
    return dict.fromkeys(("check_fit1d", "check_fit2d_predict1d"), "a plain list of levels is welcome")


@parametrize_with_checks([first_column(fit) for fit in FITS], expected_failed_checks=expected_failed_checks)
def test_scikit_learn(estimator, check):
    check(estimator)


levels = st.integers(1, 25)


def draw_data(seed, n, *, shares=True):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(1000, n, replace=False)) / 50.0
    m = rng.integers(1, 6, n).astype(float)
    y = rng.binomial(m.astype(int), rng.random(n)) / m if shares else rng.normal(size=n)
    return x, y, m


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), n=levels)
def test_monotone_fit_is_the_max_min_formula(seed, n):
    x, y, m = draw_data(seed, n, shares=seed % 2 == 0)
    sums, weights = np.concatenate([[0], np.cumsum(m * y)]), np.concatenate([[0], np.cumsum(m)])

    def average(s, t):
        return (sums[t + 1] - sums[s]) / (weights[t + 1] - weights[s])

    by_formula = [max(min(average(s, t) for t in range(i, n)) for s in range(i + 1)) for i in range(n)]
    fit = MonotoneFit().fit(x, y, m)
    np.testing.assert_allclose(fit.values_, by_formula, atol=1e-9)
    np.testing.assert_allclose(fit.values_, isotonic_regression(y, weights=m).x, atol=1e-9)
    np.testing.assert_allclose(
        MonotoneFit(increasing=False).fit(x, y, m).values_,
        isotonic_regression(y, weights=m, increasing=False).x,
        atol=1e-9,
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=levels, fit=st.sampled_from(FITS))
def test_weights_are_copies_and_order_does_not_matter(seed, n, fit):
    x, y, m = draw_data(seed, n)
    weighted = fit.fit(x, y, m).predict(x)
    yes = np.rint(m * y).astype(int)
    rows = [(level, i < k) for level, k, n_i in zip(x, yes, m.astype(int), strict=True) for i in range(n_i)]
    shuffled = np.random.default_rng(seed).permutation(np.array(rows, dtype=float))
    repeated = fit.fit(shuffled[:, 0], shuffled[:, 1]).predict(x)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=levels, fit=st.sampled_from(FITS), cubic=st.booleans())
def test_curves_rise_stay_in_range_and_mirror(seed, n, fit, cubic):
    x, y, m = draw_data(seed, n)
    fit = fit.set_params(interpolation="cubic" if cubic else "linear", increasing=True)
    fine = np.linspace(x[0] - 1, x[-1] + 1, 301)
    curve = fit.fit(x, y, m).predict(fine)
    assert (np.diff(curve) >= -1e-9).all()
    assert curve.min() >= -1e-9
    assert curve.max() <= 1 + 1e-9
    falling = fit.set_params(increasing=False).fit(-x, y, m).predict(-fine)
    np.testing.assert_allclose(falling, curve, atol=1e-9)
    fit.set_params(increasing=True, interpolation="linear")


def log_likelihood(parameters, x, y, m):
    odds = parameters[0] + parameters[1] * x
    return float(np.sum(m * (y * odds - np.logaddexp(0, odds))))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 25), steep=st.booleans())
def test_logistic_fit_is_scipys_optimum(seed, n, steep):
    x, y, m = draw_data(seed, n)
    if steep:
        rng = np.random.default_rng(seed)
        p = 1 / (1 + np.exp(-(x - x.mean()) * 5 / (x[-1] - x[0])))
        y = rng.binomial(m.astype(int), p) / m
    fit = LogisticFit().fit(x, y, m)
    steepest = 16 / np.diff(x).min()
    assert 0 <= fit.slope_ <= steepest * (1 + 1e-9)
    if 0 < np.sum(m * y) < m.sum():
        # The likelihood in the unit scale, where a general optimiser is at ease.
        u = (x - x[0]) / (x[-1] - x[0])
        bound = 16 / np.diff(u).min()

        def loss(parameters):
            odds = parameters[0] + parameters[1] * u
            rest = m * (y - 0.5 * (1 + np.tanh(odds / 2)))
            return -log_likelihood(parameters, u, y, m), -np.array([rest.sum(), rest @ u])

        starts = ([0.0, 1.0], [-0.5 * bound, bound])
        options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5000}
        bounds = [(None, None), (0, bound)]
        found = [
            minimize(loss, s, jac=True, bounds=bounds, method="L-BFGS-B", options=options) for s in starts
        ]
        ours = log_likelihood((fit.intercept_, fit.slope_), x, y, m)
        assert ours >= max(-one.fun for one in found) - 1e-7


def test_logistic_fit_on_answers_without_a_maximum():
    separated = LogisticFit().fit([0, 1, 2, 3], [0, 0, 1, 1])
    assert separated.slope_ == pytest.approx(16)
    assert separated.threshold() == pytest.approx(1.5)
    assert LogisticFit().fit([0, 1, 2, 3], [0, 0, 0, 0]).threshold() == 3
    assert LogisticFit().fit([0, 1, 2, 3], [1, 1, 1, 1]).threshold() == 0
    falling = LogisticFit().fit([0, 1, 2, 3], [1, 1, 0, 0])
    np.testing.assert_allclose(falling.predict([0, 5]), 0.5)
    huge = LogisticFit().fit([1e300, 2e300, 3e300], [0, 1, 1])
    assert np.isfinite(huge.predict([1e300, -1e300, 3e300])).all()
    one_level = LogisticFit().fit([2.0, 2.0, 2.0], [0, 1, 1])
    np.testing.assert_allclose(one_level.predict([-7.0, 2.0]), 2 / 3)


def quadratic_program(y, w, least, most, first, last):
    """The same problem by an interior point solver."""
    clarabel = pytest.importorskip("clarabel")
    from scipy import sparse

    n = len(y)
    jumps, unit = np.diff(np.eye(n), axis=0), np.eye(n)
    rising, falling = np.isfinite(most), np.isfinite(least)
    rows, bounds = [jumps[rising], -jumps[falling]], [most[rising], -least[falling]]
    for row, bound in (
        (unit[0], first[1]),
        (-unit[0], -first[0]),
        (unit[-1], last[1]),
        (-unit[-1], -last[0]),
    ):
        if np.isfinite(bound):
            rows.append(row[None])
            bounds.append([bound])
    A, b = sparse.csc_matrix(np.vstack(rows)), np.concatenate(bounds)
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-12
    cones = [clarabel.NonnegativeConeT(len(b))]
    solver = clarabel.DefaultSolver(sparse.diags(2 * w).tocsc(), -2 * w * y, A, b, cones, options)
    return np.array(solver.solve().x)


def test_bounded_jumps_against_a_quadratic_program():
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(1000):
        n = int(rng.integers(1, 25))
        y, w = rng.normal(0.5, 0.6, n), rng.integers(1, 6, n).astype(float)
        inside = np.diff(np.concatenate([[0], np.sort(rng.random(n)), [1]]))  # some curve within the bounds
        least, most = inside * rng.random(n + 1), inside * (1 + rng.exponential(1, n + 1))
        most[rng.random(n + 1) < 0.3] = np.inf
        lower, upper = (None if rng.random() < 0.2 else end for end in (0.0, 1.0))
        fit = BoundedJumpRegression(least, most, lower, upper).fit(np.arange(n), y, w)
        first = (-np.inf, np.inf) if lower is None else (least[0], most[0])
        last = (-np.inf, np.inf) if upper is None else (1 - most[-1], 1 - least[-1])
        solved = quadratic_program(y, w, least[1:-1], most[1:-1], first, last)
        worst = max(worst, np.abs(fit.values_ - solved).max())
    assert worst < 1e-6


def test_bounded_falls_against_a_quadratic_program():
    """Negative lower bounds, some of them without end, with and without upper bounds."""
    rng = np.random.default_rng(1)
    for _ in range(500):
        n = int(rng.integers(2, 20))
        y, w = rng.normal(0.5, 0.6, n), rng.integers(1, 6, n).astype(float)
        least = -rng.exponential(0.3, n + 1)
        least[rng.random(n + 1) < 0.3] = -np.inf
        most = rng.exponential(0.5, n + 1) + 1 / (n + 1)
        most[rng.random(n + 1) < (1.0 if rng.random() < 0.3 else 0.3)] = np.inf
        fit = BoundedJumpRegression(least, most).fit(np.arange(n), y, w)
        jumps = np.diff(np.concatenate([[0.0], fit.values_, [1.0]]))
        assert (jumps >= least - 1e-12).all()
        assert (jumps <= most + 1e-12).all()
        if np.isinf(most).all() and np.isinf(least).all():
            continue  # nothing for the solver to do
        first, last = (least[0], most[0]), (1 - most[-1], 1 - least[-1])
        solved = quadratic_program(y, w, least[1:-1], most[1:-1], first, last)
        # Not the distance of the values: the solver, not we, is now and then far from the optimum.
        assert (w * (fit.values_ - y) ** 2).sum() <= (w * (solved - y) ** 2).sum() + 1e-9


def test_without_bounds_the_observed_shares_are_left():
    """pratap2008, section 3.3.1: with delta = -inf and Delta = inf the constraints are vacuous."""
    x, y, m = draw_data(5, 15)
    np.testing.assert_allclose(BoundedJumpRegression(min_jump=-np.inf).fit(x, y, m).values_, y, atol=1e-12)


def test_bounded_jumps_special_cases():
    x, y, m = draw_data(3, 12)
    np.testing.assert_allclose(
        BoundedJumpRegression().fit(x, y, m).values_, MonotoneFit().fit(x, y, m).values_
    )
    only = BoundedJumpRegression(min_jump=1 / 13).fit(x, y, m)
    np.testing.assert_allclose(only.values_, np.arange(1, 13) / 13, atol=1e-9)
    # The linear-time road without upper bounds and the general one agree.
    direct = BoundedJumpRegression(min_jump=0.02).fit(x, y, m)
    general = BoundedJumpRegression(min_jump=0.02, max_jump=[*[np.inf] * 12, 1e9]).fit(x, y, m)
    np.testing.assert_allclose(direct.values_, general.values_, atol=1e-12)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_jump": 0.5}, "add up to"),
        ({"max_jump": 0.01}, "less than upper - lower"),
        ({"min_jump": np.inf}, "not be infinite"),
        ({"min_jump": [0.1, 0.1]}, "one number"),
        ({"min_jump": 0.2, "max_jump": 0.1}, "at least its min_jump"),
        ({"max_jump": float("nan")}, "nan"),
        ({"lower": np.nan}, "lower must be a finite number, or None for a free end; got nan"),
        ({"upper": np.nan}, "upper must be a finite number, or None for a free end; got nan"),
        ({"upper": -np.inf}, "upper must be a finite number"),
    ],
)
def test_bounded_jumps_refuse_what_cannot_be(params, message):
    with pytest.raises(ValueError, match=message):
        BoundedJumpRegression(**params).fit([1, 2, 3, 4], [0, 0, 1, 1])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 25))
def test_hybrid_is_bounded_jump_regression_with_logistic_jumps(seed, n):
    x, y, m = draw_data(seed, n)
    logistic = LogisticFit().fit(x, y, m)
    slope = np.min(np.diff(logistic.values_) / np.diff(x))
    jumps = slope * np.diff(x) / m[:-1]
    by_hand = BoundedJumpRegression(np.maximum(jumps, 0)).fit(x, y, m)
    np.testing.assert_allclose(HybridFit().fit(x, y, m).values_, by_hand.values_, atol=1e-7)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6), n=st.integers(2, 15), increasing=st.booleans(), fit=st.sampled_from(FITS[:-1])
)
def test_many_data_sets_at_once_are_the_same_as_one_by_one(seed, n, increasing, fit):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(100, n, replace=False)).astype(float)
    m = rng.integers(0, 3, (6, n)).astype(float)
    m[:, rng.integers(n)] += 1
    y = rng.binomial(m.astype(int), 0.5) / np.maximum(m, 1)
    fit = fit.set_params(increasing=increasing)
    target = Crossing(0.612)
    together = fit.threshold_many(x, y, m, target, (x[0], x[-1]))
    values = fit.fit_many(x, y, m)
    for row in range(6):
        one = fit.fit(x, y[row], m[row])
        np.testing.assert_allclose(
            together[row], one.threshold(target, (x[0], x[-1])), atol=1e-6 * (x[-1] - x[0])
        )
        np.testing.assert_allclose(values[row][m[row] > 0], one.values_, atol=1e-6)
    fit.set_params(increasing=True)


def test_inputs():
    import pandas as pd

    table = pd.DataFrame({"dose": [1.0, 2.0, 3.0]})
    fit = MonotoneFit().fit(table, [0, 1, 1])
    assert fit.feature_names_in_ == ["dose"]
    np.testing.assert_allclose(MonotoneFit().fit(table["dose"], [0, 1, 1]).predict([1.5]), 0.5)
    with pytest.raises(ValueError, match="one variable"):
        MonotoneFit().fit([[1, 2], [3, 4]], [0, 1])
    with pytest.raises(ValueError, match="between 0 and 1"):
        LogisticFit().fit([1, 2], [0, 3])
    with pytest.raises(ValueError, match="at least one non-zero"):
        MonotoneFit().fit([1, 2], [0, 1], sample_weight=[0, 0])
