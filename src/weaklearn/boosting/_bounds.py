"""Bounds on the generalisation error that the source documents state.

Nothing is clipped: a value of 1 or more says nothing, and on data of ordinary size most bounds do. To add a bound,
write the function and give it a row in ``BOUNDS`` and in the docstring of `generalization_bound`.
"""

import inspect
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from weaklearn.boosting._margins import MarginDistribution


class Bound(NamedTuple):
    """An upper bound on the true risk, as the sum of its two terms."""

    risk: float  # the empirical (margin) risk
    confidence_interval: float
    up_to_constant: bool  # whether the interval has an unknown constant in it
    gamma: float | None = None  # the margin at which the risk was taken, if any

    @property
    def value(self):
        """The bound itself: risk + confidence_interval."""
        return self.risk + self.confidence_interval


def generalization_bound(kind, **quantities):
    """An upper bound on the generalisation error of a classifier: empirical risk + confidence interval.

    Each holds with probability at least 1 - failure over the training set of m examples. With R_gamma the share of
    margins <= gamma:

    - ``"finite"``: ``risk + sqrt(2/m log(2 n_hypotheses / failure))`` for a finite class;
    - ``"vc"``: ``risk + sqrt(c/m (d + log(1 / failure)))`` for a class of VC-dimension d; decision stumps on k features
      have d <= k + 1;
    - ``"margin"``: ``R_gamma + sqrt(c/m (d log^2(m/d) / gamma^2 + log(1 / failure)))`` for convex combinations of a
      class of VC-dimension d < m, for all gamma in (0, 1] at once: without gamma, the least value over all of them;
    - ``"p_convex_hull"``: ``R_gamma + sqrt(8/m (c d (2/gamma)^(2p / (2-p)) log2(2/gamma) - log2(failure)))``, 0 < p < 2
      and 0 < gamma < 1/2, for margins normalised by the p-norm; the covering numbers of the base class grow as
      ``(1/eps)^d``. An approximation, not the theorem itself.

    The constant c is not known. With the default of 1 values rank models of one kind and are not probabilities; to
    compare values of p is to assume that c hardly changes with it.

    Parameters
    ----------
    kind : {"finite", "vc", "margin", "p_convex_hull"}
        Which theorem.
    **quantities
        ``risk``, the training error, and ``n_samples``; ``n_hypotheses`` or ``dimension``, d; or ``margins`` of the
        training examples, ``dimension``, ``gamma`` and ``p``. ``failure`` is 0.05 by default, ``constant``, c, is 1.

    Returns
    -------
    Bound
        With ``value``, ``risk``, ``confidence_interval``, ``up_to_constant`` and ``gamma``.

    References
    ----------
    - barnes1999, theorems 1, 2, 11 and 12. (Theorem 11 stands in pratap2008 as theorem 1 without the square of the
      logarithm; the original, Schapire, Freund, Bartlett and Lee 1998, has it.)

    Examples
    --------
    >>> from weaklearn.boosting import generalization_bound
    >>> bound = generalization_bound("finite", risk=0.1, n_samples=1000, n_hypotheses=500)
    >>> round(bound.value, 4), bound.up_to_constant
    (0.2407, False)
    >>> generalization_bound("p_convex_hull", margins=[0.3] * 9 + [0.1], gamma=0.2, p=1, dimension=3).risk
    0.1
    """
    if kind not in BOUNDS:
        raise ValueError(f"kind must be one of {sorted(BOUNDS)}; got {kind!r}.")
    signature = inspect.signature(BOUNDS[kind])
    try:
        arguments = signature.bind(**quantities)
    except TypeError as error:
        raise TypeError(f"The bound {kind!r} takes {', '.join(signature.parameters)}: {error}.") from None
    return BOUNDS[kind](*arguments.args, **arguments.kwargs)


def _finite(*, risk, n_samples, n_hypotheses, failure=0.05):
    _check(n_samples=n_samples, n_hypotheses=n_hypotheses, failure=failure)
    interval = math.sqrt(2 / n_samples * (math.log(2) + math.log(n_hypotheses) - math.log(failure)))
    return Bound(_checked_risk(risk), interval, up_to_constant=False)


def _vc(*, risk, n_samples, dimension, failure=0.05, constant=1.0):
    _check(n_samples=n_samples, dimension=dimension, failure=failure, constant=constant)
    interval = math.sqrt(constant / n_samples * (dimension - math.log(failure)))
    return Bound(_checked_risk(risk), interval, up_to_constant=True)


def _margin(*, margins, dimension, gamma=None, failure=0.05, constant=1.0):
    _check(dimension=dimension, failure=failure, constant=constant)
    distribution = MarginDistribution(margins)
    m = distribution.n_samples
    if not dimension < m:
        raise ValueError(f"dimension must be below the number of margins, {m}; got {dimension!r}.")
    if gamma is not None and not 0 < gamma <= 1:
        raise ValueError(f"gamma must be positive and at most 1; got {gamma!r}.")

    def interval(gammas):
        capacity = dimension * math.log(m / dimension) ** 2 / gammas**2
        return np.sqrt(constant / m * (capacity - math.log(failure)))

    if gamma is not None:
        return Bound(float(distribution(gamma)), float(interval(gamma)), up_to_constant=True, gamma=gamma)
    # Between two margins the risk is constant and the interval falls: the infimum is just below a margin, or at 1.
    jumps = distribution.margins[(distribution.margins > 0) & (distribution.margins <= 1)]
    gammas = np.append(jumps, 1.0)
    risks = np.append(distribution(np.nextafter(jumps, 0.0)), distribution(1.0))
    intervals = interval(gammas)
    best = int(np.argmin(risks + intervals))
    return Bound(float(risks[best]), float(intervals[best]), up_to_constant=True, gamma=float(gammas[best]))


def _p_convex_hull(*, margins, gamma, p, dimension, failure=0.05, constant=1.0):
    _check(dimension=dimension, failure=failure, constant=constant)
    if not 0 < gamma < 0.5:
        raise ValueError(f"gamma must be positive and below 1/2; got {gamma!r}.")
    if not 0 < p < 2:
        raise ValueError(f"p must lie between 0 and 2, both excluded; got {p!r}.")
    distribution = MarginDistribution(margins)
    scale = gamma / 2
    with np.errstate(over="ignore"):  # infinite as p approaches 2
        growth = float(np.float64(1 / scale) ** (2 * p / (2 - p)))
    log2_number = constant * dimension * growth * math.log2(1 / scale)
    interval = math.sqrt(8 / distribution.n_samples * (log2_number - math.log2(failure)))
    return Bound(float(distribution(gamma)), interval, up_to_constant=True, gamma=gamma)


BOUNDS: dict[str, Callable[..., Bound]] = {
    "finite": _finite,
    "vc": _vc,
    "margin": _margin,
    "p_convex_hull": _p_convex_hull,
}


def _check(**positive):
    for name, value in positive.items():
        if not value > 0:
            raise ValueError(f"{name} must be positive; got {value!r}.")
    if not positive.get("failure", 0.5) < 1:
        raise ValueError(f"failure must be below 1; got {positive['failure']!r}.")


def _checked_risk(risk):
    if not 0 <= risk <= 1:
        raise ValueError(f"risk must lie in [0, 1]; got {risk!r}.")
    return float(risk)
