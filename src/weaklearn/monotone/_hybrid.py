"""HybridFit: isotonic regression whose least jumps come from a logistic fit."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor

__all__ = ["HybridFit"]


@documented
class HybridFit(MonotoneRegressor):
    r"""Isotonic regression that must rise at least a little everywhere, by how much a logistic fit says.

    With d the smallest slope of the logistic fit between neighbouring levels,

    .. math:: \delta_i = d\,(x_{i+1} - x_i) / \max(1, m_i), \qquad i = 1, \dots, N - 1,

    are the least jumps: the values solve `BoundedJumpRegression` with these lower bounds, none at the two ends, and
    no upper bounds. That is the isotonic fit of :math:`y_i - S_i`, :math:`S_i = \sum_{t<i} \delta_t`, clipped to
    :math:`[0, 1 - \sum_t \delta_t]`, plus :math:`S_i`. As the samples grow the least jumps vanish, and the fit
    becomes `MonotoneFit`.

    Notes
    -----
    Algorithm 5 as published sums the jumps up to i (which would shift the first level), takes a jump beyond the last
    level, and fits y where its y_new is meant; this is the consistent reading. Weights below 1 count as 1 in the
    least jumps, or these could add up to more than the whole rise.

    References
    ----------
    pratap2008, sections 3.3.2 and 3.3.3, Algorithm 5.

    Examples
    --------
    >>> fit = HybridFit().fit([0.2, 0.4, 0.6, 0.8], [0.0, 0.5, 0.5, 1.0], sample_weight=[2, 2, 2, 2])
    >>> bool((fit.values_[1:] > fit.values_[:-1]).all())  # no flat stretch
    True
    >>> round(fit.threshold(), 3)
    0.5
    """

    _needs_shares = True

    def __init__(self, *, increasing=True, interpolation="linear"):
        self.increasing = increasing
        self.interpolation = interpolation

    def _rising_values(self, x, y, m):
        from weaklearn._fast.isotonic import hybrid_rows

        out = np.empty(y.shape)
        hybrid_rows(unit_scale(x), y, m, out)
        return out


def unit_scale(x):
    """Levels mapped to [0, 1] (to [0] if there is one): steps in the log-odds then have a common scale."""
    return (x - x[0]) / ((x[-1] - x[0]) or 1.0)
