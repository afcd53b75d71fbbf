"""What the trees of a forest say of many rows."""

from typing import NamedTuple

import numpy as np
from numba import njit

# Rows that go through a tree together, level by level: their steps do not wait for one another.
_BLOCK = 128


class StackedTrees(NamedTuple):
    """The nodes of all trees, one tree after the other, each from its root on."""

    feature: np.ndarray  # (n_nodes,), uint32
    threshold: np.ndarray  # (n_nodes,), float64: inf at a leaf
    child: (
        np.ndarray
    )  # (n_nodes,), uint32: for x <= threshold; the other one is next to it; of a leaf, itself
    values: np.ndarray  # (n_nodes, n_values), float64
    root: np.ndarray  # (n_trees,), uint32
    depth: np.ndarray  # (n_trees,), uint32


@njit(cache=True, nogil=True)
def add_values(X, trees, drawn, total, votes):
    """Add the values of each tree's leaf to ``total`` (n_samples, n_values), and 1 to ``votes`` (n_samples,).

    X is finite. ``drawn`` (n_trees, n_samples), bool, marks the rows that a tree is not asked about; (n_trees, 0)
    stands for none.
    """
    place = np.empty(_BLOCK, dtype=np.uint32)
    for start in range(0, X.shape[0], _BLOCK):
        rows = X[start : start + _BLOCK]
        for t in range(len(trees.root)):
            place[:] = trees.root[t]
            for _ in range(trees.depth[t]):
                for i in range(len(rows)):
                    node = place[i]
                    place[i] = trees.child[node] + (rows[i, trees.feature[node]] > trees.threshold[node])
            for i in range(len(rows)):
                if drawn.shape[1] and drawn[t, start + i]:
                    continue
                votes[start + i] += 1
                for k in range(total.shape[1]):
                    total[start + i, k] += trees.values[place[i], k]
