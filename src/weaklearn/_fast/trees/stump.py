"""The best stump under any rule: constraints, categories, log-likelihood. The plain rules have faster loops."""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import ERROR, TIE
from weaklearn._fast.stump_search import sign_weights, vote
from weaklearn._fast.trees.grow import renew_categories
from weaklearn._fast.trees.split import best_split


@njit(cache=True, nogil=True)
def stump_of(criterion, constant, rank, balance, worth, start, total):
    """From the best split to a stump: its rank (-1 if it is constant) and polarity."""
    if criterion == ERROR:
        if rank < 0:
            return -1, 1.0 if start <= 0 else -1.0
        least = max(worth, abs(start) if constant else 0.0) - TIE * total
        if constant and abs(start) >= least:
            return -1, 1.0 if start <= -least else -1.0
        return rank, 1.0 if start + balance <= -least else -1.0
    below_positive, above_positive = balance > TIE * total, -2 * start - balance > TIE * total
    if rank < 0 or worth <= TIE or below_positive == above_positive:
        return -1, 1.0 if -2 * start > TIE * total else -1.0
    return rank, 1.0 if above_positive else -1.0


@njit(cache=True, nogil=True, error_model="numpy")
def ruled_stump(codes, orders, rule, constant, y, weights):
    """The best stump by a `Rule`; returns what `weaklearn._fast.stump_search.best_stump` does, and its `Split`.

    The orders of categories in ``codes`` are renewed. ``constant`` counts for the error criterion alone.
    """
    signed = np.empty(len(y))
    total, difference = sign_weights(y, weights, signed)
    start = -difference / 2
    renew_categories(codes, orders, 0, codes.shape[1], signed)
    split = best_split(codes, 0, codes.shape[1], signed, (start, total), rule, (-np.inf, np.inf))
    rank, polarity = stump_of(rule.criterion, constant, split.rank, split.balance, split.worth, start, total)
    margins = np.empty(len(y))
    order = split.order if rank >= 0 else 0
    wrong, heavier_above = vote(codes, order, rank, polarity, y, weights, total, margins)
    return order, rank, polarity, margins, wrong / total, heavier_above
