"""The same stumps as those of `stump_search` and `gini_search`, at the cost of a histogram: for large training sets.

Besides its place in an order (``codes``, see `stump_search`) each sample has two bytes, ``bins`` (n_orders,
n_samples): the last bit says whether its label is +1, the others in which of 512 or 2,048 equal parts of the order it
is. A search first adds the weights into a table of both labels in all bins for each order, in the order of memory. The
table gives the sums at the ends of all bins and, from the weights of the two labels inside a bin, a bound of what a
threshold inside can reach. Only bins whose bound beats what is known are then read in sorted order. The result is
exact.

Bounds are compared with a slack of 1e-11 of the scale: far above the rounding of sums, and without influence on the
result.
"""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import ERROR, TIE, bound, tie, value
from weaklearn._fast.trees.stump import stump_of

_ONE = np.uint32(1)
_SLACK = 1e-11
# Rows whose weights stay in the second-level cache while all features read them.
_ROWS = 8192


@njit(cache=True, nogil=True)
def fill_bins(codes, y, n_bins, bins, fits):
    """Fill the ``bins`` of one order from its ``codes``, and whether a threshold fits behind each bin."""
    n = len(codes)
    fits[:] = 0.0
    for k in range(n):
        i = codes[k] >> _ONE
        b = k * n_bins // n
        bins[i] = 2 * b + (1 if y[i] > 0 else 0)
        fits[b] = codes[k] & _ONE


@njit(cache=True, nogil=True)
def fill_tables(bins, weights, first, last, tables):
    """Add the weights into the tables (n_orders, 2 n_bins) of the orders from ``first`` to ``last - 1``."""
    n_samples = bins.shape[1]
    tables[first:last] = 0.0
    for start in range(0, n_samples, _ROWS):
        part = weights[start : start + _ROWS]
        # Two orders side by side: an addition to a table waits for the last one to the same place.
        for j in range(first, last - 1, 2):
            row, next_row = bins[j, start : start + _ROWS], bins[j + 1, start : start + _ROWS]
            table, next_table = tables[j], tables[j + 1]
            for i in range(len(part)):
                weight = part[i]
                table[row[i]] += weight
                next_table[next_row[i]] += weight
        if (last - first) % 2:
            row, table = bins[last - 1, start : start + _ROWS], tables[last - 1]
            for i in range(len(part)):
                table[row[i]] += part[i]


@njit(cache=True, nogil=True)
def _bin_start(b, n_bins, n_samples):
    """The first rank in bin b: the least k with k * n_bins // n_samples >= b."""
    return (b * n_samples + n_bins - 1) // n_bins


@njit(cache=True, nogil=True)
def _ends_by_error(fit, table, start, balances, limit):
    """What follows `best_end` for the error criterion and one order; simple enough for vector instructions."""
    best = 0.0
    for b in range(len(limit)):
        centre = start + balances[b]
        up, down = abs(centre + table[2 * b + 1]), abs(centre - table[2 * b])
        limit[b] = up if up > down else down
    for b in range(len(limit)):
        reached = abs(start + balances[b + 1]) * fit[b]
        best = reached if reached > best else best
    return best


@njit(cache=True, nogil=True)
def best_end(fits, tables, criterion, start, total, first, last, sums, bounds):
    """The best value at the end of a bin behind which a threshold fits (``fits`` is 1.0 there, otherwise 0.0).

    Also fills, for each bin, ``sums`` (2, n_orders, n_bins + 1), S and W below it, and ``bounds`` (n_orders, n_bins) of
    the values inside.
    """
    best = 0.0
    for j in range(first, last):
        table, fit, limit = tables[j], fits[j], bounds[j]
        balances, weights = sums[0, j], sums[1, j]
        balance = 0.0
        weight = 0.0
        for b in range(len(fit)):
            balances[b], weights[b] = balance, weight
            balance += table[2 * b + 1] - table[2 * b]
            weight += table[2 * b + 1] + table[2 * b]
        balances[len(fit)], weights[len(fit)] = balance, weight
        if criterion == ERROR:
            best = max(best, _ends_by_error(fit, table, start, balances, limit))
            continue
        for b in range(len(fit)):
            limit[b] = bound(criterion, balances[b], weights[b], table[2 * b], table[2 * b + 1], start, total)
            if fit[b] > 0:
                best = max(best, value(criterion, balances[b + 1], weights[b + 1], start, total))
    return best


@njit(cache=True, nogil=True)
def best_values(codes, signed, criterion, start, total, known, first, last, sums, bounds, values):
    """Fill the best value of each feature; one that is not needed to know the best of all may be too low."""
    n_samples, n_bins = codes.shape[1], bounds.shape[1]
    slack = _SLACK / TIE * tie(criterion, total)
    for j in range(first, last):
        values[j] = 0.0
        for b in range(n_bins):
            if bounds[j, b] >= known - slack:
                inside, inside_weight = sums[0, j, b], sums[1, j, b]
                for k in range(_bin_start(b, n_bins, n_samples), _bin_start(b + 1, n_bins, n_samples)):
                    code = codes[j, k]
                    sample = signed[code >> _ONE]
                    inside += sample
                    inside_weight += abs(sample)
                    if code & _ONE:
                        values[j] = max(values[j], value(criterion, inside, inside_weight, start, total))
                known = max(known, values[j])


@njit(cache=True, nogil=True)
def locate(codes, signed, criterion, start, total, sums, bounds, values, least):
    """The first (feature, rank) of at least this value, with the sum of signed weights there; rank -1 if none."""
    n_features, n_samples = codes.shape
    n_bins = bounds.shape[1]
    slack = _SLACK / TIE * tie(criterion, total)
    for j in range(n_features):
        if values[j] < least:
            continue
        for b in range(n_bins):
            if bounds[j, b] >= least - slack:
                inside, inside_weight = sums[0, j, b], sums[1, j, b]
                for k in range(_bin_start(b, n_bins, n_samples), _bin_start(b + 1, n_bins, n_samples)):
                    code = codes[j, k]
                    sample = signed[code >> _ONE]
                    inside += sample
                    inside_weight += abs(sample)
                    if code & _ONE and value(criterion, inside, inside_weight, start, total) >= least:
                        return j, k, inside
    return 0, -1, 0.0


@njit(cache=True, nogil=True)
def choose(codes, signed, criterion, constant, start, total, sums, bounds, values):
    """From the best values to a stump: order, rank (-1 if constant), polarity."""
    best = values.max()
    least = best - tie(criterion, total)
    order, rank, below = locate(codes, signed, criterion, start, total, sums, bounds, values, least)
    rank, polarity = stump_of(criterion, constant, rank, below, best, start, total)
    return (order if rank >= 0 else 0), rank, polarity
