"""What a split is worth: error, Gini impurity, log-likelihood.

With W the weight of the samples, S that of the positive minus that of the negative ones, the same sums W_L and S_L
below a cut, and ``start = -S / 2``:

- ``ERROR``: |start + S_L|, how far the weighted error of the better polarity is from W / 2;
- ``GINI``: A^2 / (W_L (W - W_L)) with A = S_L - W_L S / W, the share of the squared error that the two means explain;
- ``LOG_LOSS``: the gain in log-likelihood over W, from one probability for all to one for each side, in nats.

All are convex functions of the weights of the two labels below the cut, so they are largest at the corners of a box of
them. Values that differ by less than `tie` are equal.
"""

import numpy as np
from numba import njit

ERROR, GINI, LOG_LOSS = 0, 1, 2
NUMBERS = {"error": ERROR, "gini": GINI, "log_loss": LOG_LOSS}

TIE = 1e-12


@njit(cache=True, nogil=True)
def tie(criterion, total):
    """Values closer than this are equal."""
    return TIE * total if criterion == ERROR else TIE


@njit(cache=True, nogil=True)
def _log_likelihood(balance, weight):
    """Of the best probability for samples with these sums, which may be off by rounding."""
    positive, negative = (weight + balance) / 2, (weight - balance) / 2
    value = 0.0
    if positive > 0 and negative > 0:
        value = positive * np.log(positive / weight) + negative * np.log(negative / weight)
    return value


@njit(cache=True, nogil=True)
def value(criterion, balance, weight, start, total):
    """What a cut with these sums below it is worth."""
    if criterion == ERROR:
        return abs(start + balance)
    if criterion == GINI:
        explained = balance + 2 * start * weight / total
        scale = weight * (total - weight)
        return explained * explained / scale if scale > 0 else 0.0
    below, above = _log_likelihood(balance, weight), _log_likelihood(-2 * start - balance, total - weight)
    return (below + above - _log_likelihood(-2 * start, total)) / total


@njit(cache=True, nogil=True)
def bound(criterion, balance, weight, negative, positive, start, total):
    """The most that a cut can be worth that adds any part of the weights of two labels to these sums."""
    return max(
        max(
            value(criterion, balance, weight, start, total),
            value(criterion, balance + positive, weight + positive, start, total),
        ),
        max(
            value(criterion, balance - negative, weight + negative, start, total),
            value(criterion, balance + positive - negative, weight + positive + negative, start, total),
        ),
    )


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
