"""The model of `PosteriorMinEnt`: from a user's settings to hypotheses, and their thresholds."""

import numbers
from functools import lru_cache

import numpy as np

from weaklearn.adaptive._hypotheses import hypotheses
from weaklearn.adaptive._scale import UnitScale
from weaklearn.monotone import Crossing
from weaklearn.monotone._functionals import thresholds_of_lines

__all__ = ["CurveModel", "curve_model", "rates_of"]

_AUTO = {"guess_rate": (0.0, 0.05, 0.1, 0.2), "lapse_rate": (0.0, 0.04)}
_N_POINTS = 129  # of a curve, to look for thresholds that are not crossings


class CurveModel:
    """Levels on their unit scale, and hypotheses laid out around the first `Crossing` among the functionals.

    Parameters
    ----------
    levels : tuple of float
        Increasing.
    functionals : tuple
    guess_rates, lapse_rates : tuple of float
    scale, increasing
        As in `PosteriorMinEnt`.
    prior : str
        As in `hypotheses`.
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
    rates = (given,) if isinstance(given, numbers.Real) else tuple(given)
    if not rates or not all(isinstance(one, numbers.Real) and 0 <= float(one) < 1 for one in rates):
        raise ValueError(f"{name} must lie between 0 and 1, got {given!r}")
    return tuple(float(one) for one in rates)


@lru_cache(maxsize=16)
def curve_model(*settings):
    """The `CurveModel` of these settings; those used last are kept."""
    return CurveModel(*settings)
