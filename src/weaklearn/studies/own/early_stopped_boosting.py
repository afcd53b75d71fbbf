"""Boosted trees of xgboost, lightgbm and catboost, with one fair setting for small tables."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_is_fitted, validate_data

_ROUNDS, _PATIENCE, _RATE, _DEPTH = 500, 20, 0.1, 2
_ROUNDS_WITHOUT_STOPPING = 100
_HELD_OUT = 0.2


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
        """Fit, holding out rows to stop by."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        held = None
        if np.bincount(codes).min() >= 5:
            X, X_stop, codes, codes_stop = train_test_split(
                X, codes, test_size=_HELD_OUT, stratify=codes, random_state=self.random_state
            )
            held = X_stop, codes_stop
        rounds = _ROUNDS_WITHOUT_STOPPING if held is None else _ROUNDS
        model, options = _MODELS[self.library](rounds, held, self.random_state)
        self.model_ = model.fit(X, codes, **options)
        return self

    def predict_proba(self, X):
        """Class probabilities."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """The most probable labels."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


# Each returns a model and what its ``fit`` needs to stop by the held-out rows.
_SHARED: dict[str, Any] = {"max_depth": _DEPTH, "learning_rate": _RATE, "n_jobs": 1}


def _xgboost(rounds, held, seed):
    from xgboost import XGBClassifier

    patience = None if held is None else _PATIENCE
    model = XGBClassifier(n_estimators=rounds, early_stopping_rounds=patience, random_state=seed, **_SHARED)
    return model, {} if held is None else {"eval_set": [held], "verbose": False}


def _lightgbm(rounds, held, seed):
    import lightgbm

    model = lightgbm.LGBMClassifier(n_estimators=rounds, verbose=-1, random_state=seed, **_SHARED)
    stop = lightgbm.early_stopping(_PATIENCE, verbose=False)
    return model, {} if held is None else {"eval_set": [held], "callbacks": [stop]}


def _catboost(rounds, held, seed):
    from catboost import CatBoostClassifier

    options = {"iterations": rounds, "depth": _DEPTH, "learning_rate": _RATE, "thread_count": 1}
    model = CatBoostClassifier(random_seed=seed, verbose=False, allow_writing_files=False, **options)
    return model, {} if held is None else {"eval_set": held, "early_stopping_rounds": _PATIENCE}


_MODELS = {"xgboost": _xgboost, "lightgbm": _lightgbm, "catboost": _catboost}
