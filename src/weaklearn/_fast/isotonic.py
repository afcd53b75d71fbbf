"""Compiled isotonic regression, alone and regularised by a least jump: one data set per row.

All rows share the levels ``x`` (increasing). Row r has the mean answers ``y[r]`` and the numbers of
samples ``m[r]``; a level with no sample there takes part in nothing and gets its value by linear
interpolation, or from the nearest sampled level beyond the ends. ``out`` receives the fitted values.
"""

import numpy as np
from numba import njit

from weaklearn._fast.logistic import fit_logistic


@njit(cache=True, nogil=True)
def pool(y, m, n, values, weights, sizes, out):
    """Pool adjacent violators on the first ``n`` entries; ``values``, ``weights``, ``sizes`` are work space."""
    blocks = 0
    for i in range(n):
        value, weight, size = y[i], m[i], 1
        # Pooling at equality too makes blocks maximal, so equal neighbours are one block exactly.
        while blocks > 0 and values[blocks - 1] >= value:
            blocks -= 1
            total = weights[blocks] + weight
            value = values[blocks] + (value - values[blocks]) * (weight / total)
            weight = total
            size += sizes[blocks]
        values[blocks], weights[blocks], sizes[blocks] = value, weight, size
        blocks += 1
    i = 0
    for block in range(blocks):
        for _ in range(sizes[block]):
            out[i] = values[block]
            i += 1


@njit(cache=True, nogil=True)
def sampled(m, index):
    """Write the positions of positive weight to ``index`` and return how many there are."""
    n = 0
    for i in range(m.shape[0]):
        if m[i] > 0:
            index[n] = i
            n += 1
    return n


@njit(cache=True, nogil=True)
def fill_between(x, index, n, fitted, out):
    """Spread values at the positions ``index[:n]`` over all levels, linearly in between."""
    for i in range(index[0] + 1):
        out[i] = fitted[0]
    for k in range(n - 1):
        left, right = index[k], index[k + 1]
        for i in range(left + 1, right):
            share = (x[i] - x[left]) / (x[right] - x[left])
            out[i] = fitted[k] + share * (fitted[k + 1] - fitted[k])
        out[right] = fitted[k + 1]
    for i in range(index[n - 1] + 1, x.shape[0]):
        out[i] = fitted[n - 1]


@njit(cache=True, nogil=True)
def isotonic_rows(x, y, m, out):
    """Weighted isotonic regression of every row."""
    n_rows, n_levels = y.shape
    values, weights = np.empty(n_levels), np.empty(n_levels)
    sizes, index = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
    some_y, some_m, fitted = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    for r in range(n_rows):
        n = sampled(m[r], index)
        if n == n_levels:
            pool(y[r], m[r], n, values, weights, sizes, out[r])
            continue
        for k in range(n):
            some_y[k], some_m[k] = y[r, index[k]], m[r, index[k]]
        pool(some_y, some_m, n, values, weights, sizes, fitted)
        fill_between(x, index, n, fitted, out[r])


@njit(cache=True, nogil=True)
def hybrid_rows(x, y, m, out):
    """Isotonic regression with least jumps taken from a logistic fit (see `weaklearn.monotone.HybridFit`)."""
    n_rows, n_levels = y.shape
    values, weights = np.empty(n_levels), np.empty(n_levels)
    sizes, index = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
    some_x, some_y, some_m = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    raised, fitted = np.empty(n_levels), np.empty(n_levels)
    for r in range(n_rows):
        n = sampled(m[r], index)
        for k in range(n):
            some_x[k], some_y[k], some_m[k] = x[index[k]], y[r, index[k]], m[r, index[k]]
        centre, slope = fit_logistic(some_x, some_y, some_m, n)
        gradient = np.inf
        last = 0.0
        for k in range(n):
            here = 1.0 / (1.0 + np.exp(-(centre + slope * some_x[k])))
            if k > 0:
                gradient = min(gradient, (here - last) / (some_x[k] - some_x[k - 1]))
            last = here
        total = 0.0
        for k in range(n):
            raised[k] = total
            some_y[k] -= total
            if k + 1 < n:
                total += gradient * (some_x[k + 1] - some_x[k]) / max(1.0, some_m[k])
        pool(some_y, some_m, n, values, weights, sizes, fitted)
        for k in range(n):
            fitted[k] = min(max(fitted[k], 0.0), 1.0 - total) + raised[k]
        fill_between(x, index, n, fitted, out[r])
