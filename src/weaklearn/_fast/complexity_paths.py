"""The complexity (number of support vectors) of sets that grow and shrink by one example at a time.

Examples at the same place (the same ``location``) are one example to the machine. Where both labels occur at a
place, pairs of opposite labels are set aside, two units of complexity each: both have to be remembered, as they
would be if they lay a hair apart. What the majority has left is the label of the place. So the complexity of a
set does not depend on the order in which it came.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.active_set import N_SUPPORT, empty_state, substitute
from weaklearn._fast.incremental_svm import DONE, NOT_SEPARABLE, add, withdraw


class Places(NamedTuple):
    """Who is in the set, place by place.

    ``net`` is the sum of the labels at a place, ``stands`` the member of the machine there (-1: none), ``pairs[0]``
    the number of contradicting pairs.
    """

    location: np.ndarray
    present: np.ndarray
    net: np.ndarray
    stands: np.ndarray
    pairs: np.ndarray


def locations(X):
    """For each row, the number of the first row that is equal to it."""
    _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    return first[inverse.ravel()].astype(np.int64)


@njit(cache=True, nogil=True)
def empty_places(location, n_places):
    """No example present; the numbers of the places are below ``n_places``."""
    return Places(
        location,
        np.zeros(location.size, np.bool_),
        np.zeros(n_places, np.int64),
        np.full(n_places, -1, np.int64),
        np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True)
def complexity_of(state, places):
    """Support vectors, and two for each contradicting pair."""
    return state.counts[N_SUPPORT] + 2 * places.pairs[0]


@njit(cache=True, nogil=True)
def arrive(state, places, c, scale):
    """Example c joins the set."""
    at = places.location[c]
    label = 1 if state.y[c] > 0 else -1
    before = places.net[at]
    places.net[at] += label
    places.present[c] = True
    if before == 0:
        places.stands[at] = c
        return add(state, c, scale)
    if before * label < 0:
        places.pairs[0] += 1
        if places.net[at] == 0:
            gone = places.stands[at]
            places.stands[at] = -1
            return withdraw(state, gone, scale)
    return DONE


@njit(cache=True, nogil=True)
def _any_present(state, places, at, label):
    for i in range(places.location.size):
        if places.present[i] and places.location[i] == at and state.y[i] * label > 0:
            return i
    return -1


@njit(cache=True, nogil=True)
def depart(state, places, c, scale):
    """Example c leaves the set."""
    at = places.location[c]
    label = 1 if state.y[c] > 0 else -1
    before = places.net[at]
    places.net[at] -= label
    places.present[c] = False
    if before * label > 0:
        if places.net[at] == 0:
            gone = places.stands[at]
            places.stands[at] = -1
            return withdraw(state, gone, scale)
        if places.stands[at] == c:
            heir = _any_present(state, places, at, label)
            substitute(state, c, heir)
            places.stands[at] = heir
        return DONE
    places.pairs[0] -= 1
    if before == 0:
        heir = _any_present(state, places, at, -label)
        places.stands[at] = heir
        return add(state, heir, scale)
    return DONE


@njit(cache=True, nogil=True)
def _arrange(K, order, out):
    for i in range(order.size):
        row, line = K[order[i]], out[i]
        for j in range(order.size):
            line[j] = row[order[j]]


@njit(cache=True, nogil=True)
def paths(K, labels, location, orders, start, stop, scale):
    """Complexities of the first start, ..., stop examples of each order, summed over the rows of ``labels``.

    Returns the array (n_orders, stop - start + 1), and False if some set was not separable.
    """
    n_orders = orders.shape[0]
    complexities = np.zeros((n_orders, stop - start + 1), np.int64)
    K_path = np.empty((stop, stop))
    for p in range(n_orders):
        order = orders[p, :stop]
        _arrange(K, order, K_path)
        for q in range(labels.shape[0]):
            state = empty_state(K_path, labels[q][order])
            # Locations keep their numbers, which may exceed the number of examples in the path.
            places = empty_places(location[order], location.size)
            for c in range(stop):
                if c >= start:
                    complexities[p, c - start] += complexity_of(state, places)
                if arrive(state, places, c, scale) == NOT_SEPARABLE:
                    return complexities, False
            complexities[p, stop - start] += complexity_of(state, places)
    return complexities, True


@njit(cache=True, nogil=True)
def add_normal_equations(orders, start, complexities, gram, moment):
    """Add P'P and P'Delta of equations (1.11) of each order to ``gram`` and ``moment``.

    Row m of P marks the first m examples after the start, so the pair at positions a and b is in s - max(a, b) rows.
    """
    n_orders, width = complexities.shape
    s = width - 1
    for p in range(n_orders):
        order = orders[p, start : start + s]
        base = complexities[p, 0]
        total = 0.0
        for a in range(s - 1, -1, -1):
            total += complexities[p, a + 1] - base
            moment[order[a]] += total
        for a in range(s):
            row = gram[order[a]]
            for b in range(s):
                row[order[b]] += s - max(a, b)


@njit(cache=True, nogil=True)
def machines_along(K, labels, location, sizes, scale):
    """The machines of the first ``sizes`` examples: coefficients (n_sizes, n_problems, n) and biases.

    As long as there is one class only, the machine is the constant of that class.
    """
    n = K.shape[0]
    n_problems = labels.shape[0]
    coef = np.zeros((sizes.size, n_problems, n))
    bias = np.zeros((sizes.size, n_problems))
    for q in range(n_problems):
        state = empty_state(K, labels[q])
        places = empty_places(location, location.size)
        g = 0
        for c in range(n):
            if arrive(state, places, c, scale) == NOT_SEPARABLE:
                return coef, bias, False
            while g < sizes.size and c + 1 == sizes[g]:
                if state.counts[N_SUPPORT] == 0:
                    bias[g, q] = labels[q, 0]
                else:
                    bias[g, q] = state.bias[0]
                    coef[g, q] = state.coef
                g += 1
    return coef, bias, True
