"""Compiled loops of multiclass boosting with output codes.

The state is ``confusion`` (n_samples, n_classes): entry (n, k) is the weight of example n times
exp(-margin of n for class k), and 0 for the example's own class (the D-tilde of li2006, chapter 4,
without the entries that never change). ``codes`` holds the class of each example. A column of the code
matrix gives each class -1.0, 0.0 or +1.0; votes are +-1.0.

Sums over examples run in the order of the examples, one class pair at a time, so that a sum of votes
cancels exactly where all votes are equal.
"""

import numpy as np
from numba import njit

_ONE = np.uint32(1)


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def column_weights(confusion, codes, column, weights):
    """Fill ``weights`` with the D_t of a column, not normalised: sum of (n, k) over the classes k opposite to n's."""
    n_samples, n_classes = confusion.shape
    below, above = np.zeros(n_classes), np.zeros(n_classes)
    for k in range(n_classes):
        below[k] = 1.0 if column[k] < 0 else 0.0
        above[k] = 1.0 if column[k] > 0 else 0.0
    for n in range(n_samples):
        side = column[codes[n]]
        total = 0.0
        if side != 0:
            opposite = below if side > 0 else above
            for k in range(n_classes):
                total += confusion[n, k] * opposite[k]
        weights[n] = total


@njit(cache=True, nogil=True)
def class_confusion(confusion, codes, votes, pairs):
    """Fill ``pairs`` (n_classes, n_classes) with the sums of vote * (n, l) over the examples n of class k."""
    n_samples, n_classes = confusion.shape
    pairs[:] = 0.0
    for n in range(n_samples):
        into = pairs[codes[n]]
        vote = votes[n]
        for k in range(n_classes):
            into[k] += vote * confusion[n, k]


@njit(cache=True, nogil=True)
def reweight(confusion, codes, votes, factors, pairs):
    """Multiply row n by ``factors[vote > 0, class of n]`` and fill ``pairs`` with the new sums by class.

    Both in one pass, because reading ``confusion`` is most of the work.
    """
    n_samples, n_classes = confusion.shape
    pairs[:] = 0.0
    for n in range(n_samples):
        own = codes[n]
        factor = factors[1 if votes[n] > 0 else 0, own]
        into = pairs[own]
        for k in range(n_classes):
            value = confusion[n, k] * factor[k]
            confusion[n, k] = value
            into[k] += value


@njit(cache=True, nogil=True)
def wrong_weight(confusion, limits, sample_weight):
    """The weight of the examples that have an entry of at least their limit."""
    n_samples, n_classes = confusion.shape
    total = 0.0
    for n in range(n_samples):
        largest = 0.0
        for k in range(n_classes):
            largest = max(largest, confusion[n, k])
        total += sample_weight[n] if largest >= limits[n] else 0.0
    return total


@njit(cache=True, nogil=True)
def best_cut(pairs):
    """The cut of all classes into two sides that separates most, by trying every one of them.

    ``pairs`` is symmetric. Class 0 is on side -1.0. Of cuts that separate equally much (to within 1e-12 of
    the total) the first is taken when the sides of classes 1, 2, ... are counted up as binary digits.
    """
    n_classes = len(pairs)
    n_cuts = 1 << (n_classes - 1)
    column = np.full(n_classes, -1.0)
    gains = np.empty(n_cuts)
    gains[0] = 0.0
    # In Gray code order each cut moves one class; the gain changes by the class's own pairs only.
    cut = 0.0
    for i in range(1, n_cuts):
        moved = 1
        while not (i >> (moved - 1)) & 1:
            moved += 1
        change = 0.0
        for k in range(n_classes):
            if k != moved:
                change += pairs[moved, k] * column[k] * column[moved]
        cut += change
        column[moved] = -column[moved]
        gains[i ^ (i >> 1)] = cut
    least = gains.max() - 1e-12 * pairs.sum()
    best = 0
    while gains[best] < least:
        best += 1
    for k in range(1, n_classes):
        column[k] = 1.0 if (best >> (k - 1)) & 1 else -1.0
    return column


@njit(cache=True, nogil=True)
def code_scores(votes, columns, scores):
    """Add ``votes[n, t] * columns[t, k]`` to ``scores[n, k]`` for t = 0, 1, ..., in this order."""
    n_samples, n_columns = votes.shape
    n_classes = columns.shape[1]
    for n in range(n_samples):
        for t in range(n_columns):
            vote = votes[n, t]
            for k in range(n_classes):
                scores[n, k] += vote * columns[t, k]


@njit(cache=True, nogil=True)
def subset_order(codes, member, subset):
    """From the sorted order of all samples (see `stump_search`) to that of some of them.

    ``member`` is True for the samples that take part; ``subset`` (n_features, number of members). A threshold
    fits behind a member if a larger value comes before the next member does.
    """
    n_features, n_samples = codes.shape
    for j in range(n_features):
        filled = 0
        larger = False
        for i in range(n_samples):
            sample = codes[j, i] >> _ONE
            if member[sample]:
                if filled > 0 and larger:
                    subset[j, filled - 1] |= _ONE
                subset[j, filled] = sample << _ONE
                filled += 1
                larger = False
            larger = larger or (codes[j, i] & _ONE) != 0
