"""Targets of pratap2008, chapter 3: eight monotone curves. Reading the list of studies imports this, so it is light."""

import numpy as np
from scipy.special import ndtr, stdtr

# pratap2008, Table 3.1, on [0, 1]. Student's t is taken on [-1.5, 1.5] and the Weibull curve on [0, 1.5], rescaled: the
# published formulas alone would reach 0.86 and 0.63 at x = 1.
_CURVES = {
    "linear": lambda x: x,
    "weibull": lambda x: 1 - np.exp(-((1.5 * x) ** 2)),
    "normcdf": lambda x: ndtr((x - 0.5) / 0.25),
    "student-t": lambda x: stdtr(10, 3 * x - 1.5),
    "quadratic": lambda x: x**2,
    "tr": lambda x: np.where(x <= 0.5, 2 * x**2, 1 - 2 * (1 - x) ** 2),
    "exponential": lambda x: 1 / (1 + np.exp((0.5 - x) / 0.05)),
    "exponential2": lambda x: 1 / (1 + np.exp((0.4 - x) / 0.1)),
}
TARGETS = tuple(_CURVES)


def target_curve(name):
    """The probability of "yes" as a function on [0, 1]."""
    return _CURVES[name]


def grid(n_levels: int):
    """The middles of ``n_levels`` equal bins of [0, 1]."""
    return (np.arange(n_levels) + 0.5) / n_levels
