"""What estimators that take any table share: rows as numbers, by an encoder where one is needed."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing, validation

from weaklearn._training import validate_data
from weaklearn.tables._encoder import TableEncoder
from weaklearn.tables._layout import declared_categories, needs_encoder

__all__ = ["encode_new_table", "encode_training_table"]

_CHECKS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


def encode_training_table(estimator, X, y, sample_weight=None):
    """The rows of a training table as numbers.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_``, ``feature_names_in_`` and ``encoder_`` are set. Its parameter ``encoder`` is a
        `TableEncoder`, which is cloned, or None: then only tables with columns that are neither numbers nor booleans
        are encoded, by ``TableEncoder(scale=None)`` with columns of a categorical type as categories.
    X : DataFrame or array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), default=None
        The encoder is fitted to rows of positive weight.

    Returns
    -------
    numbers : ndarray of shape (n_samples, n_features_out)
        NaN for missing values.
    y : ndarray of shape (n_samples,)
    """
    estimator.encoder_ = None
    if estimator.encoder is None and not needs_encoder(X):
        return validate_data(estimator, X, y, **_CHECKS)
    validation.validate_data(estimator, X, reset=True, skip_check_array=True)
    y = validation._check_y(y)
    validation.check_consistent_length(X, y, sample_weight)
    if isinstance(X, list | tuple):
        X = np.asarray(X, dtype=object)
    if estimator.encoder is None:
        # Categories that are numbers (zip codes, grades) are categories if the frame says so.
        encoder = TableEncoder(scale=None, categorical=declared_categories(X))
    else:
        encoder = clone(estimator.encoder)
    estimator.encoder_ = encoder
    kept = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
    if kept.all() or not kept.any():  # no rows at all are refused later, for all tables alike
        return encoder.fit_transform(X, y), y
    learned = encoder.fit_transform(_safe_indexing(X, np.flatnonzero(kept)), y[kept])
    numbers = np.empty((len(y), learned.shape[1]))
    numbers[kept] = learned
    numbers[~kept] = encoder.transform(_safe_indexing(X, np.flatnonzero(~kept)))
    return numbers, y


def encode_new_table(estimator, X):
    """The rows of another table as numbers, by the ``encoder_`` of a fitted estimator."""
    if estimator.encoder_ is not None:
        validation.validate_data(estimator, X, reset=False, skip_check_array=True)
        return estimator.encoder_.transform(X)
    if needs_encoder(X):
        raise ValueError(
            f"{type(estimator).__name__} was fitted to numbers only; this X has columns of text, categories or dates. "
            "Pass the same columns as in fit."
        )
    return validate_data(estimator, X, reset=False, **_CHECKS)
