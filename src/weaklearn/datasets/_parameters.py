"""Parameters of the generators: each error names the parameter, the value found and what is allowed."""

import math
from functools import partial
from numbers import Integral, Real

import numpy as np

from weaklearn._docstrings import documented

_PARAMETERS = """
Parameters
----------
X : array-like of shape (n_samples, n_features)
    One row for each input.
n_samples : int, default=100
    Number of examples.
n_features : int, default=2
    Number of features.
random_state : int, RandomState instance or None, default=None
    Source of the random examples.

Returns
-------
X : ndarray of shape (n_samples, {width})
    Inputs.
y : ndarray of shape (n_samples,)
    Classes, -1 or +1.
"""
# What the docstrings of the generators have in common.
GENERATOR = partial(documented, shared=_PARAMETERS.format(width="n_features"))
PLANAR = partial(documented, shared=_PARAMETERS.format(width="2"))


def checked_count(name: str, value: object, *, at_least: int = 1) -> int:
    """`value` as an int, if it is an integer (bool excluded) not below `at_least`."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer of at least {at_least}; got {value!r}.")
    if value < at_least:
        raise ValueError(f"{name} must be an integer of at least {at_least}; got {value!r}.")
    return int(value)


def checked_real(name: str, value: object, *, low: float = -math.inf, high: float = math.inf) -> float:
    """`value` as a float, if it is a finite number in the closed interval [low, high]."""
    allowed = f"a finite number in [{low:g}, {high:g}]"
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}; got {value!r}.")
    # Written so that nan, which compares false with everything, is refused as well.
    if not (low <= float(value) <= high and math.isfinite(value)):
        raise ValueError(f"{name} must be {allowed}; got {value!r}.")
    return float(value)


def checked_positive(name: str, value: object) -> float:
    """`value` as a float, if it is a finite number above zero."""
    number = checked_real(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be a finite number above 0; got {value!r}.")
    return number


def random_generator(random_state: object) -> np.random.RandomState:
    """The generator that `random_state` stands for, by scikit-learn's rules."""
    # Imported here because importing scikit-learn takes a second and brings in pandas where it is installed,
    # while listing the data sets needs neither.
    from sklearn.utils import check_random_state

    return check_random_state(random_state)
