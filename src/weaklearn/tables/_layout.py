"""Tables of mixed columns taken apart and put together again, with the columns and types that they had.

What a column *means* is found elsewhere (`weaklearn.tables.Column`); here a column is numeric if its type is, or, in an
array of objects, if all its entries that are not missing are numbers. Missing is NaN, None, ``pandas.NA`` or NaT.
"""

import numbers

import numpy as np

from weaklearn.tables._cells import is_missing_value

__all__ = ["Layout", "is_table", "stacked", "take_rows"]


def is_table(X):
    """Whether X is a data frame (pandas or polars) or an array of objects, rather than a plain array of numbers."""
    return _is_frame(X) or (isinstance(X, np.ndarray) and X.dtype == object)


def _is_frame(X):
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_column"))


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
                    np.array([np.nan if is_missing_value(v) else v for v in raw], dtype=np.float64)
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


def take_rows(X, rows):
    """Some rows of a table, numbered anew."""
    if hasattr(X, "iloc"):
        return X.iloc[rows].reset_index(drop=True)
    return X[rows]
