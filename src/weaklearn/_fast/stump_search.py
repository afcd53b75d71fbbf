"""Compiled loops of decision stumps: the exact search for the least error, and the scores of many stumps.

A training set is given by ``codes`` (n_orders, n_samples), see `weaklearn._fast.trees.orders`: ``code >> 1`` is the
sample, and the last bit says whether a cut fits behind it. One array holds both, because reading it is most of the work
of a search; it is unsigned because a signed index costs a test for wrapping around.
"""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import TIE

_ONE = np.uint32(1)


@njit(cache=True, nogil=True, error_model="numpy")
def _advance(code, signed, fits, running, furthest):
    """Add one sample to a running sum, and note how far from 0 it is if a threshold fits here."""
    running += signed[code >> _ONE]
    # A product with 0 or 1 from a table: a branch would be mispredicted wherever some values are
    # tied (six times slower), and the compiler turns a conditional expression into one.
    distance = abs(running) * fits[code & _ONE]
    return running, distance if distance > furthest else furthest


@njit(cache=True, nogil=True, error_model="numpy")
def furthest_sums(codes, first, end, signed, start, furthest):
    """For each order the largest |start + sum of ``signed`` below a cut|; 0 without any.

    Only the places from ``first`` to ``end - 1`` of the orders count.
    """
    n_features = codes.shape[0]
    fits = np.array([0.0, 1.0])
    last = n_features - 1
    # Each running sum waits for its last addition, so four orders go side by side. Where fewer are
    # left, the last one is done more than once.
    for a in range(0, n_features, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        sum_a = sum_b = sum_c = sum_d = start
        far_a = far_b = far_c = far_d = 0.0
        for k in range(first, end):
            sum_a, far_a = _advance(codes[a, k], signed, fits, sum_a, far_a)
            sum_b, far_b = _advance(codes[b, k], signed, fits, sum_b, far_b)
            sum_c, far_c = _advance(codes[c, k], signed, fits, sum_c, far_c)
            sum_d, far_d = _advance(codes[d, k], signed, fits, sum_d, far_d)
        furthest[a], furthest[b], furthest[c], furthest[d] = far_a, far_b, far_c, far_d


# The order of summation is left to the compiler in the next two: it moves sums by far less than TIE.
@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def sign_weights(y, weights, signed):
    """Fill ``signed`` with y * weights; the sums of the weights and of these."""
    total = 0.0
    difference = 0.0
    for i in range(len(y)):
        value = y[i] * weights[i]
        signed[i] = value
        total += weights[i]
        difference += value
    return total, difference


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def wrong_weight(margins, weights):
    """The weight of the samples with negative margins (exactly 0 if there is none)."""
    wrong = 0.0
    for i in range(len(margins)):
        wrong += weights[i] if margins[i] < 0 else 0.0
    return wrong


@njit(cache=True, nogil=True, error_model="numpy")
def found_stump(codes, order, rank, polarity, y, weights, total):
    """What all searches for stumps return, of one that votes ``polarity`` behind this rank of an order.

    Returns order, rank, polarity (+-1.0), margins (y * h(x) = +-1.0 for each sample), the share of the weight that
    is voted wrong, and whether the samples behind the rank are the heavier part. A constant stump has rank -1.
    """
    n_samples = codes.shape[1]
    margins = np.empty(len(y))
    # Everyone gets the vote of the larger part, in the order of memory; then the smaller part is gone through.
    few_below = 2 * (rank + 1) <= n_samples
    usual = polarity if few_below else -polarity
    for i in range(len(y)):
        margins[i] = usual * y[i]
    part = 0.0
    for k in range(0 if few_below else rank + 1, rank + 1 if few_below else n_samples):
        i = codes[order, k] >> _ONE
        margins[i] = -usual * y[i]
        part += weights[i]
    heavier_above = 2 * part < total if few_below else 2 * part > total
    return order, rank, polarity, margins, wrong_weight(margins, weights) / total, heavier_above


@njit(cache=True, nogil=True, error_model="numpy")
def locate(codes, first, end, signed, start, furthest, least):
    """The first (order, rank) whose sum is at least ``least`` away from 0, with that sum; rank -1 if none."""
    n_features = codes.shape[0]
    for j in range(n_features):
        if furthest[j] >= least:
            # The same additions in the same order as in `furthest_sums`: the sums are the same.
            running = start
            for k in range(first, end):
                running += signed[codes[j, k] >> _ONE]
                if codes[j, k] & _ONE and abs(running) >= least:
                    return j, k, running
    return 0, -1, start


@njit(cache=True, nogil=True, error_model="numpy")
def best_stump(codes, y, weights, constant):
    """The stump of least weighted error; returns what `found_stump` does.

    Parameters: ``codes`` as in the module's docstring; ``y`` of +-1.0; weights >= 0; ``constant``: whether a stump
    may give one answer everywhere (if no threshold fits anywhere, it may).

    With W the total weight, P and N those of the two classes, and S the sum of y * weight below a cut, the
    error is N + S for polarity +1 and P - S for -1. Counted from (N - P) / 2 =: start, these are
    W / 2 + (start + S) and W / 2 - (start + S): the best stump is where start + S is furthest from 0, whichever
    its sign. A constant stump is S = 0.
    """
    n_features, n_samples = codes.shape
    signed = np.empty(len(y))
    total, difference = sign_weights(y, weights, signed)
    start = -difference / 2
    furthest = np.empty(n_features)
    furthest_sums(codes, 0, n_samples, signed, start, furthest)
    largest = abs(start) if constant else 0.0
    for distance in furthest:  # the compiler takes half a second longer for furthest.max()
        largest = max(largest, distance)
    least = largest - TIE * total

    order, rank, running = 0, -1, start
    if not (constant and abs(start) >= least):
        order, rank, running = locate(codes, 0, n_samples, signed, start, furthest, least)
    polarity = 1.0 if running <= (-least if rank >= 0 or constant else 0.0) else -1.0
    return found_stump(codes, order, rank, polarity, y, weights, total)


@njit(cache=True, nogil=True, error_model="numpy")
def stump_scores(X, used, stump_column, thresholds, missing_above, steps):
    """For each row of X the sum over stumps of +step above its threshold and -step elsewhere.

    ``used`` lists the features that occur; ``stump_column`` says which of them each stump looks at; ``missing_above``
    whether NaN is above its threshold.
    Sums run in the order of the stumps, as in training, so that signs agree with the training margins.
    """
    n_samples = X.shape[0]
    scores = np.zeros(n_samples)
    # Rows go in blocks, turned so that a feature's values are adjacent: then the loop over the rows
    # of a block runs in vector instructions, and the block stays in the first-level cache.
    n_rows = max(64, 4096 // len(used)) if len(used) else n_samples
    block = np.empty((len(used), n_rows))
    for start in range(0, n_samples, n_rows):
        length = min(n_rows, n_samples - start)
        for i in range(length):
            for c in range(len(used)):
                block[c, i] = X[start + i, used[c]]
        part = scores[start : start + length]
        for t in range(len(thresholds)):
            column = block[stump_column[t]]
            threshold = thresholds[t]
            step = steps[t]
            if missing_above[t]:
                for i in range(length):
                    part[i] += -step if column[i] <= threshold else step
            else:
                for i in range(length):
                    part[i] += step if column[i] > threshold else -step
    return scores
