"""ProbitFit against other solvers of the same likelihood."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import chi2, norm

from weaklearn.monotone import Crossing, ProbitFit


def draw_data(seed, n, steepness):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(1000, n, replace=False)) / 50.0
    m = rng.integers(1, 6, n).astype(float)
    p = norm.cdf(steepness * (x - x.mean()) / (x[-1] - x[0]))
    return x, rng.binomial(m.astype(int), p) / m, m


def log_likelihood(centre, slope, x, y, m):
    score = centre + slope * x
    return (m * (y * norm.logcdf(score) + (1 - y) * norm.logsf(score))).sum(axis=-1)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 25), steepness=st.sampled_from([0.0, 2.0, 8.0]))
def test_no_other_optimiser_finds_a_larger_likelihood(seed, n, steepness):
    x, y, m = draw_data(seed, n, steepness)
    fit = ProbitFit().fit(x, y, m)
    assert 0 <= fit.slope_ <= 7 / np.diff(x).min() * (1 + 1e-9)
    if not 0 < np.sum(m * y) < m.sum():
        return
    u = (x - x[0]) / (x[-1] - x[0])
    bound = 7 / np.diff(u).min()
    found = [
        minimize(
            lambda at: -log_likelihood(*at, u, y, m),
            start,
            bounds=[(None, None), (0, bound)],
            method="L-BFGS-B",
        )
        for start in ([0.0, 1.0], [-0.5 * bound, bound])
    ]
    ours = log_likelihood(fit.intercept_, fit.slope_, x, y, m)
    assert ours >= max(-one.fun for one in found) - 1e-7


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 25))
def test_the_likelihood_is_stationary_at_a_free_optimum(seed, n):
    """The score equations sum m r = 0 and sum m r x = 0, r = (y - p) phi / (p (1 - p)), by textbook formulas."""
    x, y, m = draw_data(seed, n, 3.0)
    fit = ProbitFit().fit(x, y, m)
    if not 0 < fit.slope_ < 6.9 / np.diff(x).min():
        return
    score = fit.intercept_ + fit.slope_ * x
    p = norm.cdf(score)
    if min(p.min(), 1 - p.max()) < 1e-6:
        return  # p (1 - p) has no digits left
    rest = m * (y - p) * norm.pdf(score) / (p * (1 - p))
    np.testing.assert_allclose([rest.sum(), rest @ (x - x[0]) / (x[-1] - x[0])], 0, atol=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_statsmodels_has_the_same_coefficients(seed):
    models = pytest.importorskip("statsmodels.api", reason="statsmodels is not a dependency")
    rng = np.random.default_rng(seed)
    x, m = np.arange(10.0), np.full(10, 20)
    yes = rng.binomial(m, norm.cdf((x - 4.2) / 2.5))
    fit = ProbitFit().fit(x, yes / m, m)
    family = models.families.Binomial(link=models.families.links.Probit())
    table = np.column_stack([yes, m - yes])
    theirs = models.GLM(table, models.add_constant(x), family=family).fit(tol=1e-12).params
    np.testing.assert_allclose([fit.intercept_, fit.slope_], theirs, rtol=1e-7)


def test_answers_without_a_maximum():
    separated = ProbitFit().fit([0, 1, 2, 3], [0, 0, 1, 1])
    assert separated.slope_ == pytest.approx(7)
    assert separated.threshold() == pytest.approx(1.5)
    assert ProbitFit().fit([0, 1, 2, 3], [0, 0, 0, 0]).threshold() == 3
    assert ProbitFit().fit([0, 1, 2, 3], [1, 1, 1, 1]).threshold() == 0
    falling = ProbitFit().fit([0, 1, 2, 3], [1, 1, 0, 0])
    np.testing.assert_allclose(falling.predict([0, 5]), 0.5)
    one_level = ProbitFit().fit([2.0, 2.0, 2.0], [0, 1, 1])
    np.testing.assert_allclose(one_level.predict([-7.0, 2.0]), 2 / 3)
    # Every level below the mixed one is no, every level above it yes: the curve passes through its share.
    mixed = ProbitFit().fit([0, 1, 2], [0, 0.25, 1], [4, 4, 4])
    assert mixed.slope_ == pytest.approx(7)
    assert mixed.predict([1])[0] == pytest.approx(0.25, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_likelihood_interval_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    x, m = np.arange(8.0), np.full(8, 4.0)
    y = rng.binomial(4, norm.cdf((x - 3.2) / 1.7)) / 4
    fit = ProbitFit().fit(x, y, m)
    low, high = fit.threshold_interval(Crossing(0.5), 0.9, method="likelihood")
    assert low < fit.threshold() < high
    places, slopes = np.linspace(0, 7, 701), np.linspace(0, 7, 2001)[:, None]
    profile = np.array([log_likelihood(-slopes * place, slopes, x, y, m).max() for place in places])
    inside = places[profile >= profile.max() - chi2.ppf(0.9, 1) / 2]
    assert low == pytest.approx(inside[0], abs=0.03)
    assert high == pytest.approx(inside[-1], abs=0.03)
