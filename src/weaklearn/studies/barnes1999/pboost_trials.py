"""Trials of barnes1999: training runs in numbers, facts about data sets, snapshots of a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn.datasets import make_ring
from weaklearn.lab import Trial, protocol
from weaklearn.lab.rounds import flipped_split, staged_errors
from weaklearn.studies.barnes1999.parts import ROUNDS_SHOWN


def ring_pool(n_samples=5050, *, flip=0.0, random_state=None):
    """Clean examples of the ring problem; the trials flip the share ``flip`` of the labels that they train on."""
    return make_ring(n_samples, random_state=random_state)


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


@protocol("barnes1999.training_run", version=2)
def training_run(trial: Trial) -> dict[str, float]:
    """What Figures 3.7, 6.4 and 6.5 show of a run, as numbers; errors are in percent.

    - `gap`: test minus training error, averaged over the rounds;
    - `rise`: training error after the last round minus after the first;
    - `flutter`: by how much the training error changes from a round to the next, in the second half;
    - `drift`: mean training error of the second half minus that of the rounds from a tenth to a half;
    - `overfit`: test error after the last round minus the least;
    - `converged`: the first round without training errors, one more than the last if there is none;
    - `heavy`: how many of the largest coefficients make up 90% of their sum, in percent of the rounds;
    - `kink`: the round from which two steps in a row are ``0.5 / t``, t rounds made before, that is the line search of
      appendix B ends where it starts; the number of rounds if that never happens;
    - `train_error_before` and `train_error_late`: mean training error from half the kink to the kink, and over the
      second half of the rounds;
    - `least_weight`: decimal logarithm of the smallest coefficient; -323 where doubles end;
    - `after T`: the test error after T rounds, or after the last.
    """
    X_train, X_test, y_train, y_test = flipped_split(trial)
    model = trial.build().fit(X_train, y_train)
    test, train = staged_errors(model, X_test, y_test), 100.0 * model.error_curve_
    weights = np.abs(model.estimator_weights_)
    n, half = len(train), len(train) // 2
    kink = kink_of(weights, getattr(model, "p", 1.0))
    shares = np.cumsum(np.sort(weights)[::-1]) / weights.sum()
    perfect = np.flatnonzero(train == 0)
    return {
        "gap": float(np.mean(test - train)),
        "rise": float(train[-1] - train[0]),
        "flutter": float(np.abs(np.diff(train[half:])).mean()) if n - half > 1 else 0.0,
        "drift": float(train[half:].mean() - train[n // 10 : half].mean()) if n > 1 else 0.0,
        "overfit": float(test[-1] - test.min()),
        "converged": float(perfect[0] + 1 if len(perfect) else n + 1),
        "heavy": 100.0 * float(np.searchsorted(shares, 0.9 - 1e-12) + 1) / n,
        "kink": float(kink),
        "train_error_before": float(train[kink // 2 : max(kink, 1)].mean()),
        "train_error_late": float(train[half:].mean()),
        "least_weight": float(np.log10(max(weights.min(), 5e-324))),
        **{f"after {t}": float(test[min(t, n) - 1]) for t in ROUNDS_SHOWN},
    }


def kink_of(weights: np.ndarray, p: float) -> int:
    """From the final coefficients: w_t / w_(t+1) is step_t (1 + step_t^p)^(-1/p) / step_(t+1)."""
    step = 0.5 / np.arange(1, len(weights))  # of round t + 1, for t = 1, 2, ...
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.isclose(
            weights[1:-1] / weights[2:],
            step[:-1] * (1 + step[:-1] ** p) ** (-1 / p) / step[1:],
            rtol=1e-9,
            atol=0.0,
        )
    return int(np.argmax(found)) + 2 if found.any() else len(weights)
