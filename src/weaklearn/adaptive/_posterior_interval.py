"""The interval of a threshold: what the posterior says, and no less than what rising curves allow.

Three things decide about the ends.

- Quantiles of the posterior. The prior favours flat curves, which makes wide intervals on most curves until the answers
  outweigh it; `tail_mass` corrects for that.
- Deviances of rising curves. For a threshold between two neighbouring levels that were asked, the likeliest rising
  curve is at most the target up to the first and at least the target from the second on; twice the logarithm of its
  likelihood ratio against the likeliest rising curve of all is the deviance of that gap. Along a plateau near the
  target it is small, however sure a posterior over smooth curves may be of a place on it. The interval holds every
  threshold whose deviance is small.
  Beyond the outermost level that was asked rising curves say nothing: there the interval goes no farther than a
  quantile of the posterior with a quarter of the tail, so that one answer does not move an end to the end of the range.
- Between two neighbouring levels at which the curve jumps nothing is known about the place of the threshold.

The numbers were chosen on the curves of ``benchmarks/threshold_tuning.py``, but for the quarter of the tail: that was
chosen among four values on the cases of ``weaklearn.studies.own.thresholds`` themselves.
"""

from math import inf, log
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

from weaklearn.adaptive._belief import quantiles
from weaklearn.monotone import Crossing, Interval

_SHARPENED, _OUTWEIGHED = 0.27, 100
# Of the quantile of chi squared: the deviance is not required to keep the confidence by itself.
_DEVIANCE_SHARE = 0.6
_STEP = 0.7  # a rise between neighbouring levels from which the curve is a step there
_BEYOND = 0.25  # of the tail, beyond the outermost level that was asked


class IntervalParts(NamedTuple):
    """What an interval of `PosteriorMinEnt` is made of.

    Attributes
    ----------
    posterior : Interval
        The middle of the posterior that `PosteriorMinEnt.density` gives, or the gap between two levels at which the
        curve jumps.
    rising : Interval or None
        The thresholds that fit the answers nearly as well as the best one if nothing is assumed but a rising curve.
        None where nothing can be said so.
    """

    posterior: Interval
    rising: Interval | None

    @property
    def whole(self):
        """The interval that holds both."""
        if self.rising is None:
            return self.posterior
        return Interval(min(self.posterior.low, self.rising.low), max(self.posterior.high, self.rising.high))


def _power(n_answers, guess_rate):
    """The power to which tails are raised: below 1 as long as the prior weighs, see `tail_mass`."""
    n_answers = n_answers * (1 - guess_rate) / (1 + guess_rate)
    return 1 - _SHARPENED / (1 + (n_answers / _OUTWEIGHED) ** 2)


def tail_mass(confidence, n_answers, guess_rate=0.0):
    """The posterior mass on each side of an interval: (1 - confidence)^k / 2, k = 1 - 0.27 / (1 + (n / 100)^2).

    For a confidence of 0.9 the quantiles enclose a mass of 0.82 after 30 answers and of 0.87 after 120. With guessing
    an answer halfway up the curve has (1 - g) / (1 + g) of the Fisher information that it has without, so it counts as
    this part of one.
    """
    return 0.5 * (1 - confidence) ** _power(n_answers, guess_rate)


def calibrated(cumulative, n_answers, guess_rate=0.0):
    """The distribution function of the threshold, corrected for the prior; the median stays.

    `tail_mass` for all confidences at once: the quantiles of the corrected distribution at t and 1 - t are those of the
    posterior at ``tail_mass(1 - 2 t)`` and one minus that.
    """
    power = 1 / _power(n_answers, guess_rate)
    below = np.minimum(cumulative, 0.5)
    above = np.minimum(1 - cumulative, 0.5)
    return np.where(cumulative <= 0.5, 0.5 * (2 * below) ** power, 1 - 0.5 * (2 * above) ** power)


def posterior_parts(model, functional, grid, weights, counts, confidence):
    """The interval in levels; ``counts`` are (levels, yes, asked), levels that were not asked included."""
    levels, yes, asked = counts
    tail = tail_mass(confidence, asked.sum(), model.guess)
    at = model.at(functional, grid)
    shares = [tail, 1 - tail, _BEYOND * tail, 1 - _BEYOND * tail]
    *ends, farthest_low, farthest_high = quantiles(weights, at, shares, grid.edges if at.ndim == 1 else None)
    u = model.unit.to_unit(levels)
    order = np.argsort(u)
    u, yes, asked = u[order], yes[order], asked[order]
    ends = _at_least_the_gap(model, grid, weights, u, ends)
    told = asked > 0
    rising = None
    if isinstance(functional, Crossing) and told.any():
        deviances = gap_deviances(yes[told], asked[told], functional.level, model.guess)
        most = _DEVIANCE_SHARE * chdtri(1, 1 - confidence)
        low, high = rising_ends(u[told], deviances, most)
        low = min(farthest_low, u[told][0]) if low == -inf else low
        high = max(farthest_high, u[told][-1]) if high == inf else high
        rising = _in_levels(model, np.clip([low, high], 0.0, 1.0))
    return IntervalParts(_in_levels(model, ends), rising)


def _in_levels(model, ends):
    ends = model.unit.from_unit(ends)
    return Interval(float(ends.min()), float(ends.max()))


def _at_least_the_gap(model, grid, weights, u, ends):
    """Both ends between two neighbouring levels ``u``, between which the curve jumps: the whole gap."""
    right = int(np.searchsorted(u, ends[0], side="right"))
    if not 0 < right < len(u) or ends[1] > u[right]:
        return ends
    rise = [float((weights * grid.column(place)[0]).sum()) for place in u[right - 1 : right + 1]]
    return u[right - 1 : right + 1] if rise[1] - rise[0] > _STEP * (1 - model.guess) else ends


def gap_deviances(yes, asked, target, floor=0.0):
    """The deviance of every gap: before the first level asked, between the first two, ..., after the last.

    Levels increase, and all of them were asked; ``floor`` is the least probability of yes, the guess rate.
    """
    no = [n - k for k, n in zip(yes, asked, strict=True)]
    below = _prefix_log_likelihoods(yes, no, floor, target)
    above = _prefix_log_likelihoods(no[::-1], yes[::-1], 0.0, 1 - target)[::-1]
    best = _prefix_log_likelihoods(yes, no, floor, 1.0)[-1]
    return 2 * np.maximum(best - np.array(below) - np.array(above), 0.0)


def _prefix_log_likelihoods(yes, no, low, high):
    """The largest log-likelihood of a rising curve between ``low`` and ``high`` on the first 0, 1, 2, ... levels.

    Pool adjacent violators: its blocks after n levels are the fit to those n levels.
    """
    blocks: list[tuple[float, float, float]] = []  # yes, no, log-likelihood of this block and all before
    found = [0.0]
    for k, m in zip(yes, no, strict=True):
        while blocks and (blocks[-1][0] * (k + m) >= k * (blocks[-1][0] + blocks[-1][1])):
            k, m = k + blocks[-1][0], m + blocks[-1][1]
            blocks.pop()
        p = min(max(k / (k + m), low), high)
        own = (k * log(p) if k else 0.0) + (m * log(1 - p) if m and p < 1 else (-inf if m else 0.0))
        blocks.append((k, m, own + (blocks[-1][2] if blocks else 0.0)))
        found.append(blocks[-1][2])
    return found


def rising_ends(u, deviances, most):
    """The places between which the deviance stays at most ``most``, interpolated between the middles of gaps.

    ``u`` are the levels asked, increasing. Beyond the outermost levels nothing is known: an end there is infinite.
    """
    places = np.concatenate([u[:1], 0.5 * (u[1:] + u[:-1]), u[-1:]])
    # The likeliest curve of all crosses the target in some gap, whose deviance is 0 but for rounding.
    good = np.flatnonzero(deviances <= max(most, deviances.min()))
    first, last = good[0], good[-1]
    low = -inf if first == 0 else _crossing(places, deviances, first, first - 1, most)
    high = inf if last == len(u) else _crossing(places, deviances, last, last + 1, most)
    return low, high


def _crossing(places, deviances, inner, outer, most):
    """Where the deviance passes ``most`` on the way from one gap to the next."""
    share = (most - deviances[inner]) / (deviances[outer] - deviances[inner])
    return float(places[inner] + max(share, 0.0) * (places[outer] - places[inner]))
