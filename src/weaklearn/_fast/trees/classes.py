"""Small trees for more than two classes, by Gini impurity, grown as in `grow`.

With L_k and R_k the weights of class k below and above a cut, and T_k their sums, the impurity that a cut removes is

    ``sum_k L_k^2 / L + sum_k R_k^2 / R - sum_k T_k^2 / T``,

L, R and T being the sums over the classes. A gain is this over T.
"""

import numpy as np
from numba import njit

from weaklearn._fast.criteria import TIE
from weaklearn._fast.trees.grow import record
from weaklearn._fast.trees.orders import partition
from weaklearn._fast.trees.split import Split

_ONE = np.uint32(1)


@njit(cache=True, nogil=True)
def _scan(codes, order, first, end, labels, weights, sums, least):
    """The largest value in an order, and the first rank of at least ``least`` with the weight below it (-1 if none).

    A value is what is gained plus the constant ``sum_k T_k^2 / T``.
    """
    below, above = np.zeros(len(sums)), sums.copy()
    total = sums.sum()
    below_squares, above_squares = 0.0, (sums * sums).sum()
    weight = 0.0
    largest = -1.0
    for k in range(first, end):
        code = codes[order, k]
        w, c = weights[code >> _ONE], labels[code >> _ONE]
        below_squares += w * (2 * below[c] + w)
        above_squares += w * (w - 2 * above[c])
        below[c] += w
        above[c] -= w
        weight += w
        rest = total - weight
        if code & _ONE and weight > 0 and rest > 0:
            value = below_squares / weight + above_squares / rest
            largest = max(largest, value)
            if value >= least:
                return largest, k, weight
    return largest, -1, 0.0


@njit(cache=True, nogil=True)
def _best_split(codes, first, end, labels, weights, sums):
    """The best split of a node, worth its gain; of its sums only the weight is known."""
    total = sums.sum()
    values = np.empty(codes.shape[0])
    for j in range(codes.shape[0]):
        values[j], _, _ = _scan(codes, j, first, end, labels, weights, sums, np.inf)
    least = values.max() - TIE * total
    if values.max() >= 0:
        for j in range(codes.shape[0]):
            if values[j] >= least:
                value, rank, weight = _scan(codes, j, first, end, labels, weights, sums, least)
                return Split(j, rank, 0.0, weight, value / total - (sums * sums).sum() / (total * total))
    return Split(0, -1, 0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def _sums(places, first, end, labels, weights, n_classes):
    sums = np.zeros(n_classes)
    for k in range(first, end):
        i = places[k] >> _ONE
        sums[labels[i]] += weights[i]
    return sums


@njit(cache=True, nogil=True)
def _say(places, first, end, node, labels, weights, nodes):
    """Make a leaf: its classes' shares; of classes that weigh the same the first one is voted for."""
    sums = _sums(places, first, end, labels, weights, nodes.value.shape[1])
    total = sums.sum()
    nodes.value[node] = sums / total if total > 0 else np.full(len(sums), 1.0 / len(sums))
    vote = 0
    while nodes.value[node, vote] < nodes.value[node].max() - TIE:
        vote += 1
    for k in range(first, end):
        nodes.says[places[k] >> _ONE] = vote


@njit(cache=True, nogil=True)
def grow_classes(codes, work, orders, labels, weights, nodes):
    """Grow a tree for ``labels`` 0, 1, ... and weights >= 0; fill ``nodes`` but for the thresholds.

    Returns the weighted error. Orders of categories are not taken: more than two classes have no order of means.
    """
    n_nodes, n_classes = len(nodes.feature), nodes.value.shape[1]
    ranges = np.zeros((2 * n_nodes + 1, 2), dtype=np.int64)
    ranges[0, 1] = codes.shape[1]
    above = np.empty(len(labels), dtype=np.uint8)
    source = codes
    level = 0
    while 2**level <= n_nodes:
        last = 2 ** (level + 1) > n_nodes
        target = work[level % len(work)]
        for node in range(2**level - 1, 2 ** (level + 1) - 1):
            first, end = ranges[node]
            if first == end:
                continue
            sums = _sums(source[0], first, end, labels, weights, n_classes)
            total = sums.sum()
            split = Split(0, -1, 0.0, 0.0, 0.0)
            if sums.max() < total:  # more than one class
                split = _best_split(source, first, end, labels, weights, sums)
            if split.rank < 0 or not split.worth > (TIE if last else -TIE):
                _say(source[0], first, end, node, labels, weights, nodes)
                continue
            record(source, orders, split, first, end, split.worth * total, total, node, nodes)
            middle = split.rank + 1
            if last:
                _say(source[split.order], first, middle, 2 * node + 1, labels, weights, nodes)
                _say(source[split.order], middle, end, 2 * node + 2, labels, weights, nodes)
                continue
            ranges[2 * node + 1] = first, middle
            ranges[2 * node + 2] = middle, end
            partition(source, split.order, first, middle, end, above, target)
        source = target
        level += 1
    for node in range(n_nodes):
        if nodes.feature[node] < 0:
            nodes.value[2 * node + 1] = nodes.value[node]
            nodes.value[2 * node + 2] = nodes.value[node]
    wrong = 0.0
    for i in range(len(labels)):
        wrong += weights[i] if nodes.says[i] != labels[i] else 0.0
    return wrong / weights.sum()
