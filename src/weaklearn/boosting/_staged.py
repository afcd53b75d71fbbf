"""Predictions of an ensemble after its last stage or after each, and shorter ensembles: for two classes or more."""

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented


class StagedPredictions(ABC):
    """Methods of ensembles that grow stage by stage, from the scores F of checked rows."""

    n_estimators: int
    stop_reason_: str
    # Private attributes that `truncated` hands over, besides all that end in an underscore.
    _private_state: tuple[str, ...] = ()

    @abstractmethod
    def _validated(self, X):
        """Checked rows."""

    @abstractmethod
    def _scores(self, X):
        """F after the last stage."""

    @abstractmethod
    def _staged_scores(self, X):
        """Yield F after each stage; the array may change afterwards."""

    @abstractmethod
    def _decision(self, F):
        """What `decision_function` returns."""

    @abstractmethod
    def _labels(self, F):
        """Predicted labels."""

    @abstractmethod
    def _shorten(self, shorter, n):
        """Give a copy with all fitted attributes those of the first n rounds."""

    @documented
    def decision_function(self, X):
        """Scores: F(x) for two classes, one score for each class for more.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        return self._decision(self._scores(self._validated(X)))

    @documented
    def staged_decision_function(self, X):
        """Scores after each stage: each round, then each correction where an algorithm has them.

        Yields
        ------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        for F in self._staged_scores(self._validated(X)):
            yield self._decision(F)

    @documented
    def predict(self, X):
        """Predicted class labels: of two classes ``classes_[1]`` where F(x) > 0, of more that of the largest score."""
        return self._labels(self._scores(self._validated(X)))

    @documented
    def staged_predict(self, X):
        """Predicted class labels after each stage.

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        for F in self._staged_scores(self._validated(X)):
            yield self._labels(F)

    @documented
    def staged_score(self, X, y, sample_weight=None):
        """Share of the rows that are classified correctly, after each stage.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            The true labels.

        Yields
        ------
        float
        """
        for labels in self.staged_predict(X):
            yield accuracy_score(y, labels, sample_weight=sample_weight)

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
        known = self.n_estimators if self.stop_reason_ in ("n_estimators", "validation") else np.inf
        if not isinstance(n, (int, np.integer)) or not 1 <= n <= known:
            raise ValueError(f"n must be an integer from 1 to {known}; got {n!r}.")
        shorter = clone(self).set_params(n_estimators=n)
        shorter.__dict__.update(
            (name, value)
            for name, value in vars(self).items()
            if name.endswith("_") or name in self._private_state
        )
        self._shorten(shorter, n)
        return shorter
