"""Trials of pratap2008, chapter 2: margins and coefficients of corrected ensembles."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.lab import Trial, protocol
from weaklearn.lab.rounds import sampled, staged_errors

# Margins at which distribution functions are recorded.
MARGIN_GRID = np.linspace(-0.6, 1.0, 81)


@protocol("ensemble_margins", version=1)
def ensemble_margins(trial: Trial, rounds: Sequence[int] = ()) -> dict[str, Any]:
    """Cost, test error and normalised training margins of an ensemble.

    Records `cost`, `error` (a share), `min_margin`, `mean_margin`, `size` (distinct stumps), `distribution` (of
    margins, at ``MARGIN_GRID``) and, at ``rounds``, `costs` and `test_errors` (percent). Of an ensemble that was
    corrected after its rounds, also what changed: `error_change`, `mean_change`, `max_change` (the largest gain
    of one margin), and `rounds_size`, its size before.
    """
    X_train, X_test, y_train, y_test = trial.split()
    model = trial.build().fit(X_train, y_train)
    signs = np.where(y_train == model.classes_[1], 1, -1)
    margins = signs * model.decision_function(X_train) / np.abs(model.estimator_weights_).sum()
    result = {
        "cost": model.cost_curve_[-1],
        "error": float(np.mean(model.predict(X_test) != y_test)),
        "min_margin": margins.min(),
        "mean_margin": margins.mean(),
        "size": float(_n_distinct(model.estimators_)),
        "distribution": [float(np.mean(margins <= at)) for at in MARGIN_GRID],
        "max_change": 0.0,
        "mean_change": 0.0,
        "error_change": 0.0,
        "rounds_size": float(_n_distinct(model.estimators_)),
    }
    if rounds:
        result["costs"] = sampled(model.cost_curve_, rounds)
        result["test_errors"] = sampled(staged_errors(model, X_test, y_test), rounds)
    if len(model.cost_curve_) > model.n_iter_:
        plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
        before = signs * plain.decision_function(X_train) / plain.estimator_weights_.sum()
        result["max_change"] = float((margins - before).max())
        result["mean_change"] = float((margins - before).mean())
        result["error_change"] = result["error"] - float(np.mean(plain.predict(X_test) != y_test))
        result["rounds_size"] = float(_n_distinct(plain.estimators_))
    return result


@protocol("round_coefficients", version=1)
def round_coefficients(trial: Trial) -> dict[str, Any]:
    """Coefficients of the distinct stumps of AdaBoost's rounds, over their sum: `coefficients`, in the order of
    the rounds that found them first (`rounds`); 0 where a correction left the stump out. And the `test_error`."""
    X_train, X_test, y_train, y_test = trial.split()
    model = trial.build().fit(X_train, y_train)
    plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
    first: dict[Any, int] = {}
    for t, stump in enumerate(plain.estimators_, start=1):
        first.setdefault(_identity(stump), t)
    sums = dict.fromkeys(first, 0.0)
    for stump, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        sums[_identity(stump)] += weight
    total = sum(sums.values())
    return {
        "rounds": [float(t) for t in first.values()],
        "coefficients": [weight / total for weight in sums.values()],
        "test_error": 100.0 * float(np.mean(model.predict(X_test) != y_test)),
    }


def _identity(stump) -> tuple[int, float, int]:
    return stump.feature_, stump.threshold_, stump.polarity_


def _n_distinct(stumps) -> int:
    return len({_identity(stump) for stump in stumps})
