"""The best split of a part of the samples.

A `Rule` says what is best: the criterion, and for every order whether values above a cut have to have the larger mean
label (sign +1), the smaller one (-1) or either (0). Of splits that are equally good the first order's is taken, and
there the first one.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.criteria import ERROR, GINI, LOG_LOSS, tie, value
from weaklearn._fast.gini_search import largest_gains
from weaklearn._fast.gini_search import locate as locate_gain
from weaklearn._fast.stump_search import furthest_sums
from weaklearn._fast.stump_search import locate as locate_sum

_ONE = np.uint32(1)


class Rule(NamedTuple):
    """What the best split is."""

    criterion: int
    free: bool  # no order has a sign
    by_votes: bool  # the signs are those of polarities, not of means
    signs: np.ndarray  # (n_orders,), float64


class Split(NamedTuple):
    """A cut behind a rank of an order (-1: there is none), the sums below it and what it is worth."""

    order: int
    rank: int
    balance: float
    weight: float
    worth: float


@njit(cache=True, nogil=True)
def _admitted(sign, by_votes, limits, balance, weight, start, total):
    """Whether a cut obeys its sign, with the means of both sides within the limits; without a sign any cut does."""
    if sign == 0:
        return True
    if by_votes:
        return sign * (start + balance) <= 0
    rest = total - weight
    if weight <= 0 or rest <= 0:
        return False
    below, above = balance / weight, (-2 * start - balance) / rest
    low, high = limits
    return sign * (above - below) >= 0 and low <= min(below, above) and max(below, above) <= high


@njit(cache=True, nogil=True)
def _carefully(codes, first, end, signed, sums, rule, limits, values, least):
    """Fill the best value of each order, or find the first value of at least ``least`` if that is finite.

    A value that is not needed to know the best of all may be too low.
    """
    start, total = sums
    criterion = rule.criterion
    mean = -2 * start / total
    best = -1.0
    for j in range(codes.shape[0]):
        if values[j] < least:
            continue
        balance = 0.0
        weight = 0.0
        highest = -1.0
        for k in range(first, end):
            code = codes[j, k]
            sample = signed[code >> _ONE]
            balance += sample
            weight += abs(sample)
            if not code & _ONE:
                continue
            if criterion == LOG_LOSS and best > 0:
                # By the chi-squared bound of the divergence; most logarithms are saved by it.
                explained = balance - weight * mean
                if explained * explained <= (best - 1e-11) * (1 - mean * mean) * (weight * (total - weight)):
                    continue
            if not rule.free and not _admitted(
                rule.signs[j], rule.by_votes, limits, balance, weight, start, total
            ):
                continue
            worth = value(criterion, balance, weight, start, total)
            highest = max(highest, worth)
            if worth >= least:
                return Split(j, k, balance, weight, worth)
        best = max(best, highest)
        if least == np.inf:
            values[j] = highest
    return Split(0, -1, 0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def _below(codes, order, first, rank, signed):
    """The sums up to a rank of an order."""
    balance = 0.0
    weight = 0.0
    for k in range(first, rank + 1):
        sample = signed[codes[order, k] >> _ONE]
        balance += sample
        weight += abs(sample)
    return balance, weight


@njit(cache=True, nogil=True)
def best_split(codes, first, end, signed, sums, rule, limits):
    """The best split of the samples at the places from ``first`` to ``end - 1``.

    Parameters: ``codes`` (see `orders`); ``signed`` (y * weight of every sample); ``sums``: -1/2 of the sum of these
    and the sum of their sizes, over the part; ``rule``; ``limits``: the least and the largest mean label that either
    side of a cut with a sign may have. Returns a `Split`.
    """
    start, total = sums
    values = np.empty(codes.shape[0])
    if rule.free and rule.criterion == ERROR:
        furthest_sums(codes, first, end, signed, start, values)
        least = values.max() - tie(rule.criterion, total)
        order, rank, _ = locate_sum(codes, first, end, signed, start, values, least)
    elif rule.free and rule.criterion == GINI:
        mean = -2 * start / total
        largest_gains(codes, first, end, signed, total, mean, values)
        least = values.max() - tie(rule.criterion, total)
        order, rank, _ = locate_gain(codes, first, end, signed, total, mean, values, least)
    else:
        values[:] = np.inf
        _carefully(codes, first, end, signed, sums, rule, limits, values, np.inf)
        if values.max() < -tie(rule.criterion, total):  # no cut; a gain of 0 may be rounded to less
            return Split(0, -1, 0.0, 0.0, 0.0)
        least = values.max() - tie(rule.criterion, total)
        return _carefully(codes, first, end, signed, sums, rule, limits, values, least)
    if rank < 0:
        return Split(0, -1, 0.0, 0.0, 0.0)
    balance, weight = _below(codes, order, first, rank, signed)
    return Split(order, rank, balance, weight, value(rule.criterion, balance, weight, start, total))
