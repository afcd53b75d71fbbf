"""Tables of mixed columns: taken apart, put together again, and made numeric.

Conventions:

- Columns of numbers are numeric; all others (text, booleans, categories, dates) are categories. In an array of
  objects a column is numeric if all its entries that are not missing are numbers.
- Missing is NaN, None, ``pandas.NA`` or NaT. It is a fact about a row: a numeric column with missing entries gets an
  indicator beside it when it is made numeric, and "missing" is one more category of the others.
"""

import numbers

import numpy as np

__all__ = ["Columns", "TableEncoder", "is_table", "stacked"]

# More categories than this share one column: one-hot columns of rare values are noise to every learner here.
_MOST_CATEGORIES = 20


def is_table(X):
    """Whether X is a data frame (pandas or polars) or an array of objects, rather than a plain array of numbers."""
    return _is_frame(X) or (isinstance(X, np.ndarray) and X.dtype == object)


def _is_frame(X):
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_column"))


def _missing(values):
    """Mask of the missing entries of an array of objects: what is not equal to itself, and None."""
    return np.array([value is None or _is_missing(value) for value in values], dtype=bool)


def _is_missing(value):
    try:
        return not bool(value == value)
    except TypeError:  # pandas.NA has no truth value
        return True


class Columns:
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
        self.numeric = [_is_numeric(column) for column in self._raw(X)]

    def _raw(self, X):
        if self.frame is None:
            return [X[:, j] for j in range(X.shape[1])]
        if hasattr(X, "iloc"):
            return [X.iloc[:, j].to_numpy(dtype=_array_type(X.dtypes.iloc[j])) for j in range(X.shape[1])]
        return [_polars_column(X.get_column(name)) for name in X.columns]

    def split(self, X):
        """The columns of a table of the same layout: float64 with NaN, or objects with None for missing."""
        if (_is_frame(X) and list(X.columns) != self.labels) or X.shape[1] != len(self.names):
            raise ValueError(
                f"a table with the columns {', '.join(self.names[:8])} ({len(self.names)} in all) was expected; "
                f"got one with {X.shape[1]}: {', '.join(map(str, getattr(X, 'columns', [])))}"
            )
        return [self._column(raw, j) for j, raw in enumerate(self._raw(X))]

    def _column(self, raw, j):
        if self.numeric[j]:
            try:
                return (
                    np.array([np.nan if _is_missing(v) or v is None else v for v in raw], dtype=np.float64)
                    if raw.dtype == object
                    else raw.astype(np.float64)
                )
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"{self.names[j]} was numeric and holds something else now: {error}"
                ) from None
        column = np.array(raw, dtype=object)
        column[_missing(column)] = None
        return column

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
        import pandas

        series = [
            pandas.Series(_as_type(column, dtype), name=label)
            for column, dtype, label in zip(columns, self.dtypes, self.labels, strict=True)
        ]
        table = pandas.concat(series, axis=1)
        table.columns = self.labels
        return table


def _array_type(dtype):
    kind = getattr(dtype, "kind", "O")
    return np.dtype(dtype) if isinstance(dtype, np.dtype) and kind in "iufb" else object


def _polars_column(series):
    if series.dtype.is_numeric():
        return series.cast(float).fill_null(float("nan")).to_numpy()
    return np.array(series.to_list(), dtype=object)


def _as_type(column, dtype):
    import pandas

    kind = getattr(dtype, "kind", "O")
    if kind in "iu" and isinstance(dtype, np.dtype):
        return np.rint(column).astype(dtype)
    if column.dtype != object:
        whole = kind in "iu"  # the nullable integers of pandas
        return (
            pandas.array(np.rint(column) if whole else column).astype(dtype)
            if dtype != column.dtype
            else column
        )
    return (
        pandas.array(list(column), dtype=dtype) if kind != "O" or not isinstance(dtype, np.dtype) else column
    )


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
        import pandas

        return pandas.concat(tables, ignore_index=True)
    if hasattr(first, "vstack") and not isinstance(first, np.ndarray):
        import polars

        return polars.concat(tables)
    return np.concatenate(tables)


class TableEncoder:
    """From the columns of a table to a matrix without missing entries, standardised on the first table.

    A numeric column becomes its distance from the mean in standard deviations, missing entries the median; one with
    missing entries gets a 0/1 indicator beside it; a category becomes one 0/1 column for each of its (at most 20 most
    frequent) values. Constant columns become 0.
    """

    def fit(self, columns):
        """Learn medians, scales and categories."""
        self._parts = [_NumericPart(c) if c.dtype != object else _CategoryPart(c) for c in columns]
        return self

    def transform(self, columns):
        """The matrix of a table."""
        blocks = [part.encode(column) for part, column in zip(self._parts, columns, strict=True)]
        return np.ascontiguousarray(np.concatenate(blocks, axis=1))


class _NumericPart:
    def __init__(self, column):
        missing = np.isnan(column)
        known = column[~missing]
        self.indicator = bool(missing.any())
        self.median = float(np.median(known)) if len(known) else 0.0
        filled = np.where(missing, self.median, column)
        self.mean, scale = float(filled.mean()), float(filled.std())
        # A column whose spread is rounding noise is constant.
        self.scale = scale if scale > 1e-12 * max(1.0, abs(self.mean)) else np.inf

    def encode(self, column):
        missing = np.isnan(column)
        values = (np.where(missing, self.median, column) - self.mean) / self.scale
        return np.column_stack([values, missing.astype(float)]) if self.indicator else values[:, None]


class _CategoryPart:
    def __init__(self, column):
        values, counts = np.unique([_key(v) for v in column], return_counts=True)
        self.values = values[np.argsort(-counts, kind="stable")][:_MOST_CATEGORIES]

    def encode(self, column):
        keys = np.array([_key(v) for v in column])
        return (keys[:, None] == self.values[None, :]).astype(float)


def _key(value):
    return "(missing)" if value is None else f"{type(value).__name__}:{value}"
