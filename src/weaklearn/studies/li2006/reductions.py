"""One against one and one against the rest, as fixed output codes decoded like the learned ones.

scikit-learn's classifiers of the same names add up scores, which hypotheses that only vote (stumps, and perceptrons in
the source's sense) do not have. These decode votes by Hamming distance, ties going to the first class, on which the
published cells depend.
"""

from abc import abstractmethod
from itertools import combinations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from weaklearn._training import training_set, validate_data
from weaklearn.boosting.engine import prepare_relabelled, vote
from weaklearn.stumps import DecisionStump


class FixedCodeClassifier(ClassifierMixin, BaseEstimator):
    """One hypothesis for every column of a code; the class whose code word is nearest to the votes is predicted.

    Parameters
    ----------
    estimator : object, default=None
        Any binary classifier. None means `DecisionStump()`.
    random_state : int, RandomState instance or None, default=None
        Seeds the classifiers.

    Attributes
    ----------
    estimators_ : list of classifiers
        Trained on the labels -1 and +1, one for each column of ``code_matrix_``.
    code_matrix_ : ndarray of shape (n_classes, n_columns)
        -1 and +1; 0 for the classes that a column leaves out.
    """

    def __init__(self, estimator=None, *, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    @staticmethod
    @abstractmethod
    def _code(n_classes):
        """The code matrix (n_classes, n_columns) of -1, 0 and +1."""

    def fit(self, X, y):
        """Learn one hypothesis for every column of the code."""
        X, codes, sample_weight = training_set(self, X, y)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        learner = prepare_relabelled(DecisionStump() if self.estimator is None else self.estimator, X)
        self.code_matrix_ = self._code(len(self.classes_))
        self.estimators_ = [
            learner.fit_labels(column[codes], sample_weight, rng)[0] for column in self.code_matrix_.T
        ]
        return self

    def _scores(self, X):
        """Half the votes for a class minus half those against it."""
        votes = np.stack([vote(hypothesis, X) for hypothesis in self.estimators_], axis=1)
        return 0.5 * votes @ self.code_matrix_.T

    def predict(self, X):
        """Predicted class labels; of equal scores the first class wins."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self.classes_[self._scores(X).argmax(axis=1)]


class OneVsOneClassifier(FixedCodeClassifier):
    """One hypothesis for each pair of classes, learned on their examples alone.

    ``decoding="votes"`` asks all K (K - 1) / 2 hypotheses. ``decoding="dag"`` asks K - 1 of them (Platt, Cristianini
    and Shawe-Taylor, 2000): of the classes left, in the order of ``classes_``, the first plays against the last and the
    loser leaves; the score of a class is the number of classes that left before it.
    """

    def __init__(self, estimator=None, *, decoding="votes", random_state=None):
        super().__init__(estimator, random_state=random_state)
        self.decoding = decoding

    @staticmethod
    def _code(n_classes):
        pairs = list(combinations(range(n_classes), 2))
        code = np.zeros((n_classes, len(pairs)))
        for column, (first, second) in enumerate(pairs):
            code[first, column], code[second, column] = -1.0, 1.0
        return code

    def _scores(self, X):
        return super()._scores(X) if self.decoding == "votes" else self._survived(X)

    def _survived(self, X):
        """How many classes left before each class, by one tournament for every row."""
        n_classes = len(self.classes_)
        number_of = {pair: t for t, pair in enumerate(combinations(range(n_classes), 2))}
        scores = np.zeros((len(X), n_classes))
        first, last = np.zeros(len(X), dtype=np.intp), np.full(len(X), n_classes - 1)
        for left in range(n_classes - 1):
            leaving = np.empty(len(X), dtype=np.intp)
            # After s games the pairs are (0, K-1-s) to (s, K-1): rows that play the same are asked together.
            for low in np.unique(first):
                rows = np.flatnonzero(first == low)
                hypothesis = self.estimators_[number_of[low, last[rows[0]]]]
                leaving[rows] = np.where(vote(hypothesis, X[rows]) > 0, first[rows], last[rows])
            scores[np.arange(len(X)), leaving] = left
            gone_first = leaving == first
            first, last = first + gone_first, last - ~gone_first
        scores[np.arange(len(X)), first] = n_classes - 1
        return scores


class OneVsRestClassifier(FixedCodeClassifier):
    """One hypothesis for each class, learned against all others. Two classes need one hypothesis."""

    @staticmethod
    def _code(n_classes):
        return np.array([[-1.0], [1.0]]) if n_classes == 2 else 2 * np.eye(n_classes) - 1
