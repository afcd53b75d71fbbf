"""Deviances of thresholds under rising curves, against a general solver."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression

from weaklearn.adaptive._posterior_interval import gap_deviances, rising_ends


def log_likelihood(p, yes, no):
    p = np.clip(p, 1e-12, 1 - 1e-12)
    return float(yes @ np.log(p) + no @ np.log1p(-p))


def rising_fit(yes, asked, low, high):
    """The likeliest rising curve between two bounds (isotonic regression is that of the binomial likelihood, too)."""
    if len(yes) == 0:
        return np.zeros(0)
    fit = IsotonicRegression(y_min=low, y_max=high)
    return fit.fit_transform(np.arange(len(yes)), yes / asked, sample_weight=asked)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_deviances_are_those_of_two_isotonic_fits(data):
    k = data.draw(st.integers(1, 8))
    asked = np.array(data.draw(st.lists(st.integers(1, 9), min_size=k, max_size=k)), dtype=float)
    yes = np.array([float(data.draw(st.integers(0, int(n)))) for n in asked])
    floor = data.draw(st.sampled_from([0.0, 0.25, 0.5]))
    target = floor + (1 - floor) * data.draw(st.floats(0.1, 0.9))
    best = log_likelihood(rising_fit(yes, asked, floor, 1), yes, asked - yes)
    for gap, found in enumerate(gap_deviances(yes, asked, target, floor)):
        left, right = slice(0, gap), slice(gap, k)
        p = np.concatenate(
            [
                rising_fit(yes[left], asked[left], floor, target),
                rising_fit(yes[right], asked[right], target, 1),
            ]
        )
        assert found == pytest.approx(2 * (best - log_likelihood(p, yes, asked - yes)), abs=1e-7)


def test_a_general_solver_finds_no_likelier_curve():
    yes, asked, target = np.array([1.0, 3, 2, 5, 4, 8]), np.array([6.0, 7, 5, 9, 5, 8]), 0.55
    deviances = gap_deviances(yes, asked, target)
    for gap in range(7):
        bounds = [(1e-9, target)] * gap + [(target, 1 - 1e-9)] * (6 - gap)
        rising = {"type": "ineq", "fun": np.diff}
        start = np.array([0.3] * gap + [0.8] * (6 - gap))
        solved = minimize(
            lambda p: -log_likelihood(p, yes, asked - yes), start, bounds=bounds, constraints=[rising]
        )
        free = minimize(
            lambda p: -log_likelihood(p, yes, asked - yes),
            np.linspace(0.2, 0.8, 6),
            bounds=[(1e-9, 1 - 1e-9)] * 6,
            constraints=[rising],
        )
        assert deviances[gap] == pytest.approx(2 * (solved.fun - free.fun), abs=2e-4)


def test_ends_are_interpolated_between_the_middles_of_gaps():
    u = np.array([0.0, 1.0, 2.0, 3.0])
    deviances = np.array([9.0, 4.0, 0.0, 2.0, 8.0])
    assert rising_ends(u, deviances, 1.0) == (1.25, 2.0)
    assert rising_ends(u, deviances, 3.0) == (0.75, 2.5 + 0.5 / 6)
    assert rising_ends(u, deviances, 8.5) == (0.5 - 0.5 * 0.9, np.inf)
    assert rising_ends(u[:1], np.zeros(2), 1.0) == (-np.inf, np.inf)
    assert rising_ends(u, deviances[::-1] * [1, 1, 1, 1, 0], 0.0) == (1.5, np.inf)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_a_larger_deviance_gives_a_wider_interval(seed):
    rng = np.random.default_rng(seed)
    k = rng.integers(1, 7)
    asked = rng.integers(1, 8, k)
    yes = rng.binomial(asked, np.linspace(0.1, 0.9, k))
    u = np.cumsum(rng.uniform(0.1, 1, k))
    deviances = gap_deviances(yes, asked, 0.5)
    assert deviances.min() == pytest.approx(0, abs=1e-9)
    ends = [rising_ends(u, deviances, most) for most in (0.0, 0.3, 1.0, 3.0, 100.0)]
    for (low, high), (lower, higher) in itertools.pairwise(ends):
        assert lower <= low <= high <= higher
