"""What many small trees say of many rows."""

from typing import NamedTuple

import numpy as np
from numba import njit


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
    for i in range(X.shape[0]):
        total = 0.0
        for t in range(forest.feature.shape[0]):
            total += weights[t] * _leaf(X[i], t, forest)
        scores[i] = total
