"""Threshold functionals: from a monotone curve to the one input that matters.

A functional is called as ``functional(curve, low, high)`` with a monotone function of arrays and the range
of inputs, and returns one input in [low, high]; any function with this signature is one. It may also have
``of_lines(x, values, low, high, increasing)``, which does the same for many broken lines at once (one per row
of ``values``): the adaptive samplers evaluate hundreds of curves for every question.

Conventions: a curve that never reaches a level crosses it at the end of the range that lies on that side;
where a curve stays at the level on an interval, the middle of the interval is the crossing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar


@dataclass(frozen=True)
class Crossing:
    """The input at which the curve crosses a level, p^-1(level).

    Parameters
    ----------
    level : float, default=0.5
        Between 0 and 1, both excluded.

    References
    ----------
    pratap2008, section 3.1.3 (critical value crossing functional).

    Examples
    --------
    >>> import numpy as np
    >>> Crossing(0.25)(np.square, 0.0, 1.0)
    0.5
    """

    level: float = 0.5

    def __post_init__(self):
        if not 0 < self.level < 1:
            raise ValueError(f"the level of a Crossing must lie between 0 and 1, got {self.level!r}")

    def __call__(self, curve, low, high):
        """Where ``curve`` crosses the level, to the precision of bisection (about 1e-12 of the range)."""
        ends = np.asarray(curve(np.array([low, high])), dtype=float)
        sign = 1.0 if ends[0] <= ends[1] else -1.0

        def above(inputs):
            return sign * (np.asarray(curve(inputs), dtype=float) - self.level)

        bottom, top = sign * (ends - self.level)
        if top < 0:
            return float(high)
        if bottom > 0:
            return float(low)
        # Two bisections side by side: the first point at or above the level, the last at or below it.
        left, right = np.array([low, low], dtype=float), np.array([high, high], dtype=float)
        for _ in range(60):
            middle = 0.5 * (left + right)
            values = above(middle)
            go_left = np.array([values[0] >= 0, values[1] > 0])
            left, right = np.where(go_left, left, middle), np.where(go_left, middle, right)
        first = low if bottom >= 0 else right[0]
        last = high if top <= 0 else left[1]
        return float(0.5 * (first + last))

    def of_lines(self, x, values, low, high, increasing=True):
        """The crossings of broken lines through ``values`` (rows, levels) at the levels ``x``."""
        from weaklearn._fast.curves import crossing_rows

        out = np.empty(len(values))
        if increasing:
            crossing_rows(x, np.ascontiguousarray(values), self.level, low, high, out)
            return out
        flipped = np.ascontiguousarray(values[:, ::-1])
        crossing_rows(np.ascontiguousarray(-x[::-1]), flipped, self.level, -high, -low, out)
        return -out


@dataclass(frozen=True)
class Difference:
    """The input at which the curve differs from its value at the first input by a given amount.

    The first input is the control: a dose of nothing, a price without discount. A curve that never differs by so much
    has its threshold at the last input.

    Parameters
    ----------
    amount : float
        Between 0 and 1, both excluded; a rise or a fall, whichever way the curve goes.

    Examples
    --------
    >>> import numpy as np
    >>> round(Difference(0.25)(lambda x: 0.1 + 0.5 * x, 0.0, 1.0), 6)
    0.5
    """

    amount: float

    def __post_init__(self):
        if not 0 < self.amount < 1:
            raise ValueError(f"the amount of a Difference must lie between 0 and 1, got {self.amount!r}")

    def __call__(self, curve, low, high):
        """Where ``curve`` has moved by the amount from its value at ``low``, by bisection."""
        first = float(np.asarray(curve(np.array([low])), dtype=float)[0])

        def moved(at):
            return abs(float(np.asarray(curve(np.array([at])), dtype=float)[0]) - first) >= self.amount

        if not moved(high):
            return float(high)
        left, right = float(low), float(high)
        for _ in range(60):
            middle = 0.5 * (left + right)
            left, right = (left, middle) if moved(middle) else (middle, right)
        return right

    def of_lines(self, x, values, low, high, increasing=True):
        """The thresholds of broken lines through ``values`` (rows, levels) at the levels ``x``."""
        moved = np.abs(values - np.array([np.interp(low, x, row) for row in values])[:, None])
        moved = np.where(x >= low, moved, 0.0)
        after = (moved >= self.amount).argmax(axis=1)
        reached = moved.max(axis=1) >= self.amount
        before = np.maximum(after - 1, 0)
        rows = np.arange(len(values))
        rise = moved[rows, after] - moved[rows, before]
        share = np.divide(
            self.amount - moved[rows, before], rise, out=np.zeros(len(values)), where=reached & (rise > 0)
        )
        return np.clip(np.where(reached, x[before] + share * (x[after] - x[before]), high), low, high)


# Points of the range at which a trade-off is evaluated before the best one is refined.
_GRID = 257


@dataclass(frozen=True)
class TradeOff:
    """The input that maximises the expected gain, argmax G(x) p(x).

    In pricing, p(x) is the probability of a sale at the discount x and G(x) = 1 - x what the sale brings.

    Parameters
    ----------
    gain : callable or pair of sequences
        The function G of arrays, or points (inputs, gains) that are joined linearly. Only points can be
        stored in the file of a `weaklearn.adaptive.Session`.

    Notes
    -----
    For one curve the best of 257 points is refined by a bounded search between its neighbours; for many curves
    at once (inside the samplers) by a parabola through it and its neighbours. The smaller of two equally
    good inputs is taken.

    References
    ----------
    pratap2008, section 3.1.3 (trade-off functional).

    Examples
    --------
    >>> discount = TradeOff(([0.0, 1.0], [1.0, 0.0]))   # G(x) = 1 - x
    >>> round(discount(lambda x: x, 0.0, 1.0), 6)       # the maximum of (1 - x) x
    0.5
    """

    gain: Any

    def __post_init__(self):
        if callable(self.gain):
            return
        try:
            inputs, gains = (np.asarray(part, dtype=float) for part in self.gain)
        except (TypeError, ValueError):
            message = f"gain must be callable or a pair (inputs, gains), got {self.gain!r}"
            raise ValueError(message) from None
        if inputs.ndim != 1 or inputs.shape != gains.shape or len(inputs) < 2:
            raise ValueError(
                "the inputs and gains of a TradeOff must be two lists of the same length, at least 2"
            )
        if not (np.isfinite(gains).all() and (np.diff(inputs) > 0).all()):
            raise ValueError("the inputs of a TradeOff must increase, and its gains must be finite")
        object.__setattr__(self, "gain", (tuple(inputs.tolist()), tuple(gains.tolist())))

    def gains(self, x):
        """G at the inputs ``x``."""
        if callable(self.gain):
            return np.asarray(self.gain(x), dtype=float)
        return np.interp(x, *self.gain)

    def __call__(self, curve, low, high):
        """Where G(x) times the curve is largest on [low, high]."""

        def loss(inputs):
            return -self.gains(inputs) * np.asarray(curve(inputs), dtype=float)

        grid = np.linspace(low, high, _GRID)
        losses = loss(grid)
        best = int(losses.argmin())
        bounds = (grid[max(best - 1, 0)], grid[min(best + 1, _GRID - 1)])
        if bounds[0] == bounds[1]:
            return float(low)
        found = minimize_scalar(
            lambda at: float(loss(np.array([at]))[0]),
            bounds=bounds,
            method="bounded",
            options={"xatol": 1e-10 * (high - low)},
        )
        return float(found.x if found.fun < losses[best] else grid[best])

    def of_lines(self, x, values, low, high, increasing=True):
        """The best inputs for broken lines through ``values`` (rows, levels) at the levels ``x``."""
        grid = np.linspace(low, high, _GRID)
        # Interpolation is linear in the values: one matrix serves all rows.
        weights = np.array([np.interp(grid, x, unit) for unit in np.eye(len(x))])
        gain = (values @ weights) * self.gains(grid)
        best = gain.argmax(axis=1)
        inner = np.clip(best, 1, _GRID - 2)
        rows = np.arange(len(values))
        before, here, after = gain[rows, inner - 1], gain[rows, inner], gain[rows, inner + 1]
        bend = before - 2 * here + after
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
        shift = np.where(inner == best, np.clip(shift, -0.5, 0.5), 0.0)
        return grid[best] + shift * (grid[1] - grid[0])


def thresholds_of_lines(functional, x, values, low, high, increasing=True):
    """``functional`` of every broken line, by its own ``of_lines`` or one at a time."""
    if hasattr(functional, "of_lines"):
        return functional.of_lines(x, values, low, high, increasing)

    def of_one(row):
        return float(functional(lambda inputs: np.interp(inputs, x, row), low, high))

    return np.array([of_one(row) for row in values])
