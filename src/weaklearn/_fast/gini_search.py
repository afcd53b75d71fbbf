"""The exact search for the stump of least Gini impurity, over the same orders as `stump_search`.

With W the total weight, S that of the positive minus that of the negative examples, and the same sums W_L and S_L
at or below a threshold, the weighted impurity of the two sides is least where

    ``gain = A^2 / (W_L (W - W_L))``,  ``A = S_L - W_L S / W``

is largest: up to constants, the gain is the squared error that the two sides' means explain. It is between 0
and 1. Each side then votes for its heavier class, and for the negative one if they are equal.
"""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import GINI, TIE, stump_of
from weaklearn._fast.stump_search import found_stump, sign_weights

_ONE = np.uint32(1)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract"})
def _surplus(balance, weight, total, mean, gain):
    """Positive where the gain exceeds ``gain``; multiplied out, since a division costs more than all the rest."""
    explained = balance - weight * mean
    return explained * explained - gain * (weight * (total - weight))


@njit(cache=True, nogil=True, error_model="numpy")
def _larger(code, balance, weight, total, mean, gain):
    """The gain here, if a threshold fits and it is larger than ``gain``."""
    scale = weight * (total - weight)
    if code & _ONE and scale > 0:
        explained = balance - weight * mean
        return max(gain, explained * explained / scale)
    return gain


# No sum here is NaN, and saying so lets the maxima become single instructions.
@njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract"})
def largest_gains(codes, first, end, signed, total, mean, gains):
    """For each order the largest gain if it is the largest so far, up to ties; otherwise some smaller number."""
    n_features = codes.shape[0]
    last = n_features - 1
    so_far = 0.0
    # As in the search for the least error: four orders side by side, because each sum waits for itself. Larger
    # gains are rare, so one branch for all four is nearly free.
    for a in range(0, n_features, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        sum_a = sum_b = sum_c = sum_d = 0.0
        weight_a = weight_b = weight_c = weight_d = 0.0
        gain_a = gain_b = gain_c = gain_d = max(so_far - 2 * TIE, 0.0)
        for k in range(first, end):
            # One number, y w, gives both sums of a feature: reading it is most of the work.
            value_a, value_b = signed[codes[a, k] >> _ONE], signed[codes[b, k] >> _ONE]
            value_c, value_d = signed[codes[c, k] >> _ONE], signed[codes[d, k] >> _ONE]
            sum_a, sum_b, sum_c, sum_d = sum_a + value_a, sum_b + value_b, sum_c + value_c, sum_d + value_d
            weight_a, weight_b = weight_a + abs(value_a), weight_b + abs(value_b)
            weight_c, weight_d = weight_c + abs(value_c), weight_d + abs(value_d)
            surplus = max(
                max(
                    _surplus(sum_a, weight_a, total, mean, gain_a),
                    _surplus(sum_b, weight_b, total, mean, gain_b),
                ),
                max(
                    _surplus(sum_c, weight_c, total, mean, gain_c),
                    _surplus(sum_d, weight_d, total, mean, gain_d),
                ),
            )
            if surplus > 0:
                gain_a = _larger(codes[a, k], sum_a, weight_a, total, mean, gain_a)
                gain_b = _larger(codes[b, k], sum_b, weight_b, total, mean, gain_b)
                gain_c = _larger(codes[c, k], sum_c, weight_c, total, mean, gain_c)
                gain_d = _larger(codes[d, k], sum_d, weight_d, total, mean, gain_d)
        gains[a], gains[b], gains[c], gains[d] = gain_a, gain_b, gain_c, gain_d
        so_far = max(so_far, gain_a, gain_b, gain_c, gain_d)


@njit(cache=True, nogil=True, error_model="numpy")
def locate(codes, first, end, signed, total, mean, gains, least):
    """The first (order, rank) whose gain is at least ``least``, with S_L there; rank -1 if none."""
    n_features = codes.shape[0]
    for j in range(n_features):
        if gains[j] >= least:
            balance = 0.0
            weight = 0.0
            for k in range(first, end):
                value = signed[codes[j, k] >> _ONE]
                balance += value
                weight += abs(value)
                explained = balance - weight * mean
                scale = weight * (total - weight)
                if codes[j, k] & _ONE and scale > 0 and explained * explained / scale >= least:
                    return j, k, balance
    return 0, -1, 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def purest_stump(codes, y, weights):
    """The stump of least weighted Gini impurity; returns what `found_stump` does.

    Parameters: ``codes`` as in `stump_search`; ``y`` of +-1.0; weights >= 0. Where both sides vote for the same class,
    or no threshold separates anything, the stump is constant (rank -1).
    """
    n_features, n_samples = codes.shape
    signed = np.empty(len(y))
    total, difference = sign_weights(y, weights, signed)
    mean = difference / total
    gains = np.empty(n_features)
    largest_gains(codes, 0, n_samples, signed, total, mean, gains)
    largest = gains[0]
    for gain in gains:  # the compiler takes half a second longer for gains.max()
        largest = max(largest, gain)
    least = largest - TIE

    order, rank, below = 0, -1, 0.0
    if least > 0:
        order, rank, below = locate(codes, 0, n_samples, signed, total, mean, gains, least)
    rank, polarity = stump_of(GINI, True, rank, below, largest, -difference / 2, total)
    return found_stump(codes, order if rank >= 0 else 0, rank, polarity, y, weights, total)
