"""A simulated observer with a known threshold, for demonstrations and plans."""

import math
from collections.abc import Callable

import numpy as np

from weaklearn.adaptive import SAMPLERS, guess_rate_of, suggested_scale
from weaklearn.monotone import Crossing
from weaklearn.thresholds._options import FieldErrors
from weaklearn.thresholds._setup import Setup

__all__ = ["Observer", "observer_for"]

# Where nothing is said: neither in the middle nor at a level, and as steep as trained people are.
_PLACE, _SPREAD, _LAPSE = 0.43, 0.05, 0.02


class Observer:
    """Says yes with a probability that is logistic in the level, or in its logarithm.

    Parameters
    ----------
    threshold : float
        Where the probability is halfway between guessing and lapsing.
    spread : float
        The scale of the logistic curve: in units of the levels, or of their natural logarithm.
    guess, lapse : float
    log, increasing : bool
    """

    def __init__(self, threshold, spread, guess, lapse, log, increasing):
        self.threshold, self.spread, self.guess, self.lapse = threshold, spread, guess, lapse
        self.log, self.increasing = log, increasing

    def __call__(self, levels):
        """The probability of yes."""
        x = np.asarray(levels, dtype=float)
        away = np.log(x / self.threshold) if self.log else x - self.threshold
        rise = 0.5 * (1 + np.tanh((1 if self.increasing else -1) * away / (2 * self.spread)))
        return self.guess + (1 - self.guess - self.lapse) * rise

    def answers(self, seed: int) -> Callable[[float], bool]:
        """A function of the level that gives random answers, from a seed of its own."""
        rng = np.random.default_rng([seed, 1])
        return lambda level: bool(rng.random() < float(self(level)))

    def threshold_of(self, functional, low: float, high: float) -> float:
        """The true threshold; that of a crossing may lie outside the levels from ``low`` to ``high``."""
        return (
            self.level_of(functional.level)
            if isinstance(functional, Crossing)
            else functional(self, low, high)
        )

    def level_of(self, target: float) -> float:
        """The true threshold for a target, infinite where the curve does not reach it."""
        share = (target - self.guess) / (1 - self.guess - self.lapse)
        if not 0 < share < 1:
            return math.inf
        away = self.spread * math.log(share / (1 - share)) * (1 if self.increasing else -1)
        return self.threshold * math.exp(away) if self.log else self.threshold + away


def observer_for(setup: Setup) -> Observer:
    """The observer for these settings; what is not given is chosen from the range of the levels."""
    low, high = setup.levels[0], setup.levels[-1]
    threshold, spread, scale = setup.truth, setup.spread, setup.params.get("scale")
    if scale is None and SAMPLERS[setup.sampler].takes("scale"):
        scale = suggested_scale(setup.levels)
    log = scale == "log"
    if threshold is None:
        threshold = low * (high / low) ** _PLACE if log else low + _PLACE * (high - low)
    if log and threshold <= 0:
        raise FieldErrors({"truth": f"on a log scale a threshold is positive, got {threshold:g}"})
    if spread is None:
        spread = _SPREAD * (math.log(high / low) if log else high - low)
    guess = guess_rate_of(setup.task) if setup.task else 0.0
    return Observer(threshold, spread, guess, _LAPSE, log, setup.increasing)
