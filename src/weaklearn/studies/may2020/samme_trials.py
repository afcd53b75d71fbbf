"""Trials of may2020, section 6: SAMME with trees."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from weaklearn.lab import Trial, protocol
from weaklearn.lab.protocols import percent_wrong


@protocol("staged", version=1)
def staged_holdout(trial: Trial, stages: Sequence[int]) -> dict[str, float]:
    """One fit on a random split, errors after several numbers of rounds: `test_error 25`, `train_error 25`, ..."""
    X_train, X_test, y_train, y_test = trial.split()
    estimator = trial.build().fit(X_train, y_train)
    result = {}
    for stage, error in _errors_after(estimator, X_test, y_test, stages).items():
        result[f"test_error {stage}"] = error
        result[f"train_error {stage}"] = 100.0 * estimator.error_curve_[min(stage, estimator.n_iter_) - 1]
    return result


@protocol("samme-selection", version=1)
def samme_selection(trial: Trial, stages: Sequence[int], depths: Sequence[int]) -> dict[str, float]:
    """The number and depth of trees of least error in 5-fold cross-validation on the training part.

    Records `n_classifiers`, `depth` and the `test_error` of that choice; ties go to the smaller ensemble.
    """
    X_train, X_test, y_train, y_test = trial.split()
    folds = StratifiedKFold(5, shuffle=True, random_state=trial.data_seed % 2**32)
    errors: dict[tuple[int, int], float] = {}
    for depth in depths:
        estimator = trial.build()
        estimator.set_params(estimator__max_depth=depth, n_estimators=max(stages))
        for train, held_out in folds.split(X_train, y_train):
            estimator.fit(X_train[train], y_train[train])
            found = _errors_after(estimator, X_train[held_out], y_train[held_out], stages)
            for stage, error in found.items():
                errors[stage, depth] = errors.get((stage, depth), 0.0) + error
    stage, depth = min(sorted(errors), key=lambda choice: errors[choice])
    estimator.set_params(estimator__max_depth=depth, n_estimators=stage).fit(X_train, y_train)
    return {
        "n_classifiers": float(stage),
        "depth": float(depth),
        "test_error": percent_wrong(y_test, estimator.predict(X_test)),
    }


def _errors_after(estimator: Any, X: np.ndarray, y: np.ndarray, stages: Sequence[int]) -> dict[int, float]:
    errors = [percent_wrong(y, predicted) for predicted in estimator.staged_predict(X)]
    return {stage: errors[min(stage, len(errors)) - 1] for stage in stages}
