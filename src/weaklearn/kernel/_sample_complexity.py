r"""How many examples a learner needs, and how that number grows with the dimension (may2020, part II).

The sample complexity is the smallest m for which the *expected* error of the learner on fresh data, trained on m
examples, is at most a given number. Expectations are means over runs; each run draws a new training set and a new
test set. Conventions:

- A training set with one class only is answered by that class.
- Runs are added one by one, at least three, and stop as soon as a t interval around their mean lies on one side
  of the wanted error, or at `n_runs`. What counts is then on which side the mean lies.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats
from sklearn.base import clone

_FEWEST_RUNS = 3


class SampleComplexity(NamedTuple):
    """An estimated sample complexity.

    Attributes
    ----------
    n_samples : int
        The smallest number of examples found whose mean error is small enough.
    interval : tuple of int
        The largest number of examples below it (0 if there is none) that was found to be too small, and the smallest
        from it on (`max_samples` if there is none) that was found to be enough, each with the confidence asked for.
    sizes, errors, standard_errors, runs : ndarray
        Every number of examples that was tried, in growing order, with the mean error, its standard error
        and the number of runs behind it.
    """

    n_samples: int
    interval: tuple[int, int]
    sizes: np.ndarray
    errors: np.ndarray
    standard_errors: np.ndarray
    runs: np.ndarray


class Growth(NamedTuple):
    """Curves fitted to sample complexities.

    Attributes
    ----------
    best : str
        The kind of least AIC: "linear", "log" or "exponential".
    coefficients : dict
        (a, b) of a + b n, a + b log n and a exp(b n).
    aic : dict
        N log(RSS / N) + 4 of each.
    """

    best: str
    coefficients: dict[str, tuple[float, float]]
    aic: dict[str, float]


class _Trials:
    """Means of errors by number of examples, each computed once."""

    def __init__(self, estimator, make_data, n, error, n_runs, n_test, confidence, rng):
        self.estimator, self.make_data, self.n, self.error = estimator, make_data, n, error
        self.n_runs, self.n_test, self.confidence, self.rng = n_runs, n_test, confidence, rng
        self.found: dict[int, np.ndarray] = {}

    def is_enough(self, m):
        if m not in self.found:
            errors: list[float] = []
            while len(errors) < self.n_runs:
                errors.append(self._run(m))
                if len(errors) >= min(_FEWEST_RUNS, self.n_runs) and self._side(np.array(errors)) != 0:
                    break
            self.found[m] = np.array(errors)
        return self.found[m].mean() <= self.error

    def _run(self, m):
        X, y = self._draw(m)
        X_test, y_test = self._draw(self.n_test)
        classes = np.unique(y)
        if len(classes) == 1:
            return float(np.mean(y_test != classes[0]))
        return float(np.mean(clone(self.estimator).fit(X, y).predict(X_test) != y_test))

    def _draw(self, size):
        return self.make_data(size, n_features=self.n, random_state=int(self.rng.integers(2**31)))[:2]

    def _side(self, errors):
        """-1 or +1 if the mean is surely below or above the wanted error, else 0."""
        if len(errors) < 2:
            return 0
        # A few equal errors do not prove that there is no spread: no less than the noise of the test sets counts.
        spread = max(
            _standard_error(errors), math.sqrt(self.error * (1 - self.error) / (self.n_test * len(errors)))
        )
        reach = spread * stats.t.ppf(0.5 + self.confidence / 2, len(errors) - 1)
        gap = errors.mean() - self.error
        return 0 if abs(gap) <= reach else int(np.sign(gap))

    def result(self, m, max_samples):
        sizes = np.array(sorted(self.found))
        runs = [self.found[size] for size in sizes]
        sides = np.array([self._side(errors) for errors in runs])
        too_few, enough = sizes[(sides > 0) & (sizes < m)], sizes[(sides < 0) & (sizes >= m)]
        interval = int(too_few.max(initial=0)), int(enough.min(initial=max_samples))
        of_each = [(errors.mean(), _standard_error(errors), len(errors)) for errors in runs]
        return SampleComplexity(int(m), interval, sizes, *map(np.array, zip(*of_each, strict=True)))


def _standard_error(errors):
    return errors.std(ddof=1) / math.sqrt(len(errors)) if len(errors) > 1 else np.nan


def sample_complexity(
    estimator,
    make_data,
    n,
    *,
    error=0.1,
    method="increase",
    n_runs=10,
    n_test=10_000,
    start=1,
    max_samples=10_000,
    confidence=0.99,
    random_state=None,
):
    """Smallest number of training examples with an expected error of at most `error`.

    Parameters
    ----------
    estimator : classifier
        Cloned for every run.
    make_data : callable
        ``make_data(n_samples, n_features=n, random_state=seed)`` returns X and y, as
        `weaklearn.datasets.make_little_bit` does.
    n : int
        The dimension.
    error : float, default=0.1
    method : {"increase", "bisect"}, default="increase"
        "increase" tries `start`, `start` + 1, ... until the mean error is small enough (Method 1 of the document). As
        it stops at the first success, noise makes it end a little early. "bisect" halves the interval between `start`
        and `max_samples` (Method 2), which needs far fewer runs and takes for granted that more examples are better.
    n_runs : int, default=10
        Runs for each number of examples at most; fewer where the answer is clear (see the module).
    n_test : int, default=10_000
    start, max_samples : int, default=1, 10_000
        Where to look. If even `max_samples` are not enough, that is an error.
    confidence : float, default=0.99
        When an answer is clear.
    random_state : int or None, default=None

    Returns
    -------
    SampleComplexity

    References
    ----------
    may2020, part II, equation (8) and Methods 1 and 2.

    Examples
    --------
    >>> from weaklearn.datasets import make_little_bit
    >>> from weaklearn.kernel import sample_complexity
    >>> from weaklearn.linear import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier(fit_intercept=False)
    >>> 12 <= sample_complexity(model, make_little_bit, 25, n_test=500, random_state=0).n_samples <= 22
    True
    """
    if method not in ("increase", "bisect"):
        raise ValueError(f"method must be 'increase' or 'bisect', got {method!r}.")
    if not 1 <= start <= max_samples:
        raise ValueError(f"start must lie between 1 and max_samples={max_samples}, got {start}.")
    trials = _Trials(
        estimator, make_data, n, error, n_runs, n_test, confidence, np.random.default_rng(random_state)
    )
    # "bisect" doubles first: a machine trained on max_samples examples takes longest.
    low, high = start - 1, start
    while not trials.is_enough(high):
        if high == max_samples:
            raise ValueError(
                f"{max_samples} examples are not enough for an error of {error} in dimension {n}."
            )
        low, high = high, high + 1 if method == "increase" else min(2 * high, max_samples)
    while high - low > 1:
        middle = (low + high) // 2
        if trials.is_enough(middle):
            high = middle
        else:
            low = middle
    return trials.result(high, max_samples)


def fit_growth(n, m):
    r"""Fit a + b n, a + b log n and a exp(b n) to sample complexities by least squares and compare them by AIC.

    Parameters
    ----------
    n, m : array-like of shape (n_points,)
        Dimensions and sample complexities; at least three points.

    Returns
    -------
    Growth

    References
    ----------
    may2020, part II, Figure 10 and Table 25.

    Examples
    --------
    >>> from weaklearn.kernel import fit_growth
    >>> growth = fit_growth([10, 20, 30, 40], [17, 36, 52, 70])
    >>> growth.best, round(growth.coefficients["linear"][1], 2)
    ('linear', 1.75)
    """
    n, m = np.asarray(n, dtype=np.float64), np.asarray(m, dtype=np.float64)
    if n.ndim != 1 or n.shape != m.shape or len(n) < 3 or n.min() <= 0 or m.min() <= 0:
        raise ValueError(
            "fit_growth needs at least three positive dimensions and as many sample complexities."
        )
    coefficients, residuals = {}, {}
    for kind, x in (("linear", n), ("log", np.log(n))):
        b, a = np.polyfit(x, m, 1)
        coefficients[kind] = (float(a), float(b))
        residuals[kind] = m - a - b * x
    slope, level = np.polyfit(n, np.log(m), 1)

    def misfit(parameters):
        return np.exp(np.clip(parameters[0] + parameters[1] * n, -700, 700)) - m

    level, slope = optimize.least_squares(misfit, [level, slope], x_scale=[1.0, 1.0 / n.max()]).x
    coefficients["exponential"] = (math.exp(level), float(slope))
    residuals["exponential"] = misfit([level, slope])
    # A perfect fit would have an AIC of minus infinity: rounding bounds what can be told.
    floor = (1e-12 * np.abs(m).max()) ** 2
    aic = {
        kind: len(n) * math.log(max(float(np.mean(value**2)), floor)) + 4 for kind, value in residuals.items()
    }
    return Growth(min(aic, key=aic.__getitem__), coefficients, aic)
