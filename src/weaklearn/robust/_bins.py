"""Columns cut into at most 255 bins once, for boosted trees that are fitted to many parts of one table."""

import numpy as np

__all__ = ["Bins"]

_MOST = 255
# Quantiles of a sample do for more rows.
_ROWS = 50_000


class Bins:
    """Bins with about equally many rows, or one for each value of a column that has few.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite.
    random : RandomState
        Draws the sample.
    """

    def __init__(self, X, random):
        if len(X) > _ROWS:
            X = X[random.choice(len(X), _ROWS, replace=False)]
        self.edges = [_edges(column) for column in X.T]

    def codes(self, X):
        """Bin numbers, (n_samples, n_features)."""
        codes = np.empty(X.shape, dtype=np.uint8)
        for j, edges in enumerate(self.edges):
            codes[:, j] = np.searchsorted(edges, X[:, j])
        return codes


def _edges(column):
    values = np.unique(column)
    if len(values) <= _MOST:
        return (values[1:] + values[:-1]) / 2
    return np.unique(np.quantile(column, np.arange(1, _MOST) / _MOST))
