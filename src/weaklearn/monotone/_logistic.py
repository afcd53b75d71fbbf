"""LogisticFit: the two-parameter logistic curve of largest likelihood."""

import numpy as np
from scipy.stats import chi2
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor, unit_scale
from weaklearn.monotone._functionals import Crossing

__all__ = ["LogisticFit"]


@documented
class LogisticFit(MonotoneRegressor):
    r"""Maximum likelihood in the family :math:`p(x) = 1 / (1 + e^{-(x - a) / b})`, rising.

    The log-likelihood :math:`\sum_i m_i [y_i \log p(x_i) + (1 - y_i) \log(1 - p(x_i))]` is concave in the
    coefficients of the log-odds :math:`c + s x` (:math:`s = 1/b`, :math:`c = -a/b`). It is maximised exactly under
    :math:`0 \le s \le 16 / g`, g being the smallest gap between levels. What these bounds mean:

    - answers that do not rise with x get the constant curve at their overall share (s = 0);
    - separated answers (no yes below a no) have no finite maximum; they get the steepest slope, from 0.0003 to
      0.9997 over the smallest gap, and the best place for it in the gap;
    - if all answers are alike, the curve is constant with log-odds -30 or 30.

    Parameters
    ----------
    interpolation : {"linear", "cubic"}, default="linear"
        Not used: the curve is known everywhere. Present so that all fits have the same parameters.

    Attributes
    ----------
    slope_ : float
        s; not positive if the curve falls.
    intercept_ : float
        c.

    Notes
    -----
    The source writes the exponent with the opposite sign, which would make the family fall.

    References
    ----------
    pratap2008, section 3.2.1.

    Examples
    --------
    >>> fit = LogisticFit().fit([1, 2, 3, 4], [0.1, 0.4, 0.6, 0.9], sample_weight=[10, 10, 10, 10])
    >>> round(fit.threshold(), 6)
    2.5
    >>> round(fit.slope_, 3)
    1.328
    """

    _needs_shares = True

    def _fit_levels(self):
        centre, slope = self._coefficients(self.levels_, self.observed_[None, :], self.counts_[None, :])
        # From the rising unit scale back to the user's.
        start, width, sign = self._scale(self.levels_)
        if width < 1e-290:
            raise ValueError(
                f"the levels span only {width:.2g}; the slope of the curve would overflow. Multiply them by a constant."
            )
        self.slope_ = sign * float(slope[0]) / width
        self.intercept_ = float(centre[0]) - self.slope_ * start
        self.values_ = self._curve(self.levels_)

    def _scale(self, x):
        # u = sign (x - start) / width runs over [0, 1] in the direction in which the curve rises.
        width = float(x[-1] - x[0]) or 1.0
        return (float(x[0]), width, 1.0) if self.increasing else (float(x[-1]), width, -1.0)

    def _coefficients(self, x, y, m):
        """(centre, slope) of every row on the scale u of `_scale`."""
        x, y, m = (np.asarray(part, dtype=np.float64) for part in (x, y, m))
        if not self.increasing:
            x, y, m = -x[::-1], y[:, ::-1], m[:, ::-1]
        return _rising_coefficients(x, np.ascontiguousarray(y), np.ascontiguousarray(m))

    def _rising_values(self, x, y, m):
        centres, slopes = _rising_coefficients(x, y, m)
        return _expit(centres[:, None] + slopes[:, None] * unit_scale(x))

    def threshold_many(self, x, y, sample_weight, functional, bounds=None):
        """As `MonotoneRegressor.threshold_many`; a `Crossing` is read off the formula, not interpolated."""
        x = np.asarray(x, dtype=np.float64)
        low, high = bounds if bounds is not None else (x[0], x[-1])
        centres, slopes = self._coefficients(x, y, sample_weight)
        start, width, sign = self._scale(x)
        if isinstance(functional, Crossing):
            odds = np.log(functional.level / (1 - functional.level)) - centres
            ends = sign * (low - start) / width, sign * (high - start) / width
            # A constant curve is wholly above, below or at the level.
            flat = np.where(odds > 0, max(ends), np.where(odds < 0, min(ends), sum(ends) / 2))
            with np.errstate(divide="ignore", invalid="ignore"):
                place = np.where(slopes > 0, odds / slopes, flat)
            return np.clip(start + sign * width * place, low, high)

        def of_one(centre, slope):
            return functional(lambda at: _expit(centre + slope * sign * (at - start) / width), low, high)

        return np.array([of_one(*row) for row in zip(centres, slopes, strict=True)], dtype=float)

    def threshold(self, functional=None, bounds=None):
        """As `MonotoneRegressor.threshold`."""
        check_is_fitted(self)
        functional = Crossing() if functional is None else functional
        rows = self.observed_[None, :], self.counts_[None, :]
        return float(self.threshold_many(self.levels_, *rows, functional, self._bounds(bounds))[0])

    def _curve(self, x):
        with np.errstate(over="ignore"):  # the curve is at its end there
            return _expit(self.intercept_ + self.slope_ * x)

    def _many_curves(self, x, y, m):
        centres, slopes = self._coefficients(self.levels_, y, m)
        start, width, sign = self._scale(self.levels_)
        return _expit(centres[:, None] + slopes[:, None] * (sign * (x - start) / width))

    def _likelihood_interval(self, level, confidence, low, high):
        from weaklearn._fast.logistic import profile_row

        start, width, sign = self._scale(self.levels_)
        step = 1 if self.increasing else -1
        x = sign * (self.levels_[::step] - start) / width
        y, m = np.ascontiguousarray(self.observed_[::step]), np.ascontiguousarray(self.counts_[::step])
        bottom, top = sorted((sign * (low - start) / width, sign * (high - start) / width))
        odds = np.log(level / (1 - level))
        best = _log_likelihood(y, m, self.intercept_ + self.slope_ * self.levels_[::step])
        allowed = best - chi2.ppf(confidence, 1) / 2

        def fits(places):
            profile = np.empty(len(places))
            profile_row(x, y, m, odds, places, profile)
            return profile >= allowed

        here = sign * (self.threshold(Crossing(level), (low, high)) - start) / width
        places = np.unique(np.concatenate([np.linspace(bottom, top, 257), x, [here]]).clip(bottom, top))
        good = np.flatnonzero(fits(places))
        if len(good) == 0:  # the level is crossed far outside the range, on the side where the estimate is
            return (low, low) if sign * (here - (bottom + top) / 2) < 0 else (high, high)
        inner = places[[good[0], good[-1]]]
        outer = places[[max(good[0] - 1, 0), min(good[-1] + 1, len(places) - 1)]]
        for _ in range(40):
            middle = 0.5 * (inner + outer)
            inside = fits(middle)
            inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
        found = np.sort(start + sign * width * inner)
        return float(found[0]), float(found[1])


def _rising_coefficients(x, y, m):
    from weaklearn._fast.logistic import logistic_rows

    centres, slopes = np.empty(len(y)), np.empty(len(y))
    logistic_rows(unit_scale(x), y, m, centres, slopes)
    return centres, slopes


def _expit(odds):
    return 0.5 * (1.0 + np.tanh(0.5 * odds))


def _log_likelihood(y, m, odds):
    return float(np.sum(m * (y * odds - np.logaddexp(0.0, odds))))
