"""The state of the incremental machine: its arrays, and what is read from them.

What the entries mean, and how they change, is in `weaklearn._fast.incremental_svm`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.copying import copy_into

# Entries of `ActiveSet.counts`.
N_SUPPORT, N_POSITIVE, N_NEGATIVE, HIGH = 0, 1, 2, 3


class ActiveSet(NamedTuple):
    """All that the method remembers, in arrays that are changed in place.

    ``inverse`` has the row of b first; ``support[k]`` is the example of row k + 1, ``place`` its inverse map
    (-1 outside the support). ``coef`` is signed: a_i = y_i alpha_i. ``counts[HIGH]`` is one more than the
    largest member.
    """

    K: np.ndarray
    y: np.ndarray
    member: np.ndarray
    support: np.ndarray
    place: np.ndarray
    coef: np.ndarray
    inverse: np.ndarray
    output: np.ndarray
    bias: np.ndarray
    counts: np.ndarray
    work: np.ndarray


def kernel_scale(K):
    """The size of squared distances in feature space, against which singularity is judged."""
    diagonal = np.diagonal(K)
    scale = float(np.max(diagonal + diagonal[0] - 2 * K[0], initial=0.0))
    return scale if scale > 0 else 1.0


@njit(cache=True, nogil=True)
def empty_state(K, y):
    """The state of no members over examples with Gram matrix ``K`` and labels ``y`` in {-1.0, +1.0}."""
    n = K.shape[0]
    return ActiveSet(
        K,
        y,
        np.zeros(n, np.bool_),
        np.empty(n, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n),
        np.empty((n + 1, n + 1)),
        np.zeros(n),
        np.zeros(1),
        np.zeros(4, np.int64),
        np.empty((2, n + 1)),
    )


@njit(cache=True, nogil=True)
def copy_state(source, target):
    """Make ``target`` a copy of ``source``; both are over the same examples."""
    m = source.counts[N_SUPPORT]
    for p in range(m + 1):
        line, copied = source.inverse[p], target.inverse[p]
        for q in range(m + 1):
            copied[q] = line[q]
    for i in range(source.y.size):
        target.member[i] = source.member[i]
        target.place[i] = source.place[i]
        target.coef[i] = source.coef[i]
    for k in range(m):
        target.support[k] = source.support[k]
    target.bias[0] = source.bias[0]
    copy_into(target.counts, source.counts)


@njit(cache=True, nogil=True)
def substitute(state, i, j):
    """Let j, which has the label and the kernel row of member i, take its part."""
    state.member[i] = False
    state.member[j] = True
    state.counts[HIGH] = max(state.counts[HIGH], j + 1)
    k = state.place[i]
    if k >= 0:
        state.support[k] = j
        state.place[j] = k
        state.place[i] = -1
        state.coef[j] = state.coef[i]
        state.coef[i] = 0.0


@njit(cache=True, nogil=True)
def evaluate(state, i):
    """f(x_i)."""
    row = state.K[i]
    total = state.bias[0]
    for k in range(state.counts[N_SUPPORT]):
        j = state.support[k]
        total += state.coef[j] * row[j]
    return total


@njit(cache=True, nogil=True)
def outputs(state):
    """Write f(x_i) into ``state.output`` for all i up to the largest member."""
    high = state.counts[HIGH]
    out = state.output
    for i in range(high):
        out[i] = state.bias[0]
    for k in range(state.counts[N_SUPPORT]):
        j = state.support[k]
        a = state.coef[j]
        row = state.K[j]
        for i in range(high):
            out[i] += a * row[i]
