"""BoundedJumpRegression: least squares under bounds on the jumps between neighbouring levels."""

from numbers import Real

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.monotone._base import MonotoneRegressor
from weaklearn.monotone._intervals import isotonic


@documented
class BoundedJumpRegression(MonotoneRegressor):
    r"""The closest curve whose every jump lies between two bounds.

    Minimises :math:`\sum_i m_i (\mu_i - y_i)^2` subject to

    .. math:: \delta_i \le \mu_{i+1} - \mu_i \le \Delta_i, \qquad i = 0, \dots, N,

    with :math:`\mu_0` = `lower` and :math:`\mu_{N+1}` = `upper`. The lower bounds regularise: at 0 this is
    isotonic regression with values in [lower, upper], at (upper - lower) / (N + 1) a single curve is left. Negative
    ones let the curve fall by that much from one level to the next; without any bounds it is the observed shares.

    Without upper bounds it is isotonic regression after a shift, in linear time. With them it is solved by
    dynamic programming on piecewise quadratic functions: exact up to rounding, of the order of N^2 steps at most.

    Parameters
    ----------
    min_jump : float or array-like, default=0.0
        The bounds :math:`\delta_i`, negative or -inf where the curve may fall: one number for all N + 1 jumps, or
        N + 1 numbers, or N - 1 numbers for the jumps between levels (0 at the two ends). Thresholds are those of
        rising curves: ask for them only where no bound is negative.
    max_jump : float or array-like, default=inf
        The bounds :math:`\Delta_i`; of N - 1 numbers the two ends have none.
    lower, upper : float or None, default=0.0 and 1.0
        The constants at the two ends; None leaves that end free, and its jump bound is not used.
    increasing : bool, default=True
        If False, jumps are counted from the largest level down, the direction in which the curve rises.

    References
    ----------
    pratap2008, section 3.3.1, equations (3.4) to (3.7). There all samples have weight 1.

    Examples
    --------
    >>> fit = BoundedJumpRegression(min_jump=0.1, max_jump=0.4).fit([1, 2, 3, 4], [0, 1, 0, 1])
    >>> fit.values_.round(3)
    array([0.1 , 0.45, 0.55, 0.9 ])
    """

    _parameter_constraints: dict = {
        **MonotoneRegressor._parameter_constraints,
        "min_jump": [Real, "array-like"],
        "max_jump": [Real, "array-like"],
        "lower": [Real, None],
        "upper": [Real, None],
    }

    def __init__(
        self, min_jump=0.0, max_jump=np.inf, lower=0.0, upper=1.0, *, increasing=True, interpolation="linear"
    ):
        self.min_jump = min_jump
        self.max_jump = max_jump
        self.lower = lower
        self.upper = upper
        super().__init__(increasing=increasing, interpolation=interpolation)

    def _rising_values(self, x, y, m):
        from weaklearn._fast.bounded_jump import bounded_jumps

        if (m <= 0).any():
            raise ValueError(
                "BoundedJumpRegression.fit_many needs a positive number of samples at every level"
            )
        least, most = self._jumps(y.shape[1])
        free = np.array([-np.inf, np.inf])
        first = free if self.lower is None else self.lower + np.array([least[0], most[0]])
        last = free if self.upper is None else self.upper - np.array([most[-1], least[-1]])
        least, most = _finite(least[1:-1], most[1:-1], np.concatenate([y.ravel(), first, last])), most[1:-1]
        if np.isinf(most).all() and first[1] == np.inf and last[0] == -np.inf:
            raised = np.concatenate([[0.0], np.cumsum(least)])
            return np.clip(isotonic(x, y - raised, m), first[0], last[1] - raised[-1]) + raised
        out = np.empty(y.shape)
        for row in range(len(y)):
            bounded_jumps(y[row], m[row], least, most, first, last, out[row])
        return out

    def _jumps(self, n_levels):
        for name in ("lower", "upper"):
            end = getattr(self, name)
            if end is not None and not np.isfinite(end):
                raise ValueError(f"{name} must be a finite number, or None for a free end; got {end!r}")
        least = self._per_jump("min_jump", n_levels, end=0.0)
        most = self._per_jump("max_jump", n_levels, end=np.inf)
        if (least == np.inf).any():
            raise ValueError(f"min_jump must not be infinite, got {self.min_jump!r}")
        used = slice(1 if self.lower is None else 0, n_levels if self.upper is None else n_levels + 1)
        if (most[used] < least[used]).any():
            raise ValueError("every max_jump must be at least its min_jump")
        if self.lower is not None and self.upper is not None:
            rise = self.upper - self.lower
            # Sums round: bounds that meet the rise exactly on paper are let through.
            slack = 1e-9 * max(1.0, abs(rise))
            if least.sum() > rise + slack:
                raise ValueError(
                    f"the {n_levels + 1} min_jumps add up to {least.sum():g}, more than upper - lower = {rise:g}"
                )
            if most.sum() < rise - slack:
                raise ValueError(
                    f"the {n_levels + 1} max_jumps add up to {most.sum():g}, less than upper - lower = {rise:g}"
                )
        return least, most

    def _per_jump(self, name, n_levels, end):
        given = np.asarray(getattr(self, name), dtype=np.float64)
        if np.isnan(given).any():
            raise ValueError(f"{name} must not be nan")
        if given.ndim == 0:
            return np.full(n_levels + 1, given)
        if given.shape == (n_levels - 1,):
            return np.concatenate([[end], given, [end]])
        if given.shape == (n_levels + 1,):
            return given.copy()
        raise ValueError(
            f"{name} must be one number, or {n_levels + 1} or {n_levels - 1} numbers for {n_levels} levels; "
            f"got shape {given.shape}"
        )


def _finite(least, most, values):
    """Bounds of -inf as finite numbers that no jump can reach."""
    values = values[np.isfinite(values)]
    reach = values.max() - values.min() + np.abs(least[np.isfinite(least)]).sum() + 1.0
    reach += np.abs(most[np.isfinite(most)]).sum()
    return np.where(np.isinf(least), -reach, least)
