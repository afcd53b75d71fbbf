"""What curves of two parameters share: p(x) = F(c + s x), F a distribution function, by maximum likelihood."""

from collections.abc import Callable

import numpy as np
from scipy.stats import chi2

from weaklearn.monotone._base import MonotoneRegressor, unit_scale
from weaklearn.monotone._functionals import Crossing


class TwoParameterFit(MonotoneRegressor):
    """Base of `LogisticFit` and `ProbitFit`: a subclass states F, its inverse, and how many data sets are fitted.

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
    """

    _needs_shares = True

    #: F(score), and its inverse of a level.
    _probability: Callable
    _score: Callable
    #: Of y, m and scores: the sum of m (y log F(score) + (1 - y) log(1 - F(score))).
    _log_likelihood: Callable
    #: Of levels on the unit scale u, y and m: (centre, slope) of largest likelihood for every row.
    _rising_coefficients: Callable
    #: Of u, y, m, a score and places: at each place, the largest log-likelihood of the curves with that score there.
    _profile: Callable

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
        x, y, m = self._rising(x, y, m)
        return self._rising_coefficients(unit_scale(x), y, m)

    def _rising_values(self, x, y, m):
        centres, slopes = self._rising_coefficients(unit_scale(x), y, m)
        return self._probability(centres[:, None] + slopes[:, None] * unit_scale(x))

    def threshold_many(self, x, y, sample_weight, functional, bounds=None):
        """As `MonotoneRegressor.threshold_many`; a `Crossing` is read off the formula, not interpolated."""
        x = np.asarray(x, dtype=np.float64)
        low, high = bounds if bounds is not None else (x[0], x[-1])
        centres, slopes = self._coefficients(x, y, sample_weight)
        start, width, sign = self._scale(x)
        if isinstance(functional, Crossing):
            score = self._score(functional.level) - centres
            ends = sign * (low - start) / width, sign * (high - start) / width
            # A constant curve is wholly above, below or at the level.
            flat = np.where(score > 0, max(ends), np.where(score < 0, min(ends), sum(ends) / 2))
            with np.errstate(divide="ignore", invalid="ignore"):
                place = np.where(slopes > 0, score / slopes, flat)
            return np.clip(start + sign * width * place, low, high)

        def of_one(centre, slope):
            return functional(
                lambda at: self._probability(centre + slope * sign * (at - start) / width), low, high
            )

        return np.array([of_one(*row) for row in zip(centres, slopes, strict=True)], dtype=float)

    def _threshold(self, functional, low, high):
        rows = self.observed_[None, :], self.counts_[None, :]
        return self.threshold_many(self.levels_, *rows, functional, (low, high))[0]

    def _curve(self, x):
        with np.errstate(over="ignore"):  # the curve is at its end there
            return self._probability(self.intercept_ + self.slope_ * x)

    def _many_curves(self, x, y, m):
        centres, slopes = self._coefficients(self.levels_, y, m)
        start, width, sign = self._scale(self.levels_)
        return self._probability(centres[:, None] + slopes[:, None] * (sign * (x - start) / width))

    def _likelihood_interval(self, level, confidence, low, high):
        start, width, sign = self._scale(self.levels_)
        step = 1 if self.increasing else -1
        x = sign * (self.levels_[::step] - start) / width
        y, m = np.ascontiguousarray(self.observed_[::step]), np.ascontiguousarray(self.counts_[::step])
        bottom, top = sorted((sign * (low - start) / width, sign * (high - start) / width))
        score = self._score(level)
        best = self._log_likelihood(y, m, self.intercept_ + self.slope_ * self.levels_[::step])
        allowed = best - chi2.ppf(confidence, 1) / 2

        def fits(places):
            return self._profile(x, y, m, score, places) >= allowed

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
