"""Small trees, grown level by level from the best split of every node.

Nodes are numbered as in a heap: node 0 is the root, those below and above the split of node v are 2 v + 1 and
2 v + 2. Each is a range of places in all orders. A node is not split if all its labels are the same, if no cut fits,
or if no cut lowers the error (criterion ``ERROR``); the other criteria also take a split that gains nothing where a
further level follows, since the gain may come there, as with exclusive or.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.criteria import ERROR, TIE
from weaklearn._fast.stump_search import sign_weights, wrong_weight
from weaklearn._fast.trees.orders import order_categories, partition, threshold_between
from weaklearn._fast.trees.split import best_split

_ONE = np.uint32(1)


class Orders(NamedTuple):
    """What the orders of a training set mean."""

    feature: np.ndarray  # (n_orders,), int64: the feature that is ordered
    missing_below: np.ndarray  # (n_orders,), bool: missing values come first
    category_row: np.ndarray  # (n_orders,), int64: the row of ``category``, -1 for numbers
    # (number of features with categories, n_samples), int32; missing values are one, too
    category: np.ndarray
    n_categories: np.ndarray  # (number of features with categories,), int64
    missing_category: np.ndarray  # (number of features with categories,), int64: -1 if no value is missing


class Nodes(NamedTuple):
    """A tree in heap order: its splits and what its leaves say. At first it is a single leaf.

    A leaf of two classes says its mean label; for more it has the share of each class and says the heaviest one.
    """

    feature: np.ndarray  # (2^depth - 1,), int64: -1 where there is no split
    threshold: np.ndarray  # (2^depth - 1,), float64: NaN for categories, inf where there is no split
    missing_above: np.ndarray  # (2^depth - 1,), bool: where missing and unknown values go
    gain: np.ndarray  # (2^depth - 1,), float64: what a split is worth, in units of weight
    # (2^(depth + 1) - 1,) or (2^(depth + 1) - 1, n_classes), float64: of each leaf and what is below it in the heap
    value: np.ndarray
    categories: np.ndarray  # (2^depth - 1, largest number of categories), bool: which of them are above
    says: np.ndarray  # (n_samples,), float64 or int64: what each sample's leaf says
    # (2^depth - 1, 4), int64: a split's order, the samples around it and the last one of the node
    places: np.ndarray


class _State(NamedTuple):
    """What is known of the nodes while a tree grows."""

    ranges: np.ndarray  # (n_nodes, 2): their first places and ends
    limits: np.ndarray  # (n_nodes, 2): the least and largest means that their parts may have
    above: np.ndarray  # (n_samples,), uint8: which samples are above the split of their node


@njit(cache=True, nogil=True)
def _sums(codes, first, end, signed):
    """-1/2 of the sum of signed weights in a node, and the sum of weights."""
    balance = 0.0
    weight = 0.0
    for k in range(first, end):
        sample = signed[codes[0, k] >> _ONE]
        balance += sample
        weight += abs(sample)
    return -balance / 2, weight


@njit(cache=True, nogil=True)
def mark_categories(codes, orders, split, first, end, missing_above, above):
    """Fill ``above`` (n_categories,): which categories are above a cut. Returns where missing values go.

    Categories that no sample here has go where missing values go.
    """
    order, rank = split.order, split.rank
    row = orders.category_row[order]
    category, missing = orders.category[row], orders.missing_category[row]
    for k in range(first, end):
        if category[codes[order, k] >> _ONE] == missing:
            missing_above = k > rank
    above[:] = missing_above
    for k in range(first, end):
        above[category[codes[order, k] >> _ONE]] = k > rank
    return missing_above


@njit(cache=True, nogil=True)
def _gain(criterion, split, sums):
    """What a split is worth beyond no split, in units of weight."""
    start, total = sums
    return split.worth - abs(start) if criterion == ERROR else split.worth * total


@njit(cache=True, nogil=True)
def record(codes, orders, split, first, end, gain, total, node, nodes):
    """Write a split into the tree, but for its categories; unseen missing values go to the heavier side."""
    order, rank = split.order, split.rank
    nodes.feature[node] = orders.feature[order]
    nodes.gain[node] = gain
    nodes.missing_above[node] = 2 * split.weight < total
    nodes.places[node, 0] = order
    for k, place in enumerate((rank, rank + 1, end - 1)):
        nodes.places[node, k + 1] = codes[order, place] >> _ONE


@njit(cache=True, nogil=True)
def set_thresholds(X, orders, nodes):
    """Fill the thresholds of a grown tree, and where missing values go if its nodes had any.

    This is all that looks at X, so that growing is compiled once for all its types.
    """
    for node in range(len(nodes.feature)):
        feature = nodes.feature[node]
        nodes.threshold[node] = np.inf
        if feature < 0:
            continue
        order, lower, upper, last = nodes.places[node]
        if orders.category_row[order] >= 0:
            nodes.threshold[node] = np.nan
            continue
        nodes.threshold[node] = threshold_between(X[lower, feature], X[upper, feature])
        if orders.missing_below[order]:
            nodes.missing_above[node] = False
        elif np.isnan(X[last, feature]):
            nodes.missing_above[node] = True


@njit(cache=True, nogil=True)
def _limit(sign, split, start, total, node, limits):
    """The least and largest means of the two children: those of their parent, and on either side of the middle."""
    left, right = 2 * node + 1, 2 * node + 2
    limits[left] = limits[node]
    limits[right] = limits[node]
    if sign != 0:
        below, above = split.balance / split.weight, (-2 * start - split.balance) / (total - split.weight)
        middle = (below + above) / 2
        limits[left, 1 if sign > 0 else 0] = middle
        limits[right, 0 if sign > 0 else 1] = middle


@njit(cache=True, nogil=True)
def _say(places, first, end, node, signed, limits, nodes):
    """Make a leaf: its mean label within its limits, for the node and for its samples."""
    balance = 0.0
    weight = 0.0
    for k in range(first, end):
        sample = signed[places[k] >> _ONE]
        balance += sample
        weight += abs(sample)
    mean = balance / weight if weight > 0 else 0.0
    nodes.value[node] = min(max(mean, limits[node, 0]), limits[node, 1])
    for k in range(first, end):
        nodes.says[places[k] >> _ONE] = nodes.value[node]


@njit(cache=True, nogil=True)
def renew_categories(codes, orders, first, end, signed):
    """Put the categories of all features that have them into the order of these weights."""
    for j in range(codes.shape[0]):
        row = orders.category_row[j]
        if row >= 0:
            order_categories(codes[j], first, end, orders.category[row], orders.n_categories[row], signed)


@njit(cache=True, nogil=True)
def _split_node(node, last, source, target, orders, rule, signed, state, nodes):
    """Split a node, or make it a leaf; its parts go to ``target``, or are leaves if this is the last level."""
    first, end = state.ranges[node]
    start, total = _sums(source, first, end, signed)
    gain = -np.inf
    if 2 * abs(start) < total:  # both labels
        renew_categories(source, orders, first, end, signed)
        limits = state.limits[node, 0], state.limits[node, 1]
        split = best_split(source, first, end, signed, (start, total), rule, limits)
        if split.rank >= 0:
            gain = _gain(rule.criterion, split, (start, total))
    if not gain > (TIE if last or rule.criterion == ERROR else -TIE) * total:
        _say(source[0], first, end, node, signed, state.limits, nodes)
        return
    record(source, orders, split, first, end, gain, total, node, nodes)
    if orders.category_row[split.order] >= 0:
        nodes.missing_above[node] = mark_categories(
            source, orders, split, first, end, nodes.missing_above[node], nodes.categories[node]
        )
    middle = split.rank + 1
    _limit(rule.signs[split.order], split, start, total, node, state.limits)
    if last:
        _say(source[split.order], first, middle, 2 * node + 1, signed, state.limits, nodes)
        _say(source[split.order], middle, end, 2 * node + 2, signed, state.limits, nodes)
        return
    state.ranges[2 * node + 1] = first, middle
    state.ranges[2 * node + 2] = middle, end
    partition(source, split.order, first, middle, end, state.above, target)


@njit(cache=True, nogil=True)
def grow(codes, work, orders, rule, signed, nodes):
    """Grow a tree and fill ``nodes``, but for the thresholds.

    ``codes`` (n_orders, n): the orders of the samples that take part, categories in any order; ``work`` (1 or 2,
    n_orders, n): scratch; ``signed``: y * weight of all samples.
    """
    n_nodes = len(nodes.feature)
    ranges = np.zeros((2 * n_nodes + 1, 2), dtype=np.int64)
    ranges[0, 1] = codes.shape[1]
    limits = np.empty((2 * n_nodes + 1, 2))
    limits[0, 0], limits[0, 1] = -np.inf, np.inf
    state = _State(ranges, limits, np.empty(len(signed), dtype=np.uint8))
    source = codes
    level = 0
    while 2**level <= n_nodes:
        last = 2 ** (level + 1) > n_nodes
        target = work[level % len(work)]
        for node in range(2**level - 1, 2 ** (level + 1) - 1):
            if ranges[node, 0] < ranges[node, 1]:
                _split_node(node, last, source, target, orders, rule, signed, state, nodes)
        source = target
        level += 1
    for node in range(n_nodes):
        if nodes.feature[node] < 0:
            nodes.value[2 * node + 1] = nodes.value[node]
            nodes.value[2 * node + 2] = nodes.value[node]


@njit(cache=True, nogil=True)
def vote_of(mean):
    """The vote of a leaf with this mean label; leaves on which both classes weigh the same vote -1."""
    return 1.0 if mean > TIE else -1.0


@njit(cache=True, nogil=True, error_model="numpy")
def boosted_tree(codes, work, orders, rule, y, weights, nodes, margins):
    """Grow a tree for labels +-1.0 and weights >= 0; fill ``margins`` with y * h(x). Returns the weighted error."""
    signed = np.empty(len(y))
    total, _ = sign_weights(y, weights, signed)
    grow(codes, work, orders, rule, signed, nodes)
    for i in range(len(y)):
        margins[i] = y[i] * vote_of(nodes.says[i])
    return wrong_weight(margins, weights) / total
