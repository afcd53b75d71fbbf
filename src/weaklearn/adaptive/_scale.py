"""The scale on which levels are equally far apart: as they are, or by their logarithms."""

import numpy as np

__all__ = ["SCALES", "UnitScale", "suggested_scale"]

SCALES = ("linear", "log")
# Levels farther away than this many ranges are all the same, and curves stay within float32.
_FAR = 1e9


class UnitScale:
    """From levels to u in [0, 1] and back: u is 0 at one end of the levels and 1 at the end where yes is likelier.

    Parameters
    ----------
    low, high : float
        The first and the last level.
    scale : {"linear", "log"}
    increasing : bool
    """

    def __init__(self, low, high, scale, increasing):
        if scale not in SCALES:
            raise ValueError(f"scale must be one of {', '.join(map(repr, SCALES))}, got {scale!r}")
        if scale == "log" and low <= 0:
            raise ValueError(f"scale='log' needs positive levels; the smallest is {low:g}")
        self._log, self._increasing = scale == "log", increasing
        self._start, end = self._plain(np.array([low, high]))
        self._width = end - self._start

    def _plain(self, x):
        return np.log(x) if self._log else x

    def to_unit(self, x):
        """u of levels; on a logarithmic scale they must be positive."""
        x = np.asarray(x, dtype=float)
        if self._log and (x <= 0).any():
            raise ValueError(f"scale='log' needs positive levels, got {x.min():g}")
        with np.errstate(over="ignore"):
            u = np.clip((self._plain(x) - self._start) / self._width, -_FAR, _FAR)
        return u if self._increasing else 1 - u

    def from_unit(self, u):
        """The levels at ``u``, which may lie beyond the ends."""
        u = np.asarray(u, dtype=float)
        plain = self._start + self._width * (u if self._increasing else 1 - u)
        return np.exp(plain) if self._log else plain


def suggested_scale(levels):
    """ "log" if the levels are positive, span a factor of eight or more and are spaced evenly in the logarithm.

    Examples
    --------
    >>> suggested_scale([1, 2, 4, 8, 16]), suggested_scale([1, 2, 3, 4])
    ('log', 'linear')
    """
    levels = np.unique(np.asarray(levels, dtype=float))
    if len(levels) < 4 or levels[0] <= 0 or levels[-1] < 8 * levels[0]:
        return "linear"
    # How uneven the steps are: levels rounded for a device (1, 2, 5, 10, 20, 50) are still logarithmic.
    uneven = [np.std(steps) / np.mean(steps) for steps in (np.diff(levels), np.diff(np.log(levels)))]
    return "log" if uneven[1] < 0.5 * uneven[0] else "linear"
