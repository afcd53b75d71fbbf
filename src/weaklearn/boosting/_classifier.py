"""What all boosted classifiers share: fitting by the loop, and everything done with the ensemble.

Conventions: ``F(x) = sum_t alpha_t h_t(x)``; ``classes_[1]`` is predicted where F(x) > 0. Hypotheses are
trained on the labels -1 and +1.
"""

from abc import ABCMeta, abstractmethod
from collections import deque
from itertools import islice
from numbers import Integral

import numpy as np
from scipy.special import expit
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context, clone
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from weaklearn._fast.stump_search import stump_scores
from weaklearn._training import signed_labels, training_set
from weaklearn.boosting._loop import Ensemble, boosting_rounds, learning_curves
from weaklearn.boosting._weak import prepare
from weaklearn.stumps import DecisionStump

# Margins are kept for a few rounds and turned into learning curves together: NumPy's price per call
# is that of thousands of numbers. This is how many numbers are kept: beyond 128 KB allocation is slow.
_BLOCK = 12_000


class BoostedClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the boosted classifiers: a subclass states its cost and its step rule."""

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    @abstractmethod
    def _preset(self):
        """The margin cost and a fresh step rule."""

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes, of any kind.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the examples in the cost; None means 1 each.

        Returns
        -------
        self
        """
        X, codes, sample_weight = training_set(self, X, y, sample_weight, binary=True)
        y = signed_labels(codes)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        estimator = DecisionStump() if self.estimator is None else self.estimator
        cost, step_rule = self._preset()
        ensemble = Ensemble(len(y))
        rounds = boosting_rounds(prepare(estimator, X, y), sample_weight, cost, step_rule, ensemble, rng)

        hypotheses, errors, recent, curves = [], [], [], []
        block_length = max(1, _BLOCK // len(y))
        for hypothesis, error, margins in islice(rounds, self.n_estimators):
            hypotheses.append(hypothesis)
            errors.append(error)
            recent.append(margins)
            if len(recent) == block_length:
                curves.append(learning_curves(recent, sample_weight, cost))
                recent = []
        curves.append(learning_curves(recent, sample_weight, cost))

        self.estimators_ = hypotheses
        self.estimator_weights_ = np.array(ensemble.coefficients, dtype=np.float64)
        self.estimator_errors_ = np.array(errors, dtype=np.float64)
        self.cost_curve_, self.error_curve_ = np.concatenate(curves, axis=1)
        self.stop_reason_ = ensemble.stop_reason or "n_estimators"
        return self

    @property
    def n_iter_(self):
        """The number of hypotheses in the ensemble."""
        return len(self.estimators_)

    def decision_function(self, X):
        """The weighted sum of votes, F(x).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = self._validated(X)
        if all(type(hypothesis) is DecisionStump for hypothesis in self.estimators_):
            return self._stump_scores(X)
        return deque(self._staged_scores(X), maxlen=1).pop()

    def staged_decision_function(self, X):
        """F(x) after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        yield from self._staged_scores(self._validated(X))

    def predict(self, X):
        """Predicted class labels: ``classes_[1]`` where F(x) > 0.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._labels(self.decision_function(X))

    def staged_predict(self, X):
        """Predicted class labels after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        for scores in self.staged_decision_function(X):
            yield self._labels(scores)

    def predict_proba(self, X):
        """Class probabilities, ``P(classes_[1] | x) = 1 / (1 + exp(-2 F(x)))``.

        The expected exponential cost is least where F is half the log-odds, which this inverts. Long
        runs drive F, and with it these probabilities, to extremes: calibrate them if they matter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        doubled = 2 * self.decision_function(X)
        return np.column_stack([expit(-doubled), expit(doubled)])

    def truncated(self, n):
        """The classifier that a fit with ``n_estimators=n`` would have given.

        Parameters
        ----------
        n : int
            At least 1, and at most ``n_estimators`` unless boosting stopped for another reason.

        Returns
        -------
        A fitted classifier of the same class; it shares its hypotheses with this one.
        """
        check_is_fitted(self)
        known = self.n_iter_ if self.stop_reason_ == "n_estimators" else np.inf
        if not isinstance(n, (int, np.integer)) or not 1 <= n <= known:
            raise ValueError(f"n must be an integer from 1 to {known}; got {n!r}.")
        shorter = clone(self).set_params(n_estimators=n)
        # The classes, the number of features and, if there are any, their names.
        shorter.__dict__.update((name, value) for name, value in vars(self).items() if name.endswith("_"))
        if n <= self.n_iter_:
            shorter.stop_reason_ = "n_estimators"
        for name in ("estimators_", "estimator_weights_", "estimator_errors_", "cost_curve_", "error_curve_"):
            setattr(shorter, name, getattr(self, name)[:n])
        return shorter

    def _validated(self, X):
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, order="C", reset=False)

    def _labels(self, scores):
        return self.classes_[(scores > 0).astype(int)]

    def _stump_scores(self, X):
        features = np.array([stump.feature_ for stump in self.estimators_], dtype=np.int64)
        thresholds = np.array([stump.threshold_ for stump in self.estimators_], dtype=np.float64)
        polarities = np.array([stump.polarity_ for stump in self.estimators_], dtype=np.float64)
        used, column = np.unique(features, return_inverse=True)
        return stump_scores(X, used, column, thresholds, self.estimator_weights_ * polarities)

    def _staged_scores(self, X):
        scores = np.zeros(len(X))
        for hypothesis, weight in zip(self.estimators_, self.estimator_weights_, strict=True):
            with config_context(assume_finite=True):  # checked above
                scores = scores + weight * hypothesis.predict(X)
            yield scores

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
