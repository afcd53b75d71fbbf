"""`LabelAuditor`: which labels are wrong, by the machine of `weaklearn.robust.machine`."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._training import encoded
from weaklearn.robust.machine import Machine, merge_rows, wrong_labels
from weaklearn.tables import TableEncoder, TableInputMixin, encode_training_table

__all__ = ["LabelAuditor"]

_N_LANDMARKS = 1500
# For more rows, few enough landmarks to be affordable add nothing to trees that see all rows.
_KERNEL_ROWS = 200_000


@documented
class LabelAuditor(TableInputMixin, CallbackSupportMixin, BaseEstimator):
    r"""Estimates how many labels of a table are wrong, which ones, and what they should be.

    Each row is predicted by learners that have not seen its label (those of `weaklearn.robust.RobustClassifier`). A
    model of the mistakes (none, all classes alike, one class, one way) turns these predictions and the given labels
    into probabilities of the true labels. See ``docs/label_audit.md`` for the mathematics and measurements.

    Any number of classes; missing values (NaN) are allowed. Frames (pandas, polars) and arrays of objects may hold
    text, categories, booleans and dates, as for `RobustClassifier`.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of each of the two forests among the learners; 0 leaves all trees out. Above 1,500 distinct rows, also
        rounds of the boosted trees that replace the random forest (two fifths of it for more than two classes) and,
        from 10,000 rows on, all forests.
    n_jobs : int, default=None
        Of the forests. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Of forests and landmarks.

    Attributes
    ----------
    wrong_probability_ : ndarray of shape (n_samples,)
        Probability that the given label is wrong.
    label_probability_ : ndarray of shape (n_samples, n_classes)
        Probability of every label to be the true one.
    suggested_label_ : ndarray of shape (n_samples,)
        The most probable label: the given one unless another is more probable.
    alternative_label_ : ndarray of shape (n_samples,)
        The most probable label other than the given one.
    held_out_label_ : ndarray of shape (n_samples,)
        The label that the learners, which have not seen the row's own, predict.
    n_wrong_ : float
        Expected number of wrong labels.
    n_wrong_interval_ : tuple of float
        90% interval of that number. Mistakes where the classes overlap cannot be counted from the labels; they enter
        by a prior assumption, which makes the interval wide for tables with much overlap.
    noise_matrix_ : ndarray of shape (n_classes, n_classes)
        Estimated P(given label | true label), a row for each true label.
    flagged_ : ndarray of int
        The rows to look at, most probably wrong first: the list with the greatest expected F1 score.
    expected_precision_ : float
        Expected share of ``flagged_`` that is wrong.
    sample_weight_ : ndarray of shape (n_samples,)
        :math:`(1 - P)^2`, weights for training any other classifier on the same rows.

    Notes
    -----
    Up to 1,500 distinct rows, kernels use all of them. Above, at most 1,500 random rows stand for all in the kernels,
    and fewer for large tables, at least 300, so that the cost grows linearly with the rows. Above 200,000 rows, boosted
    trees and linear regression are the only learners.

    Examples
    --------
    >>> from weaklearn.labels import LabelAuditor
    >>> from weaklearn.datasets import make_twonorm
    >>> X, y = make_twonorm(300, random_state=0)
    >>> y[:30] *= -1
    >>> auditor = LabelAuditor(n_trees=0).fit(X, y)
    >>> low, high = auditor.n_wrong_interval_
    >>> bool(low < 30 < high)
    True
    >>> bool((auditor.flagged_ < 30).mean() > 0.9)
    True
    """

    _parameter_constraints = {
        "n_trees": [Interval(Integral, 0, None, closed="left")],
        "encoder": [TableEncoder, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(self, *, n_trees=100, encoder=None, n_jobs=None, random_state=None):
        self.n_trees = n_trees
        self.encoder = encoder
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    @documented
    def fit(self, X, y, *, reviewed=None):
        """Judge the labels of a table.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            NaN, None or an empty text for missing values.
        reviewed : dict of int to label, default=None
            True labels of reviewed rows, by row number. They are taken as certain and sharpen the estimate for the
            other rows.
        """
        task = fit_task(self, "learner", None, X, y)
        if task is None:
            self._fit(X, y, reviewed)
        else:
            self._fit(X, y, reviewed, callback=lambda done, total: task.step())
            task.end()
        return self

    def _fit(self, X, y, reviewed, **how):
        """Fit with options of `Machine.fit` (engine, callback, keep); the machine, fitted."""
        X, y = encode_training_table(self, X, y)
        data, self.classes_ = encoded(type(self).__name__, X, y)
        self._codes = data.codes
        self._known = np.full(len(X), -1)
        self._note(reviewed)
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        best_labels = np.where(self._known >= 0, self._known, self._codes)
        present, labels = np.unique(
            best_labels, return_inverse=True
        )  # reviews may leave a class without rows
        if len(present) < 2:
            raise ValueError(
                f"reviewed leaves only the label {str(self.classes_[present[0]])!r} in the table; "
                "an audit needs rows of at least two labels."
            )
        rows = merge_rows(data.X, labels, np.ones(len(X)))
        # Without the second round, which a classifier gains from: here it doubled the time and changed nothing.
        machine = Machine(
            n_trees=self.n_trees,
            n_landmarks=_N_LANDMARKS,
            kernel_rows=_KERNEL_ROWS,
            refit=False,
            n_jobs=self.n_jobs,
        ).fit(rows, len(present), self._seed, **how)
        self._S = _with_absent(machine.S[rows.inverse], present, len(self.classes_))
        self._order = np.argsort(rows.inverse, kind="stable")
        self._judge()
        return machine

    def update(self, reviewed):
        """Add reviewed rows without fitting the learners again.

        Parameters
        ----------
        reviewed : dict of int to label
            As for `fit`; added to those already known.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self._note(reviewed)
        self._judge()
        return self

    def _note(self, reviewed):
        for row, label in (reviewed or {}).items():
            if not 0 <= row < len(self._known):
                raise ValueError(
                    f"reviewed names row {row}, but the table has rows 0 to {len(self._known) - 1}."
                )
            place = np.flatnonzero(self.classes_ == label)
            if len(place) == 0:
                raise ValueError(
                    f"reviewed gives row {row} the label {label!r}, which no row of y has. "
                    f"Known labels: {', '.join(map(str, self.classes_[:20]))}."
                )
            self._known[row] = place[0]

    def _judge(self):
        # In the order of the merged rows, so that the result does not depend on the order of the table.
        order, codes = self._order, self._codes
        found = wrong_labels(self._S[order], codes[order], self._known[order], self._seed)
        P = np.empty_like(found.label_probability)
        P[order] = found.label_probability
        n, K = P.shape
        rows = np.arange(n)
        self.label_probability_ = P
        self.held_out_label_ = self.classes_[self._S.argmax(axis=1)]
        self.wrong_probability_ = np.clip(1 - P[rows, codes], 0, 1)
        self.n_wrong_ = found.n_wrong
        self.n_wrong_interval_ = found.interval
        self.suggested_label_ = self.classes_[P.argmax(axis=1)]
        others = P.copy()
        others[rows, codes] = -1
        self.alternative_label_ = self.classes_[others.argmax(axis=1)]
        joint = np.array([P[codes == z].sum(axis=0) for z in range(K)]).T
        total = joint.sum(axis=1, keepdims=True)
        self.noise_matrix_ = np.where(total > 0, joint / np.where(total > 0, total, 1), np.eye(K))
        self.sample_weight_ = (1 - self.wrong_probability_) ** 2
        self.flagged_ = _best_f1_list(self.wrong_probability_)
        self.expected_precision_ = float(self.wrong_probability_[self.flagged_].mean())

    def list_for(self, *, budget=None, precision=None):
        """Rows to look at, most probably wrong first.

        Parameters
        ----------
        budget : int, default=None
            At most this many rows.
        precision : float, default=None
            The longest list of which at least this share is expected to be wrong.

        Returns
        -------
        ndarray of int
            Row numbers; without budget and precision, ``flagged_``. Empty if no row reaches the precision.
        """
        check_is_fitted(self)
        if budget is None and precision is None:
            return self.flagged_
        order = np.argsort(-self.wrong_probability_, kind="stable")
        length = len(order)
        if precision is not None:
            if not 0 < precision <= 1:
                raise ValueError(f"precision must be above 0 and at most 1; got {precision}.")
            mean = np.cumsum(self.wrong_probability_[order]) / np.arange(1, length + 1)
            length = int(np.sum(mean >= precision))  # the mean of a falling sequence falls
        if budget is not None:
            if budget < 0:
                raise ValueError(f"budget must not be negative; got {budget}.")
            length = min(length, budget)
        return order[:length]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _with_absent(S, present, n_classes):
    """Log-odds of all classes: one without rows is n times less likely than the least likely of the others."""
    if len(present) == n_classes:
        return S
    least = np.minimum(S.min(axis=1, keepdims=True), 0) - np.log(len(S))
    full = np.repeat(least, n_classes, axis=1)
    full[:, present] = S
    return full


def _best_f1_list(wrong_probability):
    """Rows, most probably wrong first, cut where the expected F1, about 2 sum_k P / (k + sum P), is greatest."""
    order = np.argsort(-wrong_probability, kind="stable")
    ordered = wrong_probability[order]
    k = np.arange(1, len(order) + 1)
    score = 2 * np.cumsum(ordered) / (k + ordered.sum())
    return order[: int(np.argmax(score)) + 1]
