"""What a clone guarantees: the error of a hypothesis on the target, from its error on the cloner."""

import math

from weaklearn.boosting import Bound


def clone_bound(disagreement, cloner, *, n_fresh=None, failure=0.05):
    """An upper bound on the error of a hypothesis that was chosen on clones.

    With the target t, the cloner c and any hypothesis f, ``P[f != t] <= P[f != c] + P[c != t]`` (the triangle
    inequality), and a bound on the generalisation error of the cloner bounds the second term by its training error and
    a confidence interval. The complexity of the class of f plays no part: one may choose among many models on clones.

    Parameters
    ----------
    disagreement : float
        ``P[f != c]``: the share of new inputs on which the hypothesis and the cloner differ.
    cloner : Bound
        Of the cloner, as `weaklearn.boosting.generalization_bound` returns it.
    n_fresh : int, optional
        The number of new inputs, drawn after f was chosen, on which `disagreement` was counted: Hoeffding's
        inequality then adds ``sqrt(log(1 / failure) / (2 n_fresh))``. By default `disagreement` is taken to be exact.
    failure : float, default=0.05
        The probability that the disagreement is larger than that, in addition to that of the cloner's bound.

    Returns
    -------
    Bound
        Its ``risk`` is the disagreement plus the training error of the cloner.

    See Also
    --------
    weaklearn.boosting.generalization_bound : Bounds on the error of the cloner.

    References
    ----------
    pratap2008, theorem 5.

    Examples
    --------
    >>> from weaklearn.boosting import generalization_bound
    >>> from weaklearn.cloning import clone_bound
    >>> cloner = generalization_bound("finite", risk=0.02, n_samples=2000, n_hypotheses=200)
    >>> bound = clone_bound(0.05, cloner, n_fresh=5000)
    >>> round(bound.risk, 3), round(bound.value, 3)
    (0.07, 0.182)
    """
    if not 0 <= disagreement <= 1:
        raise ValueError(f"disagreement must lie in [0, 1]; got {disagreement!r}.")
    if not isinstance(cloner, Bound):
        raise TypeError(
            f"cloner must be a Bound, as generalization_bound returns it; got {type(cloner).__name__}."
        )
    if not 0 < failure < 1:
        raise ValueError(f"failure must lie between 0 and 1; got {failure!r}.")
    if n_fresh is not None and n_fresh < 1:
        raise ValueError(f"n_fresh must be at least 1; got {n_fresh!r}.")
    counted = 0.0 if n_fresh is None else math.sqrt(-math.log(failure) / (2 * n_fresh))
    return cloner._replace(
        risk=float(disagreement) + cloner.risk, confidence_interval=cloner.confidence_interval + counted
    )
