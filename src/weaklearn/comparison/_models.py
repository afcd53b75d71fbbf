"""The classifiers that `compare` enters when none are given: ours, and the ones that people would use instead."""

import importlib.util
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted, validate_data

from weaklearn.boosting import NoiseTolerantBoostClassifier
from weaklearn.linear import ZeroOneClassifier
from weaklearn.multiclass import AdaBoostECCClassifier
from weaklearn.robust import CalibratedClassifier, RobustClassifier

__all__ = ["MAJORITY", "EarlyStoppedBoosting", "default_models"]

MAJORITY = "majority class"
_BOOSTING = {
    "sklearn": "boosted trees (scikit-learn)",
    "xgboost": "boosted trees (xgboost)",
    "lightgbm": "boosted trees (lightgbm)",
    "catboost": "boosted trees (catboost)",
}
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
    library : {"sklearn", "xgboost", "lightgbm", "catboost"}, default="sklearn"
    random_state : int, default=0
        Chooses the held-out rows.
    """

    def __init__(self, library="sklearn", random_state=0):
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


def _fit_sklearn(held, seed):
    stopping = {}
    if held.X_stop is not None:
        # The rows go in together; the model splits them itself, with the same share.
        X, codes = np.concatenate([held.X, held.X_stop]), np.concatenate([held.codes, held.codes_stop])
        stopping = {"validation_fraction": _HELD_OUT, "n_iter_no_change": _PATIENCE}
    else:
        X, codes = held.X, held.codes
    model = HistGradientBoostingClassifier(
        max_iter=_rounds(held), max_depth=_DEPTH, learning_rate=_RATE, early_stopping=bool(stopping),
        random_state=seed, **stopping,
    )  # fmt: skip
    return model.fit(X, codes)


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
    "sklearn": _fit_sklearn,
    "xgboost": _fit_xgboost,
    "lightgbm": _fit_lightgbm,
    "catboost": _fit_catboost,
}


def default_models(n_classes, seed=0):
    """The classifiers that are compared: (name, whether it is ours, estimator).

    Those of xgboost, lightgbm and catboost are entered where these libraries are installed.
    """
    if n_classes == 2:
        name, booster = "noise-tolerant boosting", NoiseTolerantBoostClassifier(random_state=seed)
    else:
        name, booster = "AdaBoost.ECC of stumps", AdaBoostECCClassifier(n_estimators=200, random_state=seed)
    # Its own probabilities are too extreme to be compared.
    boosted = (name, True, CalibratedClassifier(booster, random_state=seed))
    grid = {"C": [0.1, 1, 10], "gamma": ["scale", 0.01]}
    return [
        ("robust classifier", True, RobustClassifier(random_state=seed)),
        ("0/1 loss, linear", True, ZeroOneClassifier("auto", random_state=seed)),
        boosted,
        ("logistic regression", False, LogisticRegression(max_iter=1000)),
        ("SVM, Gaussian kernel", False, GridSearchCV(SVC(), grid, cv=3)),
        ("random forest", False, RandomForestClassifier(n_estimators=200, random_state=seed)),
        *(
            (name, False, EarlyStoppedBoosting(library, seed))
            for library, name in _BOOSTING.items()
            if importlib.util.find_spec(library) is not None
        ),
        (MAJORITY, False, DummyClassifier(strategy="prior")),
    ]
