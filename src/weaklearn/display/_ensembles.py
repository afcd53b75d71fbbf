"""What a display needs to know of a fitted ensemble, by duck typing.

An ensemble has ``decision_function`` and ``classes_``; ``estimator_weights_`` where coefficients are drawn
or margins normalised; ``staged_decision_function`` where rounds are; ``cost_`` where weights are. Displays lie
below the learners in the package, so nothing here imports one. Costs are imported when they are asked for: pages need
the colours of this package and not scipy.
"""

from itertools import islice

import numpy as np


def signs(y, classes):
    """+1.0 for classes[1] and -1.0 for classes[0]."""
    y, classes = np.asarray(y), np.asarray(classes)
    if len(classes) != 2:
        raise ValueError(f"This display needs two classes; got {len(classes)}: {classes.tolist()}.")
    if not np.isin(y, classes).all():
        raise ValueError(f"y holds labels other than {classes.tolist()}.")
    return np.where(y == classes[1], 1.0, -1.0)


def p_norm(coefficients, p):
    """``(sum |alpha|^p)^(1/p)``, or 1 for an ensemble without votes."""
    if isinstance(p, str) or not p > 0:
        raise ValueError(f"normalize must be True, False or a number p > 0; got {p!r}.")
    sizes = np.abs(np.asarray(coefficients, dtype=np.float64))
    largest = sizes.max(initial=0.0)
    return largest * ((sizes / largest) ** p).sum() ** (1 / p) if largest > 0 else 1.0


def norm_of(ensemble, normalize):
    """What ``F`` is divided by: the p-norm of the coefficients, or 1 if normalize is False."""
    if normalize is False:
        return 1.0
    return p_norm(ensemble.estimator_weights_, 1.0 if normalize is True else normalize)


def scores_after(ensemble, X, n_rounds=None):
    """F(x) after n_rounds rounds; after all of them if that is None."""
    if n_rounds is None:
        return np.asarray(ensemble.decision_function(X), dtype=np.float64)
    if n_rounds == 0:
        return np.zeros(len(X))
    stage = next(islice(ensemble.staged_decision_function(X), n_rounds - 1, None), None)
    if stage is None or n_rounds < 0:
        raise ValueError(f"n_rounds must lie between 0 and the number of rounds; got {n_rounds!r}.")
    return np.asarray(stage, dtype=np.float64)


def cost_of(ensemble, cost=None):
    """The cost that is given, else the one that the ensemble minimised, else AdaBoost's."""
    from weaklearn.costs import get_cost  # and scipy

    if cost is None:
        cost = getattr(ensemble, "cost_", "exponential")
    if cost is None:
        raise ValueError(f"{name_of(ensemble)} minimises no margin cost: name one as cost.")
    return get_cost(cost)


def cost_weights(ensemble, cost, margins, n_rounds=None):
    """``-c'`` at these margins, up to a factor."""
    from weaklearn.costs import ArcX4  # and scipy

    if isinstance(cost, ArcX4) and n_rounds != 0:  # a cost of the average vote
        margins = margins / p_norm(ensemble.estimator_weights_[:n_rounds], 1.0)
    return cost.weights(margins)


def name_of(ensemble):
    """The name for legends: that of the class, without "Classifier"."""
    return type(ensemble).__name__.removesuffix("Classifier")


def plane(X):
    """X as an array of points in the plane."""
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"This display needs two features; got an array of shape {X.shape}.")
    return X
