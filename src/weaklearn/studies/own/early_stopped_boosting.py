"""Boosted trees of xgboost, lightgbm and catboost, with one fair setting for small tables."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["EarlyStoppedBoosting"]

_ROUNDS, _PATIENCE, _RATE, _DEPTH = 500, 20, 0.1, 2
_ROUNDS_WITHOUT_STOPPING = 100
_HELD_OUT = 0.2


class _Held(NamedTuple):
    """Training rows, and rows to stop by; the latter are None if a class is too small to spare any."""

    X: np.ndarray
    codes: np.ndarray
    X_stop: np.ndarray | None
    codes_stop: np.ndarray | None


class EarlyStoppedBoosting(ClassifierMixin, BaseEstimator):
    """Gradient boosting of shallow trees, stopped on a fifth of the rows: a fair setting for small tables.

    Depth 2, learning rate 0.1, at most 500 rounds, stopped after 20 rounds without improvement. If a class has fewer
    than five rows, none is held out and 100 rounds are made.

    Parameters
    ----------
    library : {"xgboost", "lightgbm", "catboost"}, default="xgboost"
    random_state : int, default=0
        Chooses the held-out rows.
    """

    def __init__(self, library="xgboost", random_state=0):
        self.library = library
        self.random_state = random_state

    def fit(self, X, y):
        """Fit, holding out rows to stop by.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        held = _Held(X, codes, None, None)
        if np.bincount(codes).min() >= 5:
            X, X_stop, codes, codes_stop = train_test_split(
                X, codes, test_size=_HELD_OUT, stratify=codes, random_state=self.random_state
            )
            held = _Held(X, codes, X_stop, codes_stop)
        self.model_ = _FITS[self.library](held, self.random_state)
        return self

    def predict_proba(self, X):
        """Class probabilities.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """The most probable labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _rounds(held):
    return _ROUNDS if held.X_stop is not None else _ROUNDS_WITHOUT_STOPPING


def _fit_xgboost(held, seed):
    from xgboost import XGBClassifier

    options = {"n_estimators": _rounds(held), "max_depth": _DEPTH, "learning_rate": _RATE, "n_jobs": 1}
    if held.X_stop is None:
        return XGBClassifier(random_state=seed, **options).fit(held.X, held.codes)
    model = XGBClassifier(random_state=seed, early_stopping_rounds=_PATIENCE, **options)
    return model.fit(held.X, held.codes, eval_set=[(held.X_stop, held.codes_stop)], verbose=False)


def _fit_lightgbm(held, seed):
    import lightgbm

    model = lightgbm.LGBMClassifier(
        n_estimators=_rounds(held), max_depth=_DEPTH, learning_rate=_RATE, n_jobs=1, verbose=-1, random_state=seed
    )  # fmt: skip
    if held.X_stop is None:
        return model.fit(held.X, held.codes)
    stop = lightgbm.early_stopping(_PATIENCE, verbose=False)
    return model.fit(held.X, held.codes, eval_set=[(held.X_stop, held.codes_stop)], callbacks=[stop])


def _fit_catboost(held, seed):
    from catboost import CatBoostClassifier

    model = CatBoostClassifier(
        iterations=_rounds(held), depth=_DEPTH, learning_rate=_RATE, thread_count=1, random_seed=seed,
        verbose=False, allow_writing_files=False,
    )  # fmt: skip
    if held.X_stop is None:
        return model.fit(held.X, held.codes)
    return model.fit(
        held.X, held.codes, eval_set=(held.X_stop, held.codes_stop), early_stopping_rounds=_PATIENCE
    )  # fmt: skip


_FITS = {
    "xgboost": _fit_xgboost,
    "lightgbm": _fit_lightgbm,
    "catboost": _fit_catboost,
}
