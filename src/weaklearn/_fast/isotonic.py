"""Compiled isotonic regression, alone and regularised by a least jump: one data set per row.

All rows share the levels ``x`` (increasing). Row r has the mean answers ``y[r]`` and the numbers of
samples ``m[r]``; a level with no sample there takes part in nothing and gets its value by linear
interpolation, or from the nearest sampled level beyond the ends. ``out`` receives the fitted values.
"""

import numpy as np
from numba import njit

from weaklearn._fast.logistic import fit_logistic


@njit(cache=True, nogil=True, error_model="numpy")
def pool(y, m, n, sums, weights, starts, out):
    """Pool adjacent violators on the first ``n`` entries; ``sums``, ``weights``, ``starts`` are work space.

    Means of blocks are compared by cross-multiplication and written out without a branch: divisions in the
    innermost loop and branches that cannot be predicted would be most of the work.
    """
    # The block that grows is kept in registers, finished ones on a stack.
    blocks = 0
    total, weight, start = y[0] * m[0], m[0], 0
    for i in range(1, n):
        new_weight = m[i]
        new_total = y[i] * new_weight
        # Pooling at equality too makes blocks maximal.
        if total * new_weight >= new_total * weight:
            total += new_total
            weight += new_weight
            while blocks > 0 and sums[blocks - 1] * weight >= total * weights[blocks - 1]:
                blocks -= 1
                total += sums[blocks]
                weight += weights[blocks]
                start = starts[blocks]
        else:
            sums[blocks], weights[blocks], starts[blocks] = total, weight, start
            blocks += 1
            total, weight, start = new_total, new_weight, i
    sums[blocks], weights[blocks], starts[blocks] = total, weight, start
    blocks += 1
    last = -np.inf
    for block in range(blocks):
        end = starts[block + 1] if block + 1 < blocks else n
        # A block of one keeps its value to the last digit; the maximum keeps rounding from undoing the order.
        mean = sums[block] / weights[block]
        last = max(last, y[starts[block]] if end - starts[block] == 1 else mean)
        sums[block] = last
    block = blocks - 1
    for i in range(n - 1, -1, -1):
        out[i] = sums[block]
        block -= i == starts[block]


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
    sums, weights = np.empty(n_levels), np.empty(n_levels)
    starts, index = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
    some_y, some_m, fitted = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    for r in range(n_rows):
        n = sampled(m[r], index)
        if n == n_levels:
            pool(y[r], m[r], n, sums, weights, starts, out[r])
            continue
        for k in range(n):
            some_y[k], some_m[k] = y[r, index[k]], m[r, index[k]]
        pool(some_y, some_m, n, sums, weights, starts, fitted)
        fill_between(x, index, n, fitted, out[r])


@njit(cache=True, nogil=True)
def hybrid_rows(x, y, m, out):
    """Isotonic regression with least jumps taken from a logistic fit (see `weaklearn.monotone.HybridFit`)."""
    n_rows, n_levels = y.shape
    sums, weights = np.empty(n_levels), np.empty(n_levels)
    starts, index = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
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
        pool(some_y, some_m, n, sums, weights, starts, fitted)
        for k in range(n):
            fitted[k] = min(max(fitted[k], 0.0), 1.0 - total) + raised[k]
        fill_between(x, index, n, fitted, out[r])
