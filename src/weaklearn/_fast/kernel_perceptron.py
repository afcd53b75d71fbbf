"""One presentation of examples to kernel perceptrons: one against the rest, or pairs.

All scores are kept, and a mistake adds one row of the Gram matrix to those of the machines it changes: a pass costs
one look at every example, and as many operations as there are examples for every mistake.

Shapes: ``gram`` (n, n), ``scores`` and ``coef`` and ``lag`` (machines, n), ``rows`` the examples to present, in order.
``lag`` adds up each update times the number of trials before it, from which the mean over all trials follows; with no
rows it is not kept. ``budget`` is the largest number of examples with a non-zero coefficient (0: no limit). When there
is one more, the example goes that is classified with the largest margin without its own help (Crammer, Kandola and
Singer, 2004).
"""

import numpy as np
from numba import njit

# Looking at all examples at once costs as much as at this many one by one, in random order. So after as many without
# a mistake it is done, and the next mistake is found at once.
_QUIET = 512


@njit(cache=True, nogil=True)
def _add_row(scores, row, size):
    for i in range(scores.size):
        scores[i] += size * row[i]


@njit(cache=True, nogil=True)
def _shift_rows(up, down, row, size):
    for i in range(up.size):
        change = size * row[i]
        up[i] += change
        down[i] -= change


@njit(cache=True, nogil=True)
def _largest_other(scores, t, y):
    """The largest score of example t among classes other than y. No branch depends on a score: most examples are
    right, and mispredicted branches would be most of what they cost."""
    best = -np.inf
    for k in range(scores.shape[0]):
        score = -np.inf if k == y else scores[k, t]
        best = score if score > best else best
    return best


@njit(cache=True, nogil=True)
def _find_wrong(scores, codes, largest_other, wrong):
    """Which of all examples would be mistakes now, in the order of the memory."""
    largest_other[:] = -np.inf
    for k in range(scores.shape[0]):
        row = scores[k]
        for i in range(codes.size):
            score = -np.inf if codes[i] == k else row[i]
            largest_other[i] = score if score > largest_other[i] else largest_other[i]
    for i in range(codes.size):
        wrong[i] = scores[codes[i], i] <= largest_other[i]


@njit(cache=True, nogil=True)
def _rival(scores, t, y):
    """The class other than y with the largest score, the first of equals."""
    best = -1
    for k in range(scores.shape[0]):
        if k != y and (best < 0 or scores[k, t] > scores[best, t]):
            best = k
    return best


@njit(cache=True, nogil=True)
def _active(coef, i):
    for k in range(coef.shape[0]):  # noqa: SIM110
        if coef[k, i] != 0.0:
            return True
    return False


@njit(cache=True, nogil=True)
def _drop(gram, coef, scores, i):
    for k in range(coef.shape[0]):
        if coef[k, i] != 0.0:
            _add_row(scores[k], gram[i], -coef[k, i])
            coef[k, i] = 0.0


@njit(cache=True, nogil=True)
def present_rest(gram, codes, strength, rows, budget, trials, scores, coef, lag):
    """One against the rest with the joint update of may2020, Algorithm 3; returns the numbers of mistakes and updates.

    A mistake is a true class that does not have the only largest score.
    """
    mistakes = 0
    n_support = 0
    if budget > 0:
        for i in range(coef.shape[1]):
            n_support += _active(coef, i)
    wrong = np.empty(codes.size, np.bool_)
    largest_other = np.empty(codes.size, scores.dtype)
    quiet = 0
    for t in rows:
        if quiet >= _QUIET:
            if quiet == _QUIET:
                _find_wrong(scores, codes, largest_other, wrong)
            quiet += 1
            if not wrong[t]:
                trials += 1
                continue
        y = codes[t]
        quiet += 1
        if scores[y, t] <= _largest_other(scores, t, y):
            quiet = 0
            rival = _rival(scores, t, y)
            mistakes += 1
            size = strength[t]
            n_support += not _active(coef, t)
            coef[y, t] += size
            coef[rival, t] -= size
            n_support -= not _active(coef, t)
            _shift_rows(scores[y], scores[rival], gram[t], size)
            if lag.shape[0] > 0:
                lag[y, t] += size * trials
                lag[rival, t] -= size * trials
            if 0 < budget < n_support:
                worst, largest = -1, -np.inf
                for i in range(coef.shape[1]):
                    if _active(coef, i):
                        best = -np.inf
                        for k in range(coef.shape[0]):
                            if k != codes[i]:
                                best = max(best, scores[k, i] - coef[k, i] * gram[i, i])
                        margin = scores[codes[i], i] - coef[codes[i], i] * gram[i, i] - best
                        if margin > largest:
                            worst, largest = i, margin
                _drop(gram, coef, scores, worst)
                n_support -= 1
        trials += 1
    return mistakes, mistakes


@njit(cache=True, nogil=True)
def _wins(scores, t, y, pairs, n_classes, votes, confidence):
    """Whether class y gets the most votes; of equal votes the larger sum of scores decides."""
    votes[:] = 0
    confidence[:] = 0.0
    for m in range(pairs.shape[0]):
        low, high = pairs[m, 0], pairs[m, 1]
        score = scores[m, t]
        # On the boundary the vote goes against the true class: a score of 0 is an error.
        if score > 0.0 or (score == 0.0 and low == y):
            votes[high] += 1
        else:
            votes[low] += 1
        confidence[high] += score
        confidence[low] -= score
    for k in range(n_classes):
        if k != y and (votes[k] > votes[y] or (votes[k] == votes[y] and confidence[k] >= confidence[y])):
            return False
    return True


@njit(cache=True, nogil=True)
def present_pairs(gram, codes, n_classes, pairs, strength, rows, budget, trials, scores, coef, lag):
    """One machine per pair of classes (may2020, Algorithm 4); returns the mistakes of the vote and the updates.

    A machine may err where the vote does not, so there can be updates without a mistake. ``pairs[m]`` holds the
    classes that machine m gives a negative and a positive score.
    """
    votes = np.zeros(n_classes, np.int64)
    confidence = np.zeros(n_classes)
    mistakes = 0
    updates = 0
    n_support = 0
    if budget > 0:
        for i in range(coef.shape[1]):
            n_support += _active(coef, i)
    for t in rows:
        y = codes[t]
        mistakes += not _wins(scores, t, y, pairs, n_classes, votes, confidence)
        was_active = _active(coef, t)
        changed = False
        for m in range(pairs.shape[0]):
            if pairs[m, 0] != y and pairs[m, 1] != y:
                continue
            sign = 1.0 if pairs[m, 1] == y else -1.0
            if sign * scores[m, t] <= 0.0:
                size = sign * strength[t]
                coef[m, t] += size
                _add_row(scores[m], gram[t], size)
                if lag.shape[0] > 0:
                    lag[m, t] += size * trials
                updates += 1
                changed = True
        if changed:
            n_support += not was_active
            if 0 < budget < n_support:
                worst, largest = -1, -np.inf
                for i in range(coef.shape[1]):
                    if _active(coef, i):
                        margin = np.inf
                        for m in range(pairs.shape[0]):
                            if coef[m, i] != 0.0:
                                sign = 1.0 if pairs[m, 1] == codes[i] else -1.0
                                margin = min(margin, sign * (scores[m, i] - coef[m, i] * gram[i, i]))
                        if margin > largest:
                            worst, largest = i, margin
                _drop(gram, coef, scores, worst)
                n_support -= 1
        trials += 1
    return mistakes, updates
