"""The contract of a margin cost."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
from scipy.special import expit

# Two grids: one fine enough for differences, one that reaches the margins of long boosting runs.
_NEAR = np.linspace(-6, 6, 241)
_FAR = np.array([-1e4, -1e3, -100.0, -20.0, 20.0, 100.0, 1e3, 1e4])


def check_margin_cost(cost):
    """Check that a margin cost keeps the promises of `weaklearn.costs`.

    Its slope is the derivative of its value away from its ``kinks``, and the left derivative at
    them; it is as decreasing, convex and finite as its flags say; it gives arrays for arrays; with ``has_link``,
    scores are least costly at their ``log_odds``; it is an immutable value that can be copied, pickled, compared and
    used as a key.

    Parameters
    ----------
    cost : MarginCost
        An instance.

    Raises
    ------
    AssertionError
        If a promise is broken; the message names the cost and the promise.
    """
    _check_shapes(cost)
    _check_range(cost)
    _check_slope(cost)
    _check_flags(cost)
    _check_weights(cost)
    _check_identity(cost)


def _require(condition, cost, promise):
    assert condition, f"{cost!r} breaks a promise of margin costs: {promise}"


def _check_shapes(cost):
    for method in (cost.value, cost.slope):
        name = method.__name__
        for margin in (
            0.5,
            [0.5, -1.0],
            np.ones((2, 3)),
            np.ones(2, dtype=np.float32),
            np.array([1, -2]),
            np.empty(0),
        ):
            result = method(margin)
            _require(np.shape(result) == np.shape(margin), cost, f"{name} keeps the shape of the margins")
            _require(np.asarray(result).dtype == np.float64, cost, f"{name} returns float64")
        margin = _NEAR.copy()
        together = method(margin)
        _require(np.array_equal(margin, _NEAR), cost, f"{name} leaves its argument alone")
        one_by_one = np.array([float(method(rho)) for rho in _NEAR])
        _require(
            np.allclose(together, one_by_one, rtol=1e-13, atol=0), cost, f"{name} works margin by margin"
        )


def _check_slope(cost):
    step = 1e-6
    kinks = np.asarray(cost.kinks, dtype=np.float64)
    smooth = np.array([rho for rho in _NEAR if not np.any(np.abs(rho - kinks) < 2 * step)])
    difference = (cost.value(smooth + step) - cost.value(smooth - step)) / (2 * step)
    scale = 1 + np.abs(cost.value(smooth)) + np.abs(cost.slope(smooth))
    _require(
        np.all(np.abs(cost.slope(smooth) - difference) < 1e-6 * scale),
        cost,
        "slope is the derivative of value",
    )
    _require(
        np.allclose(cost.slope(kinks), cost.slope(kinks - step), rtol=1e-4, atol=1e-4),
        cost,
        "the slope at a kink is the left derivative",
    )
    _require(cost.is_smooth == (len(kinks) == 0), cost, "is_smooth means that there are no kinks")


def _check_flags(cost):
    margins = np.sort(np.concatenate([_NEAR, _FAR]) if cost.is_finite else _NEAR)
    values, slopes = cost.value(margins), cost.slope(margins)
    rounding = 1e-12 * (np.abs(values[1:]) + np.abs(values[:-1]))
    nowhere_up = bool(np.all(np.diff(values) <= rounding)) and bool(np.all(slopes <= 0))
    _require(nowhere_up == cost.is_decreasing, cost, "is_decreasing means nowhere increasing")
    if cost.is_convex:
        rounding = 1e-12 * (np.abs(slopes[1:]) + np.abs(slopes[:-1]))
        _require(np.all(np.diff(slopes) >= -rounding), cost, "is_convex means that slopes never fall")


def _check_range(cost):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        values, slopes = cost.value(_FAR), cost.slope(_FAR)
    _require(not np.isnan(values).any() and not np.isnan(slopes).any(), cost, "no NaN at margins of +-1e4")
    if cost.is_finite:
        _require(
            np.isfinite(values).all() and np.isfinite(slopes).all(),
            cost,
            "is_finite means finite at margins of +-1e4",
        )


def _check_weights(cost):
    if not cost.is_decreasing:
        return
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        slopes, weights, logs = -cost.slope(_NEAR), cost.weights(_NEAR), cost.log_weights(_NEAR)
        _require(np.allclose(np.exp(logs), slopes, rtol=1e-10, atol=0), cost, "log_weights is log(-slope)")
        _require(
            np.allclose(weights * slopes.max(), slopes, rtol=1e-10, atol=0),
            cost,
            "weights are proportional to -slope",
        )
        # In boosting all margins can be far out on one side: the weights must still tell them apart.
        for shift in (-1e4, 1e4):
            far = cost.weights(_NEAR + shift)
            _require(
                np.isfinite(far).all() and far.min() >= 0 and far.max() in (0, 1),
                cost,
                "weights stay between 0 and 1, with the maximum 1 or 0, at margins of +-1e4",
            )
    if cost.has_link:
        scores = np.linspace(-5, 5, 41)
        odds = cost.log_odds(scores)
        positive = expit(odds)
        slope = positive * cost.slope(scores) - (1 - positive) * cost.slope(-scores)
        _require((np.diff(odds) > 0).all(), cost, "log_odds grows with the score")
        _require(
            np.allclose(slope, 0, atol=1e-9),
            cost,
            "log_odds are those at which the expected cost is stationary",
        )


def _check_identity(cost):
    for twin in (copy.copy(cost), copy.deepcopy(cost), pickle.loads(pickle.dumps(cost))):
        _require(
            twin == cost and hash(twin) == hash(cost), cost, "copies and pickles are equal and hash equally"
        )
        _require(
            np.array_equal(twin.value(_NEAR), cost.value(_NEAR)), cost, "copies and pickles give equal values"
        )
    names = [field.name for field in fields(cost)]
    _require(
        type(cost)(**{name: getattr(cost, name) for name in names}) == cost, cost, "parameters rebuild it"
    )
    try:
        setattr(cost, names[0] if names else "new_attribute", 1.0)
    except FrozenInstanceError:
        return
    _require(False, cost, "its parameters cannot be changed (use a frozen dataclass)")
