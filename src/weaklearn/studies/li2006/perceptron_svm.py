"""The soft-margin SVM with the perceptron kernel, as a weak learner whose Gram matrix is computed once."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted

from weaklearn._training import signed_labels, training_set, validate_data
from weaklearn.kernel import perceptron_kernel

# A weight that underflowed still belongs to a row; the solver refuses a weight of zero.
_LEAST_WEIGHT = 1e-100


class PerceptronKernelSVC(ClassifierMixin, BaseEstimator):
    r"""Soft-margin SVM for two classes with the perceptron kernel :math:`k(p, q) = \Delta - \|p - q\|_2`.

    The box of example i is C times its weight, weights having mean 1. In the boosting of output codes the inputs
    stay the same while labels and weights change, so the kernel is evaluated once for all rounds. The constant of the
    kernel drops out, because the dual coefficients sum to zero. The solver is scikit-learn's.

    Source: li2006, section 4.4, the last of its base learners.
    """

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y, sample_weight=None):
        """Solve the dual problem."""
        X, codes, sample_weight = training_set(self, X, y, sample_weight, binary=True)
        solver = _solved(self.C, perceptron_kernel(X), signed_labels(codes), sample_weight)
        return self._keep(X[solver.support_], solver)

    def _keep(self, support_vectors, solver):
        self.support_vectors_ = support_vectors
        self.dual_coef_ = solver.dual_coef_[0]
        self.intercept_ = float(solver.intercept_[0])
        return self

    def prepare_relabelled(self, X):
        """The form for boosting of output codes: one Gram matrix, many labels and weights."""
        return _GramLearner(self.C, X)

    def decision_function(self, X):
        """Scores: positive for ``classes_[1]``."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return perceptron_kernel(X, self.support_vectors_) @ self.dual_coef_ + self.intercept_

    def predict(self, X):
        """Predicted class labels."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int)]


def _solved(C, gram, labels, weights):
    """scikit-learn's solver on a Gram matrix."""
    weights = np.maximum(weights * (len(weights) / weights.sum()), _LEAST_WEIGHT)
    return SVC(kernel="precomputed", C=C).fit(gram, labels, sample_weight=weights)


class _GramLearner:
    def __init__(self, C, X):
        self._C = C
        self._X = X
        self._gram = perceptron_kernel(X)

    def fit_labels(self, labels, weights, rng=None):
        members = np.flatnonzero(labels)
        gram = self._gram if len(members) == len(labels) else self._gram[np.ix_(members, members)]
        solver = _solved(self._C, gram, labels[members], weights[members])
        rows = members[solver.support_]
        hypothesis = PerceptronKernelSVC(self._C)._keep(self._X[rows], solver)
        hypothesis.classes_ = np.array([-1, 1])
        hypothesis.n_features_in_ = self._X.shape[1]
        scores = self._gram[:, rows] @ hypothesis.dual_coef_ + hypothesis.intercept_
        return hypothesis, np.where(scores > 0, 1.0, -1.0)
