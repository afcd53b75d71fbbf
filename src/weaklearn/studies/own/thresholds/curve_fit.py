"""The fit that psychophysicists make of answers that are there already, as psignifit does by default.

A cumulative normal curve with a known guess rate; threshold, width and lapse rate where their likelihood times a prior
of the lapse rate, Beta(1, 10), is largest, on a grid. The interval is that of the profile likelihood. psignifit itself
also has priors of threshold and width, which matter where there are few answers.
"""

from functools import lru_cache

import numpy as np
from scipy.special import chdtri, ndtr, ndtri

_PLACES = np.linspace(-0.25, 1.25, 181)
_WIDTHS = np.geomspace(0.004, 2.0, 28)
_LAPSES = np.array([0.0, 0.01, 0.02, 0.04, 0.06, 0.1])
_MOST_LEVELS = 64


class NormalFit:
    """The threshold at ``target`` by a fit to levels on [0, 1]."""

    def __init__(self, target, guess_rate):
        self.target, self.guess_rate = target, guess_rate

    def fit(self, levels, outcomes, confidence=0.9):
        """(threshold, low, high)."""
        x, place = np.unique(np.round(levels, 9), return_inverse=True)
        asked = np.bincount(place).astype(float)
        yes = np.bincount(place, np.asarray(outcomes, dtype=float))
        total = (9 * np.log1p(-_LAPSES))[:, None, None] + np.zeros((1, len(_WIDTHS), len(_PLACES)))
        for at, k, n in zip(x, yes, asked, strict=True):
            log_p, log_q = _logs(float(at), self.target, self.guess_rate)
            total = total + k * log_p + (n - k) * log_q
        profile = total.max(axis=(0, 1))
        good = np.flatnonzero(2 * (profile.max() - profile) <= chdtri(1, 1 - confidence))
        # Where answers are perfectly separated many places are equally good: the middle of them.
        best = np.flatnonzero(profile >= profile.max() - 1e-9)
        return _PLACES[best].mean(), _PLACES[good[0]], _PLACES[good[-1]]


@lru_cache(maxsize=_MOST_LEVELS)
def _logs(x, target, guess_rate):
    """The logarithms of p and 1 - p at ``x``: (lapses, widths, places)."""
    span = 1 - guess_rate - _LAPSES[:, None, None]
    p = guess_rate + span * ndtr((x - _PLACES) / _WIDTHS[:, None] + ndtri((target - guess_rate) / span))
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p), np.log1p(-p)
