"""Weak learners on one set of inputs whose labels change in every round.

A relabelled learner has one method, ``fit_labels(labels, weights, rng)``: labels are +-1.0, or 0.0 for the rows
that are left out; it returns a fitted hypothesis (with classes -1 and +1) and its votes, +-1.0, on *all*
rows. An estimator that can do better than being fitted from scratch says so by a method
``prepare_relabelled(X)`` that returns such an object, as `weaklearn.stumps.DecisionStump` does.
"""

import numpy as np

from weaklearn.boosting._hypotheses import offered, vote
from weaklearn.boosting._weak import prepare

__all__ = ["RefittedOnLabels", "prepare_relabelled"]


def prepare_relabelled(estimator, X):
    """The relabelled learner of an estimator on the rows of X."""
    prepared = offered(type(estimator), "prepare_relabelled", "fit")
    return RefittedOnLabels(estimator, X) if prepared is None else prepared(estimator, X)


class RefittedOnLabels:
    """Any classifier, fitted from scratch in every round on the rows that take part."""

    def __init__(self, estimator, X):
        self._estimator = estimator
        self._X = X

    def fit_labels(self, labels, weights, rng):
        members = np.flatnonzero(labels)
        if len(members) == len(labels):
            hypothesis, margins, _ = prepare(self._estimator, self._X, labels).fit(weights, rng)
            return hypothesis, margins * labels
        learner = prepare(self._estimator, self._X[members], labels[members])
        hypothesis, _, _ = learner.fit(weights[members], rng)
        return hypothesis, vote(hypothesis, self._X)
