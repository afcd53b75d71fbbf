"""Fitted trees of scikit-learn as arrays: one compiled loop over all of them, without the checks of each predict."""

import numpy as np

from weaklearn._fast.forest_values import StackedTrees, add_values


def stacked_forest(forest):
    """The class shares of a forest's trees."""
    trees = [one.tree_ for one in forest.estimators_]
    return _stacked(
        [(t.children_left, t.children_right, t.feature, t.threshold, t.value[:, 0]) for t in trees],
        [tree.max_depth for tree in trees],
    )


def stacked_boosting(model):
    """What the trees of histogram boosting add to the score of each class, or of the second one of two: a list."""
    stacks = []
    for predictors in zip(*model._predictors, strict=True):
        nodes = [predictor.nodes for predictor in predictors]
        stacks.append(
            _stacked(
                [
                    (
                        np.where(tree["is_leaf"], -1, tree["left"].astype(np.intp)),
                        tree["right"].astype(np.intp),
                        tree["feature_idx"],
                        tree["num_threshold"],
                        tree["value"][:, None],
                    )
                    for tree in nodes
                ],
                [tree["depth"].max() for tree in nodes],
            )
        )
    return stacks


def _stacked(trees, depths):
    """Trees of children (the left one is -1 at a leaf), features, thresholds and values; a root is node 0."""
    parts, first = [], [0]
    for left, right, feature, threshold, values in trees:
        inner, n_nodes = np.flatnonzero(left >= 0), len(left)
        place = np.zeros(n_nodes, dtype=np.intp)  # children become neighbours, the root stays where it is
        place[left[inner]] = 2 * np.arange(len(inner)) + 1
        place[right[inner]] = place[left[inner]] + 1
        order = np.argsort(place)
        child = np.arange(n_nodes)
        child[place[inner]] = place[left[inner]]
        leaf = (left < 0)[order]
        parts.append(
            (
                np.where(leaf, 0, feature[order]),
                np.where(leaf, np.inf, threshold[order]),
                first[-1] + child,
                values[order],
            )
        )
        first.append(first[-1] + n_nodes)
    feature, threshold, child, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return StackedTrees(
        feature.astype(np.uint32), threshold, child.astype(np.uint32), values,
        np.array(first[:-1], dtype=np.uint32), np.array(depths, dtype=np.uint32),
    )  # fmt: skip


def tree_sums(trees, X, drawn=None, start=0.0):
    """``start`` plus the sum of all trees' values, (n_samples, n_values), and the number of trees, (n_samples, 1).

    ``drawn`` (n_trees, n_samples) marks the rows that a tree is not asked about.
    """
    # Compiled code does not look whether an index is in range, and a model may come from a file.
    n_nodes = len(trees.values)
    if not (
        len(trees.feature) == len(trees.threshold) == len(trees.child) == n_nodes
        and len(trees.root) == len(trees.depth)
        and min(trees.feature.min(), trees.child.min(), trees.root.min()) >= 0
        and trees.feature.max() < X.shape[1]
        and trees.root.max() < n_nodes
        and (trees.child + (trees.threshold < np.inf)).max() < n_nodes
        and trees.depth.max() < n_nodes
        and (drawn is None or drawn.shape == (len(trees.root), len(X)))
    ):
        raise ValueError("a forest is damaged: its nodes refer to columns or nodes that it does not have.")
    drawn = np.zeros((len(trees.root), 0), dtype=bool) if drawn is None else np.ascontiguousarray(drawn)
    total, votes = np.full((len(X), trees.values.shape[1]), start), np.zeros(len(X))
    add_values(np.ascontiguousarray(X, dtype=np.float64), trees, drawn, total, votes)
    return total, votes[:, None]
