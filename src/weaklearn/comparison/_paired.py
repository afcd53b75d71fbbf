r"""Standard errors, intervals and tests of errors and of paired differences in repeated cross-validation.

Every row i is a test row once in each of R repeats; :math:`d_{ir}` is its loss, or the difference of the losses of two
classifiers. The estimate is the mean of all :math:`d_{ir}`. Its variance is estimated by
:math:`s^2 / n`, with :math:`s^2` the variance of all n R values, as if there were a single repeat. The variance of the
rows' means over repeats would be smaller, and too small: repeats use the same n rows, and how well a classifier does
with these rows as training rows does not average out. ``docs/cloning.md`` has the simulated coverage of both, and
of the corrected variance over splits of Nadeau and Bengio.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import t


class Estimate(NamedTuple):
    """A mean with its standard error, 95% interval and two-sided p-value of being 0."""

    mean: float
    standard_error: float
    low: float
    high: float
    p_value: float


def estimate(values, n_rows=None) -> Estimate:
    """The mean of values on ``n_rows`` different rows; None: of the shape (n_repeats, n_rows)."""
    values = np.atleast_2d(values)
    n = values.shape[1] if n_rows is None else n_rows
    mean, error = float(values.mean()), float(np.sqrt(values.var() * (n / (n - 1)) / n))
    half = float(t.ppf(0.975, n - 1) * error)
    # No spread at all: the same value for every row.
    p_value = float(2 * t.sf(abs(mean) / error, n - 1)) if error > 0 else float(mean == 0)
    return Estimate(mean, error, mean - half, mean + half, p_value)
