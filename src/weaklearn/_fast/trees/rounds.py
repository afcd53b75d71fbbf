"""Rounds of AdaBoost with stumps, many in one call.

The boosting loop uses them where nothing else has to be done between rounds (`weaklearn.boosting._loop`), and takes
the same weights and steps from here where there is. So one round after the other and many at once agree to the last
bit; exp is computed by arithmetic alone, because the exponentials of different libraries differ in it.
"""

import math

import numpy as np
from numba import njit

from weaklearn._fast.gini_search import purest_stump
from weaklearn._fast.stump_search import best_stump

# A hypothesis without errors has (1 - e) / e infinite; it is taken to be this (li2005, section 4.4).
PERFECT_RATIO = 1000.0
# An error this close to 1/2 is 1/2 up to rounding.
NO_EDGE = 1e-12

_LOG2_E = 1.4426950408889634
# ln 2 in two parts, the first of which has trailing zeros: its products with small integers are exact.
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
# 1.5 * 2^52: a number that is added to it is rounded to an integer, which is then in its last bits.
_ROUND = 6755399441055744.0
# Below it exp is no normal float.
_LOWEST = -708.0
_CHUNK = 1024
_LANES = 16


@njit(cache=True, nogil=True)
def closed_form_step(error):
    """AdaBoost's coefficient, ``1/2 ln((1 - e) / e)``."""
    return 0.5 * math.log((1 - error) / error if error > 0 else PERFECT_RATIO)


@njit(cache=True, nogil=True)
def fill_exponential(margins, least, weights):
    """Fill ``weights`` with exp(least - margin); 0 where that is below 3.3e-308."""
    powers = np.empty(min(len(margins), _CHUNK))
    bits = powers.view(np.int64)
    # exp(x) = 2^k exp(r) with k the integer next to x / ln 2. Simple loops, which run in vector instructions, over
    # chunks that stay in the first-level cache.
    for first in range(0, len(margins), _CHUNK):
        part, w = margins[first : first + _CHUNK], weights[first : first + _CHUNK]
        n = len(part)
        for i in range(n):
            x = max(least - part[i], _LOWEST)
            powers[i] = x * _LOG2_E + _ROUND
            k = powers[i] - _ROUND
            r = (x - k * _LN2_HIGH) - k * _LN2_LOW
            # Taylor's series: |r| is at most ln(2) / 2, where the next term is below 1e-17.
            p = 1.6059043836821613e-10
            p = p * r + 2.08767569878681e-09
            p = p * r + 2.505210838544172e-08
            p = p * r + 2.755731922398589e-07
            p = p * r + 2.7557319223985893e-06
            p = p * r + 2.48015873015873e-05
            p = p * r + 0.0001984126984126984
            p = p * r + 0.001388888888888889
            p = p * r + 0.008333333333333333
            p = p * r + 0.041666666666666664
            p = p * r + 0.16666666666666666
            p = p * r + 0.5
            p = p * r + 1.0
            w[i] = p * r + 1.0
        for i in range(n):
            bits[i] = (bits[i] + 1023) << 52  # the float 2^k
        for i in range(n):
            w[i] *= powers[i] if least - part[i] >= _LOWEST else 0.0


@njit(cache=True, nogil=True)
def least_margin(margins):
    """The least of these, at least one."""
    lanes = np.empty(_LANES)
    lanes[:] = margins[0]
    whole = len(margins) // _LANES * _LANES
    # Side by side: each minimum waits for the one before it.
    for first in range(0, whole, _LANES):
        for k in range(_LANES):
            margin = margins[first + k]
            lanes[k] = margin if margin < lanes[k] else lanes[k]
    least = margins[0]
    for margin in lanes:
        least = min(least, margin)
    for i in range(whole, len(margins)):
        least = min(least, margins[i])
    return least


@njit(cache=True, nogil=True)
def exponential_weights(margins):
    """exp(-margin) over the largest of these; 0 where that is below 3.3e-308."""
    weights = np.empty(len(margins))
    fill_exponential(margins, least_margin(margins), weights)
    return weights


@njit(cache=True, nogil=True)
def stump_rounds(codes, y, start, sample_weight, rate, gini, constant, found, margins):
    """Rounds of AdaBoost from the margins ``start`` of the ensemble; returns the number of rounds.

    Each fills a row of ``found`` (n_rounds, 6): order, rank, polarity and whether the heavier side is above, as
    `weaklearn._fast.stump_search.found_stump` returns them, error and step; and one of ``margins`` (n_rounds,
    n_samples), those of the ensemble after the round. Rounds end early before a stump that has no edge, and after one
    without errors: the caller decides what follows. ``gini`` is None for the stump of least error.
    """
    n_rounds, n_samples = margins.shape
    before = start
    for t in range(n_rounds):
        weights = exponential_weights(before)
        weights *= sample_weight
        # The compiler drops the branch that the type of an argument rules out: only one search is compiled.
        if gini is None:
            stump = best_stump(codes, y, weights, constant)
        else:
            stump = purest_stump(codes, y, weights)
        order, rank, polarity, votes, error, heavier_above = stump
        if not error < 0.5 - NO_EDGE:
            return t
        step = rate * closed_form_step(error)
        found[t, 0], found[t, 1], found[t, 2], found[t, 3] = order, rank, polarity, heavier_above
        found[t, 4], found[t, 5] = error, step
        after = margins[t]
        for i in range(n_samples):
            after[i] = step * votes[i] + before[i]
        before = after
        if error <= 0:
            return t + 1
    return n_rounds
