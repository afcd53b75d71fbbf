"""Trials of ideas that the documents leave for later: two learners on the same split, tuned on the training part."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import StratifiedKFold

from weaklearn.lab._build import build
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._protocols import protocol
from weaklearn.lab._trial import Trial
from weaklearn.lab.protocols import percent_wrong
from weaklearn.lab.rounds import flipped_split

__all__ = ["Pair", "tuned_difference"]

N_FOLDS = 3


class Pair(BaseEstimator):
    """Two algorithms, each with the parameters to choose from; one choice is no choice."""

    def __init__(self, first=None, second=None, first_grid=(), second_grid=()):
        self.first = first
        self.second = second
        self.first_grid = first_grid
        self.second_grid = second_grid


def _tuned(described: Mapping[str, Any], grid: list, X: np.ndarray, y: np.ndarray, seed: int) -> Any:
    """Fitted with the parameters of least error in cross-validation; of equals the first."""
    candidates = [{**described, "params": {**described["params"], **chosen}} for chosen in grid or [{}]]
    if len(candidates) == 1:
        return build(candidates[0], seed).fit(X, y)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed % 2**32)
    errors = [
        sum(
            percent_wrong(y[test], build(candidate, seed).fit(X[train], y[train]).predict(X[test]))
            for train, test in folds.split(X, y)
        )
        for candidate in candidates
    ]
    return build(candidates[int(np.argmin(errors))], seed).fit(X, y)


@protocol(version=1)
def tuned_difference(trial: Trial) -> dict[str, float]:
    """Errors (percent) of the first of a `Pair` minus those of the second, on one split with the row's noise.

    Records `test` and `train` (the labels as given), the differences, and `first` and `second`, the test errors.
    """
    X_train, X_test, y_train, y_test = flipped_split(trial)
    pair = trial.algorithm["params"]
    test, train = {}, {}
    for name in ("first", "second"):
        seed = seed_from(seed=trial.data_seed, member="tuning")
        model = _tuned(pair[name], pair[f"{name}_grid"], X_train, y_train, seed)
        test[name] = percent_wrong(y_test, model.predict(X_test))
        train[name] = percent_wrong(y_train, model.predict(X_train))
    return {
        "test": test["first"] - test["second"],
        "train": train["first"] - train["second"],
        "first": test["first"],
        "second": test["second"],
    }
