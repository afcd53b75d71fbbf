"""Kinds of input for the samplers: levels, outcomes, and levels that are told without having been asked.

In a `Given`, X holds the levels, y the outcomes, and sample_weight the levels that are told (None: those asked).
"""

import numpy as np
import pandas as pd

from benchmarks.bad_input.kinds import Given, Kind

__all__ = ["CLEAN_SESSION", "SESSION_KINDS"]

_LEVELS = np.arange(1.0, 9.0)
_OUTCOMES = np.array([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1])
CLEAN_SESSION = Given(_LEVELS, _OUTCOMES)

_LEVEL = r"level"
_OUTCOME = r"outcome|0, 1"


def _levels(change):
    return lambda given: given._replace(X=change(given.X.copy()))


def _level(value, dtype=float):
    def change(levels):
        levels = levels.astype(dtype)
        levels[3] = value
        return levels

    return _levels(change)


def _outcome(value):
    def make(given):
        outcomes = given.y.astype(object)
        outcomes[3] = value
        return given._replace(y=outcomes)

    return make


def _told(value):
    def make(given):
        told = np.resize(given.X, len(given.y)).astype(object)
        told[3] = value
        return given._replace(sample_weight=told)

    return make


def _masked(values, at):
    return np.ma.array(values, mask=np.arange(len(values)) == at)


def _strided(levels):
    wide = np.zeros(2 * len(levels))
    wide[::2] = levels
    return wide[::2]


SESSION_KINDS = [
    Kind("NaN among levels", "refuse", _level(np.nan), _LEVEL),
    Kind("infinite level", "refuse", _level(np.inf), _LEVEL),
    Kind("None among levels", "refuse", _level(None, object), _LEVEL),
    Kind("a word among levels", "refuse", _level("red", object), _LEVEL),
    Kind("words as levels", "refuse", _levels(lambda x: ["low", "high"]), _LEVEL),
    Kind("integers beyond float among levels", "refuse", _level(10**400, object), _LEVEL),
    Kind("complex levels", "refuse", _levels(lambda x: x + 1j), _LEVEL),
    Kind("dates as levels", "refuse", _levels(lambda x: x.astype("int64").astype("datetime64[D]")), _LEVEL),
    Kind("masked level", "refuse", _levels(lambda x: _masked(x, 3)), _LEVEL),
    Kind("levels in two columns", "refuse", _levels(lambda x: x.reshape(4, 2)), _LEVEL),
    Kind("ragged levels", "refuse", _levels(lambda x: [[1.0], [1.0, 2.0]]), _LEVEL),
    Kind("no levels", "refuse", _levels(lambda x: []), _LEVEL),
    Kind("one level", "refuse", _levels(lambda x: [1.0]), _LEVEL),
    Kind("one level twice", "refuse", _levels(lambda x: [1.0, 1.0]), _LEVEL),
    Kind("a number as levels", "refuse", _levels(lambda x: 3.0), _LEVEL),
    Kind("None as levels", "refuse", _levels(lambda x: None), _LEVEL),
    Kind("a word as levels", "refuse", _levels(lambda x: "red"), _LEVEL),
    Kind("a list of levels", "same", _levels(lambda x: x.tolist())),
    Kind("a tuple of levels", "same", _levels(tuple)),
    Kind("levels in float32", "same", _levels(lambda x: x.astype(np.float32))),
    Kind("whole levels", "same", _levels(lambda x: x.astype(np.int64))),
    Kind("levels that are objects", "same", _levels(lambda x: x.astype(object))),
    Kind("levels in falling order", "same", _levels(lambda x: x[::-1])),
    Kind("every level twice", "same", _levels(lambda x: np.repeat(x, 2))),
    Kind("every second cell as levels", "same", _levels(_strided)),
    Kind("levels in pandas", "same", _levels(pd.Series)),
    Kind("masked levels without a mask", "same", _levels(np.ma.array)),
    Kind("levels times 1e300", "finite", _levels(lambda x: x * 1e300), may_refuse=True),
    Kind("levels times 1e150", "finite", _levels(lambda x: x * 1e150), may_refuse=True),
    Kind("levels times 1e-150", "finite", _levels(lambda x: x * 1e-150), may_refuse=True),
    Kind("levels times 1e-300", "finite", _levels(lambda x: x * 1e-300), may_refuse=True),
    Kind("subnormal levels", "finite", _levels(lambda x: x * 1e-315), may_refuse=True),
    Kind("levels plus 1e6", "finite", _levels(lambda x: x + 1e6), may_refuse=True),
    Kind("levels plus 1e15", "finite", _levels(lambda x: x + 1e15), may_refuse=True),
    Kind("the largest floats as levels", "finite", _levels(lambda x: [-1.7e308, 1.7e308]), may_refuse=True),
    Kind("two levels", "finite", _levels(lambda x: x[:2]), may_refuse=True),
    Kind("neighbouring floats as levels", "finite", _levels(lambda x: [1.0, 1.0 + 2e-16]), may_refuse=True),
    Kind("levels of both signs", "finite", _levels(lambda x: x - 4.5)),
    Kind("NaN outcome", "refuse", _outcome(np.nan), _OUTCOME),
    Kind("None outcome", "refuse", _outcome(None), _OUTCOME),
    Kind("outcome 2", "refuse", _outcome(2), _OUTCOME),
    Kind("outcome -1", "refuse", _outcome(-1), _OUTCOME),
    Kind("outcome 0.5", "refuse", _outcome(0.5), _OUTCOME),
    Kind("a word as outcome", "refuse", _outcome("yes"), _OUTCOME),
    Kind("infinite outcome", "refuse", _outcome(np.inf), _OUTCOME),
    Kind("nested outcome", "refuse", _outcome([[1]]), _OUTCOME),
    Kind("masked outcome", "refuse", lambda g: g._replace(y=_masked(g.y, 3)), _OUTCOME + "|mask"),
    Kind("truth values as outcomes", "same", lambda g: g._replace(y=g.y.astype(bool))),
    Kind("float outcomes", "same", lambda g: g._replace(y=g.y.astype(float))),
    Kind("a list of outcomes", "same", lambda g: g._replace(y=g.y.tolist())),
    Kind("no answers", "finite", lambda g: g._replace(y=[])),
    Kind("only yes", "finite", lambda g: g._replace(y=np.ones(12, int))),
    Kind("only no", "finite", lambda g: g._replace(y=np.zeros(12, int))),
    Kind("NaN told", "refuse", _told(np.nan), _LEVEL),
    Kind("infinity told", "refuse", _told(np.inf), _LEVEL),
    Kind("None told", "refuse", _told(None), _LEVEL),
    Kind("a word told", "refuse", _told("red"), _LEVEL),
    Kind("complex told", "refuse", _told(1j), _LEVEL),
    Kind("integers beyond float told", "refuse", _told(10**400), _LEVEL),
    Kind("the levels told in order", "finite", _told(4.0)),
    Kind("a level between told", "refuse", _told(3.5), "off_grid"),
    Kind("a level outside told", "refuse", _told(100.0), _LEVEL),
    Kind("the largest float told", "refuse", _told(1.7e308), _LEVEL),
    Kind("pandas.NA told", "refuse", _told(pd.NA), _LEVEL),
    Kind("pandas.NA outcome", "refuse", _outcome(pd.NA), _OUTCOME),
]
