"""Bounds on the generalisation error that the source documents state, one function each.

All have the form (barnes1999, figures 2.8 and 4.1)

    true risk <= empirical risk + confidence interval,

and hold with probability at least 1 - failure over the training set. A `Bound` keeps the two terms apart.

Conventions:

- ``log`` is the natural logarithm unless written ``log2``. Risks are shares. Nothing is clipped: a value
  of 1 or more says nothing (`Bound.is_vacuous`), and on data of ordinary size most bounds do.
- Several theorems hold "for some constant". The documents do not know it, and neither do we: it is the
  parameter `constant`, 1 unless you say otherwise, and ``Bound.up_to_constant`` is True. Such values rank
  models of one kind; they are not probabilities.
- Margins are those of `weaklearn.boosting.margins`: normalised by the 1-norm, or by the p-norm for
  p-convex hulls. They may also be given as a `MarginDistribution`.
- A bound that holds for *all* gamma at once may be minimised over gamma, and is, exactly, if
  gamma is None: between two margins the risk is constant and the interval falls as gamma grows, so the
  infimum lies just below a margin or at gamma = 1.

To add a bound, write the function and give it a row in ``BOUNDS``.
"""

import inspect
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from weaklearn.boosting._margins import MarginDistribution, gamma_margin

__all__ = ["BOUNDS", "Bound", "generalization_bound", "log2_covering_number"]


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

    @property
    def is_vacuous(self):
        """Whether the bound is 1 or more, which any classifier keeps."""
        return self.value >= 1


def generalization_bound(kind, **quantities):
    """An upper bound on the generalisation error of a classifier.

    ======================  ==========================================================================
    kind                    quantities (those with a default in brackets)
    ======================  ==========================================================================
    ``"finite"``            risk, n_samples, n_hypotheses, [failure]
    ``"vc"``                risk, n_samples, dimension, [failure, constant]
    ``"covering"``          margins, gamma, log_covering_number, [failure]
    ``"margin"``            margins, dimension, [gamma, failure, constant]
    ``"penalised_margin"``  margins, dimension, [gamma, failure, constant]
    ``"gamma_margin"``      margins, dimension or gamma, [constant]
    ``"delta_dimension"``   margins, dimension or gamma, beta, [constant]
    ``"p_convex_hull"``     margins, gamma, p, dimension, [failure, constant]
    ======================  ==========================================================================

    Their formulas and sources are in the docstrings of the functions in ``BOUNDS``.

    Parameters
    ----------
    kind : str
        Which theorem.
    **quantities
        ``risk``, the training error; ``n_samples``; ``margins``, of the training examples; ``gamma``, the
        margin at which the risk is taken, or the exponent of the gamma-margin; ``dimension``, the
        VC-dimension of the base hypotheses (for p-convex hulls the exponent of their covering numbers);
        ``failure``, the probability that the bound fails, default 0.05; ``constant``, default 1.

    Returns
    -------
    Bound
        With ``value``, ``risk``, ``confidence_interval``, ``up_to_constant`` and ``gamma``.

    References
    ----------
    - barnes1999, theorems 1, 2, 3, 4, 11 and 12.
    - pratap2008, section 2.4, theorems 1 to 4.

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


def finite_class_bound(*, risk, n_samples, n_hypotheses, failure=0.05):
    """``risk + sqrt(2/m log(2 |H| / failure))``: m = n_samples, and H has n_hypotheses members.

    Source: barnes1999, theorem 1 (Hoeffding's inequality gives it with 1/(2m) in place of 2/m).
    """
    _check(n_samples=n_samples, n_hypotheses=n_hypotheses, failure=failure)
    interval = math.sqrt(2 / n_samples * (math.log(2) + math.log(n_hypotheses) - math.log(failure)))
    return Bound(_checked_risk(risk), interval, up_to_constant=False)


def vc_bound(*, risk, n_samples, dimension, failure=0.05, constant=1.0):
    """``risk + sqrt(c/m (d + log(1 / failure)))`` for a class of VC-dimension d.

    Decision stumps on k features have d <= k + 1 (theorem 13). Source: barnes1999, theorem 2.
    """
    _check(n_samples=n_samples, dimension=dimension, failure=failure, constant=constant)
    interval = math.sqrt(constant / n_samples * (dimension - math.log(failure)))
    return Bound(_checked_risk(risk), interval, up_to_constant=True)


def covering_number_bound(*, margins, gamma, log_covering_number, failure=0.05):
    """``R_gamma + sqrt(8/m log(2 N / failure))``, where N covers the class at scale gamma/2 on 2m points.

    R_gamma is the share of margins <= gamma; 0 <= gamma < 1/2, chosen before the data are seen. The
    natural logarithm of N is what is given: N itself overflows. Source: barnes1999, theorem 3.
    """
    _check(failure=failure)
    distribution = MarginDistribution.of(margins)
    _check_gamma_below_half(gamma, zero_is_allowed=True)
    if not log_covering_number >= 0:
        raise ValueError(f"log_covering_number must be at least 0; got {log_covering_number!r}.")
    logs = math.log(2) + log_covering_number - math.log(failure)
    interval = math.sqrt(8 / distribution.n_samples * logs)
    return Bound(float(distribution(gamma)), interval, up_to_constant=False, gamma=gamma)


def margin_bound(*, margins, dimension, gamma=None, failure=0.05, constant=1.0):
    """``R_gamma + sqrt(c/m (d log^2(m/d) / gamma^2 + log(1 / failure)))``; for all gamma > 0 at once.

    d is the VC-dimension of the base class and must be below m. Source: barnes1999, theorem 11. The
    same theorem stands in pratap2008 as theorem 1 without the square of the logarithm; the original
    (Schapire, Freund, Bartlett and Lee 1998) has the square.
    """
    _check(dimension=dimension, failure=failure, constant=constant)
    distribution = MarginDistribution.of(margins)
    m = distribution.n_samples
    if not dimension < m:
        raise ValueError(f"dimension must be below the number of margins, {m}; got {dimension!r}.")

    def interval(gammas):
        capacity = dimension * math.log(m / dimension) ** 2 / gammas**2
        return np.sqrt(constant / m * (capacity - math.log(failure)))

    return _at_or_best(distribution, gamma, interval)


def penalised_margin_bound(*, margins, dimension, gamma=None, failure=0.05, constant=1.0):
    """``R_g + C/g sqrt(V/n) + sqrt(log(log2(2/g)) / n) + sqrt(log(2 / failure) / (2n))`` for all g in (0, 1].

    V is the VC-dimension of the base class and C the unknown constant. Source: pratap2008, theorem 2 (after
    Koltchinskii and Panchenko 2002), whose delta is our gamma and whose epsilon is our failure.
    """
    _check(dimension=dimension, failure=failure, constant=constant)
    distribution = MarginDistribution.of(margins)
    n = distribution.n_samples

    def interval(gammas):
        capacity = constant / gammas * math.sqrt(dimension / n)
        return (
            capacity + np.sqrt(np.log(np.log2(2 / gammas)) / n) + math.sqrt(math.log(2 / failure) / (2 * n))
        )

    return _at_or_best(distribution, gamma, interval)


def gamma_margin_bound(*, margins, dimension=None, gamma=None, constant=1.0):
    """``c / (n^(1 - gamma/2) delta^gamma)``, where delta is the empirical `gamma_margin`.

    Proved for gamma >= 2 (V - 1) / (2 V - 1), V the VC-dimension of the base class, which is the default; it
    is weakest at gamma = 1. Given both, a gamma below that is refused; given gamma alone, as for the
    conjecture that smaller ones hold too, it is taken at your word. Holds "with high
    probability", which the source does not quantify. ``Bound.gamma`` is delta, ``Bound.risk`` is 0.

    Source: pratap2008, theorem 3. The entropy exponent there is published as (2V - 1)/V; only 2 (V - 1)/V
    leads to the stated range of gamma.
    """
    _check(constant=constant)
    return _gamma_margin_bound(MarginDistribution.of(margins), _exponent(dimension, gamma), constant)


def delta_dimension_bound(*, margins, beta, dimension=None, gamma=None, constant=1.0):
    """The gamma-margin bound with gamma beta / (gamma + beta) in place of gamma.

    For ensembles of which ``delta^(-beta)`` hypotheses, up to a constant, hold all but delta of the vote. As beta grows
    without limit this becomes ``"gamma_margin"``; beta may be infinite. The source leaves open with which exponent its
    empirical margin is taken: we use gamma beta / (gamma + beta) throughout.

    Source: pratap2008, theorem 4.
    """
    _check(constant=constant, beta=beta)
    exponent = _exponent(dimension, gamma)
    if exponent > 0:
        exponent = 1 / (1 / exponent + 1 / beta)
    return _gamma_margin_bound(MarginDistribution.of(margins), exponent, constant)


def p_convex_hull_bound(*, margins, gamma, p, dimension, failure=0.05, constant=1.0):
    """``R_gamma + sqrt(8/m (c(p) d (2/gamma)^(2p / (2-p)) log2(2/gamma) - log2(failure)))``, 0 < p < 2.

    The margins are normalised by the p-norm; 0 < gamma < 1/2. The covering numbers of the base class grow
    as ``(1/eps)^d``. How c(p) depends on p is not known: `constant` is its value at this p, and comparing
    values of p assumes that it hardly changes. An approximation, not the theorem itself: it follows
    from ``"covering"`` and `log2_covering_number` up to a factor log 2 and an additive 1.

    Source: barnes1999, theorem 12.
    """
    _check(dimension=dimension, failure=failure, constant=constant)
    _check_gamma_below_half(gamma)
    distribution = MarginDistribution.of(margins)
    log2_number = log2_covering_number(p, gamma / 2, dimension=dimension, constant=constant)
    interval = math.sqrt(8 / distribution.n_samples * (log2_number - math.log2(failure)))
    return Bound(float(distribution(gamma)), interval, up_to_constant=True, gamma=gamma)


BOUNDS: dict[str, Callable[..., Bound]] = {
    "finite": finite_class_bound,
    "vc": vc_bound,
    "covering": covering_number_bound,
    "margin": margin_bound,
    "penalised_margin": penalised_margin_bound,
    "gamma_margin": gamma_margin_bound,
    "delta_dimension": delta_dimension_bound,
    "p_convex_hull": p_convex_hull_bound,
}


def log2_covering_number(p, scale, *, dimension, constant=1.0):
    """log2 of the covering number of a p-convex hull, ``c(p) d (1/eps)^(2p / (2-p)) log2(1/eps)``.

    Parameters
    ----------
    p : float
        0 < p < 2. The hull grows with p; towards 0 only the base class is left, ``c d log2(1/eps)``.
    scale : float
        eps, 0 < eps <= 1.
    dimension : float
        d, where the covering numbers of the base class grow as ``(1/eps)^d``.
    constant : float, default=1
        c(p), which is not known.

    Returns
    -------
    float

    References
    ----------
    - barnes1999, theorem 4, equation 2.25.

    Examples
    --------
    >>> [round(log2_covering_number(p, 0.25, dimension=3), 6) for p in (2 / 3, 1)]
    [24.0, 96.0]
    """
    _check(dimension=dimension, constant=constant)
    if not 0 < p < 2:
        raise ValueError(f"p must lie between 0 and 2, both excluded; got {p!r}.")
    if not 0 < scale <= 1:
        raise ValueError(f"scale must be positive and at most 1; got {scale!r}.")
    with np.errstate(over="ignore"):  # infinite as p approaches 2
        growth = float(np.float64(1 / scale) ** (2 * p / (2 - p)))
    return constant * dimension * growth * math.log2(1 / scale)


def _gamma_margin_bound(distribution, exponent, constant):
    if exponent == 0:  # V = 1: the margin does not matter
        return Bound(0.0, constant / distribution.n_samples, up_to_constant=True)
    delta = gamma_margin(distribution, exponent)
    value = constant / (distribution.n_samples ** (1 - exponent / 2) * delta**exponent)
    return Bound(0.0, value, up_to_constant=True, gamma=delta)


def _exponent(dimension, gamma):
    if dimension is None and gamma is None:
        raise TypeError("This bound needs dimension (the VC-dimension of the base class) or gamma.")
    if dimension is not None and not dimension >= 1:
        raise ValueError(f"dimension must be at least 1; got {dimension!r}.")
    least = 0.0 if dimension is None else 2 * (dimension - 1) / (2 * dimension - 1)
    gamma = least if gamma is None else gamma
    if not least <= gamma <= 1 or (dimension is None and gamma == 0):
        raise ValueError(f"gamma must be positive, at least {least:.4g} and at most 1; got {gamma!r}.")
    return gamma


def _at_or_best(distribution, gamma, interval):
    """The bound at one gamma in (0, 1], or the infimum over all of them."""
    if gamma is not None:
        if not 0 < gamma <= 1:
            raise ValueError(f"gamma must be positive and at most 1; got {gamma!r}.")
        return Bound(float(distribution(gamma)), float(interval(gamma)), up_to_constant=True, gamma=gamma)
    jumps = distribution.margins[(distribution.margins > 0) & (distribution.margins <= 1)]
    gammas = np.append(jumps, 1.0)
    below = distribution(np.nextafter(jumps, 0.0))  # the limit from the left
    risks = np.append(below, distribution(1.0))
    intervals = interval(gammas)
    best = int(np.argmin(risks + intervals))
    return Bound(float(risks[best]), float(intervals[best]), up_to_constant=True, gamma=float(gammas[best]))


def _check(**positive):
    for name, value in positive.items():
        if not value > 0:
            raise ValueError(f"{name} must be positive; got {value!r}.")
    if not positive.get("failure", 0.5) < 1:
        raise ValueError(f"failure must be below 1; got {positive['failure']!r}.")


def _check_gamma_below_half(gamma, zero_is_allowed=False):
    if not (0 < gamma < 0.5 or (zero_is_allowed and gamma == 0)):
        raise ValueError(f"gamma must be positive and below 1/2; got {gamma!r}.")


def _checked_risk(risk):
    if not 0 <= risk <= 1:
        raise ValueError(f"risk must lie in [0, 1]; got {risk!r}.")
    return float(risk)
