"""What the monotone regressors share: validation, pooling of ties, prediction, thresholds, intervals.

Conventions:

- Rows with the same x are pooled into one level with their weighted mean; rows of weight 0 are dropped. So a
  weight of three is the same as three rows, exactly.
- A decreasing curve in x is an increasing one in -x, and is fitted as such.
- Beyond the sampled levels a curve is constant (the logistic curve is not).
"""

from abc import ABCMeta, abstractmethod
from typing import NamedTuple

import numpy as np
from scipy.interpolate import PchipInterpolator
from sklearn.base import BaseEstimator, RegressorMixin, _fit_context, clone
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._training import check_weights, validate_data
from weaklearn.monotone._functionals import Crossing, thresholds_of_lines
from weaklearn.monotone._intervals import bootstrap_rows, monotone_likelihood_interval


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float

    @property
    def width(self):
        """The distance of the ends."""
        return self.high - self.low


class MonotoneRegressor(RegressorMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the one-dimensional monotone fits: a subclass states how values at levels are fitted.

    Parameters
    ----------
    increasing : bool, default=True
        Whether the curve rises or falls.
    interpolation : {"linear", "cubic"}, default="linear"
        Between levels: straight lines, or the monotone cubic of Fritsch and Carlson.

    Attributes
    ----------
    levels_ : ndarray of shape (n_levels,)
        The distinct inputs, increasing.
    observed_ : ndarray of shape (n_levels,)
        The weighted mean of y at each level.
    counts_ : ndarray of shape (n_levels,)
        The total weight (number of samples) at each level.
    values_ : ndarray of shape (n_levels,)
        The fitted values.
    n_features_in_ : int
        1: the level.
    """

    _parameter_constraints: dict = {
        "increasing": ["boolean"],
        "interpolation": [StrOptions({"linear", "cubic"})],
    }

    #: Whether y must be shares in [0, 1]; the others take any real number.
    _needs_shares = False

    def __init__(self, *, increasing=True, interpolation="linear"):
        self.increasing = increasing
        self.interpolation = interpolation

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            The levels, in any order, repeated or not.
        y : array-like of shape (n_samples,)
            The answers (0 or 1), or the share of yes answers at each level, or any real numbers for the fits
            that are not about probabilities.
        sample_weight : array-like of shape (n_samples,), default=None
            The number of samples behind each row; None means 1 each.

        Returns
        -------
        self
        """
        X, y = validate_data(self, _as_column(X), y, dtype=np.float64, y_numeric=True)
        y = y.astype(np.float64)
        if np.isnan(y).any():  # None among numbers becomes NaN after scikit-learn has looked for it
            raise ValueError("y contains None or NaN. Drop those rows.")
        sample_weight = check_weights(sample_weight, X)
        x = self._only_column(X)
        kept = sample_weight > 0
        x, y, weight = x[kept], y[kept], sample_weight[kept]
        if self._needs_shares:
            _check_shares(self, y)
        self.levels_, place = np.unique(x, return_inverse=True)
        n_levels = len(self.levels_)
        if n_levels and not self.levels_[-1] / 4 - self.levels_[0] / 4 < np.finfo(np.float64).max / 8:
            raise ValueError(
                f"the levels span [{self.levels_[0]:.2g}, {self.levels_[-1]:.2g}], more than a float can hold. "
                "Divide them by a constant."
            )
        self.counts_ = np.bincount(place, weight, n_levels)
        self.observed_ = np.bincount(place, weight * y, n_levels) / self.counts_
        if self._needs_shares:  # the mean of ones may round to more than one
            np.clip(self.observed_, 0.0, 1.0, out=self.observed_)
        self._fit_levels()
        return self

    def _fit_levels(self):
        self.values_ = self.fit_many(self.levels_, self.observed_[None, :], self.counts_[None, :])[0]

    def fit_many(self, x, y, sample_weight):
        """The fitted values of many data sets on the same levels, without keeping any.

        Parameters
        ----------
        x : ndarray of shape (n_levels,)
            Increasing levels.
        y : ndarray of shape (n_sets, n_levels)
            The mean answer of each data set at each level; ignored where the weight is 0.
        sample_weight : ndarray of shape (n_sets, n_levels)
            Numbers of samples; every data set needs one positive number at least.

        Returns
        -------
        ndarray of shape (n_sets, n_levels)
            Values at all levels, those without samples interpolated.
        """
        values = self._rising_values(*self._rising(x, y, sample_weight))
        return values if self.increasing else values[:, ::-1]

    def _rising(self, *data):
        """Levels, answers and weights as those of rising curves: of -x, from the last level on, if this one falls."""
        x, y, m = (np.asarray(part, dtype=np.float64) for part in data)
        if not self.increasing:
            x, y, m = -x[::-1], y[..., ::-1], m[..., ::-1]
        return np.ascontiguousarray(x), np.ascontiguousarray(y), np.ascontiguousarray(m)

    @abstractmethod
    def _rising_values(self, x, y, m):
        """Fitted values (n_sets, n_levels) of rising curves."""

    def threshold_many(self, x, y, sample_weight, functional, bounds=None):
        """The thresholds of many data sets on the same levels; parameters as in `fit_many` and `threshold`."""
        low, high = bounds if bounds is not None else (x[0], x[-1])
        if self.interpolation == "cubic":
            fits = (clone(self).fit(x, *row) for row in zip(y, sample_weight, strict=True))
            return np.array([fit.threshold(functional, (low, high)) for fit in fits])
        values = self.fit_many(x, y, sample_weight)
        return thresholds_of_lines(functional, np.asarray(x, dtype=float), values, low, high, self.increasing)

    def predict(self, X):
        """The curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, _as_column(X), dtype=np.float64, reset=False)
        return self._curve(self._only_column(X))

    def _curve(self, x):
        return self._between(x, self.values_[None, :])[0]

    def _between(self, x, values):
        """The curves through ``values`` (rows) at the levels, at the inputs ``x``."""
        if self.interpolation == "linear" or len(self.levels_) == 1:
            return np.array([np.interp(x, self.levels_, row) for row in values])
        inside = np.clip(x, self.levels_[0], self.levels_[-1])
        return PchipInterpolator(self.levels_, values, axis=1)(inside)

    def threshold(self, functional=None, bounds=None):
        """Read a threshold off the fitted curve.

        Parameters
        ----------
        functional : callable, default=Crossing(0.5)
            See `Crossing`, `TradeOff`; any ``functional(curve, low, high)`` will do.
        bounds : (low, high), default=None
            The range in which the threshold is looked for; None is that of the sampled levels.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        functional = Crossing() if functional is None else functional
        return float(self._threshold(functional, *self._bounds(bounds)))

    def _threshold(self, functional, low, high):
        if self.interpolation == "linear" and isinstance(functional, Crossing):
            return functional.of_lines(self.levels_, self.values_[None, :], low, high, self.increasing)[0]
        return functional(self._curve, low, high)

    def threshold_interval(
        self,
        functional=None,
        confidence=0.9,
        *,
        method="bootstrap",
        bounds=None,
        n_resamples=1000,
        random_state=None,
    ):
        """An interval for the threshold of the true curve; y must be shares of yes answers.

        Parameters
        ----------
        functional : callable, default=Crossing(0.5)
        confidence : float, default=0.9
        method : {"bootstrap", "likelihood"}, default="bootstrap"
            "bootstrap" takes quantiles of the thresholds of data drawn from the fitted curve (see Notes).
            "likelihood", for `Crossing` only, holds every threshold that a likelihood ratio test does not reject:
            2 (max log L - max log L given the threshold) is at most the quantile of chi-squared with 1 degree of
            freedom. For curves that are only known to be monotone that is conservative.
        bounds : (low, high), default=None
            As in `threshold`.
        n_resamples : int, default=1000
        random_state : int, Generator or None, default=None
            For the bootstrap.

        Returns
        -------
        Interval

        Notes
        -----
        The bootstrap draws a yes with the probability (W p + 1/2) / (W + 1), p being the fitted value and W the number
        of samples in the level's block of equal isotonic values: a few answers that are alike are not certainty.
        """
        check_is_fitted(self)
        functional = Crossing() if functional is None else functional
        low, high = self._bounds(bounds)
        if method not in ("likelihood", "bootstrap"):
            raise ValueError(f"method must be 'likelihood' or 'bootstrap', got {method!r}")
        self._check_interval(confidence)
        if method == "likelihood":
            if not isinstance(functional, Crossing):
                raise ValueError("method='likelihood' is for Crossing functionals; use method='bootstrap'")
            return Interval(*self._likelihood_interval(functional.level, confidence, low, high))
        y, m = self._redrawn(n_resamples, random_state)
        drawn = self.threshold_many(self.levels_, y, m, functional, (low, high))
        return Interval(*map(float, _middle(drawn, confidence)))

    def predict_interval(self, X, confidence=0.9, *, n_resamples=1000, random_state=None):
        """Pointwise bootstrap intervals of the curve; y must be shares of yes answers.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
        confidence : float, default=0.9
        n_resamples : int, default=1000
        random_state : int, Generator or None, default=None

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        x = self._only_column(validate_data(self, _as_column(X), dtype=np.float64, reset=False))
        self._check_interval(confidence)
        return tuple(_middle(self._many_curves(x, *self._redrawn(n_resamples, random_state)), confidence))

    def _check_interval(self, confidence):
        if not (isinstance(confidence, int | float) and 0 < confidence < 1):
            raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
        _check_shares(self, self.observed_)

    def _redrawn(self, n_resamples, random_state):
        """Data sets drawn from the fitted curve: shares and counts (n_resamples, n_levels)."""
        rng = np.random.default_rng(random_state)
        y = bootstrap_rows(
            self.levels_, self.values_, self.observed_, self.counts_, self.increasing, n_resamples, rng
        )
        return y, np.broadcast_to(self.counts_, y.shape)

    def _many_curves(self, x, y, m):
        return self._between(x, self.fit_many(self.levels_, y, m))

    def _likelihood_interval(self, level, confidence, low, high):
        return monotone_likelihood_interval(
            self.levels_, self.observed_, self.counts_, level, confidence, low, high, self.increasing
        )

    def _bounds(self, bounds):
        if bounds is None:
            return float(self.levels_[0]), float(self.levels_[-1])
        low, high = (float(end) for end in bounds)
        if not low <= high:
            raise ValueError(f"bounds must be (low, high) with low <= high, got {bounds!r}")
        return low, high

    def _only_column(self, X):
        if X.shape[1] != 1:
            raise ValueError(
                f"{type(self).__name__} is a curve in one variable; X has {X.shape[1]} features."
            )
        return X[:, 0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # One feature, as a column or as a plain list of numbers, like scikit-learn's IsotonicRegression.
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.regressor_tags.poor_score = True
        return tags


def _as_column(X):
    """A list or array of numbers as a column; anything else as it is, for scikit-learn to judge."""
    plain = isinstance(X, list | tuple | range) and np.ndim(X) == 1
    return np.asarray(X).reshape(-1, 1) if plain or getattr(X, "ndim", None) == 1 else X


def _check_shares(estimator, y):
    if y.min() < 0 or y.max() > 1:
        raise ValueError(
            f"{type(estimator).__name__} needs answers or shares between 0 and 1 here; "
            f"y spans [{y.min():g}, {y.max():g}]."
        )


def _middle(drawn, confidence):
    """The central quantiles along the first axis."""
    tail = (1 - confidence) / 2
    return np.quantile(drawn, [tail, 1 - tail], axis=0)


def unit_scale(x):
    """Levels mapped to [0, 1] (to [0] if there is one): steps in the log-odds then have a common scale."""
    return (x - x[0]) / ((x[-1] - x[0]) or 1.0)
