"""The contract of a complexity measure."""

import copy

import numpy as np


def check_complexity_measure(measure):
    """Check that a complexity measure keeps the promises that `weaklearn.complexity` relies on.

    It gives the same finite number for the same set, whatever the order of the rows, and leaves its data alone. An
    incremental measure (``push``, ``pop``, ``value``) starts empty, is back to the value before after a ``push`` and a
    ``pop``, is independent of its copies and, if it is also callable, agrees with the call.

    Parameters
    ----------
    measure : callable or incremental measure

    Raises
    ------
    AssertionError
        If a promise is broken; the message names the measure and the promise.
    """
    X, y = np.random.default_rng(0).normal(size=(24, 2)), np.repeat([0, 1], 12)
    incremental = all(
        hasattr(type(measure), name) or name in getattr(measure, "__dict__", {})
        for name in ("push", "pop", "value")
    )
    _require(callable(measure) or incremental, measure, "it is callable, or has push, pop and value")
    if callable(measure):
        _check_called(measure, X, y)
    if incremental:
        _check_updates(measure, X, y)


def _require(condition, measure, promise):
    assert condition, f"{measure!r} breaks a promise of complexity measures: {promise}"


def _check_called(measure, X, y):
    X_before, y_before = X.copy(), y.copy()
    first, order = float(measure(X, y)), np.arange(len(y))[::-1]
    _require(np.isfinite(first), measure, "its value is a finite number")
    _require(float(measure(X, y)) == first, measure, "two calls with the same set agree")
    _require(float(measure(X[order], y[order])) == first, measure, "the order of the rows does not matter")
    unchanged = np.array_equal(X, X_before) and np.array_equal(y, y_before)
    _require(unchanged, measure, "it leaves its data alone")


def _check_updates(measure, X, y):
    values = []
    for order in (np.arange(len(y)), np.arange(len(y))[::-1]):
        state, along = copy.deepcopy(measure), []
        for i in order:
            state.push(X[i], y[i])
            along.append(float(state.value))
        _require(np.isfinite(along).all(), measure, "its value is a finite number")
        values.append(along[-1])
        twin = copy.deepcopy(state)
        for expected in reversed(along[:-1]):
            state.pop()
            _require(float(state.value) == expected, measure, "pop takes back the last push")
        _require(float(twin.value) == along[-1], measure, "copies are independent")
    _require(values[0] == values[1], measure, "the order of the pushes does not matter")
    if callable(measure):
        _require(float(measure(X, y)) == values[0], measure, "the call and the updates agree")
