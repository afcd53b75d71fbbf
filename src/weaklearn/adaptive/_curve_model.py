"""The model of `PosteriorMinEnt`: from settings to hypotheses, their thresholds and the curve they stand for."""

import numbers
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from weaklearn.adaptive._hypotheses import hypotheses
from weaklearn.monotone import Crossing, thresholds_of_lines

_AUTO = {"guess_rate": (0.0, 0.05, 0.1, 0.2), "lapse_rate": (0.0, 0.04)}
_N_POINTS = 129  # of a curve, to look for thresholds that are not crossings
_SCALES = ("linear", "log")
# Levels farther away than this many ranges are all the same, and curves stay within float32.
_FAR = 1e9


class UnitScale:
    """From levels to u in [0, 1] and back: u is 0 at one end of the levels and 1 at the end where yes is likelier."""

    def __init__(self, low, high, scale, increasing):
        if scale not in _SCALES:
            raise ValueError(f"scale must be one of {', '.join(map(repr, _SCALES))}, got {scale!r}")
        if scale == "log" and low <= 0:
            raise ValueError(f"scale='log' needs positive levels; the smallest is {low:g}")
        self._log, self._increasing = scale == "log", increasing
        self._start, end = self._plain(np.array([low, high]))
        self._width = end - self._start

    def _plain(self, x):
        return np.log(x) if self._log else x

    def to_unit(self, x):
        """u of levels; on a logarithmic scale they must be positive."""
        x = np.asarray(x, dtype=float)
        if self._log and (x <= 0).any():
            raise ValueError(f"scale='log' needs positive levels, got {x.min():g}")
        with np.errstate(over="ignore"):
            u = np.clip((self._plain(x) - self._start) / self._width, -_FAR, _FAR)
        return u if self._increasing else 1 - u

    def from_unit(self, u):
        """The levels at ``u``, which may lie beyond the ends."""
        u = np.asarray(u, dtype=float)
        plain = self._start + self._width * (u if self._increasing else 1 - u)
        return np.exp(plain) if self._log else plain


class CurveModel:
    """Levels on their unit scale, and hypotheses laid out around the first `Crossing` among the functionals.

    All arguments are hashable, those of `PosteriorMinEnt` or of `hypotheses`; the levels increase.
    """

    def __init__(self, levels, functionals, guess_rates, lapse_rates, scale, increasing, prior):
        self.levels = np.array(levels)
        self.low, self.high = levels[0], levels[-1]
        self.increasing = increasing
        self.unit = UnitScale(self.low, self.high, scale, increasing)
        self.guess = min(guess_rates)
        self.target = _first_crossing(functionals, self.guess, 1 - min(lapse_rates))
        # Rounded, so that levels which are the same on this scale share their hypotheses.
        places = tuple(np.sort(self.unit.to_unit(self.levels)).round(9).tolist())
        self._settings = places, self.target, guess_rates, lapse_rates, prior

    def hypotheses(self, window=(0.0, 1.0)):
        """The hypotheses with thresholds in a window of the unit scale."""
        return hypotheses(*self._settings, window)

    def at(self, functional, grid):
        """The threshold of every hypothesis on the unit scale: (cells,), or (cells, shapes)."""
        if not isinstance(functional, Crossing):
            return self._looked_up(functional, grid)
        return grid.tau if functional.level == self.target else grid.crossings(functional.level)

    @lru_cache(maxsize=4)  # noqa: B019 (models are few and kept anyway)
    def _looked_up(self, functional, grid):
        u = np.linspace(0.0, 1.0, _N_POINTS)
        x = self.unit.from_unit(u if self.increasing else u[::-1])
        lines = np.stack([grid.probabilities(v) for v in self.unit.to_unit(x)], axis=-1).astype(np.float64)
        rows = lines.reshape(-1, len(x))
        found = thresholds_of_lines(functional, x, rows, self.low, self.high, self.increasing)
        return self.unit.to_unit(found).reshape(lines.shape[:2])


def _first_crossing(functionals, bottom, top):
    """The probability of yes around which hypotheses are laid out; refuses targets that no curve reaches."""
    crossings = [one.level for one in functionals if isinstance(one, Crossing)]
    for level in crossings:
        if level <= bottom:
            raise ValueError(
                f"a target of {level:g} cannot be found in a task with this guess_rate: guessing alone gives "
                f"{bottom:.3g}. Choose a target above it, such as {0.5 + 0.5 * bottom:.3g}"
            )
        if level >= top:
            raise ValueError(
                f"a target of {level:g} cannot be found with this lapse_rate: the curve ends at {top:.3g}"
            )
    return crossings[0] if crossings else 0.5 * (bottom + top)


def rates_of(name, given):
    """The tuple of rates that the parameter ``name`` stands for."""
    if isinstance(given, str):
        if given != "auto":
            raise ValueError(f"{name} must be a number, several numbers or 'auto', got {given!r}")
        return _AUTO[name]
    rates = tuple(given) if isinstance(given, Iterable) else (given,)
    if not rates or not all(isinstance(one, numbers.Real) and 0 <= float(one) < 1 for one in rates):
        raise ValueError(f"{name} must lie between 0 and 1, got {given!r}")
    return tuple(float(one) for one in rates)


curve_model = lru_cache(maxsize=16)(CurveModel)  # every step of a session needs the same one


class PosteriorCurve:
    """The posterior mean of the probability of yes; made by `PosteriorMinEnt.fitted`."""

    def __init__(self, grid, weights, unit):
        self._grid, self._weights, self._unit = grid, weights, unit

    def predict(self, X):
        """The mean probability of yes at levels, ndarray of the shape of ``X`` (a column is flattened)."""
        places = self._unit.to_unit(np.asarray(X, dtype=float).ravel())
        return np.array([float((self._weights * self._grid.probabilities(u)).sum()) for u in places])

    def predict_interval(self, X, confidence=0.9, *, n_resamples=1000, random_state=None):
        """Pointwise credible intervals from ``n_resamples`` curves drawn from the posterior: (low, high)."""
        rng = np.random.default_rng(random_state)
        share = self._weights.ravel().astype(float)
        drawn = rng.choice(len(share), n_resamples, p=share / share.sum())
        cells, shapes = np.divmod(drawn, self._weights.shape[1])
        order = np.argsort(shapes, kind="stable")  # keeps families together
        cells, shapes = cells[order], shapes[order]
        library = self._grid.shapes.take(shapes)
        places = self._unit.to_unit(np.asarray(X, dtype=float).ravel())
        z = self._grid.anchor[shapes] + places[:, None] - self._grid.tau[cells]
        p = self._grid.floor[shapes] + self._grid.span[shapes] * library.values(z)
        tail = 0.5 * (1 - confidence)
        return tuple(np.quantile(p, [tail, 1 - tail], axis=1))


def suggested_scale(levels):
    """ "log" if the levels are positive, span a factor of eight or more and are spaced evenly in the logarithm.

    Examples
    --------
    >>> suggested_scale([1, 2, 4, 8, 16]), suggested_scale([1, 2, 3, 4])
    ('log', 'linear')
    """
    levels = np.unique(np.asarray(levels, dtype=float))
    if len(levels) < 4 or levels[0] <= 0 or levels[-1] < 8 * levels[0]:
        return "linear"
    # How uneven the steps are: levels rounded for a device (1, 2, 5, 10, 20, 50) are still logarithmic.
    uneven = [np.std(steps) / np.mean(steps) for steps in (np.diff(levels), np.diff(np.log(levels)))]
    return "log" if uneven[1] < 0.5 * uneven[0] else "linear"
