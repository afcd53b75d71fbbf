"""The lab's own protocols: `holdout` and `curve`.

Errors are in percent. A score of exactly 0 counts as class ``classes_[0]``.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from weaklearn.lab._protocols import protocol
from weaklearn.lab._trial import Trial

__all__ = ["cpu_seconds", "curve", "holdout", "percent_wrong"]


def cpu_seconds(work: Callable[..., Any], *arguments: Any) -> float:
    """CPU time of a call."""
    began = time.process_time()
    work(*arguments)
    return time.process_time() - began


def percent_wrong(y: Any, predicted: Any) -> float:
    """The share of wrong predictions, in percent."""
    return 100.0 * float(np.mean(predicted != y))


def _attribute(estimator: Any, name: str) -> float:
    # A metric that is asked for is a fitted attribute: a number, or a list that is counted.
    value = getattr(estimator, name)
    return float(len(value)) if hasattr(value, "__len__") else float(value)


@protocol("holdout", version=1)
def holdout(trial: Trial, metrics: Mapping[str, str] | None = None) -> dict[str, float]:
    """Fit on the training part, count errors on both parts.

    Records `train_error`, `test_error` and, for ensembles, `n_rounds` (the number of kept
    hypotheses, ``len(estimators_)``).

    Parameters
    ----------
    trial : Trial
    metrics : mapping, optional
        Further metrics by name: the fitted attribute that holds it, as ``{"n_epochs": "n_iter_"}``;
        of an attribute with a length, the length counts.
    """
    X_train, X_test, y_train, y_test = trial.split()
    estimator = trial.build().fit(X_train, y_train)
    result = {
        "train_error": percent_wrong(y_train, estimator.predict(X_train)),
        "test_error": percent_wrong(y_test, estimator.predict(X_test)),
    }
    if hasattr(estimator, "estimators_"):
        result["n_rounds"] = float(len(estimator.estimators_))
    for name, attribute in (metrics or {}).items():
        result[name] = _attribute(estimator, attribute)
    return result


@protocol("curve", version=1)
def curve(trial: Trial, epochs: list[int]) -> dict[str, Any]:
    """The errors of a linear model after each of the given epochs.

    The estimator must take ``keep_path=True`` and then have `path_`, one row per epoch from 0
    on: coefficients, then the intercept. A path that ends early (nothing left to improve) stays
    where it ended. Records `train_error` and `test_error`, lists as long as `epochs`.
    """
    X_train, X_test, y_train, y_test = trial.split()
    estimator = trial.build().set_params(keep_path=True).fit(X_train, y_train)
    if len(estimator.classes_) != 2:
        raise ValueError(f"curves are for two classes, {trial.data_name} has {len(estimator.classes_)}")
    path = np.asarray(estimator.path_)
    weights = path[np.minimum(epochs, len(path) - 1)]

    def errors(X: Any, y: Any) -> Any:
        positive = X @ weights[:, :-1].T + weights[:, -1] > 0
        return 100.0 * np.mean(positive != (y == estimator.classes_[1])[:, None], axis=0)

    return {"train_error": errors(X_train, y_train), "test_error": errors(X_test, y_test)}
