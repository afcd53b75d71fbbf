"""Tables with text, categories, dates: when they need the encoder, and the numbers that it makes of them.

A frame or an array of objects whose columns are all numbers or booleans is the same as an array of numbers. Any other
one is read column by column by `weaklearn.tables.TableEncoder`, which is fitted to the rows of positive weight.
"""

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_y, check_consistent_length, validate_data

from weaklearn.tables import TableEncoder, is_table

__all__ = ["encode_training_table", "needs_encoder"]


def needs_encoder(X):
    """Whether a frame, list or array has a column that is neither numbers nor booleans."""
    if isinstance(X, list | tuple):
        try:
            X = np.asarray(X, dtype=object)
        except ValueError:  # rows of different lengths, which are refused elsewhere
            return False
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            return False
        return X.dtype.kind in "USM" or (X.dtype == object and any(map(_needs_reading, X.ravel())))
    return is_table(X) and not all(_is_number_column(X, j) for j in range(X.shape[1]))


def _is_number_column(X, j):
    if hasattr(X, "iloc"):
        column = X.iloc[:, j]
        if column.dtype == object:
            return not any(map(_needs_reading, column.to_numpy()))
        return getattr(column.dtype, "kind", "O") in "iufb"
    dtype = X.get_column(X.columns[j]).dtype  # polars
    return dtype.is_numeric() or str(dtype) in ("Boolean", "Null")


def _needs_reading(value):
    # Numbers and None become floats at once. What is none of these is left to numpy, which refuses it.
    kinds = isinstance(value, str | np.datetime64) or hasattr(value, "isoformat")
    return kinds or type(value).__name__ == "NAType"  # pandas may not be installed


def encode_training_table(estimator, X, y, sample_weight):
    """The fitted encoder, the numbers of all rows, and y as an array; X was found to need the encoder."""
    validate_data(estimator, X, reset=True, skip_check_array=True)
    y = _check_y(y)
    check_consistent_length(X, y, sample_weight)
    if isinstance(X, list | tuple):
        X = np.asarray(X, dtype=object)
    encoder = _default_encoder(X) if estimator.encoder is None else clone(estimator.encoder)
    kept = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
    if kept.all() or not kept.any():  # no rows at all are refused later, for all tables alike
        return encoder, encoder.fit_transform(X, y), y
    learned = encoder.fit_transform(_safe_indexing(X, np.flatnonzero(kept)), y[kept])
    numbers = np.empty((len(y), learned.shape[1]))
    numbers[kept] = learned
    numbers[~kept] = encoder.transform(_safe_indexing(X, np.flatnonzero(~kept)))
    return encoder, numbers, y


def _default_encoder(X):
    # Categories that are numbers (zip codes, grades) are categories if the frame says so.
    declared = []
    if hasattr(X, "dtypes"):
        pairs = zip(X.columns, X.dtypes, strict=True)
        declared = [str(name) for name, dtype in pairs if str(dtype).lower().startswith(("categor", "enum"))]
    return TableEncoder(scale=None, categorical=declared)
