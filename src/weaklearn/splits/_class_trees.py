"""Growing small trees for more than two classes on one training set, again and again."""

import numpy as np

from weaklearn._fast.trees.classes import ClassNodes, grow_classes
from weaklearn._fast.trees.grow import set_thresholds
from weaklearn.splits._sorted_rows import SortedRows
from weaklearn.splits._trees import TREE_ATTRIBUTES, scratch

__all__ = ["ClassTreeSearch"]


class ClassTreeSearch:
    """All small trees on one labelled set of rows: sorted once, grown for any weights.

    This is the prepared form of `weaklearn.trees.SmallTree` for more than two classes.

    Parameters
    ----------
    tree : SmallTree
        With the Gini criterion, without categories and constraints.
    X : ndarray of shape (n_samples, n_features), float64 or float32
        NaN is a missing value.
    codes : ndarray of shape (n_samples,)
        The classes of the rows, 0, 1, ...
    n_classes : int, default=None
        None means as many as occur.
    """

    # What SAMME asks of a weak learner: whether X has been seen to be finite.
    checked = True

    def __init__(self, tree, X, codes, n_classes=None):
        if not tree._takes_many():
            raise ValueError(
                f"Only binary classification is supported by {type(tree).__name__} unless criterion='gini' and there "
                "are no categorical_features and no monotonic_cst. Change these, or wrap it in "
                "sklearn.multiclass.OneVsRestClassifier."
            )
        self.estimator = tree
        self._parameters = tree.get_params(deep=False)
        self._X, self._codes = X, np.asarray(codes, dtype=np.int64)
        self._n_classes = int(self._codes.max()) + 1 if n_classes is None else n_classes
        self._rows = SortedRows(X)
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
            Fitted, with the classes 0, 1, ...
        right : ndarray of shape (n_samples,)
            +1.0 where the tree is right, -1.0 where it is wrong.
        error : float
            The share of the weight that it gets wrong.
        """
        n_nodes = 2 ** self._parameters["max_depth"] - 1
        nodes = ClassNodes(
            np.empty(n_nodes, dtype=np.int64),
            np.empty(n_nodes),
            np.empty(n_nodes, dtype=bool),
            np.empty(n_nodes),
            np.zeros((2 * n_nodes + 1, self._n_classes)),
            np.zeros(len(self._codes), dtype=np.int64),
            np.empty((n_nodes, 4), dtype=np.int64),
        )
        orders = self._rows.orders
        error = grow_classes(self._rows.codes, self._work, orders, self._codes, weights, nodes)
        set_thresholds(self._X, orders, nodes)
        sets = np.zeros((n_nodes, 1), dtype=bool)
        tree = object.__new__(type(self.estimator))
        tree.__dict__ = {
            **self._parameters,
            "n_features_in_": self._X.shape[1],
            "classes_": np.arange(self._n_classes),
            **dict(zip(TREE_ATTRIBUTES, (*nodes[:5], sets, {}, error), strict=True)),
        }
        return tree, np.where(nodes.says == self._codes, 1.0, -1.0), error
