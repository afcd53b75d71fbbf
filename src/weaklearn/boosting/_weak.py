"""From an estimator to a weak learner: something to be fitted again and again to new weights.

A weak learner belongs to one training set and has one method, ``fit(weights, rng)``, which returns a
fitted hypothesis (with classes -1 and +1), its margins ``y_i h(x_i)`` on the training set (+1.0 where it
is right, -1.0 where it is wrong) and the share of the weight that it gets wrong. An estimator with a
prepared form says so by a method ``prepare(X, y)`` that returns such an object, or ``prepare_classes(X, codes)`` for
more than two classes; any other classifier, and a subclass that redefines ``fit``, is cloned and fitted in every round.

In multiclass boosting by output codes the labels change in every round. A relabelled learner belongs to one set of rows
and has one method, ``fit_labels(labels, weights, rng)``: labels are +-1.0, or 0.0 for rows that are left out; it
returns a fitted hypothesis (with classes -1 and +1) and its votes, +-1.0, on *all* rows. An estimator with a prepared
form of this kind says so by a method ``prepare_relabelled(X)``.

Prepared forms get a dense float64 array, or float32 if the estimator has ``takes_float32 = True``; with NaN for missing
values if its tags say that it takes them. Other classifiers get what they say they take (scikit-learn's tags): sparse
matrices, missing values, text, more than two dimensions. A composite, such as a pipeline, may take anything and checks
it itself.
"""

from contextlib import nullcontext
from functools import partial

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from weaklearn.boosting._hypotheses import offered, vote

_SEED_LIMIT = np.iinfo(np.int32).max

# Weights below this share of the mean are raised to it: a learner may drop rows of weight zero, but
# a weight that underflowed is not an absent row.
_LEAST_WEIGHT = 1e-100


def prepare(estimator, X, y):
    """The weak learner of an estimator on one training set (labels in {-1.0, +1.0})."""
    return (offered(type(estimator), "prepare", "fit") or RefittedLearner)(estimator, X, y)


def prepare_classes(estimator, X, codes):
    """The weak learner of an estimator on one training set of classes 0, 1, ...: see `RefittedLearner`."""
    return (offered(type(estimator), "prepare_classes", "fit") or RefittedLearner)(estimator, X, codes)


def prepare_relabelled(estimator, X):
    """The relabelled learner of an estimator on the rows of X."""
    return (offered(type(estimator), "prepare_relabelled", "fit") or _RefittedOnLabels)(estimator, X)


def input_checks(estimator):
    """What ``validate_data`` has to check of the X that an estimator is given."""
    if offered(type(estimator), "prepare", "fit") is not None:
        kinds = [np.float64, np.float32] if getattr(estimator, "takes_float32", False) else np.float64
        finite = "allow-nan" if get_tags(estimator).input_tags.allow_nan else True
        return {"accept_sparse": ["csr", "csc"], "dtype": kinds, "order": "C", "ensure_all_finite": finite}
    tags = get_tags(estimator)
    anything = tags.no_validation or _is_composite(estimator)
    return {
        "accept_sparse": ["csr", "csc"] if anything or tags.input_tags.sparse else False,
        "dtype": None if anything or tags.input_tags.string or tags.input_tags.categorical else "numeric",
        "allow_nd": anything or tags.input_tags.three_d_array,
        "ensure_all_finite": False if anything else "allow-nan" if tags.input_tags.allow_nan else True,
    }


def as_taken(estimator, X):
    """Checked X as the estimator is given it: dense for prepared forms; numbers as float64."""
    if sparse.issparse(X):
        return X if offered(type(estimator), "prepare", "fit") is None else X.toarray()
    if X.dtype == np.float32 and getattr(estimator, "takes_float32", False):
        return X
    return np.ascontiguousarray(X, dtype=np.float64) if X.dtype.kind in "biuf" else X


def _is_composite(estimator):
    return any("__" in name for name in estimator.get_params())


def _within_float32(X):
    values = X.data if sparse.issparse(X) else X
    return values.dtype.kind not in "fc" or not (np.abs(values) > np.finfo(np.float32).max).any()


class RefittedLearner:
    """Clones and fits an estimator: by weights of mean 1 if its ``fit`` takes them, else by resampling.

    A resample has as many rows as the training set, drawn with replacement in proportion to the
    weights. Every ``random_state`` among the estimator's parameters gets its own seed in each round.
    """

    def __init__(self, estimator, X, y):
        self.estimator = estimator
        self._X = X
        self._labels = y.astype(np.int64)
        # Whether the ensemble has seen that all numbers are finite; otherwise the estimator has to. Those that work in
        # float32 have to look for themselves where numbers are larger than that.
        within = _within_float32(X)
        self.checked = within and input_checks(estimator)["ensure_all_finite"] is True
        # They warn of the conversion before they refuse it.
        self._quiet = nullcontext if within else partial(np.errstate, over="ignore", invalid="ignore")
        self._takes_weights = has_fit_parameter(estimator, "sample_weight")
        self._random_states = sorted(
            name
            for name in estimator.get_params()
            if name == "random_state" or name.endswith("__random_state")
        )

    def fit(self, weights, rng):
        hypothesis = clone(self.estimator)
        for name in self._random_states:
            hypothesis.set_params(**{name: int(rng.integers(_SEED_LIMIT))})
        with self._quiet(), config_context(assume_finite=self.checked, skip_parameter_validation=True):
            if self._takes_weights:
                passed = np.maximum(weights * (len(weights) / weights.sum()), _LEAST_WEIGHT)
                hypothesis.fit(self._X, self._labels, sample_weight=passed)
            else:
                rows = self._resample(weights, rng)
                hypothesis.fit(self._X[rows], self._labels[rows])
            predicted = hypothesis.predict(self._X)
        wrong = predicted != self._labels
        return hypothesis, np.where(wrong, -1.0, 1.0), weights[wrong].sum() / weights.sum()

    def _resample(self, weights, rng):
        rows = rng.choice(len(weights), size=len(weights), p=weights / weights.sum())
        drawn = self._labels[rows]
        if (drawn == drawn[0]).all():
            # Classifiers refuse a single class: the heaviest example of the other one replaces a draw.
            rows[0] = np.argmax(np.where(self._labels != drawn[0], weights, -1.0))
        return rows


class _RefittedOnLabels:
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
