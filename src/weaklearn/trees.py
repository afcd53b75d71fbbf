"""Small decision trees: the best split of every node, found exactly, a few levels deep.

Conventions, beside those of `weaklearn.stumps` on thresholds, missing values, categories and ties:

- Nodes are numbered as in a heap: node 0 is the root, those below and above the split of node v are 2 v + 1 and
  2 v + 2.
- A leaf votes for its heaviest class, and for the first of those that weigh the same.
- A node is a leaf if all its labels are the same, if no threshold fits, or if a split of the last level would gain
  nothing. Further up, "gini" and "log_loss" also take a split that gains nothing, because the gain may come below it
  (exclusive or); "error" takes none.
"""

from numbers import Integral

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._fast.criteria import TIE
from weaklearn._fast.trees.scores import Forest, forest_scores, leaf_values
from weaklearn._splits import (
    ClassTreeSearch,
    SplitClassifier,
    TreeSearch,
    numbered_categories,
)
from weaklearn._training import validate_data

__all__ = ["SmallTree"]


@documented
class SmallTree(SplitClassifier):
    """Decision tree of a few levels, each split the best of all.

    Every node takes the split of largest gain over all features, thresholds, sides for missing values and divisions of
    categories: with ``criterion="gini"`` the tree of that depth that scikit-learn grows. As a weak learner it is grown
    from rows that are sorted once, which is many times faster than to grow it from scratch in every round.

    Parameters
    ----------
    max_depth : int, default=2
        The number of levels of splits, from 1 to 10.
    criterion : {"gini", "log_loss", "error"}, default="gini"
        What a split has to lower: impurity, minus log-likelihood, or training error. More than two classes need
        "gini".
    categorical_features : array-like of int or bool, default=None
        The columns whose values are categories, by number or as a mask. They are divided into the best two of all
        sets. For two classes only.
    monotonic_cst : array-like of {-1, 0, 1}, default=None
        For each column: 1 if the prediction may only change from ``classes_[0]`` to ``classes_[1]`` as the column
        grows, -1 for the opposite, 0 for no constraint. For two classes only.
    n_jobs : int or None, default=None
        Threads that share the features of a large training set of two classes; None means 1, -1 all processors. The
        result does not depend on it.

    Attributes
    ----------
    features_ : ndarray of shape (2 ** max_depth - 1,)
        The column that each node splits; -1 where there is no split.
    thresholds_ : ndarray of shape (2 ** max_depth - 1,)
        Values above go to the child above; NaN for categories, inf where there is no split or missing values are told
        from all others.
    missing_above_ : ndarray of bool, shape (2 ** max_depth - 1,)
        Where missing values go, and categories that were not seen in training.
    category_sets_ : ndarray of bool, shape (2 ** max_depth - 1, n_categories)
        Which categories go above, by their place in ``categories_``.
    categories_ : dict
        The categories of each column that has them, sorted.
    gains_ : ndarray of shape (2 ** max_depth - 1,)
        What each split gains, times the weight of its node.
    values_ : ndarray of shape (2 ** (max_depth + 1) - 1,) or (2 ** (max_depth + 1) - 1, n_classes)
        The mean label (-1 and +1) of every leaf, or the shares of its classes if there are more than two; below a
        leaf it is repeated. Only the last level is used.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The gains of the splits on each feature, as shares.

    See Also
    --------
    weaklearn.stumps.DecisionStump : One level.
    weaklearn.boosting.AdaBoostClassifier : Weighted votes of trees.

    Notes
    -----
    The module's docstring fixes what is a leaf and how ties are broken. Sorting costs O(m n log n), a tree of depth d
    O(d m n). Under a monotone constraint a split on that column must have its sides' means in the right order, and the
    means below it are kept on their sides of the middle, which is sufficient for predictions in that order (the rule of
    scikit-learn's trees).

    References
    ----------
    - Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees: theorem 4.5 on categories.

    Examples
    --------
    Exclusive or, which no stump can tell:

    >>> from weaklearn.trees import SmallTree
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> tree = SmallTree(max_depth=2).fit(X, ["same", "other", "other", "same"])
    >>> tree.features_, tree.thresholds_
    (array([0, 1, 1]), array([0.5, 0.5, 0.5]))
    >>> tree.predict([[0.2, 0.9], [0.8, 0.9]])
    array(['other', 'same'], dtype='<U5')
    """

    _parameter_constraints: dict = {
        "max_depth": [Interval(Integral, 1, 10, closed="both")],
        "criterion": [StrOptions({"error", "gini", "log_loss"})],
        "categorical_features": ["array-like", None],
        "monotonic_cst": ["array-like", None],
        "n_jobs": [None, Integral],
    }

    _search_kind = TreeSearch
    _binary = False

    def __init__(
        self, max_depth=2, criterion="gini", categorical_features=None, monotonic_cst=None, n_jobs=None
    ):
        self.max_depth = max_depth
        self.criterion = criterion
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.n_jobs = n_jobs

    def _searched(self, X, codes):
        if len(self.classes_) == 2:
            return super()._searched(X, codes)
        return ClassTreeSearch(self, X, codes, len(self.classes_))

    def prepare_classes(self, X, codes):
        """The prepared form for SAMME: trees for many classes on one training set, many weights.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64 or float32
        codes : ndarray of shape (n_samples,)
            The classes of the rows, 0, 1, ..., all of which occur.

        Returns
        -------
        ClassTreeSearch
        """
        return ClassTreeSearch(self, X, codes)

    @staticmethod
    def ensemble_votes(trees, X):
        """Whether each of many trees votes for the positive class.

        Parameters
        ----------
        trees : list of SmallTree
            Of one depth, fitted to the same rows.
        X : ndarray of shape (n_samples, n_features), float64 or float32
            Not checked.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_trees)
        """
        return _leaf_values(trees, X, _votes(trees)) > 0

    @staticmethod
    def ensemble_scores(trees, weights, X):
        """The weighted sum of the votes -1 and +1 of many trees; see `ensemble_votes`.

        Parameters
        ----------
        trees : list of SmallTree
        weights : ndarray of shape (n_trees,), float64
        X : ndarray of shape (n_samples, n_features), float64 or float32

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        scores = np.empty(len(X))
        X = numbered_categories(X, trees[0].categories_)
        forest_scores(X, _forest(trees, _votes(trees)), np.asarray(weights, dtype=np.float64), scores)
        return scores

    def vote_key(self):
        """What decides the votes: trees that share it vote alike everywhere."""
        votes = self._leaf_votes()
        parts = self.features_, self.thresholds_, self.missing_above_, self.category_sets_, votes
        return tuple(part.tobytes() for part in parts)

    @property
    def feature_importances_(self):
        """The gains of the splits on each feature, as shares; all 0 if there is no split with a gain."""
        check_is_fitted(self)
        split = self.features_ >= 0
        gains = np.maximum(self.gains_[split], 0.0)
        total = np.bincount(self.features_[split], gains, minlength=self.n_features_in_)
        return total / total.sum() if total.sum() > 0 else total

    @documented
    def predict(self, X):
        """Predicted class labels."""
        leaf = self._leaf_numbers(X)
        return self.classes_[self._leaf_votes()[leaf]]

    @documented
    def predict_proba(self, X):
        """Class probabilities: the shares of the training weight in the leaf.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        leaf = self._leaf_numbers(X)
        leaves = self._leaves()
        if leaves.ndim == 1:
            leaves = np.column_stack([1 - leaves, 1 + leaves]) / 2
        return leaves[leaf]

    def _leaf_numbers(self, X):
        """Which leaf of the last level each row ends in."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=False)
        numbers = np.arange(len(self.features_) + 1, dtype=np.float64)[None]
        return _leaf_values([self], X, numbers)[:, 0].astype(int)

    def _leaves(self):
        return self.values_[len(self.features_) :]

    def _leaf_votes(self):
        """The number of the class that each leaf of the last level votes for."""
        leaves = self._leaves()
        if leaves.ndim == 1:
            return (leaves > TIE).astype(int)
        return np.argmax(leaves >= leaves.max(axis=1, keepdims=True) - TIE, axis=1)

    def _takes_many(self):
        return self.criterion == "gini" and self.categorical_features is None and self.monotonic_cst is None


def _votes(trees):
    """The votes of all leaves of the last level: (n_trees, n_leaves)."""
    return np.where(np.stack([tree._leaf_votes() for tree in trees]), 1.0, -1.0)


def _forest(trees, leaves):
    """Trees of one depth as arrays, with these values of their leaves.

    Compiled code does not look whether an index is in range, and trees may come from a file: here it is checked.
    """
    features, sets = np.stack([tree.features_ for tree in trees]), [tree.category_sets_ for tree in trees]
    largest = max(map(len, trees[0].categories_.values()), default=0)
    if not (
        features.max() < trees[0].n_features_in_
        and leaves.shape[1] == features.shape[1] + 1
        and all(one.shape[0] == features.shape[1] and one.shape[1] >= largest for one in sets)
    ):
        raise ValueError(
            "the tree is damaged: its nodes refer to features or categories that it does not have."
        )
    categorical = np.zeros(trees[0].n_features_in_, dtype=bool)
    categorical[list(trees[0].categories_)] = True
    return Forest(
        np.maximum(features, 0),
        np.stack([tree.thresholds_ for tree in trees]),
        np.stack([tree.missing_above_ for tree in trees]),
        np.ascontiguousarray(leaves),
        categorical,
        np.stack(sets),
    )


def _leaf_values(trees, X, leaves):
    """What each tree's leaf says of each row: (n_samples, n_trees)."""
    values = np.empty((len(X), len(trees)))
    leaf_values(numbered_categories(X, trees[0].categories_), _forest(trees, leaves), values)
    return values
