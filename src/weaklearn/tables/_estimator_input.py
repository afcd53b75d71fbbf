"""What estimators that take any table share: the training rows as numbers, by an encoder where one is needed."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_y, check_consistent_length, validate_data

from weaklearn.tables._encoder import TableEncoder
from weaklearn.tables._layout import declared_categories

__all__ = ["encode_training_table"]


def encode_training_table(estimator, X, y, sample_weight=None, encoder=None):
    """Fit an encoder to a training table, and give the numbers of its rows.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_`` and ``feature_names_in_`` are set.
    X : DataFrame or array-like of shape (n_samples, n_features)
        A table that `needs_encoder`, or one for which an encoder is given.
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), default=None
        The encoder is fitted to rows of positive weight.
    encoder : TableEncoder, default=None
        Cloned. None means ``TableEncoder(scale=None)`` with columns of a categorical type as categories.

    Returns
    -------
    encoder : TableEncoder
        Fitted.
    numbers : ndarray of shape (n_samples, n_features_out)
    y : ndarray of shape (n_samples,)
    """
    validate_data(estimator, X, reset=True, skip_check_array=True)
    y = _check_y(y)
    check_consistent_length(X, y, sample_weight)
    if isinstance(X, list | tuple):
        X = np.asarray(X, dtype=object)
    if encoder is None:
        # Categories that are numbers (zip codes, grades) are categories if the frame says so.
        encoder = TableEncoder(scale=None, categorical=declared_categories(X))
    else:
        encoder = clone(encoder)
    kept = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
    if kept.all() or not kept.any():  # no rows at all are refused later, for all tables alike
        return encoder, encoder.fit_transform(X, y), y
    learned = encoder.fit_transform(_safe_indexing(X, np.flatnonzero(kept)), y[kept])
    numbers = np.empty((len(y), learned.shape[1]))
    numbers[kept] = learned
    numbers[~kept] = encoder.transform(_safe_indexing(X, np.flatnonzero(~kept)))
    return encoder, numbers, y
