"""Compiled loops of decision stumps: the exact search, and the scores of many stumps.

A training set is given by ``columns`` (n_features, n_samples), one row per feature, and by ``codes``
of the same shape (uint32), which hold each feature's samples in increasing order of their values:
``code >> 1`` is the sample, and the last bit says whether the next value is a larger one, that is,
whether a threshold fits behind this sample. One array holds both, because reading it is most of the
work of a search; it is unsigned because a signed index costs a test for wrapping around.
"""

import numpy as np
from numba import njit

# Errors that differ by less than this share of the total weight are equal.
TIE = 1e-12

_ONE = np.uint32(1)


@njit(cache=True, nogil=True)
def encode_order(columns, order, codes):
    """Fill ``codes`` from the sorted order (n_features, n_samples) of the columns."""
    n_features, n_samples = columns.shape
    for j in range(n_features):
        for k in range(n_samples):
            fits = k + 1 < n_samples and columns[j, order[j, k + 1]] > columns[j, order[j, k]]
            codes[j, k] = (np.uint32(order[j, k]) << _ONE) | np.uint32(fits)


@njit(cache=True, nogil=True)
def _advance(code, signed, fits, running, furthest):
    """Add one sample to a running sum, and note how far from 0 it is if a threshold fits here."""
    running += signed[code >> _ONE]
    # A product with 0 or 1 from a table: a branch would be mispredicted wherever some values are
    # tied (six times slower), and the compiler turns a conditional expression into one.
    distance = abs(running) * fits[code & _ONE]
    return running, distance if distance > furthest else furthest


@njit(cache=True, nogil=True)
def _furthest_sums(codes, signed, start, furthest):
    """For each feature the largest |start + sum of ``signed`` at or below a threshold|; 0 without any."""
    n_features, n_samples = codes.shape
    fits = np.array([0.0, 1.0])
    last = n_features - 1
    # Each running sum waits for its last addition, so four features go side by side. Where fewer are
    # left, the last one is done more than once.
    for a in range(0, n_features, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        sum_a = sum_b = sum_c = sum_d = start
        far_a = far_b = far_c = far_d = 0.0
        for k in range(n_samples):
            sum_a, far_a = _advance(codes[a, k], signed, fits, sum_a, far_a)
            sum_b, far_b = _advance(codes[b, k], signed, fits, sum_b, far_b)
            sum_c, far_c = _advance(codes[c, k], signed, fits, sum_c, far_c)
            sum_d, far_d = _advance(codes[d, k], signed, fits, sum_d, far_d)
        furthest[a], furthest[b], furthest[c], furthest[d] = far_a, far_b, far_c, far_d


# The order of summation is left to the compiler in the next two: it moves sums by far less than TIE.
@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _sign_weights(y, weights, signed):
    """Fill ``signed`` with y * weights; the sums of the weights and of these."""
    total = 0.0
    difference = 0.0
    for i in range(len(y)):
        value = y[i] * weights[i]
        signed[i] = value
        total += weights[i]
        difference += value
    return total, difference


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _vote(column, threshold, polarity, y, weights, margins):
    """Fill ``margins`` with y * h(x) = +-1; the weight of the wrong votes (exactly 0 if none is)."""
    wrong = 0.0
    for i in range(len(y)):
        margin = y[i] if column[i] > threshold else -y[i]
        margin *= polarity
        margins[i] = margin
        wrong += weights[i] if margin < 0 else 0.0
    return wrong


@njit(cache=True, nogil=True)
def _locate(codes, signed, start, furthest, least):
    """The first (feature, rank, polarity) whose sum is at least ``least`` away from 0; rank -1 if none."""
    n_features, n_samples = codes.shape
    for j in range(n_features):
        if furthest[j] >= least:
            # The same additions in the same order as in `_furthest_sums`: the sums are the same.
            running = start
            for k in range(n_samples):
                running += signed[codes[j, k] >> _ONE]
                if codes[j, k] & _ONE and abs(running) >= least:
                    return j, k, 1.0 if running <= -least else -1.0
    return 0, -1, 1.0 if start <= 0 else -1.0


@njit(cache=True, nogil=True)
def midpoint(lower, upper):
    """A number t with lower <= t < upper, halfway between them where floats allow."""
    middle = lower / 2 + upper / 2
    return middle if lower <= middle < upper else lower


@njit(cache=True, nogil=True, error_model="numpy")
def best_stump(columns, codes, y, weights, constant):
    """The stump of least weighted error.

    Parameters: ``columns`` and ``codes`` as in the module's docstring; ``y`` of +-1.0; weights >= 0;
    ``constant``: whether a stump may give one answer everywhere (if no threshold fits anywhere, it may).

    Returns feature, threshold, polarity (+-1.0), margins (y * h(x) = +-1.0 for each sample) and the
    share of the weight that is voted wrong. A constant stump is (0, -inf, its answer).

    With W the total weight, P and N those of the two classes, and S the sum of y * weight at or below a
    threshold, the error is N + S for polarity +1 and P - S for -1. Counted from (N - P) / 2 =: start,
    these are W / 2 + (start + S) and W / 2 - (start + S): the best stump is where start + S is
    furthest from 0, whichever its sign. A constant stump is S = 0.
    """
    n_features, n_samples = columns.shape
    signed = np.empty(n_samples)
    total, difference = _sign_weights(y, weights, signed)
    start = -difference / 2
    furthest = np.empty(n_features)
    _furthest_sums(codes, signed, start, furthest)
    least = max(furthest.max(), abs(start) if constant else 0.0) - TIE * total

    feature, threshold, polarity = 0, -np.inf, 1.0
    if constant and abs(start) >= least:
        polarity = 1.0 if start <= -least else -1.0
    else:
        feature, rank, polarity = _locate(codes, signed, start, furthest, least)
        if rank >= 0:
            lower = columns[feature, codes[feature, rank] >> _ONE]
            upper = columns[feature, codes[feature, rank + 1] >> _ONE]
            threshold = midpoint(lower, upper)
    margins = np.empty(n_samples)
    wrong = _vote(columns[feature], threshold, polarity, y, weights, margins)
    return feature, threshold, polarity, margins, wrong / total


@njit(cache=True, nogil=True)
def stump_scores(X, used, stump_column, thresholds, steps):
    """For each row of X the sum over stumps of +step above its threshold and -step elsewhere.

    ``used`` lists the features that occur; ``stump_column`` says which of them each stump looks at.
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
            for i in range(length):
                part[i] += step if column[i] > threshold else -step
    return scores
