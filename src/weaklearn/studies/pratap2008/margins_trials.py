"""Trials of pratap2008, chapter 2: margins and coefficients, and what DLPBoost changes of AdaBoost's ensemble."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn import datasets
from weaklearn.boosting import AdaBoostClassifier
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.protocols import percent_wrong
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
    was_corrected = len(model.cost_curve_) > model.n_iter_
    plain = _rounds_alone(model, X_train, y_train) if was_corrected else model
    margins, before = (_margins(some, X_train, y_train) for some in (model, plain))
    error, error_before = (float(np.mean(some.predict(X_test) != y_test)) for some in (model, plain))
    size, rounds_size = (float(len(set(map(_identity, some.estimators_)))) for some in (model, plain))
    result = {
        "cost": model.cost_curve_[-1],
        "error": error,
        "min_margin": margins.min(),
        "mean_margin": margins.mean(),
        "size": size,
        "distribution": [float(np.mean(margins <= at)) for at in MARGIN_GRID],
        "max_change": (margins - before).max(),
        "mean_change": (margins - before).mean(),
        "error_change": error - error_before,
        "rounds_size": rounds_size,
    }
    if rounds:
        result["costs"] = sampled(model.cost_curve_, rounds)
        result["test_errors"] = sampled(staged_errors(model, X_test, y_test), rounds)
    return result


@protocol("round_coefficients", version=1)
def round_coefficients(trial: Trial) -> dict[str, Any]:
    """Coefficients of the distinct stumps of AdaBoost's rounds, over their sum: `coefficients`, in the order of
    the rounds that found them first (`rounds`); 0 where a correction left the stump out. And the `test_error`."""
    X_train, X_test, y_train, y_test = trial.split()
    model = trial.build().fit(X_train, y_train)
    first: dict[Any, int] = {}
    for t, stump in enumerate(_rounds_alone(model, X_train, y_train).estimators_, start=1):
        first.setdefault(_identity(stump), t)
    sums = dict.fromkeys(first, 0.0)
    for stump, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        sums[_identity(stump)] += weight
    total = sum(sums.values())
    return {
        "rounds": [float(t) for t in first.values()],
        "coefficients": [weight / total for weight in sums.values()],
        "test_error": percent_wrong(y_test, model.predict(X_test)),
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
    data = trial.parts["data"]
    if data["kind"] == "real":
        return trial.split()
    size = data["split"]["train_size"]
    params = {**data["params"], "n_samples": size + N_TEST}
    X, y = getattr(datasets, f"make_{data['name']}")(random_state=trial.data_seed, **params)
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
    plain = _rounds_alone(model, X_train, y_train)
    change = _margins(model, X_train, y_train) - _margins(plain, X_train, y_train)
    kept, found = ([_identity(stump) for stump in some.estimators_] for some in (model, plain))
    error, error_before = (percent_wrong(y_test, some.predict(X_test)) for some in (model, plain))
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


def _rounds_alone(model, X, y) -> AdaBoostClassifier:
    """The ensemble that was corrected."""
    return AdaBoostClassifier(model.estimator, model.n_iter_).fit(X, y)


def _identity(stump) -> tuple[int, float, int]:
    return stump.feature_, stump.threshold_, stump.polarity_
