"""What many small trees say of many rows."""

from typing import NamedTuple

import numpy as np
from numba import njit

# Deeper trees have more nodes than steps of a walk take time.
_SHALLOW = 6
_BLOCK = 128


class Forest(NamedTuple):
    """Trees of one depth, in heap order (see `grow`)."""

    feature: np.ndarray  # (n_trees, n_nodes), int64; any feature where there is no split
    threshold: np.ndarray  # (n_trees, n_nodes), float64: inf where there is no split
    missing_above: np.ndarray  # (n_trees, n_nodes), bool
    leaves: np.ndarray  # (n_trees, n_nodes + 1), float64
    categorical: np.ndarray  # (n_features,), bool
    categories: np.ndarray  # (n_trees, n_nodes, largest number of categories), bool


@njit(cache=True, nogil=True)
def _leaf(row, t, forest):
    """The value of the leaf of tree t that a row ends in."""
    n_nodes = forest.feature.shape[1]
    node = 0
    while node < n_nodes:
        feature = forest.feature[t, node]
        x = row[feature]
        if forest.categorical[feature] and forest.threshold[t, node] != np.inf:
            above = forest.missing_above[t, node] if np.isnan(x) else forest.categories[t, node, int(x)]
        else:
            threshold = forest.threshold[t, node]
            above = not x <= threshold if forest.missing_above[t, node] else x > threshold
        node = 2 * node + 1 + int(above)
    return forest.leaves[t, node - n_nodes]


@njit(cache=True, nogil=True)
def leaf_values(X, forest, values):
    """Fill ``values`` (n_samples, n_trees) with what each tree says. Categories in X are numbered, NaN if unknown."""
    for i in range(X.shape[0]):
        for t in range(forest.feature.shape[0]):
            values[i, t] = _leaf(X[i], t, forest)


@njit(cache=True, nogil=True)
def forest_scores(X, forest, weights, scores):
    """Fill ``scores`` with the weighted sums of leaf values, summed in the order of the trees."""
    if forest.feature.shape[1] < 2**_SHALLOW and not forest.categorical.any():
        _shallow_scores(X, forest, weights, scores)
        return
    for i in range(X.shape[0]):
        total = 0.0
        for t in range(forest.feature.shape[0]):
            total += weights[t] * _leaf(X[i], t, forest)
        scores[i] = total


@njit(cache=True, nogil=True)
def _choose(column, threshold, missing_above, below, above, chosen):
    """Fill ``chosen`` with what is below or above a node, for each row of a block."""
    if missing_above:
        for i in range(_BLOCK):
            low, high = below[i], above[i]
            chosen[i] = low if column[i] <= threshold else high
    else:
        for i in range(_BLOCK):
            low, high = below[i], above[i]
            chosen[i] = high if column[i] > threshold else low


@njit(cache=True, nogil=True)
def _choose_leaf(column, threshold, missing_above, below, above, chosen):
    """`_choose` between two numbers."""
    if missing_above:
        for i in range(_BLOCK):
            chosen[i] = below if column[i] <= threshold else above
    else:
        for i in range(_BLOCK):
            chosen[i] = above if column[i] > threshold else below


@njit(cache=True, nogil=True)
def _shallow_scores(X, forest, weights, scores):
    """`forest_scores` from the leaves up: all nodes of a tree are looked at, which suits vector instructions.

    Rows go in blocks, turned so that a feature's values are adjacent, which stay in the first-level cache.
    """
    n_samples, n_features = X.shape
    n_nodes = forest.feature.shape[1]
    columns, chosen = np.zeros((n_features, _BLOCK)), np.empty((n_nodes, _BLOCK))
    for start in range(0, n_samples, _BLOCK):
        length = min(_BLOCK, n_samples - start)
        for i in range(length):
            for j in range(n_features):
                columns[j, i] = X[start + i, j]
        part = scores[start : start + length]
        part[:] = 0.0
        for t in range(len(weights)):
            for node in range(n_nodes - 1, -1, -1):
                column, threshold = columns[forest.feature[t, node]], forest.threshold[t, node]
                missing_above, child = forest.missing_above[t, node], 2 * node + 1
                if child < n_nodes:
                    below, above = chosen[child], chosen[child + 1]
                    _choose(column, threshold, missing_above, below, above, chosen[node])
                else:
                    low = weights[t] * forest.leaves[t, child - n_nodes]
                    high = weights[t] * forest.leaves[t, child + 1 - n_nodes]
                    _choose_leaf(column, threshold, missing_above, low, high, chosen[node])
            for i in range(length):
                part[i] += chosen[0, i]
