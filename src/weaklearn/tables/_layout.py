"""Tables of mixed columns by their types: which need an encoder, and how they are taken apart and put together again.

What a column *means* is found elsewhere (`weaklearn.tables.Column`); here a column is numeric if its type is, or, in an
array of objects, if all its entries that are not missing are numbers. Missing is NaN, None, ``pandas.NA`` or NaT.
"""

import numbers
from datetime import date, time, timedelta

import numpy as np
import pandas

from weaklearn.tables._cells import is_missing_value


def is_table(X):
    """Whether X is a data frame (pandas or polars) or an array of objects, rather than a plain array of numbers."""
    return _is_frame(X) or (isinstance(X, np.ndarray) and X.dtype == object)


def _is_frame(X):
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_column"))


def needs_encoder(X):
    """Whether X has a column that is neither numbers nor booleans, by type.

    Parameters
    ----------
    X : DataFrame, list or ndarray

    Returns
    -------
    bool
        False for what is not a table at all: scikit-learn's own checks refuse that.
    """
    if isinstance(X, list | tuple):
        try:
            X = np.asarray(X, dtype=object)
        except ValueError:  # rows of different lengths
            return False
    if not _is_frame(X) and not (isinstance(X, np.ndarray) and X.ndim == 2):
        return False
    return bool(declared_categories(X)) or any(map(_needs_reading, _raw_columns(X)))


def declared_categories(X):
    """The names of the columns of a frame whose type is that of categories."""
    if not _is_frame(X):
        return []
    pairs = zip(X.columns, X.dtypes, strict=True)
    return [str(name) for name, dtype in pairs if str(dtype).lower().startswith(("categor", "enum"))]


def _needs_reading(column):
    # Numbers, booleans and None become floats at once. What is none of these is left to numpy, which refuses it.
    if column.dtype != object:
        return column.dtype.kind not in "iufbc"
    return any(isinstance(value, _READ) or value is pandas.NA for value in column)


# Types of entries that the encoder reads.
_READ = (str, date, time, timedelta, np.datetime64, np.timedelta64)


def _raw_columns(X):
    """Arrays of numbers or booleans by type, or of objects."""
    if not _is_frame(X):
        return [X[:, j] for j in range(X.shape[1])]
    if hasattr(X, "iloc"):
        return [_pandas_column(X.iloc[:, j]) for j in range(X.shape[1])]
    return [_polars_column(X.get_column(name)) for name in X.columns]


def _pandas_column(series):
    kind = getattr(series.dtype, "kind", "O")
    if isinstance(series.dtype, np.dtype) and kind in "iufb":
        return series.to_numpy()
    if kind in "iuf":
        return series.to_numpy(dtype=np.float64, na_value=np.nan)
    # Not so for objects: an NA among them is left to the encoder, as numpy would refuse it.
    return series.to_numpy(dtype=object, na_value=None) if kind == "b" else series.to_numpy(dtype=object)


def _polars_column(series):
    if series.dtype.is_numeric():
        return series.cast(float).fill_null(float("nan")).to_numpy()
    return np.array(series.to_list(), dtype=object)


def _missing(values):
    return np.array([is_missing_value(value) for value in values], dtype=bool)


class Layout:
    """How the tables of one layout are taken apart into columns and put together again.

    Parameters
    ----------
    X : DataFrame or ndarray of two dimensions
    """

    def __init__(self, X):
        self.frame = type(X) if _is_frame(X) else None
        self.names = (
            [str(name) for name in X.columns] if self.frame else [f"column {j}" for j in range(X.shape[1])]
        )
        self.labels = list(X.columns) if self.frame else []
        self.dtypes = list(X.dtypes) if self.frame else []
        self.numeric = [_is_numeric(column) for column in _raw_columns(X)]

    def split(self, X):
        """The columns of a table of the same layout: float64 with NaN, or objects with None for missing."""
        if (_is_frame(X) and list(X.columns) != self.labels) or X.shape[1] != len(self.names):
            raise ValueError(
                f"a table with the columns {', '.join(self.names[:8])} ({len(self.names)} in all) was expected; "
                f"got one with {X.shape[1]}: {', '.join(map(str, getattr(X, 'columns', [])))}"
            )
        return [self._column(raw, j) for j, raw in enumerate(_raw_columns(X))]

    def _column(self, raw, j):
        if not self.numeric[j] or raw.dtype == object:
            raw = np.array(raw, dtype=object)
            raw[_missing(raw)] = np.nan if self.numeric[j] else None
        try:
            return raw.astype(np.float64) if self.numeric[j] else raw
        except (TypeError, ValueError) as error:
            raise ValueError(f"{self.names[j]} was numeric and holds something else now: {error}") from None

    def join(self, columns):
        """A table of this layout from its columns."""
        if self.frame is None:
            if all(self.numeric):
                return np.column_stack(columns)
            table = np.empty((len(columns[0]), len(columns)), dtype=object)
            for j, column in enumerate(columns):
                table[:, j] = column
            return table
        if self.frame.__module__.startswith("polars"):
            import polars

            data = {
                name: polars.Series(name, [None if v is None or v != v else v for v in column.tolist()])
                for name, column in zip(self.labels, columns, strict=True)
            }
            return self.frame(data).cast(dict(zip(self.labels, self.dtypes, strict=True)), strict=False)
        series = [
            pandas.Series(np.rint(column) if dtype.kind in "iu" else column, dtype=dtype)
            for column, dtype in zip(columns, self.dtypes, strict=True)
        ]
        table = pandas.concat(series, axis=1)
        table.columns = self.labels
        return table


def _is_numeric(column):
    if column.dtype != object:
        return column.dtype.kind in "iuf"
    known = list(column[~_missing(column)])
    return bool(known) and all(
        isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_) for value in known
    )


def stacked(tables):
    """Tables of one layout, one below the other."""
    first = tables[0]
    if hasattr(first, "iloc"):
        return pandas.concat(tables, ignore_index=True)
    if hasattr(first, "vstack") and not isinstance(first, np.ndarray):
        import polars

        return polars.concat(tables)
    return np.concatenate(tables)


def take_rows(X, rows):
    """Some rows of a table, numbered anew."""
    if hasattr(X, "iloc"):
        return X.iloc[rows].reset_index(drop=True)
    return X[rows]
