"""Trials of barnes1999: the best p, facts about data sets, snapshots of a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.rounds import flipped_split, staged_errors


def ring_pool(n_samples=5050, *, flip=0.0, random_state=None):
    """Clean examples of the ring problem; the trials flip the share ``flip`` of the labels that they train on."""
    return make_ring(n_samples, random_state=random_state)


@protocol("best_p", version=1)
def best_p(trial: Trial, p_values: Sequence[float], n_splits: int) -> dict[str, float]:
    """One repetition of a whole test of barnes1999: every p on ``n_splits`` splits, then the best.

    Records `best_p`, whose mean over the splits of the least test error over the rounds is lowest (the first of
    equals), that mean as `best_error`, `adaboost_error` on the same splits, and `improvement`, the difference in
    percent of AdaBoost's.
    """
    errors = np.zeros(len(p_values))
    reference = 0.0
    for k in range(n_splits):
        seed = seed_from(purpose="repetition", seed=trial.data_seed, split=k)
        X_train, X_test, y_train, y_test = flipped_split(trial, seed)
        model = trial.build()
        plain = AdaBoostClassifier(n_estimators=model.n_estimators).fit(X_train, y_train)
        reference += staged_errors(plain, X_test, y_test).min() / n_splits
        for i, p in enumerate(p_values):
            model.set_params(p=p).fit(X_train, y_train)
            errors[i] += staged_errors(model, X_test, y_test).min() / n_splits
    return {
        "best_p": p_values[int(np.argmin(errors))],
        "best_error": errors.min(),
        "adaboost_error": reference,
        "improvement": 100 * (reference - errors.min()) / reference,
    }


@protocol("data_facts", version=1)
def data_facts(trial: Trial) -> dict[str, float]:
    """What a set and its split are: `n_samples`, `n_features`, `n_train`, `n_test`, counts of the classes in the
    order of their labels (`first_class`, `second_class`), `noise` (percent of training labels exchanged)."""
    X_train, _, y_train, y_test = flipped_split(trial)
    clean = trial.split()[2]
    _, counts = np.unique(np.concatenate([clean, y_test]), return_counts=True)
    return {
        "n_samples": float(len(y_train) + len(y_test)),
        "n_features": float(X_train.shape[1]),
        "n_train": float(len(y_train)),
        "n_test": float(len(y_test)),
        "first_class": float(counts[0]),
        "second_class": float(counts[1]),
        "noise": 100.0 * float(np.mean(y_train != clean)),
    }


@protocol("snapshots", version=1)
def snapshots(trial: Trial, rounds: Sequence[int]) -> dict[str, Any]:
    """An ensemble in the plane after some rounds: the training set as `x1`, `x2`, `label`, and for each round T
    `weights T` of the examples (of mean 1), `margins T` (sorted, over the sum of the coefficients), `norm T`."""
    X, _, y, _ = flipped_split(trial)
    model = trial.build().fit(X, y)
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    result: dict[str, Any] = {"x1": X[:, 0], "x2": X[:, 1], "label": signs}
    for t in rounds:
        stage = model.truncated(t)
        margins = signs * stage.decision_function(X)
        weights = model.cost_.weights(margins)
        norm = float(np.abs(stage.estimator_weights_).sum())
        result |= {
            f"weights {t}": weights / weights.mean(),
            f"margins {t}": np.sort(margins / norm),
            f"norm {t}": norm,
        }
    return result
