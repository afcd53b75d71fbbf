"""The same stumps as those of `stump_search` and `gini_search`, at the cost of a histogram: for large training sets.

Besides the sorted order (``codes``, see `stump_search`) each entry of X has one byte, ``bins`` (n_features, n_samples):
seven bits say in which of 128 equal parts of its feature's sorted order the sample is, the last one whether its label
is +1. A search first adds the weights into a table of 256 for each feature, in the order of memory. The table gives the
sums at the ends of all bins and, from the weights of the two labels inside a bin, a bound of what a threshold inside
can reach. Only bins whose bound beats what is known are then read in sorted order. The result is exact.

Bounds are compared with a slack of 1e-11 of the scale: far above the rounding of sums, and without influence on the
result.
"""

import numpy as np
from numba import njit

from weaklearn._fast.stump_search import TIE, _sign_weights, midpoint

N_BINS = 128

_ONE = np.uint32(1)
_BIT = np.uint8(1)
_SLACK = 1e-11
# Rows whose weights stay in the first-level cache while all features read them.
_ROWS = 2048


@njit(cache=True, nogil=True)
def encode_bins(column, order, y, codes, bins):
    """Fill one feature's ``codes`` and ``bins`` from the sorted order of its column."""
    n = len(column)
    for k in range(n):
        fits = k + 1 < n and column[order[k + 1]] > column[order[k]]
        codes[k] = (np.uint32(order[k]) << _ONE) | np.uint32(fits)
        bins[order[k]] = np.uint8(2 * (k * N_BINS // n) + (1 if y[order[k]] > 0 else 0))


@njit(cache=True, nogil=True)
def fill_tables(bins, weights, first, last, tables):
    """Add the weights into the tables (n_features, 256) of the features from ``first`` to ``last - 1``."""
    n_samples = bins.shape[1]
    tables[first:last] = 0.0
    for start in range(0, n_samples, _ROWS):
        part = weights[start : start + _ROWS]
        for j in range(first, last):
            row = bins[j, start : start + _ROWS]
            table = tables[j]
            for i in range(len(part)):
                table[row[i]] += part[i]


@njit(cache=True, nogil=True)
def _error_value(balance, weight, start, total):
    """How far from 1/2 the error of the better polarity is, in units of weight: see `stump_search.best_stump`."""
    return abs(start + balance)


@njit(cache=True, nogil=True)
def _gini_value(balance, weight, start, total):
    """The gain in purity: see `gini_search`; ``start`` is -1/2 of the sum of signed weights here, too."""
    explained = balance + 2 * start * weight / total
    scale = weight * (total - weight)
    return explained * explained / scale if scale > 0 else 0.0


@njit(cache=True, nogil=True)
def _value(gini, balance, weight, start, total):
    if gini:
        return _gini_value(balance, weight, start, total)
    return _error_value(balance, weight, start, total)


@njit(cache=True, nogil=True)
def _bound(gini, balance, weight, negative, positive, start, total):
    """The most that a threshold inside a bin can reach.

    Sums inside are (balance + p - q, weight + p + q) with p and q up to the weights of the labels. Either value is
    convex in them, so it is largest at a corner.
    """
    return max(
        max(
            _value(gini, balance, weight, start, total),
            _value(gini, balance + positive, weight + positive, start, total),
        ),
        max(
            _value(gini, balance - negative, weight + negative, start, total),
            _value(gini, balance + positive - negative, weight + positive + negative, start, total),
        ),
    )


@njit(cache=True, nogil=True)
def _bin_start(b, n_samples):
    """The first rank in bin b: the least k with k * N_BINS // n_samples >= b."""
    return (b * n_samples + N_BINS - 1) // N_BINS


@njit(cache=True, nogil=True)
def best_end(codes, tables, gini, start, total, first, last):
    """The best value at the end of a bin behind which a threshold fits."""
    n_samples = codes.shape[1]
    best = 0.0
    for j in range(first, last):
        balance = 0.0
        weight = 0.0
        for b in range(N_BINS):
            balance += tables[j, 2 * b + 1] - tables[j, 2 * b]
            weight += tables[j, 2 * b + 1] + tables[j, 2 * b]
            end = _bin_start(b + 1, n_samples)
            if end > 0 and codes[j, end - 1] & _ONE:
                best = max(best, _value(gini, balance, weight, start, total))
    return best


@njit(cache=True, nogil=True)
def best_values(codes, tables, signed, gini, start, total, known, first, last, values):
    """Fill the best value of each feature; one that is not needed to know the best of all may be too low."""
    n_samples = codes.shape[1]
    slack = _SLACK if gini else _SLACK * total
    for j in range(first, last):
        values[j] = 0.0
        balance = 0.0
        weight = 0.0
        for b in range(N_BINS):
            negative, positive = tables[j, 2 * b], tables[j, 2 * b + 1]
            if _bound(gini, balance, weight, negative, positive, start, total) >= known - slack:
                inside, inside_weight = balance, weight
                for k in range(_bin_start(b, n_samples), _bin_start(b + 1, n_samples)):
                    code = codes[j, k]
                    value = signed[code >> _ONE]
                    inside += value
                    inside_weight += abs(value)
                    if code & _ONE:
                        values[j] = max(values[j], _value(gini, inside, inside_weight, start, total))
                known = max(known, values[j])
            balance += positive - negative
            weight += positive + negative


@njit(cache=True, nogil=True)
def locate(codes, tables, signed, gini, start, total, values, least):
    """The first (feature, rank) of at least this value, with the sum of signed weights there; rank -1 if none."""
    n_features, n_samples = codes.shape
    slack = _SLACK if gini else _SLACK * total
    for j in range(n_features):
        if values[j] < least:
            continue
        balance = 0.0
        weight = 0.0
        for b in range(N_BINS):
            negative, positive = tables[j, 2 * b], tables[j, 2 * b + 1]
            if _bound(gini, balance, weight, negative, positive, start, total) >= least - slack:
                inside, inside_weight = balance, weight
                for k in range(_bin_start(b, n_samples), _bin_start(b + 1, n_samples)):
                    code = codes[j, k]
                    value = signed[code >> _ONE]
                    inside += value
                    inside_weight += abs(value)
                    if code & _ONE and _value(gini, inside, inside_weight, start, total) >= least:
                        return j, k, inside
            balance += positive - negative
            weight += positive + negative
    return 0, -1, 0.0


@njit(cache=True, nogil=True)
def signed_weights(y, weights, signed):
    """Fill ``signed`` with y * weights; -1/2 of their sum, and the sum of the weights."""
    total, difference = _sign_weights(y, weights, signed)
    return -difference / 2, total


@njit(cache=True, nogil=True)
def choose(X, codes, tables, signed, gini, constant, start, total, values):
    """From the best values to a stump: feature, rank (-1 if constant), threshold, polarity."""
    best = values.max()
    if gini:
        least = best - TIE
        polarity = 1.0 if -2 * start > TIE * total else -1.0
        if least <= 0:
            return 0, -1, -np.inf, polarity
    else:
        least = max(best, abs(start) if constant else 0.0) - TIE * total
        polarity = 1.0 if start <= 0 else -1.0
        if constant and abs(start) >= least:
            return 0, -1, -np.inf, 1.0 if start <= -least else -1.0
    feature, rank, below = locate(codes, tables, signed, gini, start, total, values, least)
    if rank < 0:
        return 0, -1, -np.inf, polarity
    if gini:
        below_positive, above_positive = below > TIE * total, -2 * start - below > TIE * total
        if below_positive == above_positive:
            return 0, -1, -np.inf, polarity
        polarity = 1.0 if above_positive else -1.0
    else:
        polarity = 1.0 if start + below <= -least else -1.0
    lower = X[codes[feature, rank] >> _ONE, feature]
    upper = X[codes[feature, rank + 1] >> _ONE, feature]
    return feature, rank, midpoint(lower, upper), polarity


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _wrong_weight(margins, weights):
    wrong = 0.0
    for i in range(len(margins)):
        wrong += weights[i] if margins[i] < 0 else 0.0
    return wrong


@njit(cache=True, nogil=True)
def vote(codes, bins, y, weights, feature, rank, polarity, margins):
    """Fill ``margins`` with y * h(x) = +-1; the weight of the wrong votes."""
    n_samples = len(y)
    if rank < 0:
        for i in range(n_samples):
            margins[i] = polarity * y[i]
        return _wrong_weight(margins, weights)
    own = rank * N_BINS // n_samples
    row = bins[feature]
    highest = np.uint8(2 * own + 1)
    for i in range(n_samples):
        margins[i] = polarity * (y[i] if row[i] > highest else -y[i])
    # In the threshold's own bin the sorted order tells who is above.
    for k in range(rank + 1, _bin_start(own + 1, n_samples)):
        i = codes[feature, k] >> _ONE
        margins[i] = polarity * y[i]
    return _wrong_weight(margins, weights)
