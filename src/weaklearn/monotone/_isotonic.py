"""MonotoneFit: weighted isotonic regression."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor

__all__ = ["MonotoneFit"]


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

    def __init__(self, *, increasing=True, interpolation="linear"):
        self.increasing = increasing
        self.interpolation = interpolation

    def _rising_values(self, x, y, m):
        from weaklearn._fast.isotonic import isotonic_rows

        out = np.empty(y.shape)
        isotonic_rows(x, y, m, out)
        return out
