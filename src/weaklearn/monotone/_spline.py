"""SplineFit: least squares with a smooth rising spline (Ramsay's I-splines)."""

from numbers import Integral

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import nnls
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor


@documented
class SplineFit(MonotoneRegressor):
    r"""The monotone spline closest to the data: smooth, and of any rising shape.

    Minimises :math:`\sum_i m_i (f(x_i) - y_i)^2` over :math:`f = a + \sum_j b_j I_j`, :math:`b_j \ge 0`. The I-spline
    :math:`I_j = \sum_{l \ge j} B_l` rises from 0 to 1; the :math:`B_l` are B-splines with knots at quantiles of the
    levels. The curve stays between the least and the largest mean answer of a level, as that of `MonotoneFit` does; so
    shares have a curve in [0, 1]. With ``degree=1, n_knots=None`` it is `MonotoneFit`.

    It is one non-negative least squares problem. With answers scaled to [0, 1] and a function 0 added, f is an
    average of functions: weights w on the simplex. Since these add up to 1, the distance is :math:`|(A - y 1^T) w|`,
    and the point of a simplex closest to 0 is the solution of :math:`\min_{v \ge 0} |(A - y 1^T) v|^2 + (1^T v - 1)^2`
    divided by its sum.

    Parameters
    ----------
    n_knots : int or None, default=3
        Interior knots, at most as many as leave one coefficient for each level; None is that many.
    degree : int, default=3
        Of the polynomials between knots; 1 is a broken line. Less if there are fewer than degree + 1 levels.
    interpolation : {"linear", "cubic"}, default="linear"
        Not used: the curve is known everywhere. Present so that all fits have the same parameters.

    Attributes
    ----------
    knots_, coefficients_ : ndarray
        Of the B-splines, in -x if the curve falls; the coefficients increase.
    spline_ : scipy.interpolate.BSpline
        The curve between the first and the last level, of -x if it falls.

    References
    ----------
    - J. O. Ramsay, *Monotone regression splines in action*, Statistical Science 3 (1988).
    - pratap2008, section 3.2.2, names it as a way to interpolate `MonotoneFit`.

    Examples
    --------
    >>> fit = SplineFit().fit([1, 2, 3, 4, 5, 6], [0.0, 0.3, 0.2, 0.6, 1.0, 0.9])
    >>> fit.values_.round(2)
    array([0.01, 0.19, 0.34, 0.61, 0.87, 0.98])
    >>> round(fit.threshold(), 2)
    3.61
    """

    _parameter_constraints: dict = {
        **MonotoneRegressor._parameter_constraints,
        "n_knots": [Interval(Integral, 0, None, closed="left"), None],
        "degree": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_knots=3, degree=3, *, increasing=True, interpolation="linear"):
        self.n_knots = n_knots
        self.degree = degree
        super().__init__(increasing=increasing, interpolation=interpolation)

    def _fit_levels(self):
        rows = self._rising(self.levels_, self.observed_[None, :], self.counts_[None, :])
        spline = next(self._rising_splines(*rows))
        self.knots_, self.coefficients_ = spline.t, spline.c
        self.values_ = self._curve(self.levels_)

    def _rising_splines(self, x, y, m):
        """One spline for each row."""
        bases: dict[bytes, tuple] = {}
        for shares, counts in zip(y, m, strict=True):
            sampled = counts > 0
            key = sampled.tobytes()
            if key not in bases:
                bases[key] = self._basis(x[sampled])
            knots, degree, rising = bases[key]
            steps = _rising_steps(rising, shares[sampled], counts[sampled])
            yield BSpline(knots, np.cumsum(steps), degree)

    def _basis(self, x):
        """Knots, degree, and the I-splines at the levels; the first is 1 everywhere."""
        degree = min(int(self.degree), len(x) - 1)
        most = len(x) - degree - 1
        n_knots = most if self.n_knots is None else min(self.n_knots, most)
        inner = np.quantile(x, np.linspace(0, 1, n_knots + 2)[1:-1])
        ends = (x[0], x[-1]) if len(x) > 1 else (x[0], np.nextafter(x[0], np.inf))
        knots = np.concatenate([np.full(degree + 1, ends[0]), inner, np.full(degree + 1, ends[1])])
        each = BSpline.design_matrix(x, knots, degree).toarray()
        return knots, degree, np.cumsum(each[:, ::-1], axis=1)[:, ::-1]

    def _at(self, spline, x):
        return _clipped(spline, x if self.increasing else -x)

    def _rising_values(self, x, y, m):
        return np.array([_clipped(spline, x) for spline in self._rising_splines(x, y, m)])

    def threshold_many(self, x, y, sample_weight, functional, bounds=None):
        """As `MonotoneRegressor.threshold_many`, one spline after the other."""
        low, high = bounds if bounds is not None else (x[0], x[-1])
        splines = self._rising_splines(*self._rising(x, y, sample_weight))
        return np.array([functional(lambda at, one=one: self._at(one, at), low, high) for one in splines])

    def _threshold(self, functional, low, high):
        return functional(self._curve, low, high)

    @property
    def spline_(self):
        """The curve between the first and the last level as a `scipy.interpolate.BSpline`, of -x if it falls."""
        return BSpline(self.knots_, self.coefficients_, len(self.knots_) - len(self.coefficients_) - 1)

    def _curve(self, x):
        return self._at(self.spline_, x)

    def _many_curves(self, x, y, m):
        splines = self._rising_splines(*self._rising(self.levels_, y, m))
        return np.array([self._at(spline, x) for spline in splines])


def _clipped(spline, x):
    """The spline, constant beyond its ends."""
    return spline(np.clip(x, spline.t[0], spline.t[-1]))


def _rising_steps(rising, y, m):
    """First value and rises of the B-spline coefficients of least squared distance, between min y and max y."""
    low, width = y.min(), np.ptp(y)
    if width == 0:
        return np.concatenate([[low], np.zeros(rising.shape[1] - 1)])
    # The last column is the function 0: its weight is what is missing to the largest value.
    away = np.column_stack([rising, np.zeros(len(y))]) - ((y - low) / width)[:, None]
    system = np.vstack([np.sqrt(m / m.sum())[:, None] * away, np.ones(away.shape[1])])
    found = nnls(system, np.append(np.zeros(len(y)), 1.0))[0]
    steps = width * found[:-1] / found.sum()
    steps[0] += low
    return steps
