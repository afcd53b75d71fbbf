"""Classifiers that learn a code matrix by boosting and decode the votes of their hypotheses by it."""

from abc import abstractmethod
from itertools import islice
from numbers import Integral

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._fast.code_columns import code_scores
from weaklearn._training import training_set, validate_data
from weaklearn.boosting.engine import prepare_relabelled, votes
from weaklearn.multiclass._code_rounds import CodeState, code_rounds
from weaklearn.multiclass._partitions import PARTITIONS, GivenCode
from weaklearn.multiclass._staged import StagedClassifier, seeded_generator, shown_rows

__all__ = ["BoostedCodeClassifier"]

# Votes are held for blocks of rows of about this many numbers.
_BLOCK = 1 << 20


class BoostedCodeClassifier(StagedClassifier):
    """Base of AdaBoost.ECC and AdaBoost.ERP: a subclass states its schedule.

    There is one hypothesis for each column of ``code_matrix_``. With g_t(x) the vote of hypothesis t times its
    coefficient, the score of class k is ``s_k(x) = 1/2 sum_t M(k, t) g_t(x)``; the weighted Hamming distance between
    the code word of k and the votes is a constant minus this.

    Attributes
    ----------
    code_matrix_ : ndarray of shape (n_classes, n_iter_)
        -1 and +1; a row of zeros for an absent class.
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }
    # The expected cost is least where exp(2 s_k) is proportional to P(k | x), by Cauchy-Schwarz:
    # sum_k exp(s_k) * sum_k P(k) exp(-s_k) >= (sum_k sqrt(P(k)))^2, with equality only there.
    _sharpness = 2.0
    _per_round = (*StagedClassifier._per_round, "code_matrix_")
    _partial = False

    @abstractmethod
    def _preset(self):
        """The schedule, and whether the two votes get coefficients of their own."""

    @documented
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set."""
        schedule, asymmetric = self._preset()
        X, codes, sample_weight = training_set(self, X, y, sample_weight, finite=self._finite())
        present, codes = shown_rows(codes, len(self.classes_))
        partition = self._partition_of(present)
        rng = seeded_generator(self.random_state)
        state = CodeState(codes, sample_weight, np.count_nonzero(present))
        learner = prepare_relabelled(self._weak_learner(), X)
        rounds = list(
            islice(code_rounds(learner, state, partition, schedule, asymmetric, rng), self.n_estimators)
        )

        self.absent_ = ~present
        self.code_matrix_ = np.zeros((len(present), len(rounds)), dtype=np.int8)
        self.estimators_ = [one.hypothesis for one in rounds]
        if rounds:
            self.code_matrix_[present] = np.stack([one.column for one in rounds], axis=1)
        coefficients = np.array([one.coefficients for one in rounds]).reshape(-1, 2).T
        self.estimator_weights_ = coefficients if asymmetric else coefficients[1]
        self.estimator_errors_ = np.array([one.error for one in rounds])
        self.cost_curve_ = np.array([one.cost for one in rounds])
        self.error_curve_ = np.array([one.training_error for one in rounds])
        self.stop_reason_ = "n_estimators" if len(rounds) == self.n_estimators else "no edge"
        return self

    def _partition_of(self, present):
        if isinstance(self.partition, str):
            return PARTITIONS[self.partition]()
        return GivenCode(self.partition, len(present), self._partial, present)

    def _scores(self, X):
        scores = np.zeros((len(X), len(self.classes_)))
        columns = 0.5 * self.code_matrix_.T
        n_rows = max(1, _BLOCK // max(1, len(self.estimators_)))
        for start in range(0, len(X), n_rows):
            rows = slice(start, start + n_rows)
            code_scores(self._weighted_votes(X[rows]), columns, scores[rows])
        return scores

    def _staged_scores(self, X):
        scores = np.zeros((len(X), len(self.classes_)))
        if not self.estimators_:
            yield scores
        columns = 0.5 * self.code_matrix_.T
        # In blocks of rounds, so that stumps vote together; the order of summation is that of `_scores`.
        length = max(1, _BLOCK // max(1, len(X)))
        for start in range(0, len(self.estimators_), length):
            weighted = self._weighted_votes(X, slice(start, start + length))
            for t in range(weighted.shape[1]):
                code_scores(weighted[:, t : t + 1], columns[start + t][None, :], scores)
                yield scores

    def _weighted_votes(self, X, rounds=slice(None)):
        """g_t(x) of some rounds: (n_samples, number of rounds)."""
        hypotheses = self.estimators_[rounds]
        both = np.broadcast_to(self.estimator_weights_, (2, len(self.estimators_)))
        minus, plus = both[:, rounds]  # of the votes -1 and +1
        return np.where(votes(hypotheses, X), plus, -minus)

    def class_margins(self, X, y):
        """The margins (4.1) of examples for every class.

        ``rho_k(x, y) = s_y(x) - s_k(x)``: how much farther, in weighted Hamming distance, the code word of k is
        from the votes than that of y. An example is right if all others are positive.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels among ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            0 for the example's own class.
        """
        check_is_fitted(self)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", reset=False)
        codes = np.searchsorted(self.classes_, y)
        known = codes < len(self.classes_)
        known[known] = self.classes_[codes[known]] == y[known]
        if not known.all():
            raise ValueError(f"y has the label {y[~known][0]!r}, which is not among the classes of the fit.")
        scores = self._scores(X)
        return scores[np.arange(len(y)), codes][:, None] - scores
