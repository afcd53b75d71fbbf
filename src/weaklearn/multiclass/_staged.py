"""What all multiclass ensembles share: everything that is done with one score per class and round.

Conventions:

- The class of largest score is predicted; of equal scores the first class in ``classes_`` wins.
- A class all of whose training examples have weight zero is never predicted: its score is -inf.
- For two classes ``decision_function`` is one number per row, the score of ``classes_[1]`` minus that of
  ``classes_[0]``, as everywhere in scikit-learn.
"""

from collections import deque

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import validate_data
from weaklearn.boosting.engine import StagedPredictions
from weaklearn.stumps import DecisionStump


def seeded_generator(random_state):
    """A NumPy generator from a scikit-learn style ``random_state``."""
    return np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def shown_rows(codes, n_classes):
    """Which classes have examples, and the class of each example counted among these alone."""
    present = np.zeros(n_classes, dtype=bool)
    present[codes] = True
    return present, (np.cumsum(present) - 1)[codes]


class StagedClassifier(StagedPredictions, ClassifierMixin, BaseEstimator):
    """Base of ensembles grown round by round: a subclass states the scores after each round, ``_staged_scores``.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any binary classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight.
    n_estimators : int, default=500
        The largest number of rounds.
    random_state : int, RandomState instance or None, default=None
        Seeds random partitions and the weak learner.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_iter_,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_iter_,)
        Their weighted errors in the rounds that made them, on the final column of the round.
    cost_curve_ : ndarray of shape (n_iter_,)
        The cost after each round, as a share of its value before the first, the sum of w_n (K - 1).
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share; a margin of 0 is an error.
    stop_reason_ : str
        "n_estimators", or "no edge" if the error of a hypothesis was 1/2 or more; that one is not kept.
    n_iter_ : int
        The number of hypotheses.
    absent_ : ndarray of bool, shape (n_classes,)
        Classes all of whose examples have weight zero; they are never predicted.
    """

    # P(k | x) is proportional to exp(_sharpness * score of k): see the subclass.
    _sharpness = 1.0
    # Fitted attributes with one entry per round along the last axis, or a list.
    _per_round: tuple[str, ...] = (
        "estimators_",
        "estimator_weights_",
        "estimator_errors_",
        "cost_curve_",
        "error_curve_",
    )

    def _scores(self, X):
        last = deque([np.zeros((len(X), len(self.classes_)))], maxlen=1)  # of an ensemble without rounds
        last.extend(self._staged_scores(X))
        return last.pop()

    def _validated(self, X):
        check_is_fitted(self)
        return validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite=self._finite(), reset=False
        )

    def _weak_learner(self):
        return DecisionStump() if self.estimator is None else self.estimator

    def _finite(self):
        """What X has to be, in scikit-learn's words: missing values are taken where the weak learner takes them."""
        return "allow-nan" if get_tags(self._weak_learner()).input_tags.allow_nan else True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._finite() is not True
        return tags

    def _without_absent(self, scores):
        if self.absent_.any():
            scores = scores.copy()
            scores[:, self.absent_] = -np.inf
        return scores

    def _decision(self, F):
        F = self._without_absent(F)
        return F[:, 1] - F[:, 0] if F.shape[1] == 2 else F.copy()

    def _labels(self, F):
        return self.classes_[self._without_absent(F).argmax(axis=1)]

    @property
    def n_iter_(self):
        """The number of hypotheses in the ensemble."""
        return len(self.estimators_)

    @documented
    def predict_proba(self, X):
        """Class probabilities: those for which the scores minimise the expected cost (see Notes of the class).

        Long runs drive them to extremes: calibrate them if they matter.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return softmax(self._sharpness * self._without_absent(self._scores(self._validated(X))), axis=1)

    def _shorten(self, shorter, n):
        if n <= self.n_iter_:
            shorter.stop_reason_ = "n_estimators"
        for name in self._per_round:
            value = getattr(self, name)
            setattr(shorter, name, value[:n] if isinstance(value, list) else value[..., :n])
