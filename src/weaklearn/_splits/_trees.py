"""Growing small trees on one training set, again and again."""

import numpy as np

from weaklearn._fast.criteria import NUMBERS
from weaklearn._fast.trees.classes import grow_classes
from weaklearn._fast.trees.grow import Nodes, boosted_tree, set_thresholds
from weaklearn._fast.trees.split import Rule
from weaklearn._splits._binned_rows import BinnedRows, bin_width
from weaklearn._splits._sorted_rows import RowSearch, SortedRows, categorical_columns, column_signs

# With fewer bins most of them would be read in sorted order.
_FEW_BINS = 32
_SIGNED_CLASSES = np.array([-1, 1])
_ATTRIBUTES = (
    "features_",
    "thresholds_",
    "missing_above_",
    "gains_",
    "values_",
    "category_sets_",
    "categories_",
    "error_",
)


def _one_leaf(parameters, rows, says, value_shape=()):
    """A tree of one leaf, with room for what leaves say of the samples and for a value of this shape in every leaf."""
    n_nodes = 2 ** parameters["max_depth"] - 1
    return Nodes(
        np.full(n_nodes, -1),
        np.empty(n_nodes),
        np.zeros(n_nodes, dtype=bool),
        np.zeros(n_nodes),
        np.zeros((2 * n_nodes + 1, *value_shape)),
        np.zeros((n_nodes, rows.n_categories), dtype=bool),
        says,
        np.empty((n_nodes, 4), dtype=np.int64),
    )


def _scratch(codes, depth):
    """Room for the orders of nodes: those of one level are divided from one part into the other, the last ones not."""
    n_parts = min(depth - 1, 2)
    return np.empty((max(n_parts, 1), *(codes.shape if n_parts else (0, 0))), dtype=np.uint32)


class TreeSearch(RowSearch):
    """All small trees on one set of rows: sorted once, grown for any weights and any labels.

    This is the prepared form of `SmallTree` that boosting uses. X may be float32; y holds -1.0 and +1.0 and is not
    needed for `fit_labels`.
    """

    def __init__(self, tree, X, y=None):
        self._kind = type(tree)
        self._parameters = tree.get_params(deep=False)
        self._y = y
        categorical = categorical_columns(tree.categorical_features, X.shape[1])
        signs = column_signs(tree.monotonic_cst, X.shape[1], categorical)
        self._rows = SortedRows(X, categorical, tree.n_jobs)
        order_signs = signs[self._rows.orders.feature]
        self._rule = Rule(NUMBERS[tree.criterion], not signs.any(), False, order_signs)
        width = bin_width(len(X), tree.max_depth)
        self._binned = self._work = None
        if y is not None and width >= _FEW_BINS and self._rule.free and not categorical:
            self._binned = BinnedRows(self._rows, y, self._rule.criterion, width, tree.max_depth)
        else:
            self._work = _scratch(self._rows.codes, tree.max_depth)

    def fit(self, weights, rng=None):
        if self._binned is None:
            return super().fit(weights)
        nodes, margins = _one_leaf(self._parameters, self._rows, np.empty(0)), np.empty(len(weights))
        return self._tree(nodes, margins, self._binned.tree(weights, nodes, margins))

    def _search(self, codes, labels, weights):
        work = self._work
        if work is None or codes is not self._rows.codes:
            work = _scratch(codes, self._parameters["max_depth"])
        nodes = _one_leaf(self._parameters, self._rows, np.zeros(len(labels)))
        margins = np.empty(len(labels))
        error = boosted_tree(codes, work, self._rows.orders, self._rule, labels, weights, nodes, margins)
        return self._tree(nodes, margins, error)

    def _tree(self, nodes, margins, error):
        return _tree(self._kind, self._parameters, self._rows, _SIGNED_CLASSES, nodes, error), margins, error


class ClassTreeSearch:
    """All small trees on one labelled set of rows: sorted once, grown for any weights.

    This is the prepared form of `weaklearn.trees.SmallTree` for the classes 0, 1, ..., by default as many as occur.
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
        self._codes = np.asarray(codes, dtype=np.int64)
        self._n_classes = int(self._codes.max()) + 1 if n_classes is None else n_classes
        self._rows = SortedRows(X, n_jobs=tree.n_jobs)
        self._work = _scratch(self._rows.codes, tree.max_depth)

    def fit(self, weights, rng=None):
        """A tree for weights of any scale, +1.0 where it is right and -1.0 where wrong, and its error, as a share."""
        rows, says = self._rows, np.zeros(len(self._codes), dtype=np.int64)
        nodes = _one_leaf(self._parameters, rows, says, (self._n_classes,))
        error = grow_classes(rows.codes, self._work, rows.orders, self._codes, weights, nodes)
        tree = _tree(type(self.estimator), self._parameters, rows, np.arange(self._n_classes), nodes, error)
        return tree, np.where(says == self._codes, 1.0, -1.0), error


def _tree(kind, parameters, rows, classes, nodes, error):
    """A fitted tree, without the constructor: this is done in every round of boosting."""
    set_thresholds(rows.X, rows.orders, nodes)
    tree = object.__new__(kind)
    tree.__dict__ = {
        **parameters,
        "n_features_in_": rows.X.shape[1],
        "classes_": classes,
        **dict(zip(_ATTRIBUTES, (*nodes[:6], rows.categories, error), strict=True)),
    }
    return tree
