"""Weak learners on one set of inputs whose labels change in every round.

A relabelled learner has one method, ``fit(labels, weights, rng)``: labels are +-1.0, or 0.0 for the rows
that are left out; it returns a fitted hypothesis (with classes -1 and +1) and its votes, +-1.0, on *all*
rows. An estimator that can do better than being fitted from scratch says so by a method
``prepare_relabelled(X)`` that returns such an object. Stumps have theirs here: X is sorted once.
"""

import copy

import numpy as np
from sklearn import config_context

from weaklearn._fast.code_columns import subset_order
from weaklearn._fast.stump_search import best_stump, encode_order
from weaklearn.boosting._weak import prepare
from weaklearn.stumps import DecisionStump

__all__ = ["RefittedOnLabels", "RelabelledStumps", "prepare_relabelled"]

_SIGNED_CLASSES = np.array([-1, 1])


def prepare_relabelled(estimator, X):
    """The relabelled learner of an estimator on the rows of X."""
    if hasattr(estimator, "prepare_relabelled"):
        return estimator.prepare_relabelled(X)
    # A subclass may learn differently; so may a stump by another criterion than the error.
    if type(estimator) is DecisionStump and estimator.criterion == "error":
        return RelabelledStumps(estimator, X)
    return RefittedOnLabels(estimator, X)


class RefittedOnLabels:
    """Any classifier, fitted from scratch in every round on the rows that take part."""

    def __init__(self, estimator, X):
        self._estimator = estimator
        self._X = X

    def fit(self, labels, weights, rng):
        members = np.flatnonzero(labels)
        if len(members) == len(labels):
            hypothesis, margins, _ = prepare(self._estimator, self._X, labels).fit(weights, rng)
            return hypothesis, margins * labels
        learner = prepare(self._estimator, self._X[members], labels[members])
        hypothesis, _, _ = learner.fit(weights[members], rng)
        with config_context(assume_finite=True):  # the ensemble checked them
            return hypothesis, hypothesis.predict(self._X).astype(np.float64)


class RelabelledStumps:
    """Exact stumps: sorted once, searched for any labels, weights and subset of the rows.

    Thresholds lie midway between values of rows that take part, as if the others were not there: on a pair
    of classes this differs from a weight of zero for the rest, and the published tables tell the two apart.
    """

    def __init__(self, stump, X):
        self._stump = stump
        self._columns = np.ascontiguousarray(X.T)
        self._codes = np.empty(self._columns.shape, dtype=np.uint32)
        encode_order(self._columns, np.argsort(self._columns, axis=1), self._codes)

    def fit(self, labels, weights, rng=None):
        members = labels != 0
        n_members = np.count_nonzero(members)
        codes = self._codes
        if n_members < len(labels):
            codes = np.empty((len(codes), n_members), dtype=np.uint32)
            subset_order(self._codes, members, codes)
            labels, weights = np.where(members, labels, 1.0), np.where(members, weights, 0.0)
        feature, threshold, polarity, margins, error = best_stump(
            self._columns, codes, labels, weights, self._stump.constant
        )
        # A copy of the user's stump, not a new one: it keeps whatever parameters stumps have.
        stump = copy.copy(self._stump)
        stump.__dict__.update(
            n_features_in_=len(self._columns),
            classes_=_SIGNED_CLASSES,
            feature_=feature,
            threshold_=threshold,
            polarity_=int(polarity),
            error_=error,
        )
        margins *= labels
        return stump, margins
