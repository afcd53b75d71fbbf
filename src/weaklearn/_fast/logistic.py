"""Compiled maximum likelihood for the rising logistic curve p(x) = 1 / (1 + exp(-(centre + slope x))).

Levels are expected on a scale of about 1 (the callers map them to [0, 1]). The likelihood is concave in
(centre, slope). The slope lies between 0 and ``STEEPNESS`` over the smallest gap between sampled
levels: separated answers are fitted by that steepest curve.
"""

import numpy as np
from numba import njit

# Answers that are all alike drive the log-odds to infinity; this is where they stop (p = 9e-14).
FARTHEST = 30.0

# The log-odds rise by at most this much from a level to the next: from 0.0003 to 0.9997 if centred.
STEEPNESS = 16.0


@njit(cache=True, nogil=True)
def _log_likelihood(x, y, m, n, centre, slope):
    total = 0.0
    for i in range(n):
        odds = centre + slope * x[i]
        # log(1 + e^odds) without overflow.
        total += m[i] * (y[i] * odds - max(odds, 0.0) - np.log1p(np.exp(-abs(odds))))
    return total


@njit(cache=True, nogil=True)
def best_centre(x, y, m, n, slope, rate):
    """The centre at which the expected number of yes answers is the observed one, for a given slope.

    ``rate`` is the overall share of yes answers, strictly between 0 and 1. Newton's steps on a function that
    decreases, inside a bracket that every step narrows.
    """
    middle = np.log(rate / (1.0 - rate))
    low, high = middle, middle
    for i in range(n):
        low, high = min(low, middle - slope * x[i]), max(high, middle - slope * x[i])
    centre = 0.5 * (low + high)
    for _ in range(200):
        excess, curvature = 0.0, 0.0
        for i in range(n):
            p = 1.0 / (1.0 + np.exp(-(centre + slope * x[i])))
            excess += m[i] * (y[i] - p)
            curvature += m[i] * p * (1.0 - p)
        if excess > 0:
            low = centre
        else:
            high = centre
        step = excess / curvature if curvature > 0 else 0.0
        inside = low < centre + step < high
        new = centre + step if inside and step != 0 else 0.5 * (low + high)
        if abs(new - centre) <= 1e-13 * (1.0 + abs(centre)):
            return new
        centre = new
    return centre


@njit(cache=True, nogil=True)
def _rest_times_x(x, y, m, n, centre, slope, small):
    """The likelihood's derivative in the slope, or 0 if it and that in the centre are at most ``small``."""
    g0, g1 = 0.0, 0.0
    for i in range(n):
        rest = m[i] * (y[i] - 1.0 / (1.0 + np.exp(-(centre + slope * x[i]))))
        g0 += rest
        g1 += rest * x[i]
    return 0.0 if abs(g0) <= small and abs(g1) <= small else g1


@njit(cache=True, nogil=True)
def steepest_slope(x, n):
    """The bound on the slope for the first ``n`` levels; 0 for a single one."""
    gap = np.inf
    for i in range(1, n):
        gap = min(gap, x[i] - x[i - 1])
    return STEEPNESS / gap


@njit(cache=True, nogil=True)
def fit_logistic(x, y, m, n):
    """(centre, slope) of the largest likelihood, on the first ``n`` levels."""
    steepest = steepest_slope(x, n)
    weight, yes, mean = 0.0, 0.0, 0.0
    for i in range(n):
        weight += m[i]
        yes += m[i] * y[i]
        mean += m[i] * x[i]
    mean /= weight
    rate = yes / weight
    if rate <= 0.0:
        return -FARTHEST, 0.0
    if rate >= 1.0:
        return FARTHEST, 0.0
    covariance, variance = 0.0, 0.0
    for i in range(n):
        covariance += m[i] * (x[i] - mean) * y[i]
        variance += m[i] * (x[i] - mean) ** 2
    level = np.log(rate / (1.0 - rate))
    # At (level, 0) the slope's derivative is the covariance, so its sign is that of the best slope.
    if covariance <= 1e-12 * weight:
        return level, 0.0
    last_no, first_yes = -np.inf, np.inf
    for i in range(n):
        if y[i] < 1.0:
            last_no = max(last_no, x[i])
        if y[i] > 0.0:
            first_yes = min(first_yes, x[i])
    if last_no <= first_yes:
        return best_centre(x, y, m, n, steepest, rate), steepest
    slope = min(covariance / (variance * rate * (1.0 - rate)), steepest)
    centre = level - slope * mean
    for _ in range(100):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for i in range(n):
            p = 1.0 / (1.0 + np.exp(-(centre + slope * x[i])))
            rest = m[i] * (y[i] - p)
            bend = m[i] * p * (1.0 - p)
            g0 += rest
            g1 += rest * x[i]
            h00 += bend
            h01 += bend * x[i]
            h11 += bend * x[i] * x[i]
        determinant = h00 * h11 - h01 * h01
        if determinant <= 0.0:
            break
        d0 = (h11 * g0 - h01 * g1) / determinant
        d1 = (h00 * g1 - h01 * g0) / determinant
        gain = d0 * g0 + d1 * g1
        if gain <= 1e-20 * weight:
            break
        size = 1.0
        if gain > 1.0:
            # Far from the optimum a full step may overshoot; close to it, it does not, and the
            # likelihood is too flat to tell.
            value = _log_likelihood(x, y, m, n, centre, slope)
            while size > 1e-6:
                new = _log_likelihood(x, y, m, n, centre + size * d0, slope + size * d1)
                if new >= value + 1e-4 * size * gain:
                    break
                size *= 0.5
        centre += size * d0
        slope += size * d1
        if gain <= 1e-13:
            break
    if 0.0 < slope < steepest and _rest_times_x(x, y, m, n, centre, slope, 1e-7 * weight) == 0.0:
        return centre, slope
    # Newton's steps ran into the bound or lost their way where the likelihood is nearly flat (steep curves).
    # With the centre at its best, the likelihood is concave in the slope: halve a bracket.
    centre = best_centre(x, y, m, n, steepest, rate)
    if _rest_times_x(x, y, m, n, centre, steepest, 0.0) >= 0.0:
        return centre, steepest
    low, high = 0.0, steepest
    for _ in range(100):
        slope = 0.5 * (low + high)
        centre = best_centre(x, y, m, n, slope, rate)
        if _rest_times_x(x, y, m, n, centre, slope, 0.0) > 0.0:
            low = slope
        else:
            high = slope
        if high - low <= 1e-13 * high:
            break
    return centre, slope


@njit(cache=True, nogil=True)
def logistic_rows(x, y, m, centres, slopes):
    """Fit every row; levels of weight 0 take no part."""
    n_rows, n_levels = y.shape
    some_x, some_y, some_m = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    for r in range(n_rows):
        n = 0
        for i in range(n_levels):
            if m[r, i] > 0:
                some_x[n], some_y[n], some_m[n] = x[i], y[r, i], m[r, i]
                n += 1
        centres[r], slopes[r] = fit_logistic(some_x, some_y, some_m, n)


@njit(cache=True, nogil=True)
def profile_row(x, y, m, odds, places, best):
    """At each place, the largest log-likelihood of the curves whose log-odds there are ``odds``."""
    n = x.shape[0]
    steepest = steepest_slope(x, n)
    for j in range(places.shape[0]):
        low, high = 0.0, steepest
        # The likelihood is concave in the slope: halve the bracket by the sign of its derivative.
        for _ in range(60):
            slope = 0.5 * (low + high)
            derivative = 0.0
            for i in range(n):
                away = x[i] - places[j]
                derivative += m[i] * (y[i] - 1.0 / (1.0 + np.exp(-(odds + slope * away)))) * away
            if derivative > 0:
                low = slope
            else:
                high = slope
        slope = 0.5 * (low + high)
        best[j] = _log_likelihood(x, y, m, n, odds - slope * places[j], slope)
