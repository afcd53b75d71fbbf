"""The decision stump: one feature, one threshold, found exactly.

Conventions:

- A stump predicts ``classes_[1]`` where ``polarity_ * (x[feature_] - threshold_) > 0``, that is, above
  the threshold for polarity +1 and at or below it for polarity -1.
- Thresholds lie midway between consecutive distinct values of a feature in the training rows.
- Missing values (NaN) are on the side where they serve best; a threshold of inf separates them from all others. A
  feature without any in training sends those of new rows to the heavier side.
- The values of a feature of categories are divided into two sets; the threshold is then NaN. A value that was not
  seen in training is a missing one.
- A constant stump, which gives one answer everywhere, has ``feature_`` 0 and ``threshold_`` -inf:
  its answer is ``classes_[1]`` for polarity +1 and ``classes_[0]`` for -1.
- Of equally good stumps the one with the first feature is taken, then the one with missing values above, then the
  lowest threshold (so a constant one before all others), then polarity +1. Errors that differ by less than 1e-12 of
  the total weight are equal: the order in which weights are summed never decides. The same holds for the gains in
  purity and in log-likelihood, which are scaled to lie between 0 and 1. A side on which both classes weigh the
  same votes for ``classes_[0]`` under these two criteria.
"""

from numbers import Integral

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._fast.stump_search import stump_scores
from weaklearn._splits import SplitClassifier, StumpSearch
from weaklearn._training import validate_data

__all__ = ["DecisionStump"]


@documented
class DecisionStump(SplitClassifier):
    """Binary classifier by a threshold on one feature, or by two sets of categories.

    The exact minimum, over all features, thresholds and both polarities, of

        ``sum_i w_i [h(x_i) != y_i] / sum_i w_i``

    or, with ``criterion="gini"``, the threshold of least weighted impurity
    ``sum_sides W_side 2 q_side (1 - q_side)``, q being the share of the weight of one class on a side, each side
    voting for its heavier class: the tree of depth 1 that scikit-learn grows. With ``criterion="log_loss"`` it is the
    threshold of largest log-likelihood of one probability for each side.

    Parameters
    ----------
    constant : bool, default=True
        Whether a stump that gives the same answer everywhere is allowed. (li2006 allows it, table 2.3
        of pratap2008 does not.) If no feature has two distinct values, it is used in any case.
    criterion : {"error", "gini", "log_loss"}, default="error"
        What is minimised. Under "gini" and "log_loss" both sides of a threshold may vote for the same class; such a
        stump is constant whatever ``constant`` says.
    categorical_features : array-like of int or bool, default=None
        The columns whose values are categories, by number or as a mask. They are divided into the best two of all
        sets.
    monotonic_cst : array-like of {-1, 0, 1}, default=None
        For each column: 1 if only stumps that predict ``classes_[1]`` above the threshold are allowed, -1 if only the
        others are, 0 (or None for all) if both are. Constant stumps are always allowed.
    n_jobs : int or None, default=None
        Threads that share the features of a large training set (16,384 rows or more); None means 1, -1 all
        processors. The result does not depend on it.

    Attributes
    ----------
    feature_ : int
        The column that is compared with the threshold.
    threshold_ : float
        -inf for a constant stump, inf if missing values are told from all others, NaN for categories.
    polarity_ : int
        +1: ``classes_[1]`` where ``x > threshold_``; -1: ``classes_[0]`` there.
    missing_above_ : bool
        Whether missing values, and categories that were not seen in training, count as above the threshold.
    categories_ : tuple of two ndarrays, or None
        The categories below and above, where ``feature_`` holds categories.
    feature_importances_ : ndarray of shape (n_features_in_,)
        1 for the feature that is compared, 0 for the others; all 0 for a constant stump.

    See Also
    --------
    weaklearn.boosting.AdaBoostClassifier : Weighted votes of stumps.

    Notes
    -----
    The module's docstring fixes how ties are broken. Sorting costs O(m n log n), the search O(m n).

    Missing values are tried on both sides of every threshold. For two classes the best of the 2^(k-1) divisions of k
    categories is a threshold on their mean labels, whatever the criterion, so it is found exactly, too.

    In boosting the Gini criterion often generalises better: it prefers a threshold that makes one side pure
    to one that makes one error less.

    References
    ----------
    - li2006, section 3.3.1: stumps as the weak learner of boosting, the best by weighted training error.
    - pratap2008, section 2.6: the same, without the constant one.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.stumps import DecisionStump
    >>> X = [[0.0, 3.0], [1.0, 1.0], [2.0, 4.0], [3.0, 2.0]]
    >>> stump = DecisionStump().fit(X, ["low", "low", "top", "top"])
    >>> stump.feature_, stump.threshold_, stump.polarity_, stump.error_
    (0, 1.5, 1, 0.0)
    >>> stump.predict([[1.4, 0.0], [1.6, 0.0]])
    array(['low', 'top'], dtype='<U3')

    Missing values, and a column of categories:

    >>> X = [[np.nan, 3], [1.0, 1], [2.0, 3], [np.nan, 2]]
    >>> stump = DecisionStump(categorical_features=[1]).fit(X, ["low", "top", "top", "low"])
    >>> stump.feature_, stump.threshold_, stump.missing_above_, stump.error_
    (0, inf, True, 0.0)
    """

    _parameter_constraints: dict = {
        "constant": ["boolean"],
        "criterion": [StrOptions({"error", "gini", "log_loss"})],
        "categorical_features": ["array-like", None],
        "monotonic_cst": ["array-like", None],
        "n_jobs": [None, Integral],
    }

    _search_kind = StumpSearch

    def __init__(
        self, constant=True, criterion="error", categorical_features=None, monotonic_cst=None, n_jobs=None
    ):
        self.constant = constant
        self.criterion = criterion
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.n_jobs = n_jobs

    @staticmethod
    def ensemble_votes(stumps, X):
        """Whether each of many stumps votes for the positive class.

        Parameters
        ----------
        stumps : list of DecisionStump
            Fitted to the same features.
        X : ndarray of shape (n_samples, n_features), float64
            Not checked.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_stumps)
        """
        features, thresholds, polarities, missing_above = _parts(stumps)
        chosen = X[:, features]
        above = chosen > thresholds
        if missing_above.any():
            above |= np.isnan(chosen) & missing_above
        for t, stump in enumerate(stumps):
            if stump.categories_ is not None:
                below_set, above_set = stump.categories_
                if stump.missing_above_:
                    above[:, t] = ~np.isin(chosen[:, t], below_set)
                else:
                    above[:, t] = np.isin(chosen[:, t], above_set)
        return above == (polarities > 0)

    @staticmethod
    def ensemble_scores(stumps, weights, X):
        """The weighted sum of the votes -1 and +1 of many stumps; see `ensemble_votes`.

        Parameters
        ----------
        stumps : list of DecisionStump
        weights : ndarray of shape (n_stumps,), float64
        X : ndarray of shape (n_samples, n_features), float64

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        if any(stump.categories_ is not None for stump in stumps):
            total = np.zeros(len(X))
            for stump, weight in zip(stumps, weights, strict=True):
                total += np.where(DecisionStump.ensemble_votes([stump], X)[:, 0], weight, -weight)
            return total
        features, thresholds, polarities, missing_above = _parts(stumps)
        used, column = np.unique(features, return_inverse=True)
        return stump_scores(X, used, column, thresholds, missing_above, weights * polarities)

    @property
    def feature_importances_(self):
        """1 for the feature that is compared, 0 for the others; all 0 for a constant stump."""
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        if self.threshold_ != -np.inf:
            importances[self.feature_] = 1.0
        return importances

    def vote_key(self):
        """What decides the vote: stumps that share it vote alike everywhere."""
        if self.categories_ is None:
            return self.feature_, self.threshold_, self.polarity_, self.missing_above_
        sets = tuple(tuple(values.tolist()) for values in self.categories_)
        return self.feature_, sets, self.polarity_, self.missing_above_

    @documented
    def decision_function(self, X):
        """The vote: +1.0 for ``classes_[1]``, -1.0 for ``classes_[0]``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return np.where(DecisionStump.ensemble_votes([self], X)[:, 0], 1.0, -1.0)

    @documented
    def predict(self, X):
        """Predicted class labels."""
        votes = self.decision_function(X)
        return self.classes_[(votes > 0).astype(int)]


def _parts(stumps):
    """Features, thresholds, polarities and the sides of missing values of stumps, as arrays."""
    return (
        np.array([stump.feature_ for stump in stumps], dtype=np.int64),
        np.array([stump.threshold_ for stump in stumps], dtype=np.float64),
        np.array([stump.polarity_ for stump in stumps], dtype=np.float64),
        np.array([stump.missing_above_ for stump in stumps], dtype=bool),
    )
