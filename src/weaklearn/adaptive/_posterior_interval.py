"""The interval of a threshold: what the posterior says, and no less than what rising curves allow.

Three things decide about the ends.

- Quantiles of the posterior. The prior favours flat curves, which makes wide intervals on most curves until the answers
  outweigh it; `tail_mass` corrects for that.
- The deviances of `_rising`: where a curve has a plateau near the target, the posterior over curves, most of which have
  none, is too sure of its place on it. The interval holds every threshold whose deviance is small.
- Between two neighbouring levels at which the curve jumps nothing is known about the place of the threshold.

The numbers were chosen on the curves of ``benchmarks/threshold_tuning.py``.
"""

import numpy as np
from scipy.special import chdtri

from weaklearn.adaptive._belief import quantiles
from weaklearn.adaptive._rising import gap_deviances, rising_ends
from weaklearn.monotone import Crossing

__all__ = ["posterior_ends", "tail_mass"]

_SHARPENED, _OUTWEIGHED = 0.27, 100
# Of the quantile of chi squared: the deviance is not required to keep the confidence by itself.
_DEVIANCE_SHARE = 0.6
_STEP = 0.7  # a rise between neighbouring levels from which the curve is a step there


def tail_mass(confidence, n_answers, guess_rate=0.0):
    """The posterior mass on each side of an interval: (1 - confidence)^k / 2, k = 1 - 0.27 / (1 + (n / 100)^2).

    For a confidence of 0.9 the quantiles enclose a mass of 0.82 after 30 answers and of 0.87 after 120. With guessing
    an answer halfway up the curve has (1 - g) / (1 + g) of the Fisher information that it has without, so it counts as
    this part of one.
    """
    n_answers = n_answers * (1 - guess_rate) / (1 + guess_rate)
    power = 1 - _SHARPENED / (1 + (n_answers / _OUTWEIGHED) ** 2)
    return 0.5 * (1 - confidence) ** power


def posterior_ends(model, functional, grid, weights, counts, confidence):
    """The ends in levels, (low, high).

    Parameters
    ----------
    model : CurveModel
    functional : callable
    grid, weights
        Hypotheses and their weights, one table.
    counts : (levels, yes, asked)
        Levels that were not asked included.
    confidence : float
    """
    levels, yes, asked = counts
    tail = tail_mass(confidence, asked.sum(), model.guess)
    at = model.at(functional, grid)
    ends = quantiles(weights, at, [tail, 1 - tail], grid.edges if at.ndim == 1 else None)
    u = model.unit.to_unit(levels)
    order = np.argsort(u)
    u, yes, asked = u[order], yes[order], asked[order]
    ends = _at_least_the_gap(model, grid, weights, u, ends)
    told = asked > 0
    if isinstance(functional, Crossing) and told.any():
        deviances = gap_deviances(yes[told], asked[told], functional.level, model.guess)
        most = _DEVIANCE_SHARE * chdtri(1, 1 - confidence)
        low, high = np.clip(rising_ends(u[told], deviances, most), 0.0, 1.0)
        ends = np.array([min(ends[0], low), max(ends[1], high)])
    ends = model.unit.from_unit(ends)
    return float(ends.min()), float(ends.max())


def _at_least_the_gap(model, grid, weights, u, ends):
    """Both ends between two neighbouring levels ``u``, between which the curve jumps: the whole gap."""
    right = int(np.searchsorted(u, ends[0], side="right"))
    if not 0 < right < len(u) or ends[1] > u[right]:
        return ends
    rise = [float((weights * grid.column(place)[0]).sum()) for place in u[right - 1 : right + 1]]
    return u[right - 1 : right + 1] if rise[1] - rise[0] > _STEP * (1 - model.guess) else ends
