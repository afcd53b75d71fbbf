"""Weighted isotonic regression: MonotoneFit, and HybridFit, whose least jumps come from a logistic fit."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor, unit_scale
from weaklearn.monotone._intervals import isotonic


@documented
class MonotoneFit(MonotoneRegressor):
    r"""The monotone curve closest to the data (isotonic regression, the thesis's MonFit).

    Minimises :math:`\sum_i m_i (\mu_i - y_i)^2` subject to :math:`\mu_1 \le \dots \le \mu_N`. The solution is
    unique,

    .. math:: \mu_i = \max_{s \le i} \min_{t \ge i} \frac{\sum_{j=s}^t m_j y_j}{\sum_{j=s}^t m_j},

    and for shares of yes answers it is also the monotone curve of largest likelihood. It is computed in linear
    time by pooling adjacent violators.

    References
    ----------
    pratap2008, section 3.2.2, equations (3.1) and (3.2).

    Examples
    --------
    >>> from weaklearn.monotone import Crossing
    >>> fit = MonotoneFit().fit([1, 2, 3, 4], [0.0, 1.0, 0.5, 1.0], sample_weight=[1, 1, 2, 1])
    >>> fit.values_
    array([0.        , 0.66666667, 0.66666667, 1.        ])
    >>> fit.threshold(Crossing(0.5))
    1.75
    """

    def _rising_values(self, x, y, m):
        return isotonic(x, y, m)


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

    def _rising_values(self, x, y, m):
        from weaklearn._fast.isotonic import hybrid_rows

        out = np.empty(y.shape)
        hybrid_rows(unit_scale(x), y, m, out)
        return out
