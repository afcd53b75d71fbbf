"""Several observers: the mean and the spread of their thresholds, by a hierarchical model.

The threshold of observer i is drawn from a normal distribution with mean mu and standard deviation sigma, on the scale
of the levels or of their logarithms. What the answers of one observer say about his or her threshold is a likelihood on
the cells of the posterior (the mass of a cell over its prior), so for every mu and sigma the probability of all answers
is a product of sums. Mu and sigma lie on a grid; their prior is even.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.monotone import Interval

_N_MEANS, _N_SPREADS = 121, 60
_N_ROUNDS, _ONE_PRIOR = 12, 1.0
_LEAST_SPREAD, _LARGEST_SPREAD = 0.002, 0.5  # of the range of all levels


class Observer(NamedTuple):
    """One observer of a `Population`.

    Attributes
    ----------
    n_answers : int
    estimate : float
        From his or her answers alone.
    shrunk : float
        The posterior mean, given all observers: nearer to the mean of all, the less is known about this one.
    interval : Interval
        The interval around it.
    """

    n_answers: int
    estimate: float
    shrunk: float
    interval: Interval


class Population(NamedTuple):
    """Mean and spread of the thresholds of several observers; made by `population`.

    Attributes
    ----------
    mean : float
        The mean threshold; of levels on a log scale the geometric mean.
    mean_interval : Interval
    spread : float
        The standard deviation of thresholds between observers, in levels; on a log scale the factor that belongs to one
        standard deviation.
    spread_interval : Interval
    averaged : (float, float)
        Mean and spread as plain averages of the single estimates. This spread holds the error of measurement as well.
    scale : {"linear", "log"}
    confidence : float
    observers : list of Observer
    """

    mean: float
    mean_interval: Interval
    spread: float
    spread_interval: Interval
    averaged: tuple[float, float]
    scale: str
    confidence: float
    observers: list[Observer]

    def to_dict(self):
        """As JSON data."""
        found = self._asdict()
        for name in ("mean_interval", "spread_interval", "averaged"):
            found[name] = [float(end) for end in found[name]]
        found["observers"] = [
            {**one._asdict(), "interval": [float(end) for end in one.interval]} for one in self.observers
        ]
        return found


def population(sessions, functional=None, *, confidence=0.9):
    """The mean and the spread of the thresholds of several observers.

    The standard deviation of single estimates holds the error of measurement as well, so it is too large on average;
    the hierarchical estimate (posterior mean of the mean, posterior median of the spread) takes it out and has
    intervals. docs/thresholds.md compares the errors of both, which are not always smaller.

    Parameters
    ----------
    sessions : list of Session or PosteriorMinEnt
        One for each observer, two or more; all on the same scale and in the same direction. Levels may differ.
    functional : callable, default=None
        A `Crossing`; None is the first functional of each.
    confidence : float, default=0.9

    Returns
    -------
    Population

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.adaptive import PosteriorMinEnt
    >>> observers = [
    ...     PosteriorMinEnt([1, 2, 3, 4, 5]).tell(place, [0, 0, 0]).tell(place + 1, [1, 1, 1]) for place in (1, 2, 2, 3)
    ... ]
    >>> found = population(observers)
    >>> 2 < found.mean < 3
    True
    >>> found.mean_interval.low < 2.5 < found.mean_interval.high
    True
    """
    samplers = [getattr(one, "sampler", one) for one in sessions]
    if len(samplers) < 2:
        raise ValueError(f"a population needs at least two observers, got {len(samplers)}")
    if not all(isinstance(one, PosteriorMinEnt) for one in samplers):
        raise ValueError("a population needs sessions of PosteriorMinEnt, whose posteriors are combined")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
    kinds = {(one.scale, bool(one.increasing)) for one in samplers}
    targets = {one._functionals()[0] if functional is None else functional for one in samplers}
    if len(kinds) > 1 or len(targets) > 1:
        raise ValueError("the observers of a population must have the same target, scale and direction")
    (log, _), (target,) = kinds.pop(), targets
    log = log == "log"
    to_scale, to_levels = (np.log, np.exp) if log else (np.asarray, np.asarray)

    def in_levels(x):  # of a spread: the factor that belongs to it
        return float(to_levels(x))

    ends = to_scale([one._range() for one in samplers])
    first, last = ends.min(), ends.max()
    parts = [_likelihood(one, target, log) for one in samplers]
    means = np.linspace(first - 0.2 * (last - first), last + 0.2 * (last - first), _N_MEANS)
    spreads = (last - first) * np.geomspace(_LEAST_SPREAD, _LARGEST_SPREAD, _N_SPREADS)
    chances = [_chances(edges, means[:, None], spreads) for edges, _, _ in parts]
    weights, likelihoods = _fitted(parts, chances, spreads)
    tail = 0.5 * (1 - confidence)
    low, high = _quantiles(means, weights.sum(axis=1), [tail, 1 - tail])
    middle = means @ weights.sum(axis=1)
    least, spread, most = _quantiles(spreads, weights.sum(axis=0), [tail, 0.5, 1 - tail])
    own = np.array([float(one.estimate(target)) for one in samplers])
    plain = to_scale(own)
    observers = []
    rows = zip(samplers, own, parts, likelihoods, chances, strict=True)
    for sampler, estimate, (edges, _, _), likelihood, chance in rows:
        # Given the others too: all pairs of mu and sigma, each with what is left of the cells.
        joint = chance * likelihood
        mass = np.tensordot(weights, joint / (joint.sum(axis=-1, keepdims=True) + 1e-300), 2)
        inner = np.concatenate([[2 * edges[1] - edges[2]], edges[1:-1], [2 * edges[-2] - edges[-3]]])
        middles = 0.5 * (inner[1:] + inner[:-1])
        cumulative = np.concatenate([[0.0], np.cumsum(mass)]) / mass.sum()
        interval = Interval(*to_levels(np.interp([tail, 1 - tail], cumulative, inner)).tolist())
        shrunk = in_levels(middles @ mass / mass.sum())
        observers.append(Observer(len(sampler.history), float(estimate), shrunk, interval))
    return Population(
        in_levels(middle),
        Interval(in_levels(low), in_levels(high)),
        in_levels(spread),
        Interval(in_levels(least), in_levels(most)),
        (in_levels(plain.mean()), in_levels(plain.std(ddof=1))),
        "log" if log else "linear",
        float(confidence),
        observers,
    )


def _likelihood(sampler, functional, log):
    """(edges of cells, likelihood in each cell for every shape, prior of the shapes).

    Edges are levels or their logarithms, increasing, and go to infinity at both ends.
    """
    model = sampler._model()
    grid, weights = sampler._own()
    if model.at(functional, grid).ndim == 2:
        raise ValueError("a population is looked for at the target of the sessions' first functional")
    likelihood = weights / np.exp(grid.log_prior)
    prior = np.exp(grid.log_prior).sum(axis=0)
    edges = model.unit.from_unit(grid.edges)
    edges = np.log(edges) if log else edges.copy()
    if edges[0] > edges[-1]:
        edges, likelihood = edges[::-1], likelihood[::-1]
    edges[0], edges[-1] = -np.inf, np.inf
    return edges, likelihood / likelihood.max(), prior / prior.sum()


def _fitted(parts, chances, spreads, rounds=_N_ROUNDS):
    """The weights of all pairs of mu and sigma, and the likelihood of the cells of every observer.

    Observers do the same task, so their curves are alike: the prior of the shapes is estimated from all of them (EM),
    starting from the usual one, which counts like `_ONE_PRIOR` observers.
    """
    pooled = {
        len(prior): prior for _, _, prior in parts
    }  # levels of different spacing have shapes of their own
    for _ in range(rounds):
        likelihoods = [likelihood @ pooled[len(prior)] for _, likelihood, prior in parts]
        # The even prior of sigma on this grid: cells grow with sigma.
        total = np.log(spreads) + np.zeros((len(chances[0]), 1))
        for likelihood, chance in zip(likelihoods, chances, strict=True):
            total = total + np.log(chance @ likelihood + 1e-300)
        weights = np.exp(total - total.max())
        weights /= weights.sum()
        sums = {len(prior): _ONE_PRIOR * prior for _, _, prior in parts}
        for (_, likelihood, prior), chance in zip(parts, chances, strict=True):
            share = np.tensordot(weights, chance, 2) @ likelihood * pooled[len(prior)]
            sums[len(prior)] = sums[len(prior)] + share / share.sum()
        pooled = {n: one / one.sum() for n, one in sums.items()}
    return weights, likelihoods


def _chances(edges, means, spreads):
    """The probability of every cell (last axis) for all means and spreads."""
    return np.diff(ndtr((edges - means[..., None]) / spreads[:, None]), axis=-1)


def _quantiles(places, mass, shares):
    cumulative = np.cumsum(mass) - 0.5 * mass
    return np.interp(shares, cumulative, places)
