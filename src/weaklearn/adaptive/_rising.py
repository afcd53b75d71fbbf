"""How well answers agree with a threshold if nothing is assumed but a rising curve.

For a threshold between two neighbouring levels that were asked, the likeliest rising curve is at most the target up to
the first and at least the target from the second on. Twice the logarithm of its likelihood ratio against the likeliest
rising curve of all is the deviance of that gap. Along a plateau near the target it is small, however sure a posterior
over smooth curves may be of a place on it.
"""

from math import inf, log

import numpy as np

__all__ = ["gap_deviances", "rising_ends"]


def gap_deviances(yes, asked, target, floor=0.0):
    """The deviance of every gap: before the first level asked, between the first two, ..., after the last.

    Parameters
    ----------
    yes, asked : sequences of float
        Counts at increasing levels, all of them asked.
    target : float
    floor : float, default=0
        The least probability of yes: the guess rate.

    Returns
    -------
    ndarray of shape (len(yes) + 1,)
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
