"""Monotone regression in one variable, and the thresholds that are read off the fitted curves.

The fits are scikit-learn regressors of one feature; weights are numbers of samples. They were made for
probabilities (``y`` is the share of yes answers among ``sample_weight`` samples at the level ``x``), which
is what the intervals assume; `MonotoneFit`, `BoundedJumpRegression` and `SplineFit` take any real ``y``.

Source: pratap2008, chapter 3, sections 3.1 to 3.3.
"""

from weaklearn.monotone._base import Interval, MonotoneRegressor
from weaklearn.monotone._bounded_jump import BoundedJumpRegression
from weaklearn.monotone._functionals import Crossing, Difference, TradeOff, thresholds_of_lines
from weaklearn.monotone._intervals import resampling_probabilities
from weaklearn.monotone._isotonic import HybridFit, MonotoneFit
from weaklearn.monotone._logistic import LogisticFit
from weaklearn.monotone._probit import ProbitFit
from weaklearn.monotone._spline import SplineFit

__all__ = [
    # fits
    "MonotoneFit",
    "LogisticFit",
    "ProbitFit",
    "SplineFit",
    "BoundedJumpRegression",
    "HybridFit",
    "MonotoneRegressor",
    # thresholds
    "Crossing",
    "Difference",
    "TradeOff",
    "Interval",
    # for the samplers: many curves at once
    "thresholds_of_lines",
    "resampling_probabilities",
]
