"""Boosting round by round: trials that several documents share.

Errors are in percent. Noise means flipped labels in the training part alone, a fixed number of them drawn without
replacement, as in barnes1999; the test part stays clean. The share is ``flip``, a setting of the row or a parameter of
its data. `drawings` draws the results.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn.datasets import DataEngine, flip_labels
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._protocols import protocol
from weaklearn.lab._trial import Trial

__all__ = ["boosted_rounds", "engine_examples", "flipped_split", "sampled", "staged_errors"]


def engine_examples(
    n_samples, *, n_features=8, family="random", complexity=3.0, target_seed=0, random_state=None
):
    """Examples of one target of the data engine; the target does not depend on ``random_state``."""
    engine = DataEngine(n_features, family=family, complexity=complexity, seed=target_seed)
    return engine.sample(n_samples, random_state=random_state)


def flipped_split(
    trial: Trial, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A split of the trial's data, with the share ``flip`` of training labels exchanged if the row states one."""
    seed = trial.data_seed if seed is None else seed
    X_train, X_test, y_train, y_test = trial.split(seed)
    assert trial.data is not None
    flip = {**trial.data["params"], **trial.setting}.get("flip", 0.0)
    if flip:
        rng = np.random.default_rng(seed_from(purpose="flip", seed=seed, share=flip))
        y_train, _ = flip_labels(y_train, flip, random_state=rng)
    return X_train, X_test, y_train, y_test


def staged_errors(model, X, y) -> np.ndarray:
    """The error after every round, in percent."""
    positive = y == model.classes_[1]
    return np.array(
        [100.0 * np.mean((scores > 0) != positive) for scores in model.staged_decision_function(X)]
    )


def sampled(curve: "np.ndarray | Sequence[float]", rounds: Sequence[int]) -> list[float]:
    """The curve at some rounds (from 1 on); one that ended early stays where it ended."""
    return [float(curve[min(t, len(curve)) - 1]) for t in rounds]


@protocol("boosted_rounds", version=2)
def boosted_rounds(trial: Trial, rounds: Sequence[int] = (1,)) -> dict[str, Any]:
    """Test and training error after every round.

    Records `best_test_error` (the least over all rounds, which is what barnes1999 reports), `best_round`,
    `test_error` and `train_error` after the last round, `n_rounds`, `aborted` (1 if the run ended before its
    rounds), `reached_1000` (1 if it made 1,000 of them), and the lists `test_errors`, `train_errors`, `costs` and
    `log_weights` (decimal logarithm of the final coefficient) at ``rounds``.
    """
    X_train, X_test, y_train, y_test = flipped_split(trial)
    model = trial.build().fit(X_train, y_train)
    errors = staged_errors(model, X_test, y_test)
    if len(errors) == 0:
        errors = np.array([100.0 * float(np.mean(model.predict(X_test) != y_test))])
    training = 100.0 * model.error_curve_ if len(model.error_curve_) else errors
    costs = model.cost_curve_ if len(model.cost_curve_) else np.ones(1)
    weights = np.log10(np.maximum(np.abs(model.estimator_weights_), 1e-320)) if model.n_iter_ else np.zeros(1)
    return {
        "best_test_error": errors.min(),
        "best_round": 1 + int(np.argmin(errors)),
        "test_error": errors[-1],
        "train_error": training[-1],
        "n_rounds": model.n_iter_,
        "aborted": float(model.n_iter_ < model.n_estimators),
        "reached_1000": float(model.n_iter_ >= 1000),
        "test_errors": sampled(errors, rounds),
        "train_errors": sampled(training, rounds),
        "costs": sampled(costs, rounds),
        "log_weights": sampled(weights, rounds),
    }
