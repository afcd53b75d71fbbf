"""Parameters that speak of columns: which hold categories, and which are constrained to be monotone."""

import numpy as np

__all__ = ["categorical_columns", "column_signs"]


def categorical_columns(categorical_features, n_features):
    """The numbers of the columns that hold categories, sorted.

    Parameters
    ----------
    categorical_features : None, array-like of int or array-like of bool
        Column numbers, or a mask.
    n_features : int

    Returns
    -------
    list of int

    Examples
    --------
    >>> categorical_columns([2, 0], 3), categorical_columns([False, True, False], 3)
    ([0, 2], [1])
    """
    if categorical_features is None:
        return []
    given = np.asarray(categorical_features)
    if given.size == 0:
        return []
    if given.ndim != 1 or given.dtype.kind not in "biu":
        raise ValueError(
            f"categorical_features must be column numbers or a mask of booleans; got {categorical_features!r}."
        )
    if given.dtype.kind == "b":
        if len(given) != n_features:
            raise ValueError(
                f"categorical_features is a mask of {len(given)} columns, and X has {n_features}."
            )
        return np.flatnonzero(given).tolist()
    if given.min() < 0 or given.max() >= n_features:
        raise ValueError(
            f"categorical_features must be numbers from 0 to {n_features - 1}, the last column of X; "
            f"got {categorical_features!r}."
        )
    return np.unique(given).tolist()


def column_signs(monotonic_cst, n_features, categorical):
    """One sign for each column: +1 if the positive class may only become likelier with it, -1 less likely, 0 either.

    Parameters
    ----------
    monotonic_cst : None or array-like of {-1, 0, 1}
    n_features : int
    categorical : list of int
        Columns with categories, which cannot be constrained.

    Returns
    -------
    ndarray of shape (n_features,), float64
    """
    if monotonic_cst is None:
        return np.zeros(n_features)
    signs = np.asarray(monotonic_cst, dtype=np.float64)
    if signs.shape != (n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 for each of the {n_features} columns of X; got {monotonic_cst!r}."
        )
    if signs[categorical].any():
        column = next(j for j in categorical if signs[j] != 0)
        raise ValueError(
            f"monotonic_cst constrains column {column}, whose values are categories without an order; set it to 0."
        )
    return signs
