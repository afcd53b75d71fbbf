"""Does the threshold move during the experiment?

The still posterior is compared with curves whose threshold makes a normal step between any two answers: three sizes of
steps, equally likely. The ratio of the probabilities of all answers so far is a Bayes factor; with prior odds of 1 to
10, a factor of 10 makes a drift as probable as none. If one of the still hypotheses is true and drawn from the prior,
the factor is a martingale, so it ever exceeds b with a probability of at most 1 / b, however often it is looked at.
"""

from math import floor, log10
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logsumexp

from weaklearn.monotone import Interval

_STEPS = (0.01, 0.02, 0.04)  # standard deviations per answer, as shares of the range
_PRIOR_ODDS = 0.1


class Drift(NamedTuple):
    """A threshold that seems to have moved.

    Attributes
    ----------
    start : float
        Where the threshold was at the first answer, judged by all answers.
    now : float
        Where it was at the last answer.
    interval : Interval
        The 90% interval of ``now``.
    probability : float
        The probability that it has moved.
    n_answers : int
        The number of answers after which this probability first exceeded 0.5.
    """

    start: float
    now: float
    interval: Interval
    probability: float
    n_answers: int

    @property
    def message(self):
        """What that means, as a sentence or two."""
        sure = f"{self.probability:.0%}" if self.probability < 0.995 else "over 99%"
        # Two digits of the interval's width, as beside every estimate.
        decimals = max(1 - floor(log10(self.interval.width)), 0) if self.interval.width > 0 else 6
        start, now, low, high = (f"{x:.{decimals}f}" for x in (self.start, self.now, *self.interval))
        return (
            f"The threshold seems to have moved from about {start} to about {now} (probability {sure}, noticed after "
            f"answer {self.n_answers}). The estimate takes all answers together; the estimate of now is {now} (90% "
            f"interval {low} to {high})."
        )

    def to_dict(self):
        """As JSON data: start, now, low and high (the interval of now), and probability."""
        low, high = self.interval
        return {
            "start": self.start,
            "now": self.now,
            "low": low,
            "high": high,
            "probability": self.probability,
        }


class DriftFilter:
    """The weights of still and of moving hypotheses, answer by answer.

    Parameters
    ----------
    grid : Hypotheses
        Of the whole range; it has ``tau``, ``edges`` and ``log_prior``.
    steps : tuple of float
        The standard deviations of a step of the threshold, on the unit scale.
    """

    def __init__(self, grid, steps=_STEPS):
        prior = np.exp(grid.log_prior - grid.log_prior.max())
        self._prior = prior / prior.sum()
        # Column j: where a threshold of cell j goes.
        self._kernels = np.stack([_kernel(grid, step) for step in steps])
        self._still, self._moving = self._prior, np.stack([self._prior] * len(steps))
        self._log_still, self._log_moving = 0.0, np.zeros(len(steps))
        self.probabilities: list[float] = []  # that the threshold moves, after every answer

    def add(self, likelihood):
        """Take one answer, whose probability under every hypothesis is ``likelihood`` (cells, shapes)."""
        moved = np.matmul(self._kernels, self._moving) if self.probabilities else self._moving
        self._still, total = _updated(self._still, likelihood)
        self._moving, totals = _updated(moved, likelihood)
        self._log_still += float(np.log(total))
        self._log_moving = self._log_moving + np.log(totals).ravel()
        log_factor = logsumexp(self._log_moving - self._log_still) - np.log(len(self._log_moving))
        self.probabilities.append(float(expit(log_factor + np.log(_PRIOR_ODDS))))

    @property
    def probability(self):
        """That the threshold moves, after all answers so far."""
        return self.probabilities[-1] if self.probabilities else _PRIOR_ODDS / (1 + _PRIOR_ODDS)

    @property
    def noticed(self):
        """The number of answers after which the probability first exceeded 0.5, or None."""
        return next((n for n, p in enumerate(self.probabilities, 1) if p > 0.5), None)

    def _mixed(self, weights):
        """The three sizes of steps together, each weighted by what the answers say about it."""
        share = np.exp(self._log_moving - self._log_moving.max())
        return np.tensordot(share / share.sum(), weights, axes=1)

    def now(self):
        """The weights (cells, shapes) of the last answer's curve, if the threshold moves."""
        return self._mixed(self._moving)

    def start(self, likelihoods):
        """The weights of the first answer's curve, given all answers: ``likelihoods`` is the list of those added."""
        later = np.ones_like(self._moving)
        for likelihood in likelihoods[:0:-1]:
            later = np.matmul(self._kernels.transpose(0, 2, 1), later * likelihood)
            later /= later.max(axis=(1, 2), keepdims=True)
        return self._mixed(_updated(self._prior * likelihoods[0], later)[0])


def _kernel(grid, step):
    distance = (grid.tau[:, None] - grid.tau) / step
    kernel = np.exp(-0.5 * distance**2) * np.diff(grid.edges)[:, None]
    return kernel / kernel.sum(axis=0)


def _updated(weights, likelihood):
    """Weights that sum to 1 over cells and shapes, and the sums before."""
    weights = weights * likelihood
    total = weights.sum(axis=(-2, -1), keepdims=True)
    return weights / total, total.squeeze()
