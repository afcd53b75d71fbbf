"""The decision stump: one feature, one threshold, found exactly.

Conventions:

- A stump predicts ``classes_[1]`` where ``polarity_ * (x[feature_] - threshold_) > 0``, that is, above
  the threshold for polarity +1 and at or below it for polarity -1.
- Thresholds lie midway between consecutive distinct values of a feature in the training rows.
- A constant stump, which gives one answer everywhere, has ``feature_`` 0 and ``threshold_`` -inf:
  its answer is ``classes_[1]`` for polarity +1 and ``classes_[0]`` for -1.
- Of equally good stumps the one with the first feature is taken, then the lowest threshold (so a
  constant one before all others), then polarity +1. Errors that differ by less than 1e-12 of the total
  weight are equal: the order in which weights are summed never decides. The same holds for the gain in
  purity, which is scaled to lie between 0 and 1. A side on which both classes weigh the same votes for
  ``classes_[0]`` under the Gini criterion.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from numbers import Integral

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import CLASSIFIER, METHOD
from weaklearn._fast import binned_search as binned
from weaklearn._fast.code_columns import subset_order
from weaklearn._fast.gini_search import purest_stump
from weaklearn._fast.stump_search import best_stump, encode_order, stump_scores
from weaklearn._training import signed_labels, training_set, validate_data

__all__ = ["DecisionStump", "StumpSearch"]

_SIGNED_CLASSES = np.array([-1, 1])
# From this many rows on, histograms pay: both ways take about the same time at half of it.
_LARGE = 16_384


class StumpSearch:
    """All stumps on one set of rows: sorted once, searched for any weights and any labels.

    This is the prepared form of `DecisionStump` that boosting uses: about half a nanosecond per entry
    of X and search.

    Parameters
    ----------
    stump : DecisionStump
        Its parameters say which stumps take part and which one is best.
    X : ndarray of shape (n_samples, n_features), float64 or float32
    y : ndarray of shape (n_samples,), float64, default=None
        Labels in {-1.0, +1.0}; not needed for `fit_labels`.

    Notes
    -----
    Large training sets are searched by histograms that bound the sorted search (`weaklearn._fast.binned_search`): the
    same stumps, up to twice as fast, in threads if the stump has ``n_jobs``.
    """

    def __init__(self, stump, X, y=None):
        if len(X) >= 2**31:
            raise ValueError(f"StumpSearch holds at most 2**31 - 1 rows; X has {len(X)}.")
        self._kind = type(stump)
        self._parameters = stump.get_params(deep=False)
        self._n_features = X.shape[1]
        self._y = y
        self._large = None
        if y is not None and len(X) >= _LARGE:
            self._large = _BinnedSearch(X, y, self._parameters)
            return
        self._columns = np.ascontiguousarray(X.T)
        self._codes = np.empty(self._columns.shape, dtype=np.uint32)
        encode_order(self._columns, np.argsort(self._columns, axis=1), self._codes)

    def fit(self, weights, rng=None):
        """Find the stump of least weighted error, or of least weighted impurity.

        Parameters
        ----------
        weights : ndarray of shape (n_samples,), float64
            Non-negative, of any scale.
        rng : ignored
            Weak learners are given one; the search is deterministic.

        Returns
        -------
        stump : DecisionStump
            Fitted, with the classes -1 and +1.
        margins : ndarray of shape (n_samples,)
            ``y_i h(x_i)``: +1.0 where the stump is right, -1.0 where it is wrong.
        error : float
            The share of the weight that it gets wrong.
        """
        if self._large is not None:
            return self._stump(*self._large.best(weights))
        return self._best(self._codes, self._y, weights)

    def fit_labels(self, labels, weights, rng=None):
        """The same for new labels, some of which may be 0: those rows are left out.

        Thresholds lie midway between values of rows that take part, as if the others were not there: this
        differs from a weight of zero, and published tables of multiclass boosting tell the two apart.

        Parameters
        ----------
        labels : ndarray of shape (n_samples,), float64
            -1.0, +1.0 or 0.0.
        weights : ndarray of shape (n_samples,), float64
        rng : ignored

        Returns
        -------
        stump : DecisionStump
        votes : ndarray of shape (n_samples,)
            -1.0 or +1.0, of all rows.
        """
        members = labels != 0
        n_members = np.count_nonzero(members)
        codes = self._codes
        if n_members < len(labels):
            codes = np.empty((len(codes), n_members), dtype=np.uint32)
            subset_order(self._codes, members, codes)
            labels, weights = np.where(members, labels, 1.0), np.where(members, weights, 0.0)
        stump, margins, _ = self._best(codes, labels, weights)
        margins *= labels
        return stump, margins

    def _best(self, codes, labels, weights):
        if self._parameters["criterion"] == "gini":
            found = purest_stump(self._columns, codes, labels, weights)
        else:
            found = best_stump(self._columns, codes, labels, weights, self._parameters["constant"])
        return self._stump(*found)

    def _stump(self, feature, threshold, polarity, margins, error):
        # Without the constructor: this is done in every round of boosting.
        stump = object.__new__(self._kind)
        stump.__dict__ = {
            **self._parameters,
            "n_features_in_": self._n_features,
            "classes_": _SIGNED_CLASSES,
            "feature_": feature,
            "threshold_": threshold,
            "polarity_": int(polarity),
            "error_": error,
        }
        return stump, margins, error


class _BinnedSearch:
    """The search of a large training set, whose features are shared out among threads."""

    def __init__(self, X, y, parameters):
        n_samples, n_features = X.shape
        self._X, self._y = X, y
        self._gini, self._constant = parameters["criterion"] == "gini", parameters["constant"]
        n_threads = min(effective_n_jobs(parameters["n_jobs"]), n_features)
        bounds = np.linspace(0, n_features, n_threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None
        self._codes = np.empty((n_features, n_samples), dtype=np.uint32)
        self._bins = np.empty((n_features, n_samples), dtype=np.uint8)
        self._tables = np.empty((n_features, 2 * binned.N_BINS))
        self._values = np.empty(n_features)
        self._signed = np.empty(n_samples)
        self._each(self._encode)

    def _each(self, work):
        """The results of ``work(first, last)`` for the features of each thread."""
        if self._pool is None:
            return [work(*share) for share in self._shares]
        return list(self._pool.map(lambda share: work(*share), self._shares))

    def _encode(self, first, last):
        for j in range(first, last):
            column = np.ascontiguousarray(self._X[:, j])
            binned.encode_bins(column, np.argsort(column), self._y, self._codes[j], self._bins[j])

    def best(self, weights):
        """Feature, threshold, polarity, margins and error of the best stump, as `best_stump` gives them."""
        codes, tables, signed, values, gini = (
            self._codes,
            self._tables,
            self._signed,
            self._values,
            self._gini,
        )
        start, total = binned.signed_weights(self._y, weights, signed)

        def ends(first, last):
            binned.fill_tables(self._bins, weights, first, last, tables)
            return binned.best_end(codes, tables, gini, start, total, first, last)

        known = max(self._each(ends))

        def inside(first, last):
            binned.best_values(codes, tables, signed, gini, start, total, known, first, last, values)

        self._each(inside)
        feature, rank, threshold, polarity = binned.choose(
            self._X, codes, tables, signed, gini, self._constant, start, total, values
        )
        margins = np.empty(len(weights))
        wrong = binned.vote(codes, self._bins, self._y, weights, feature, rank, polarity, margins)
        # As compiled code divides: no weight at all gives NaN, which ends boosting.
        return feature, threshold, polarity, margins, wrong / total if total > 0 else np.nan


@CLASSIFIER
class DecisionStump(ClassifierMixin, BaseEstimator):
    """Binary classifier by a threshold on one feature, of least weighted error or impurity.

    The exact minimum, over all features, thresholds and both polarities, of

        ``sum_i w_i [h(x_i) != y_i] / sum_i w_i``

    or, with ``criterion="gini"``, the threshold of least weighted impurity
    ``sum_sides W_side 2 q_side (1 - q_side)``, q being the share of the weight of one class on a side, each side
    voting for its heavier class: the tree of depth 1 that scikit-learn grows.

    Parameters
    ----------
    constant : bool, default=True
        Whether a stump that gives the same answer everywhere is allowed. (li2006 allows it, table 2.3
        of pratap2008 does not.) If no feature has two distinct values, it is used in any case.
    criterion : {"error", "gini"}, default="error"
        What is minimised. Under "gini" both sides of a threshold may vote for the same class; such a stump is
        constant whatever ``constant`` says.
    n_jobs : int or None, default=None
        Threads that share the features of a large training set (16,384 rows or more); None means 1, -1 all
        processors. The result does not depend on it.

    Attributes
    ----------
    feature_ : int
        The column that is compared with the threshold.
    threshold_ : float
        -inf for a constant stump.
    polarity_ : int
        +1: ``classes_[1]`` where ``x > threshold_``; -1: ``classes_[0]`` there.
    error_ : float
        Weighted training error, as a share.
    feature_importances_ : ndarray of shape (n_features_in_,)
        1 for the feature that is compared, 0 for the others; all 0 for a constant stump.

    See Also
    --------
    weaklearn.boosting.AdaBoostClassifier : Weighted votes of stumps.

    Notes
    -----
    The module's docstring fixes how ties are broken. Sorting costs O(m n log n), the search O(m n).

    In boosting the Gini criterion often generalises better: it prefers a threshold that makes one side pure
    to one that makes one error less.

    References
    ----------
    - li2006, section 3.3.1: stumps as the weak learner of boosting, the best by weighted training error.
    - pratap2008, section 2.6: the same, without the constant one.

    Examples
    --------
    >>> from weaklearn.stumps import DecisionStump
    >>> X = [[0.0, 3.0], [1.0, 1.0], [2.0, 4.0], [3.0, 2.0]]
    >>> stump = DecisionStump().fit(X, ["low", "low", "top", "top"])
    >>> stump.feature_, stump.threshold_, stump.polarity_, stump.error_
    (0, 1.5, 1, 0.0)
    >>> stump.predict([[1.4, 0.0], [1.6, 0.0]])
    array(['low', 'top'], dtype='<U3')
    """

    _parameter_constraints: dict = {
        "constant": ["boolean"],
        "criterion": [StrOptions({"error", "gini"})],
        "n_jobs": [None, Integral],
    }

    # Boosting need not make a float64 copy of float32 rows.
    takes_float32 = True

    def __init__(self, constant=True, criterion="error", n_jobs=None):
        self.constant = constant
        self.criterion = criterion
        self.n_jobs = n_jobs

    @METHOD
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find the best stump.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Labels of two classes, of any kind.
        """
        X, codes, sample_weight = training_set(self, X, y, sample_weight, binary=True)
        stump, _, _ = StumpSearch(self, X, signed_labels(codes)).fit(sample_weight)
        for name in ("feature_", "threshold_", "polarity_", "error_"):
            setattr(self, name, getattr(stump, name))
        return self

    def prepare(self, X, y):
        """The prepared form for boosting: fits with these parameters on one training set, many weights.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64
        y : ndarray of shape (n_samples,), float64
            Labels in {-1.0, +1.0}.

        Returns
        -------
        StumpSearch
        """
        return StumpSearch(self, X, y)

    def prepare_relabelled(self, X):
        """The prepared form for multiclass boosting: one set of rows, new labels in every round.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64

        Returns
        -------
        StumpSearch
            For its method ``fit_labels``.
        """
        return StumpSearch(self, X)

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
        features, thresholds, polarities = _parts(stumps)
        return (X[:, features] > thresholds) == (polarities > 0)

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
        features, thresholds, polarities = _parts(stumps)
        used, column = np.unique(features, return_inverse=True)
        return stump_scores(X, used, column, thresholds, weights * polarities)

    @property
    def feature_importances_(self):
        """1 for the feature that is compared, 0 for the others; all 0 for a constant stump."""
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        if self.threshold_ > -np.inf:
            importances[self.feature_] = 1.0
        return importances

    def vote_key(self):
        """Feature, threshold and polarity: stumps that share them vote alike everywhere."""
        return self.feature_, self.threshold_, self.polarity_

    @METHOD
    def predict(self, X):
        """Predicted class labels."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        above = X[:, self.feature_] > self.threshold_
        return self.classes_[(above == (self.polarity_ > 0)).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _parts(stumps):
    """Features, thresholds and polarities of stumps, as arrays."""
    return (
        np.array([stump.feature_ for stump in stumps], dtype=np.int64),
        np.array([stump.threshold_ for stump in stumps], dtype=np.float64),
        np.array([stump.polarity_ for stump in stumps], dtype=np.float64),
    )
