"""Growing small trees on one training set, again and again."""

import numpy as np

from weaklearn._fast.trees.criteria import NUMBERS
from weaklearn._fast.trees.grow import Nodes, boosted_tree, set_thresholds
from weaklearn._fast.trees.split import Rule
from weaklearn.splits._columns import categorical_columns, column_signs
from weaklearn.splits._sorted_rows import SortedRows

__all__ = ["TREE_ATTRIBUTES", "TreeSearch", "scratch"]

_SIGNED_CLASSES = np.array([-1, 1])
TREE_ATTRIBUTES = (
    "features_",
    "thresholds_",
    "missing_above_",
    "gains_",
    "values_",
    "category_sets_",
    "categories_",
    "error_",
)


def scratch(codes, depth):
    """Room for the orders of nodes: those of one level are divided from one part into the other, the last ones not."""
    n_parts = min(depth - 1, 2)
    return np.empty((max(n_parts, 1), *(codes.shape if n_parts else (0, 0))), dtype=np.uint32)


class TreeSearch:
    """All small trees on one set of rows: sorted once, grown for any weights and any labels.

    This is the prepared form of `SmallTree` that boosting uses.

    Parameters
    ----------
    tree : SmallTree
        Its parameters say how trees are grown.
    X : ndarray of shape (n_samples, n_features), float64 or float32
        NaN is a missing value.
    y : ndarray of shape (n_samples,), float64, default=None
        Labels in {-1.0, +1.0}; not needed for `fit_labels`.
    """

    def __init__(self, tree, X, y=None):
        self._kind = type(tree)
        self._parameters = tree.get_params(deep=False)
        self._X, self._y = X, y
        categorical = categorical_columns(tree.categorical_features, X.shape[1])
        signs = column_signs(tree.monotonic_cst, X.shape[1], categorical)
        self._rows = SortedRows(X, categorical)
        order_signs = signs[self._rows.orders.feature]
        self._rule = Rule(NUMBERS[tree.criterion], not signs.any(), False, order_signs)
        self._work = scratch(self._rows.codes, tree.max_depth)

    def fit(self, weights, rng=None):
        """Grow a tree.

        Parameters
        ----------
        weights : ndarray of shape (n_samples,), float64
            Non-negative, of any scale.
        rng : ignored
            Weak learners are given one; growing is deterministic.

        Returns
        -------
        tree : SmallTree
            Fitted, with the classes -1 and +1.
        margins : ndarray of shape (n_samples,)
            ``y_i h(x_i)``: +1.0 where the tree is right, -1.0 where it is wrong.
        error : float
            The share of the weight that it gets wrong.
        """
        return self._grow(self._rows.codes, self._work, self._y, weights)

    def fit_labels(self, labels, weights, rng=None):
        """The same for new labels, some of which may be 0: those rows are left out.

        Parameters
        ----------
        labels : ndarray of shape (n_samples,), float64
            -1.0, +1.0 or 0.0.
        weights : ndarray of shape (n_samples,), float64
        rng : ignored

        Returns
        -------
        tree : SmallTree
        votes : ndarray of shape (n_samples,)
            -1.0 or +1.0, of all rows.
        """
        members = labels != 0
        if members.all():
            tree, margins, _ = self._grow(self._rows.codes, self._work, labels, weights)
            return tree, margins * labels
        codes = self._rows.among(members)
        work = scratch(codes, self._parameters["max_depth"])
        tree, _, _ = self._grow(codes, work, np.where(members, labels, 1.0), np.where(members, weights, 0.0))
        return tree, np.where(self._kind.ensemble_votes([tree], self._X)[:, 0], 1.0, -1.0)

    def _grow(self, codes, work, labels, weights):
        n_nodes = 2 ** self._parameters["max_depth"] - 1
        nodes = Nodes(
            np.empty(n_nodes, dtype=np.int64),
            np.empty(n_nodes),
            np.empty(n_nodes, dtype=bool),
            np.empty(n_nodes),
            np.zeros(2 * n_nodes + 1),
            np.zeros((n_nodes, self._rows.n_categories), dtype=bool),
            np.zeros(len(labels)),
            np.empty((n_nodes, 4), dtype=np.int64),
        )
        margins = np.empty(len(labels))
        error = boosted_tree(codes, work, self._rows.orders, self._rule, labels, weights, nodes, margins)
        set_thresholds(self._X, self._rows.orders, nodes)
        tree = object.__new__(self._kind)
        tree.__dict__ = {
            **self._parameters,
            "n_features_in_": self._X.shape[1],
            "classes_": _SIGNED_CLASSES,
            **dict(zip(TREE_ATTRIBUTES, (*nodes[:6], self._rows.categories, error), strict=True)),
        }
        return tree, margins, error
