"""What an ensemble asks of its hypotheses: their votes, their weighted sum, and whether two are the same.

Every hypothesis has ``predict`` with the labels -1 and +1, and that is enough. A class of hypotheses that can do
better offers any of these (`weaklearn.stumps.DecisionStump` and `weaklearn.trees.SmallTree` offer all three):

- ``ensemble_votes(hypotheses, X)``, static: a boolean array of shape (n_samples, n_hypotheses), True for +1;
- ``ensemble_scores(hypotheses, weights, X)``, static: ``sum_t weights_t h_t(x)``, shape (n_samples,);
- ``vote_key()``: a hashable value that two hypotheses share only if they vote alike everywhere.

X is a checked C-contiguous float64 array, or what else the weak learner takes (`_weak.input_checks`). What a class
offers holds for its subclasses until one of them redefines ``predict``: its hypotheses may vote differently, so its
own ``predict`` is used again.
"""

import numpy as np


def offered(kind, name, instead_of):
    """The fast method ``name`` of a class, or None if it has none or a subclass has redefined ``instead_of`` since."""
    for base in kind.__mro__:
        if name in vars(base):
            return getattr(kind, name)
        if instead_of in vars(base):
            return None
    return None


def vote(hypothesis, X):
    """The votes -1.0 or +1.0 of one hypothesis on checked rows."""
    fast = offered(type(hypothesis), "ensemble_votes", "predict")
    if fast is not None:
        return np.where(fast([hypothesis], X)[:, 0], 1.0, -1.0)
    return np.asarray(hypothesis.predict(X), dtype=np.float64)


def votes(hypotheses, X):
    """Whether each hypothesis votes +1: a boolean array of shape (n_samples, n_hypotheses)."""
    fast = _offered_by_all(hypotheses, "ensemble_votes")
    if fast is not None:
        return fast(hypotheses, X)
    result = np.empty((X.shape[0], len(hypotheses)), dtype=bool)
    for t, hypothesis in enumerate(hypotheses):
        result[:, t] = vote(hypothesis, X) > 0
    return result


def scores(hypotheses, weights, X):
    """The weighted sum of votes, F(x), on checked rows."""
    fast = _offered_by_all(hypotheses, "ensemble_scores")
    if fast is not None:
        return fast(hypotheses, weights, X)
    total = np.zeros(X.shape[0])
    for weight, hypothesis in zip(weights, hypotheses, strict=True):
        total += weight * vote(hypothesis, X)
    return total


def vote_key(hypothesis):
    """The hypothesis's own key, or its identity: then it equals nothing but itself."""
    fast = offered(type(hypothesis), "vote_key", "predict")
    return id(hypothesis) if fast is None else fast(hypothesis)


def importances(hypotheses, weights, n_features):
    """The mean of the hypotheses' ``feature_importances_``, weighted by the sizes of their coefficients.

    It sums to 1 unless no hypothesis looks at any feature. AttributeError if a hypothesis has none.
    """
    total = np.zeros(n_features)
    for weight, hypothesis in zip(np.abs(weights), hypotheses, strict=True):
        total += weight * hypothesis.feature_importances_
    return total / total.sum() if total.sum() > 0 else total


def _offered_by_all(hypotheses, name):
    """The fast method if all hypotheses are of one class that offers it."""
    kinds = set(map(type, hypotheses))
    return offered(kinds.pop(), name, "predict") if len(kinds) == 1 else None
