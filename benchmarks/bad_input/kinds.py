"""Kinds of input, and the oracle of each.

All start from one clean problem: two classes that a plane separates with room to spare, in multiples of 1/8, so that
every float type and an offset of 1e15 hold it exactly. The monotone fits get its first column.

An oracle is one of

- *refuse*: there is no right answer; the error must match a pattern;
- *same*: the answer must be that on the equivalent clean input;
- *learned*: classifiers must be right on 19 of 20 training rows (a problem that stays separated), others finite;
- *finite*: any answer of finite numbers and known classes.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

__all__ = ["CLEAN", "CLEAN_MANY", "FIT_KINDS", "METHODS", "NEW_ROWS", "PREDICT_KINDS", "Given", "Kind"]


class Given(NamedTuple):
    """What is passed to a fit."""

    X: Any
    y: Any
    sample_weight: Any = None
    #: Parameters of the estimator or the sampler that are set.
    params: Any = MappingProxyType({})


class Kind(NamedTuple):
    """One kind of input: `make` turns the clean problem into it."""

    name: str
    oracle: str
    make: Callable[[Given], Given]
    #: A pattern of the error's message (refuse).
    pattern: str = ""
    #: The equivalent input (same); None is the clean problem.
    like: Callable[[Given], Given] | None = None
    #: Whether a ValueError is fine too: the input is legitimate, but not every method can use it.
    may_refuse: bool = False
    #: The method that is given X after a fit to the clean problem; else X is given to `fit`.
    method: str = ""


def _clean():
    rng = np.random.default_rng(7)
    y = np.arange(40) % 2
    X = np.round(rng.normal(size=(40, 3)) * 8) / 8
    X[:, 0] = np.where(y == 1, 1, -1) * (1 + np.round(rng.uniform(size=40) * 8) / 8)
    return Given(X, y)


def _clean_many():
    """Three classes in the corners of a triangle, in multiples of 1/8, too."""
    rng = np.random.default_rng(8)
    y = np.arange(42) % 3
    corners = np.array([[1.5, 0.0], [-1.5, 1.5], [-1.5, -1.5]])
    X = np.round(rng.normal(size=(42, 3)) * 8) / 8
    X[:, :2] = np.round(np.clip(X[:, :2] / 2, -0.5, 0.5) * 8) / 8 + corners[y]
    return Given(X, y)


CLEAN, CLEAN_MANY = _clean(), _clean_many()


def _cell(value, dtype=None):
    def make(given):
        X = given.X.astype(dtype or given.X.dtype)
        X[3, 0] = value
        return given._replace(X=X)

    return make


def _X(change):
    return lambda given: given._replace(X=change(given.X))


def _y(change):
    return lambda given: given._replace(y=change(given.y))


def _w(change):
    return lambda given: given._replace(sample_weight=change(given.y))


def _label(value):
    def change(y):
        y = y.astype(object)
        y[3] = value
        return y

    return _y(change)


def _word_label(value):
    """Words as labels, and one label of another kind."""

    def change(y):
        y = np.array(["no", "yes", "perhaps"], dtype=object)[y]
        y[3] = value
        return y

    return _y(change)


def _polars_words(y):
    words = np.array(["no", "yes", "perhaps"], dtype=object)[y]
    words[3] = None
    return pl.Series(words.tolist())


def _memmap(X):
    path = Path(tempfile.mkdtemp()) / "X.dat"
    mapped = np.memmap(path, dtype=X.dtype, mode="w+", shape=X.shape)
    mapped[:] = X
    return mapped


def _strided(X):
    wide = np.zeros((2 * len(X), 2 * X.shape[1]))
    wide[::2, ::2] = X
    return wide[::2, ::2]


def _read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def _with_column(column):
    return _X(lambda X: np.column_stack([X, column(X)]))


def _many_classes(given):
    rows = np.arange(80)
    X = np.column_stack([rows // 2, (rows // 2) ** 2 / 8.0, rows % 2])[:, : given.X.shape[1]]
    return Given(X, rows // 2)


def _wide(given):
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(10, 5000)) * 8) / 8
    y = np.arange(10) % 2
    X[:, 0] = np.where(y == 1, 3, -3)
    return Given(X, y)


def _contradictory(given):
    return Given(np.repeat(given.X[:10], 2, axis=0), np.tile([0, 1], 10))


def _masked(X):
    mask = np.zeros(X.shape, bool)
    mask[3, 0] = True
    return np.ma.array(X, mask=mask)


def _pandas(given):
    names = [f"c{i}" for i in range(given.X.shape[1])]
    return Given(pd.DataFrame(given.X, columns=names), pd.Series(given.y))


def _polars(given):
    names = [f"c{i}" for i in range(given.X.shape[1])]
    return Given(pl.DataFrame(given.X, schema=names), pl.Series(given.y))


def _frame(X):
    return pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])


def _with_first(column):
    """A data frame whose first column is replaced."""

    def change(X):
        frame = _frame(X)
        return frame.assign(c0=pd.Series(column(X[:, 0])))

    return _X(change)


def _renamed(names):
    return _X(lambda X: pd.DataFrame(X, columns=names[: X.shape[1]]))


def _sorted_by_class(given):
    order = np.argsort(given.y, kind="stable")
    return Given(given.X[order], given.y[order])


def _more_columns(given):
    return Given(np.column_stack([given.X] + [given.X[::-1] ** 2] * 9)[:12], given.y[:12])


def _wide_weights(y):
    return 10.0 ** np.linspace(-200, 200, len(y))


_UNICODE = ["ნეი", "да [/red] \u202e", "b"]
_SHAPE = r"shape|dim|2D|1D|scalar|array|sample|feature|sequence|rows|columns|length|axis"
_NUMBER = r"float|numer|string|text|object|dtype|number|convert|type|None|complex|date|Complex|NaN|missing"
_LENGTH = r"inconsistent|length|shape|sample_weight|rows|labels|size"
_WEIGHT = r"weight"
_CLASSES = r"class|label|single|one|sample|row|least|two|y "

FIT_KINDS = [
    # X without a right answer
    Kind("NaN in X", "refuse", _cell(np.nan), r"NaN|missing"),
    Kind("infinity in X", "refuse", _cell(np.inf), r"infinity|inf"),
    Kind("minus infinity in X", "refuse", _cell(-np.inf), r"infinity|inf"),
    Kind("None in X", "refuse", _cell(None, object), _NUMBER),
    Kind("a word in X", "refuse", _cell("red", object), _NUMBER),
    Kind("words in X", "refuse", _X(lambda X: np.full(X.shape, "red")), _NUMBER),
    Kind("a dictionary in X", "refuse", _cell({}, object), _NUMBER),
    Kind(
        "integers beyond float in X",
        "refuse",
        _cell(10**400, object),
        r"too large|finite|float|infinity|large",
    ),
    Kind("complex X", "refuse", _X(lambda X: X + 1j), _NUMBER),
    Kind("dates in X", "refuse", _X(lambda X: X.astype("int64").astype("datetime64[D]")), _NUMBER),
    Kind("masked cell in X", "refuse", _X(_masked), r"mask"),
    Kind("sparse X", "same", _X(sparse.csr_matrix), may_refuse=True),
    Kind("three dimensions", "refuse", _X(lambda X: X[:, :, None]), _SHAPE),
    Kind("ragged rows", "refuse", _X(lambda X: [[1.0], [1.0, 2.0]] * (len(X) // 2)), _SHAPE),
    Kind("no rows", "refuse", lambda g: Given(g.X[:0], g.y[:0]), _SHAPE),
    Kind("no columns", "refuse", _X(lambda X: X[:, :0]), _SHAPE),
    Kind("a number as X", "refuse", _X(lambda X: 3.0), _SHAPE),
    Kind("None as X", "refuse", _X(lambda X: None), _NUMBER + "|" + _SHAPE),
    Kind("a word as X", "refuse", _X(lambda X: "red"), _NUMBER + "|" + _SHAPE),
    Kind("an array of no dimension as X", "refuse", _X(lambda X: np.array(3.0)), _SHAPE),
    Kind("a set as X", "refuse", _X(lambda X: {1.0, 2.0}), _NUMBER + "|" + _SHAPE),
    Kind("an iterator as X", "refuse", _X(lambda X: iter(X.tolist())), _NUMBER + "|" + _SHAPE),
    Kind("pandas.NA in X", "refuse", _cell(pd.NA, object), _NUMBER + "|NA"),
    Kind("pandas with words", "refuse", _with_first(lambda x: np.where(x > 0, "up", "down")), _NUMBER),
    Kind("pandas with dates", "refuse", _with_first(lambda x: pd.to_datetime(x * 8, unit="D")), _NUMBER),
    Kind("X and y swapped", "refuse", lambda g: Given(g.y, g.X), _SHAPE),
    # labels without a right answer
    Kind("dates as labels", "refuse", _y(lambda y: y.astype("datetime64[D]")), r"date|time"),
    Kind("a word as y", "refuse", _y(lambda y: "01" * (len(y) // 2)), r"y |y\b|label|" + _SHAPE),
    Kind("a set as y", "refuse", _y(lambda y: {0, 1}), r"y |y\b|label|" + _SHAPE),
    Kind("an iterator as y", "refuse", _y(lambda y: iter(y.tolist())), r"y |y\b|label|" + _SHAPE),
    Kind(
        "a data frame as y",
        "refuse",
        _y(lambda y: pd.DataFrame({"a": y, "b": y})),
        _SHAPE + "|multi|y |label",
    ),
    Kind("too few labels", "refuse", _y(lambda y: y[:-1]), _LENGTH),
    Kind("too many labels", "refuse", _y(lambda y: np.append(y, 1)), _LENGTH),
    Kind("NaN label", "refuse", _label(np.nan), r"NaN|missing|label"),
    Kind("None label", "refuse", _label(None), r"None|NaN|missing|label|type|y "),
    Kind("None among word labels", "refuse", _word_label(None), r"row 3\b"),
    Kind("NaN among word labels", "refuse", _word_label(np.nan), r"row 3\b"),
    Kind("pandas.NA label", "refuse", _word_label(pd.NA), r"row 3\b"),
    Kind("null label in polars", "refuse", _y(_polars_words), r"row 3\b"),
    Kind("a number among words as label", "refuse", _word_label(3), r"row 3\b"),
    Kind("a tuple as label", "refuse", _word_label((1, 2)), r"row 3\b"),
    Kind("only None as labels", "refuse", _y(lambda y: np.full(len(y), None)), r"row 0\b|0 labelled rows"),
    Kind("infinite label", "refuse", _y(lambda y: np.where(y == 1, np.inf, 0.0)), r"inf|label"),
    Kind("two columns of labels", "refuse", _y(lambda y: np.column_stack([y, y])), _SHAPE + "|multi"),
    Kind("None as y", "refuse", _y(lambda y: None), r"y|label|None"),
    Kind("a number as y", "refuse", _y(lambda y: 1), r"y |y\b|label|" + _SHAPE),
    Kind(
        "nested labels", "refuse", _y(lambda y: [[0]] * 20 + [[0, 1]] * (len(y) - 20)), r"y |label|" + _SHAPE
    ),
    Kind("words and numbers as labels", "refuse", _label("a"), r"label|type|mix|number|str|convert|float"),
    Kind("complex labels", "refuse", _y(lambda y: y + 1j), r"[Cc]omplex|label|type"),
    Kind("masked labels", "refuse", _y(lambda y: np.ma.array(y, mask=np.arange(len(y)) == 5)), r"mask"),
    # weights without a right answer
    Kind("negative weight", "refuse", _w(lambda y: np.where(np.arange(len(y)) == 3, -1.0, 1.0)), _WEIGHT),
    Kind("NaN weight", "refuse", _w(lambda y: np.where(np.arange(len(y)) == 3, np.nan, 1.0)), _WEIGHT),
    Kind("infinite weight", "refuse", _w(lambda y: np.where(np.arange(len(y)) == 3, np.inf, 1.0)), _WEIGHT),
    Kind("too few weights", "refuse", _w(lambda y: np.ones(len(y) - 1)), _WEIGHT),
    Kind("weights in two columns", "refuse", _w(lambda y: np.ones((len(y), 2))), _WEIGHT),
    Kind("words as weights", "refuse", _w(lambda y: ["heavy"] * len(y)), _WEIGHT + "|" + _NUMBER),
    Kind(
        "None among weights", "refuse", _w(lambda y: [None] + [1.0] * (len(y) - 1)), _WEIGHT + "|" + _NUMBER
    ),
    Kind("all weights zero", "refuse", _w(lambda y: np.zeros(len(y))), _WEIGHT),
    Kind(
        "masked weights",
        "refuse",
        _w(lambda y: np.ma.array(np.ones(len(y)), mask=np.arange(len(y)) == 5)),
        r"mask",
    ),
    Kind("complex weights", "refuse", _w(lambda y: np.ones(len(y)) + 1j), _WEIGHT + "|[Cc]omplex"),
    Kind("dates as weights", "refuse", _w(lambda y: y.astype("datetime64[D]")), _WEIGHT),
    Kind("weights in one column", "refuse", _w(lambda y: np.ones((len(y), 1))), _WEIGHT),
    Kind(
        "pandas.NA among weights",
        "refuse",
        _w(lambda y: [pd.NA] + [1.0] * (len(y) - 1)),
        _WEIGHT + "|" + _NUMBER,
    ),
    # the same input in another form
    Kind("words that are numbers", "same", _X(lambda X: X.astype(str)), may_refuse=True),
    Kind("minus zero", "same", _X(lambda X: np.where(X == 0, -0.0, X))),
    Kind(
        "pandas with nullable columns", "same", _X(lambda X: _frame(X).convert_dtypes(convert_integer=False))
    ),
    Kind("pandas with rows in another order", "same", _X(lambda X: _frame(X).set_axis(range(len(X))[::-1]))),
    Kind("pandas with numbers as names", "same", _renamed([3, 1, 2])),
    Kind("pandas with one name for all columns", "same", _renamed(["c", "c", "c"]), may_refuse=True),
    Kind("pandas with names of two types", "same", _renamed(["c", 1, 2.5]), r"name", may_refuse=True),
    Kind("labels of pandas in another order", "same", _y(lambda y: pd.Series(y, index=range(len(y))[::-1]))),
    Kind("labels that are categories", "same", _y(lambda y: pd.Series(y).astype("category"))),
    Kind("nullable labels", "same", _y(lambda y: pd.Series(y).astype("Int64"))),
    Kind("labels in one column", "same", _y(lambda y: y[:, None]), may_refuse=True),
    Kind("labels in float16", "same", _y(lambda y: y.astype(np.float16))),
    Kind("labels of minus zero", "same", _y(lambda y: np.where(y == 0, -0.0, y))),
    Kind("a number as weights", "same", _w(lambda y: 1.0), may_refuse=True),
    Kind("weights in pandas", "same", _w(lambda y: pd.Series(np.ones(len(y)), index=range(len(y))[::-1]))),
    Kind("weights in float32", "same", _w(lambda y: np.ones(len(y), np.float32))),
    Kind("truth values as weights", "same", _w(lambda y: np.ones(len(y), bool))),
    Kind("lists", "same", lambda g: Given(g.X.tolist(), g.y.tolist())),
    Kind("float32", "same", _X(lambda X: X.astype(np.float32))),
    Kind("float16", "same", _X(lambda X: X.astype(np.float16))),
    Kind("long double", "same", _X(lambda X: X.astype(np.longdouble))),
    Kind("other byte order", "same", _X(lambda X: X.astype(">f8"))),
    Kind("objects that are numbers", "same", _X(lambda X: X.astype(object))),
    Kind("integers", "same", _X(lambda X: (X * 8).astype(np.int64)), like=_X(lambda X: X * 8)),
    Kind("small integers", "same", _X(lambda X: (X * 8).astype(np.int8)), like=_X(lambda X: X * 8)),
    Kind("truth values", "same", _X(lambda X: X > 0), like=_X(lambda X: (X > 0) * 1.0)),
    Kind("Fortran order", "same", _X(np.asfortranarray)),
    Kind("every second cell of an array", "same", _X(_strided)),
    Kind("reversed strides", "same", _X(lambda X: np.ascontiguousarray(X[::-1])[::-1])),
    Kind("read-only", "same", lambda g: Given(_read_only(g.X), _read_only(g.y))),
    Kind("memory map", "same", _X(_memmap)),
    Kind(
        "pandas",
        "same",
        _pandas,
    ),
    Kind(
        "polars",
        "same",
        _polars,
    ),
    Kind("masked array without a mask", "same", _X(lambda X: np.ma.array(X))),
    Kind("integer labels that are objects", "same", _y(lambda y: y.astype(object))),
    Kind("float labels", "same", _y(lambda y: y.astype(float))),
    Kind("boolean labels", "same", _y(lambda y: y.astype(bool))),
    Kind("small labels", "same", _y(lambda y: y.astype(np.int8))),
    Kind("equal weights", "same", _w(lambda y: np.ones(len(y)))),
    Kind("whole weights", "same", _w(lambda y: np.ones(len(y), int))),
    Kind("a list of weights", "same", _w(lambda y: [1.0] * len(y))),
    # labels of other kinds
    Kind(
        "continuous labels",
        "refuse",
        _y(lambda y: y + np.linspace(0.01, 0.4, len(y))),
        r"label|continuous|class",
    ),
    Kind(
        "labels that differ in case and space",
        "learned",
        _y(lambda y: np.array(["yes", "Yes", " yes"], dtype=object)[y]),
        may_refuse=True,
    ),
    Kind("words as labels", "learned", _y(lambda y: np.array(["no", "yes", "perhaps"])[y]), may_refuse=True),
    Kind(
        "unicode labels",
        "learned",
        _y(lambda y: np.array(_UNICODE, dtype=object)[y]),
        may_refuse=True,
    ),
    Kind(
        "labels beyond int64",
        "learned",
        _y(lambda y: np.array([0, 2**64 - 1, 2**63], dtype=np.uint64)[y]),
        may_refuse=True,
    ),
    Kind("negative labels", "learned", _y(lambda y: 2 * y - 1), may_refuse=True),
    Kind("an empty word as label", "learned", _y(lambda y: np.array(["", "a", "b"])[y]), may_refuse=True),
    Kind("bytes as labels", "learned", _y(lambda y: np.array([b"a", b"b", b"c"])[y]), may_refuse=True),
    Kind(
        "labels of 10,000 characters",
        "learned",
        _y(lambda y: np.array(["a" * 10**4, "b", "c"])[y]),
        may_refuse=True,
    ),
    # extreme numbers; the classes stay separated
    Kind("X times 1e8", "learned", _X(lambda X: X * 1e8)),
    Kind("X times 1e30", "learned", _X(lambda X: X * 1e30), may_refuse=True),
    Kind("X minus 1e6", "learned", _X(lambda X: X - 1e6), may_refuse=True),
    Kind("a subnormal cell", "finite", _cell(5e-324)),
    Kind("a cell of 1e200", "finite", _cell(1e200), may_refuse=True),
    Kind(
        "columns of many scales",
        "finite",
        _X(lambda X: X * 10.0 ** np.linspace(-100, 100, X.shape[1])),
        may_refuse=True,
    ),
    Kind(
        "half of the weights minus zero", "learned", _w(lambda y: np.where(np.arange(len(y)) < 20, 1.0, -0.0))
    ),
    Kind("X times 1e300", "learned", _X(lambda X: X * 1e300), may_refuse=True),
    Kind("X times 1e150", "learned", _X(lambda X: X * 1e150), may_refuse=True),
    Kind("X times 1e-8", "learned", _X(lambda X: X * 1e-8)),
    Kind("X times 1e-30", "learned", _X(lambda X: X * 1e-30), may_refuse=True),
    Kind("X times 1e-150", "learned", _X(lambda X: X * 1e-150), may_refuse=True),
    Kind("X times 1e-300", "learned", _X(lambda X: X * 1e-300), may_refuse=True),
    Kind("X subnormal", "learned", _X(lambda X: X * 1e-315), may_refuse=True),
    Kind("X plus 1000", "learned", _X(lambda X: X + 1e3)),
    Kind("X plus 1e6", "learned", _X(lambda X: X + 1e6), may_refuse=True),
    Kind("X plus 1e15", "learned", _X(lambda X: X + 1e15), may_refuse=True),
    Kind("the largest floats", "finite", _cell(np.finfo(float).max), may_refuse=True),
    Kind("weights of 1e-300", "learned", _w(lambda y: np.full(len(y), 1e-300)), may_refuse=True),
    Kind("weights whose sum overflows", "learned", _w(lambda y: np.full(len(y), 1e308)), may_refuse=True),
    Kind("subnormal weights", "learned", _w(lambda y: np.full(len(y), 5e-324)), may_refuse=True),
    Kind(
        "weights from 1e-200 to 1e200",
        "finite",
        _w(_wide_weights),
        may_refuse=True,
    ),
    Kind("half of the weights zero", "learned", _w(lambda y: (np.arange(len(y)) < 20) * 1.0)),
    # degenerate sets
    Kind("one class", "finite", _y(np.zeros_like), may_refuse=True),
    Kind("one row", "finite", lambda g: Given(g.X[:1], g.y[:1]), may_refuse=True),
    Kind("two rows", "finite", lambda g: Given(g.X[:2], g.y[:2]), may_refuse=True),
    Kind(
        "one row of a class",
        "finite",
        lambda g: Given(g.X[:9], np.append(np.zeros(8, int), 1)),
        may_refuse=True,
    ),
    Kind("constant X", "finite", _X(np.ones_like), may_refuse=True),
    Kind("constant column", "learned", _with_column(lambda X: np.full(len(X), 1e9)), may_refuse=True),
    Kind("column twice", "learned", _with_column(lambda X: X[:, 0]), may_refuse=True),
    Kind("rows sorted by class", "learned", _sorted_by_class),
    Kind("rows in reverse order", "learned", lambda g: Given(g.X[::-1], g.y[::-1])),
    Kind("rows twice", "learned", lambda g: Given(np.tile(g.X, (2, 1)), np.tile(g.y, 2))),
    Kind("contradictory rows", "finite", _contradictory, may_refuse=True),
    Kind("one column", "learned", _X(lambda X: X[:, :1])),
    Kind(
        "more columns than rows",
        "learned",
        _more_columns,
        may_refuse=True,
    ),
    Kind("40 classes", "finite", _many_classes, may_refuse=True),
    Kind("10 rows, 5000 columns", "learned", _wide, may_refuse=True),
]

#: Given to `predict`, and to what else there is, of an estimator that learned the clean problem.
NEW_ROWS = [
    Kind("NaN", "refuse", _cell(np.nan), r"NaN|missing"),
    Kind("infinity", "refuse", _cell(np.inf), r"inf"),
    Kind("a word", "refuse", _cell("red", object), _NUMBER),
    Kind("None", "refuse", _cell(None, object), _NUMBER),
    Kind("fewer columns", "refuse", _X(lambda X: X[:, :-1]), r"feature|column|" + _SHAPE),
    Kind("more columns", "refuse", _with_column(lambda X: X[:, 0]), r"feature|column|" + _SHAPE),
    Kind("one dimension", "refuse", _X(lambda X: X.ravel()), _SHAPE),
    Kind("three dimensions", "refuse", _X(lambda X: X[:, :, None]), _SHAPE),
    Kind("no rows", "refuse", _X(lambda X: X[:0]), r"sample|row"),
    Kind("sparse", "same", _X(sparse.csr_matrix), may_refuse=True),
    Kind("complex", "refuse", _X(lambda X: X + 1j), _NUMBER),
    Kind("masked cell", "refuse", _X(_masked), r"mask"),
    Kind("None as X", "refuse", _X(lambda X: None), _NUMBER + "|" + _SHAPE),
    Kind("lists", "same", _X(lambda X: X.tolist())),
    Kind("float32", "same", _X(lambda X: X.astype(np.float32))),
    Kind("Fortran order", "same", _X(np.asfortranarray)),
    Kind("strided", "same", _X(_strided)),
    Kind("read-only", "same", _X(_read_only)),
    Kind("objects", "same", _X(lambda X: X.astype(object))),
    Kind("1e300", "finite", _X(lambda X: X * 1e300), may_refuse=True),
    Kind(
        "the largest floats",
        "finite",
        _X(lambda X: np.full(X.shape, np.finfo(float).max)),
        may_refuse=True,
    ),
    Kind("1e-300", "finite", _X(lambda X: X * 1e-300)),
    Kind("1e150", "finite", _X(lambda X: X * 1e150), may_refuse=True),
    Kind("subnormal", "finite", _X(lambda X: X * 1e-315)),
    Kind("minus infinity", "refuse", _cell(-np.inf), r"inf"),
    Kind("pandas.NA", "refuse", _cell(pd.NA, object), _NUMBER + "|NA"),
    Kind("words", "refuse", _X(lambda X: np.full(X.shape, "red")), _NUMBER),
    Kind("a dictionary", "refuse", _cell({}, object), _NUMBER),
    Kind("integers beyond float", "refuse", _cell(10**400, object), r"too large|finite|float|infinity|large"),
    Kind("dates", "refuse", _X(lambda X: X.astype("int64").astype("datetime64[D]")), _NUMBER),
    Kind("ragged rows", "refuse", _X(lambda X: [[1.0], [1.0, 2.0]]), _SHAPE),
    Kind("no columns", "refuse", _X(lambda X: X[:, :0]), r"feature|column|" + _SHAPE),
    Kind("a number as X", "refuse", _X(lambda X: 3.0), _SHAPE),
    Kind("a word as X", "refuse", _X(lambda X: "red"), _NUMBER + "|" + _SHAPE),
    Kind("a set as X", "refuse", _X(lambda X: {1.0, 2.0}), _NUMBER + "|" + _SHAPE),
    Kind("an iterator as X", "refuse", _X(lambda X: iter(X.tolist())), _NUMBER + "|" + _SHAPE),
    Kind("float16", "same", _X(lambda X: X.astype(np.float16))),
    Kind("long double", "same", _X(lambda X: X.astype(np.longdouble))),
    Kind("other byte order", "same", _X(lambda X: X.astype(">f8"))),
    Kind("integers", "same", _X(lambda X: (X * 8).astype(np.int64)), like=_X(lambda X: X * 8)),
    Kind("truth values", "same", _X(lambda X: X > 0), like=_X(lambda X: (X > 0) * 1.0)),
    Kind("reversed strides", "same", _X(lambda X: np.ascontiguousarray(X[::-1])[::-1])),
    Kind("masked array without a mask", "same", _X(np.ma.array)),
    Kind("minus zero", "same", _X(lambda X: np.where(X == 0, -0.0, X))),
    Kind("words that are numbers", "same", _X(lambda X: X.astype(str)), may_refuse=True),
]

METHODS = ("predict", "transform", "predict_proba", "decision_function")
PREDICT_KINDS = [
    kind._replace(name=f"{method}: {kind.name}", method=method) for method in METHODS for kind in NEW_ROWS
]
