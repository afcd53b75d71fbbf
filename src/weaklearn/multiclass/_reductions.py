"""One against one and one against the rest, as fixed output codes decoded like the learned ones.

scikit-learn's classifiers of the same names need a ``decision_function`` or ``predict_proba``, which
hypotheses that only vote (stumps, and perceptrons in the source's sense) do not have; these decode votes by
Hamming distance, ties going to the first class.
"""

from abc import abstractmethod
from itertools import combinations

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import HasMethods, StrOptions

from weaklearn._docstrings import METHOD
from weaklearn._training import training_set
from weaklearn.boosting._hypotheses import vote
from weaklearn.multiclass._code_classifier import CodeClassifier, seeded_generator, shown_rows
from weaklearn.multiclass._relabelled import prepare_relabelled
from weaklearn.multiclass._shared_docs import documented

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier"]


class FixedCodeClassifier(CodeClassifier):
    """Base: a subclass states its code for a number of classes."""

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, *, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    @staticmethod
    @abstractmethod
    def _code(n_classes):
        """The code matrix (n_classes, n_columns) of -1, 0 and +1."""

    @METHOD
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Learn one hypothesis for every column of the code."""
        X, codes, sample_weight = training_set(self, X, y, sample_weight, finite=self._finite())
        present, codes = shown_rows(codes, len(self.classes_))
        rng = seeded_generator(self.random_state)
        learner = prepare_relabelled(self._weak_learner(), X)
        code = self._code(np.count_nonzero(present))
        self.absent_ = ~present
        self.estimators_ = [learner.fit_labels(column[codes], sample_weight, rng)[0] for column in code.T]
        self.estimator_weights_ = np.ones(len(self.estimators_))
        self.code_matrix_ = np.zeros((len(present), code.shape[1]), dtype=np.int8)
        self.code_matrix_[present] = code
        return self


@documented
class OneVsOneClassifier(FixedCodeClassifier):
    """One hypothesis for each pair of classes, learned on their examples alone; each votes.

    Score of a class: half the votes for it minus half those against it, ``1/2 sum_t M(k, t) f_t(x)``.

    Parameters
    ----------
    estimator : object, default=None
        Any binary classifier. None means `DecisionStump()`.
    decoding : {"votes", "dag"}, default="votes"
        "votes" asks all K (K - 1) / 2 hypotheses. "dag" asks K - 1 of them: of the classes left, in the order of
        ``classes_``, the first plays against the last and the loser leaves; the score of a class is the number of
        classes that left before it. Both predict the class that wins all its pairs, where there is one.
    random_state : int, RandomState instance or None, default=None
        Seeds the classifiers.

    Attributes
    ----------
    estimators_ : list of classifiers
        Trained on the labels -1 and +1, one for each column of ``code_matrix_``.
    code_matrix_ : ndarray of shape (n_classes, n_classes (n_classes - 1) / 2)
        0 for the classes that a column leaves out.
    estimator_weights_ : ndarray of shape (n_columns,)
        Ones.

    References
    ----------
    - li2006, section 4.4; Allwein et al. (2000), for reductions as codes.
    - Platt, Cristianini and Shawe-Taylor (2000), Large margin DAGs for multiclass classification: decoding="dag".

    Examples
    --------
    >>> from weaklearn.multiclass import OneVsOneClassifier
    >>> model = OneVsOneClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "b", "c"])
    >>> model.code_matrix_
    array([[-1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1,  1]], dtype=int8)
    >>> model.predict([[0.2], [1.6], [9.0]])
    array(['a', 'b', 'c'], dtype='<U1')
    """

    _parameter_constraints: dict = {
        **FixedCodeClassifier._parameter_constraints,
        "decoding": [StrOptions({"votes", "dag"})],
    }

    def __init__(self, estimator=None, *, decoding="votes", random_state=None):
        super().__init__(estimator, random_state=random_state)
        self.decoding = decoding

    def _scores(self, X):
        return super()._scores(X) if self.decoding == "votes" else self._survived(X)

    def _survived(self, X):
        """How many classes left before each class, by one tournament for every row."""
        present = np.flatnonzero(~self.absent_)
        number_of = {pair: t for t, pair in enumerate(combinations(range(len(present)), 2))}
        scores = np.zeros((len(X), len(self.classes_)))
        first, last = np.zeros(len(X), dtype=np.intp), np.full(len(X), len(present) - 1)
        for left in range(len(present) - 1):
            leaving = np.empty(len(X), dtype=np.intp)
            # After s games the pairs are (0, K-1-s) to (s, K-1): rows that play the same are asked together.
            for low in np.unique(first):
                rows = np.flatnonzero(first == low)
                hypothesis = self.estimators_[number_of[low, last[rows[0]]]]
                leaving[rows] = np.where(vote(hypothesis, X[rows]) > 0, first[rows], last[rows])
            scores[np.arange(len(X)), present[leaving]] = left
            gone_first = leaving == first
            first, last = first + gone_first, last - ~gone_first
        scores[np.arange(len(X)), present[first]] = len(present) - 1
        return scores

    @staticmethod
    def _code(n_classes):
        pairs = list(combinations(range(n_classes), 2))
        code = np.zeros((n_classes, len(pairs)))
        for column, (first, second) in enumerate(pairs):
            code[first, column], code[second, column] = -1.0, 1.0
        return code


@documented
class OneVsRestClassifier(FixedCodeClassifier):
    """One hypothesis for each class, learned against all others; each votes.

    Hypotheses only say yes or no: where none says yes, or several do, the first of the classes with the
    smallest Hamming distance is predicted. Two classes need one hypothesis.

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
        +1 on the diagonal, -1 elsewhere.
    estimator_weights_ : ndarray of shape (n_columns,)
        Ones.

    References
    ----------
    li2006, section 4.4, where it is called one-vs-all.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from weaklearn.multiclass import OneVsRestClassifier
    >>> model = OneVsRestClassifier(DecisionTreeClassifier(max_depth=2), random_state=0)
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "b", "c"]).predict([[0.2], [1.6], [9.0]])
    array(['a', 'b', 'c'], dtype='<U1')
    """

    @staticmethod
    def _code(n_classes):
        if n_classes == 2:
            return np.array([[-1.0], [1.0]])
        return 2 * np.eye(n_classes) - 1
