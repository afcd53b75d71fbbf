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
from weaklearn._fast.stump_search import sign_weights, wrong_weight
from weaklearn._fast.trees.stump import stump_of

_ONE = np.uint32(1)
_BIT = np.uint8(1)
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
def _bin_start(b, n_bits, n_samples):
    """The first rank in bin b of 2^n_bits: the least k with k * 2^n_bits // n_samples >= b."""
    return (b * n_samples + (1 << n_bits) - 1) >> n_bits


@njit(cache=True, nogil=True)
def _count_bits(n_bins):
    """The logarithm of a power of two: a shift is much faster than a division."""
    n_bits = 0
    while 1 << n_bits < n_bins:
        n_bits += 1
    return n_bits


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
    n_bits = _count_bits(n_bins)
    slack = _SLACK / TIE * tie(criterion, total)
    for j in range(first, last):
        values[j] = 0.0
        for b in range(n_bins):
            if bounds[j, b] >= known - slack:
                inside, inside_weight = sums[0, j, b], sums[1, j, b]
                for k in range(_bin_start(b, n_bits, n_samples), _bin_start(b + 1, n_bits, n_samples)):
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
    n_bits = _count_bits(n_bins)
    slack = _SLACK / TIE * tie(criterion, total)
    for j in range(n_features):
        if values[j] < least:
            continue
        for b in range(n_bins):
            if bounds[j, b] >= least - slack:
                inside, inside_weight = sums[0, j, b], sums[1, j, b]
                for k in range(_bin_start(b, n_bits, n_samples), _bin_start(b + 1, n_bits, n_samples)):
                    code = codes[j, k]
                    sample = signed[code >> _ONE]
                    inside += sample
                    inside_weight += abs(sample)
                    if code & _ONE and value(criterion, inside, inside_weight, start, total) >= least:
                        return j, k, inside
    return 0, -1, 0.0


@njit(cache=True, nogil=True)
def signed_weights(y, weights, signed):
    """Fill ``signed`` with y * weights; -1/2 of their sum, and the sum of the weights."""
    total, difference = sign_weights(y, weights, signed)
    return -difference / 2, total


@njit(cache=True, nogil=True)
def choose(codes, signed, criterion, constant, start, total, sums, bounds, values):
    """From the best values to a stump: order, rank (-1 if constant), polarity."""
    best = values.max()
    least = best - tie(criterion, total)
    order, rank, below = locate(codes, signed, criterion, start, total, sums, bounds, values, least)
    rank, polarity = stump_of(criterion, constant, rank, below, best, start, total)
    return (order if rank >= 0 else 0), rank, polarity


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _weight_behind(row, highest, weights):
    """The weight of the samples in bins above the highest."""
    behind = 0.0
    for i in range(len(row)):
        behind += weights[i] if row[i] > highest else 0.0
    return behind


@njit(cache=True, nogil=True)
def vote(codes, bins, n_bins, y, weights, order, rank, polarity, total, margins):
    """Fill ``margins`` with y * h(x) = +-1; the weight of the wrong votes, and whether more weight is above."""
    n_samples = len(y)
    if rank < 0:
        for i in range(n_samples):
            margins[i] = polarity * y[i]
        return wrong_weight(margins, weights), True
    own = rank * n_bins // n_samples
    row = bins[order]
    highest = 2 * own + 1
    for i in range(n_samples):
        margins[i] = polarity * (y[i] if row[i] > highest else -y[i])
    behind = _weight_behind(row, highest, weights)
    # In the threshold's own bin the sorted order tells who is above.
    for k in range(rank + 1, _bin_start(own + 1, _count_bits(n_bins), n_samples)):
        i = codes[order, k] >> _ONE
        margins[i] = polarity * y[i]
        behind += weights[i]
    return wrong_weight(margins, weights), 2 * behind > total
