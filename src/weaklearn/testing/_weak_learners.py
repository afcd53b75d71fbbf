"""The contract of a weak learner: what boosting needs of a classifier."""

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

_LABELS = {
    "signed integers": (-1, 1),
    "strings": ("no", "yes"),
    "booleans": (False, True),
    "objects": (np.array("left", dtype=object).item(), np.array("right", dtype=object).item()),
}


def check_weak_learner(estimator):
    """Check that a classifier can serve as the weak learner of a boosting algorithm.

    It is fitted on a small easy set in two dimensions. It must be cloneable, learn labels of any
    kind, repeat itself when it is given the same ``random_state``, leave its data alone and have a
    training error below 1/2. If its ``fit`` takes ``sample_weight``, it must learn from weights of any
    scale, and its weighted error must be below 1/2 for weights that favour either of two
    contradictory halves of a set; otherwise boosting resamples for it and no more is asked of it.

    Parameters
    ----------
    estimator : object
        An unfitted classifier with ``fit`` and ``predict``.

    Raises
    ------
    AssertionError
        If a promise is broken; the message names the learner and the promise.
    """
    X, positive = _easy_set()
    for kind, (negative_label, positive_label) in _LABELS.items():
        _check_labels(estimator, X, np.where(positive, positive_label, negative_label), kind)
    _check_repeatable(estimator, X, np.where(positive, 1, -1))
    if has_fit_parameter(estimator, "sample_weight"):
        _check_weights(estimator, X, np.where(positive, 1, -1))


def _require(condition, estimator, promise):
    assert condition, f"{estimator!r} breaks a promise of weak learners: {promise}"


def _easy_set(n=60):
    rng = np.random.default_rng(0)
    positive = np.arange(n) % 2 == 1
    X = rng.normal(scale=0.5, size=(n, 2)) + np.where(positive, 1.0, -1.0)[:, None]
    return X, positive


def _seeded(estimator):
    copy = clone(estimator)
    if "random_state" in copy.get_params(deep=False):
        copy.set_params(random_state=0)
    return copy


def _check_labels(estimator, X, y, kind):
    X_before, y_before = X.copy(), y.copy()
    learner = _seeded(estimator)
    _require(learner.fit(X, y) is learner, estimator, "fit returns the estimator itself")
    predicted = learner.predict(X)
    _require(
        np.array_equal(X, X_before) and np.array_equal(y, y_before),
        estimator,
        "fit and predict leave their data alone",
    )
    _require(np.shape(predicted) == y.shape, estimator, "predict returns one label per row")
    _require(set(predicted) <= set(y), estimator, f"predict returns labels of the training set ({kind})")
    _require(np.mean(predicted != y) < 0.5, estimator, f"the error on an easy set is below 1/2 ({kind})")


def _check_repeatable(estimator, X, y):
    first, second = _seeded(estimator).fit(X, y), _seeded(estimator).fit(X, y)
    _require(
        np.array_equal(first.predict(X), second.predict(X)),
        estimator,
        "two fits with the same random_state predict the same",
    )
    _require(np.array_equal(first.predict(X), first.predict(X)), estimator, "predict repeats itself")


def _check_weights(estimator, X, y):
    for scale in (1e-6, 1.0, 1e6):
        predicted = _seeded(estimator).fit(X, y, sample_weight=np.full(len(y), scale)).predict(X)
        _require(np.mean(predicted != y) < 0.5, estimator, f"it learns from weights of {scale:g} each")
    # The second half of this set contradicts the first: only the weights say whom to believe.
    both, labels = np.concatenate([X, X]), np.concatenate([y, -y])
    for favoured in (0, 1):
        weight = np.where(np.arange(len(labels)) // len(y) == favoured, 1.0, 0.01)
        predicted = _seeded(estimator).fit(both, labels, sample_weight=weight).predict(both)
        error = weight[predicted != labels].sum() / weight.sum()
        _require(error < 0.5, estimator, "the weighted error is below 1/2 where the weights decide")
