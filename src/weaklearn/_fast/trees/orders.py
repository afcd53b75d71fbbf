"""Sorted orders: each is one way to line up the samples so that a split is a cut between two of them.

``codes`` (n_orders, n_samples), uint32, holds one order in each row: ``code >> 1`` is the sample, and the last bit says
whether a cut fits behind it. A feature of numbers has one order, by value. If some of its values are missing it has
two: one with these samples at the end, one with them at the beginning, so that a cut sends them above or below. A
feature of categories has one order, by the mean label of the categories under the current weights, which has to be
renewed before every search: for two classes the best of all subsets of categories is a cut of that order, whatever
convex criterion is used (Breiman et al. 1984, theorem 4.5).
"""

import numpy as np
from numba import njit

_ONE = np.uint32(1)


@njit(cache=True, nogil=True)
def encode_order(column, order, codes):
    """Fill ``codes`` from an order of one column in which values do not fall; missing ones are at either end.

    A cut between present and missing values fits only where the missing ones are at the end: at the beginning it
    would be the same cut.
    """
    n = len(order)
    for k in range(n):
        here = column[order[k]]
        following = column[order[min(k + 1, n - 1)]]
        fits = following > here or (np.isnan(following) and not np.isnan(here))
        codes[k] = (np.uint32(order[k]) << _ONE) | np.uint32(fits)


@njit(cache=True, nogil=True)
def order_categories(codes, first, last, category, n_categories, signed):
    """Reorder the samples from ``first`` to ``last - 1`` by the mean label of their category.

    ``codes``: one order; ``category`` (n_samples,): each sample's category; ``signed``: y * weight.
    """
    sums = np.zeros(n_categories)
    weights = np.zeros(n_categories)
    counts = np.zeros(n_categories, dtype=np.int64)
    members = np.empty(last - first, dtype=np.uint32)
    for k in range(first, last):
        i = codes[k] >> _ONE
        members[k - first] = i
        sums[category[i]] += signed[i]
        weights[category[i]] += abs(signed[i])
        counts[category[i]] += 1
    means = np.zeros(n_categories)
    for c in range(n_categories):
        if weights[c] > 0:
            means[c] = sums[c] / weights[c]
    place = np.empty(n_categories, dtype=np.int64)
    filled = first
    # A merge sort keeps equal means in the order of the categories.
    for c in np.argsort(means, kind="mergesort"):
        place[c] = filled
        filled += counts[c]
    for i in members:
        codes[place[category[i]]] = i << _ONE
        place[category[i]] += 1
    for c in range(n_categories):
        if counts[c] > 0 and place[c] < last:
            codes[place[c] - 1] |= _ONE


@njit(cache=True, nogil=True)
def partition(codes, order, first, middle, last, above, target):
    """Divide the samples from ``first`` to ``last - 1`` of every order by those that come before ``middle`` in one.

    They fill the same places of ``target``, those below first, both in the old order. A cut fits behind a sample if one
    fitted somewhere between it and the next one on its side. ``above`` (n_samples,), uint8, is scratch.
    """
    for k in range(first, last):
        above[codes[order, k] >> _ONE] = k >= middle
    for j in range(codes.shape[0]):
        low, high = first, middle
        group = np.int64(0)
        low_group = high_group = np.int64(-1)
        source, filled = codes[j], target[j]
        for k in range(first, last):
            code = source[k]
            i = code >> _ONE
            # A branch here would be mispredicted for half of the samples.
            side = np.int64(above[i])
            place = low + side * (high - low)
            previous = low_group + side * (high_group - low_group)
            filled[place] = i << _ONE
            # The first place of a side has no sample before it; then it gets a zero itself.
            begun = np.int64(previous >= 0)
            filled[place - begun] |= np.uint32(begun & np.int64(group != previous))
            low_group += (1 - side) * (group - low_group)
            high_group += side * (group - high_group)
            low += 1 - side
            high += side
            group += np.int64(code & _ONE)


@njit(cache=True, nogil=True)
def threshold_between(lower, upper):
    """The threshold of a cut between two values; missing ones are beyond all others, at either end."""
    low, high = np.float64(lower), np.float64(upper)
    if np.isnan(low):
        return -np.inf
    if np.isnan(high):
        return np.inf
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


@njit(cache=True, nogil=True)
def cut_of(X, codes, order, rank, feature):
    """The threshold of a cut behind a rank of an order, and whether the order ends with a missing value."""
    line = codes[order]
    lower, upper = X[line[rank] >> _ONE, feature], X[line[rank + 1] >> _ONE, feature]
    return threshold_between(lower, upper), np.isnan(X[line[-1] >> _ONE, feature])
