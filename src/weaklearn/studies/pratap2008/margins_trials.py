"""Trials of pratap2008, chapter 2: margins and coefficients, and what DLPBoost changes of AdaBoost's ensemble."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn import datasets
from weaklearn.boosting import AdaBoostClassifier
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.rounds import sampled, staged_errors

# Margins at which distribution functions are recorded.
MARGIN_GRID = np.linspace(-0.6, 1.0, 81)
N_TEST = 5000


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
    margins = _margins(model, X_train, y_train)
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
        before = _margins(plain, X_train, y_train)
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


@protocol("weaklearn.lab.studies.pratap2008.minima_trials:least_margin", version=1)
def least_margin(trial: Trial, n_splits: int) -> dict[str, float]:
    """One repetition of ``n_splits`` runs: the least normalised training margin of any run (`least`), and the mean of
    the runs' least margins (`mean`)."""
    found = []
    for k in range(n_splits):
        X, _, y, _ = trial.split(seed_from(seed=trial.data_seed, split=k))
        found.append(_margins(trial.build().fit(X, y), X, y).min())
    return {"least": min(found), "mean": float(np.mean(found))}


def _sets(trial: Trial):
    """X_train, X_test, y_train, y_test: a split of a real set, new draws of an artificial problem."""
    data = trial.data or {}
    if data["kind"] == "real":
        return trial.split()
    size = data["split"]["train_size"]
    params = {name: value for name, value in data["params"].items() if name != "n_samples"}
    make = getattr(datasets, f"make_{data['name']}")
    X, y = make(size + N_TEST, random_state=trial.data_seed % 2**32, **params)
    return X[:size], X[size:], y[:size], y[size:]


@protocol("margin_correction", version=1)
def margin_correction(trial: Trial) -> dict[str, float]:
    """A corrected ensemble minus AdaBoost's: test error and normalised training margins.

    Records `error_change` (percentage points), `mean_change`, `max_change` and `least_change` of the margins; `size`
    and `rounds_size`, the distinct stumps of both; and `hypotheses` and `rounds_hypotheses`: rounds of AdaBoost whose
    hypothesis has a weight that is not zero, equal stumps counted once for each round that found them.
    """
    X_train, X_test, y_train, y_test = _sets(trial)
    model = trial.build().fit(X_train, y_train)
    plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
    change = _margins(model, X_train, y_train) - _margins(plain, X_train, y_train)
    kept, found = ([_identity(stump) for stump in some.estimators_] for some in (model, plain))
    error, error_before = (100 * float(np.mean(some.predict(X_test) != y_test)) for some in (model, plain))
    return {
        "error_change": error - error_before,
        "mean_change": change.mean(),
        "max_change": change.max(),
        "least_change": change.min(),
        "size": float(len(set(kept))),
        "rounds_size": float(len(set(found))),
        "hypotheses": float(sum(stump in set(kept) for stump in found)),
        "rounds_hypotheses": float(len(found)),
    }


def _margins(model, X, y) -> np.ndarray:
    """Margins over the sum of the coefficients' absolute values."""
    signs = np.where(y == model.classes_[1], 1, -1)
    return signs * model.decision_function(X) / np.abs(model.estimator_weights_).sum()


def _identity(stump) -> tuple[int, float, int]:
    return stump.feature_, stump.threshold_, stump.polarity_


def _n_distinct(stumps) -> int:
    return len({_identity(stump) for stump in stumps})
