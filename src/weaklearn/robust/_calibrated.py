"""Calibrated probabilities for any classifier, from scores of rows that it has not seen."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, _fit_context, clone
from sklearn.utils import _safe_indexing, check_random_state, get_tags, indexable
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_y,
    check_consistent_length,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from weaklearn._docstrings import documented
from weaklearn._training import check_labels, check_weights
from weaklearn.robust._members import stratified_folds
from weaklearn.robust._noise import NoiseLink
from weaklearn.robust._stack import Calibration


@documented
class CalibratedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Give any classifier calibrated probabilities.

    The classifier is fitted to all but one of a few folds in turn, for two divisions into folds. Each row then has two
    scores by classifiers that have not seen it. Their mean becomes log-odds by one slope and a constant per class, with
    the least log loss, and the noise model of `RobustClassifier` allows for a share of wrong labels. For new rows, the
    mean score of all these classifiers is used. Long boosting runs, whose own probabilities are extreme, and
    classifiers without probabilities gain most.

    Parameters
    ----------
    estimator : classifier
        With ``decision_function`` or ``predict_proba``.
    n_folds : int, default=5
        Folds that scores are held out in.
    n_repeats : int, default=2
        Divisions into folds; the classifier is fitted ``n_folds * n_repeats`` times.
    labels : {"given", "true"}, default="given"
        Probabilities of labels like the given ones, wrong ones included, or of the true labels, as far as the scores
        tell them apart from the given ones.
    random_state : int, RandomState or None, default=None
        Chooses the folds.

    Attributes
    ----------
    estimators_ : list of classifiers
        Each fitted to all rows but those of one fold.
    noise_rate_ : float
        Estimated share of wrong labels.

    Notes
    -----
    A classifier fitted to all rows would be surer of its scores than those that the calibration has seen. The mean of
    several has less variance than one of them, and the calibration has to know by how much: hence two scores for each
    row. Predictions take ``n_folds * n_repeats`` times as long as those of ``estimator``.

    Examples
    --------
    >>> from sklearn.metrics import log_loss
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_twonorm
    >>> from weaklearn.robust import CalibratedClassifier
    >>> X, y = make_twonorm(300, random_state=0)
    >>> X_test, y_test = make_twonorm(1000, random_state=1)
    >>> raw = AdaBoostClassifier(n_estimators=300).fit(X, y)
    >>> calibrated = CalibratedClassifier(raw, random_state=0).fit(X, y)
    >>> losses = [log_loss(y_test, model.predict_proba(X_test)) for model in (raw, calibrated)]
    >>> bool(losses[1] < losses[0])
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "decision_function"]), HasMethods(["fit", "predict_proba"])],
        "n_folds": [Interval(Integral, 2, None, closed="left")],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "labels": [StrOptions({"given", "true"})],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator, *, n_folds=5, n_repeats=2, labels="given", random_state=None):
        self.estimator = estimator
        self.n_folds = n_folds
        self.n_repeats = n_repeats
        self.labels = labels
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=False)
    @documented
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier and what turns its scores into probabilities.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As the classifier takes it.
        """
        y = _check_y(check_labels(y))
        check_classification_targets(y)
        check_consistent_length(X, y)
        if len(y) == 0:
            raise ValueError("X and y have no rows: there is nothing to learn from.")
        (X,) = indexable(X)
        if sample_weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(f"the fit of {type(self.estimator).__name__} takes no sample_weight.")
        weight = check_weights(sample_weight, X)
        if not weight.all() and weight.any():  # a weight of zero is an absent row
            kept = np.flatnonzero(weight)
            X, y, weight = _safe_indexing(X, kept), y[kept], weight[kept]
            sample_weight = weight
        validate_data(self, X, reset=True, skip_check_array=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        random = check_random_state(self.random_state)
        self.estimators_, self._sizes = [], []
        F = np.full((int(self.n_repeats), len(y), len(self.classes_)), np.nan)
        for held_out in F:
            fold = stratified_folds(codes, self.n_folds, random.randint(2**31 - 1))
            for k in range(self.n_folds):
                train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
                if len(test) == 0 or len(np.unique(y[train])) < 2:
                    continue  # the other folds have a single class
                rows = _safe_indexing(X, train)
                weights = {} if sample_weight is None else {"sample_weight": weight[train]}
                model = clone(self.estimator).fit(rows, y[train], **weights)
                # Scores of margins are sizeless: two fits to nearly the same rows may differ by a factor.
                size = max(float(np.abs(self._scores(model, rows)).mean()), 1e-300)
                held_out[test] = self._scores(model, _safe_indexing(X, test)) / size
                self.estimators_.append(model)
                self._sizes.append(size)
        known = ~np.isnan(F).any(axis=(0, 2))
        if not known.any():
            raise ValueError(
                f"no fold can be held out: y has {len(y)} rows of {len(self.classes_)} classes, and without "
                "a fold fewer than two classes are left."
            )
        F, codes, weight = F[:, known], codes[known], weight[known]
        self._gain = _gain_of_averaging(F, len(self.estimators_))
        F = F.mean(axis=0)
        self._calibration = Calibration(F, codes, weight)
        self._noise = NoiseLink(self._calibration.log_odds(F), codes, weight)
        self.noise_rate_ = self._noise.noise_rate
        return self

    def _scores(self, model, X):
        """One column for each class; classes that the model has not seen get the least score of the row."""
        if hasattr(model, "decision_function"):
            scores = model.decision_function(X)
            if scores.ndim == 1:
                scores = np.column_stack([-scores, scores])
        else:
            scores = np.log(np.clip(model.predict_proba(X), 1e-4, 1.0))
            scores -= scores.mean(axis=1, keepdims=True)
        if scores.shape[1] != len(model.classes_):
            raise ValueError(
                f"{type(model).__name__} has {scores.shape[1]} scores for {len(model.classes_)} classes: "
                'one for each class is needed (in scikit-learn, decision_function_shape="ovr").'
            )
        if len(model.classes_) == len(self.classes_):
            return scores
        full = np.repeat(scores.min(axis=1, keepdims=True), len(self.classes_), axis=1)
        full[:, np.searchsorted(self.classes_, model.classes_)] = scores
        return full

    @documented
    def predict_proba(self, X):
        """Class probabilities."""
        check_is_fitted(self)
        total = 0.0
        for model, size in zip(self.estimators_, self._sizes, strict=True):
            total = total + self._scores(model, X) / size
        S = self._calibration.log_odds(self._gain * total / len(self.estimators_))
        return self._noise.class_probability(S) if self.labels == "true" else self._noise.given_probability(S)

    @documented
    def predict(self, X):
        """The most probable label of each row."""
        probability = self.predict_proba(X)  # first: it checks that the classifier is fitted
        return self.classes_[probability.argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.multi_class = (
            inner.classifier_tags is None or inner.classifier_tags.multi_class
        )  # fmt: skip
        return tags


def _gain_of_averaging(F, n_models):
    """By how much a mean of ``n_models`` scores is surer than the mean of the held-out ones, (n_repeats, n, K).

    A score is m plus noise of variance v. The slope of m on the mean of k scores is V / (V + v / k), where V is the
    variance of m. The calibration has found the slope for k = n_repeats.
    """
    k = len(F)
    if k == 1:
        return 1.0
    F = F - F.mean(axis=2, keepdims=True)
    noise = float(F.var(axis=0, ddof=1).mean())
    signal = float((F.mean(axis=0) ** 2).mean()) - noise / k
    return (signal + noise / k) / (signal + noise / n_models) if signal > 0 else 1.0
