"""The best stump under any rule: constraints, categories, log-likelihood. The plain rules have faster loops."""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import stump_of
from weaklearn._fast.stump_search import found_stump, sign_weights
from weaklearn._fast.trees.grow import renew_categories
from weaklearn._fast.trees.split import best_split


@njit(cache=True, nogil=True, error_model="numpy")
def ruled_stump(codes, orders, rule, constant, y, weights):
    """The best stump by a `Rule`; returns what `found_stump` does.

    The orders of categories in ``codes`` are renewed. ``constant`` counts for the error criterion alone.
    """
    signed = np.empty(len(y))
    total, difference = sign_weights(y, weights, signed)
    start = -difference / 2
    renew_categories(codes, orders, 0, codes.shape[1], signed)
    split = best_split(codes, 0, codes.shape[1], signed, (start, total), rule, (-np.inf, np.inf))
    rank, polarity = stump_of(rule.criterion, constant, split.rank, split.balance, split.worth, start, total)
    return found_stump(codes, split.order if rank >= 0 else 0, rank, polarity, y, weights, total)
