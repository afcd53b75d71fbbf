"""Trials of the boosting experiments: rounds, the best p, cost ratios, validated sizes, margins.

Errors are in percent unless a table prints shares. Noise means flipped labels in the training part alone, a fixed
number of them drawn without replacement, as in barnes1999; the test part stays clean. It is part of the description
of the data (``flip``), so that one table can have rows of different noise. `boosting_drawings` draws the results.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.datasets import flip_labels
from weaklearn.lab._build import build
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._protocols import protocol
from weaklearn.lab._sources import split_source

if TYPE_CHECKING:
    from weaklearn.lab._trial import Trial

__all__ = [
    "best_p",
    "boosted_rounds",
    "cost_ratio",
    "data_facts",
    "engine_examples",
    "ensemble_margins",
    "noisy_split",
    "ring_pool",
    "round_coefficients",
    "snapshots",
    "validated_size",
]

# Margins at which distribution functions are recorded.
MARGIN_GRID = np.linspace(-0.6, 1.0, 81)


def ring_pool(n_samples=5050, *, flip=0.0, random_state=None):
    """Clean examples of the ring problem; ``flip`` is for `noisy_split`, which reads it from the description."""
    from weaklearn.datasets import make_ring

    return make_ring(n_samples, random_state=random_state)


def engine_examples(
    n_samples, *, n_features=8, family="random", complexity=3.0, target_seed=0, random_state=None
):
    """Examples of one target of the data engine; the target does not depend on ``random_state``."""
    from weaklearn.datasets import DataEngine

    engine = DataEngine(n_features, family=family, complexity=complexity, seed=target_seed)
    return engine.sample(n_samples, random_state=random_state)


def noisy_split(data: Mapping[str, Any], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A split of a described set, with the described share ``flip`` of training labels exchanged, if any."""
    X_train, X_test, y_train, y_test = split_source(dict(data), seed)
    flip = data["params"].get("flip", 0.0)
    if flip:
        rng = np.random.default_rng(seed_from(purpose="flip", seed=seed, share=flip))
        y_train, _ = flip_labels(y_train, flip, random_state=rng)
    return X_train, X_test, y_train, y_test


def _staged_errors(model, X, y) -> np.ndarray:
    positive = y == model.classes_[1]
    return np.array(
        [100.0 * np.mean((scores > 0) != positive) for scores in model.staged_decision_function(X)]
    )


def _sampled(curve: "np.ndarray | Sequence[float]", rounds: Sequence[int]) -> list[float]:
    """The curve at some rounds (from 1 on); one that ended early stays where it ended."""
    return [float(curve[min(t, len(curve)) - 1]) for t in rounds]


@protocol("boosted_rounds", version=2)
def boosted_rounds(trial: "Trial", rounds: Sequence[int] = (1,)) -> dict[str, Any]:
    """Test and training error after every round.

    Records `best_test_error` (the least over all rounds, which is what barnes1999 reports), `best_round`,
    `test_error` and `train_error` after the last round, `n_rounds`, `aborted` (1 if the run ended before its
    rounds), `reached_1000` (1 if it made 1,000 of them), and the lists `test_errors`, `train_errors`, `costs` and
    `log_weights` (decimal logarithm of the final coefficient) at ``rounds``.
    """
    X_train, X_test, y_train, y_test = noisy_split(trial.parts["data"], trial.data_seed)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
    errors = _staged_errors(model, X_test, y_test)
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
        "test_errors": _sampled(errors, rounds),
        "train_errors": _sampled(training, rounds),
        "costs": _sampled(costs, rounds),
        "log_weights": _sampled(weights, rounds),
    }


@protocol("cost_ratio", version=1)
def cost_ratio(trial: "Trial") -> dict[str, float]:
    """CGBoost's final cost over that of AnyBoost with the same cost and rounds: `log_ratio`, natural logarithm.

    The mean of logarithms is the logarithm of the geometric mean, which li2006 prints. Also `cg_cost`, `any_cost`.
    """
    from weaklearn.boosting import AnyBoostClassifier

    X_train, _, y_train, _ = split_source(trial.parts["data"], trial.data_seed)
    conjugate = build(trial.parts["algorithm"], trial.algorithm_seed)
    plain = AnyBoostClassifier(cost=conjugate.cost, n_estimators=conjugate.n_estimators).fit(X_train, y_train)
    cg, one = conjugate.fit(X_train, y_train).cost_curve_[-1], plain.cost_curve_[-1]
    # A cost that a float cannot hold counts as the smallest that it can.
    smallest = float(np.finfo(np.float64).tiny)
    return {"log_ratio": math.log(max(cg, smallest) / max(one, smallest)), "cg_cost": cg, "any_cost": one}


@protocol("validated_size", version=1)
def validated_size(trial: "Trial", kappas: Sequence[float] = ()) -> dict[str, float]:
    """`test_error` of the stage with the least validation error; half of the held-out part validates.

    With ``kappas`` the cost is the bisigmoid, and validation chooses among these kappa_neg too (first best).
    """
    from weaklearn.costs import Bisigmoid

    X_train, X_rest, y_train, y_rest = split_source(trial.parts["data"], trial.data_seed)
    half = len(y_rest) // 2
    best = (np.inf, np.inf)
    for kappa in [*kappas] or [None]:  # type: ignore[list-item]
        model = build(trial.parts["algorithm"], trial.algorithm_seed)
        if kappa is not None:
            model.set_params(cost=Bisigmoid(1.0, kappa))
        model.fit(X_train, y_train)
        errors = _staged_errors(model, X_rest[:half], y_rest[:half])
        if len(errors) and errors.min() < best[0]:
            test = _staged_errors(model, X_rest[half:], y_rest[half:])
            best = errors.min(), test[int(np.argmin(errors))]
    return {"validation_error": best[0], "test_error": best[1]}


@protocol("ensemble_margins", version=1)
def ensemble_margins(trial: "Trial", rounds: Sequence[int] = ()) -> dict[str, Any]:
    """Cost, test error and normalised training margins of an ensemble.

    Records `cost`, `error` (a share), `min_margin`, `mean_margin`, `size` (distinct stumps), `distribution` (of
    margins, at ``MARGIN_GRID``) and, at ``rounds``, `costs` and `test_errors` (percent). Of an ensemble that was
    corrected after its rounds, also what changed: `error_change`, `mean_change`, `max_change` (the largest gain
    of one margin), and `rounds_size`, its size before.
    """
    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
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
        result["costs"] = _sampled(model.cost_curve_, rounds)
        result["test_errors"] = _sampled(_staged_errors(model, X_test, y_test), rounds)
    if len(model.cost_curve_) > model.n_iter_:
        from weaklearn.boosting import AdaBoostClassifier

        plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
        before = signs * plain.decision_function(X_train) / plain.estimator_weights_.sum()
        result["max_change"] = float((margins - before).max())
        result["mean_change"] = float((margins - before).mean())
        result["error_change"] = result["error"] - float(np.mean(plain.predict(X_test) != y_test))
        result["rounds_size"] = float(_n_distinct(plain.estimators_))
    return result


@protocol("best_p", version=1)
def best_p(trial: "Trial", p_values: Sequence[float], n_splits: int) -> dict[str, float]:
    """One repetition of a whole test of barnes1999: every p on ``n_splits`` splits, then the best.

    Records `best_p`, whose mean over the splits of the least test error over the rounds is lowest (the first of
    equals), that mean as `best_error`, `adaboost_error` on the same splits, and `improvement`, the difference in
    percent of AdaBoost's.
    """
    from weaklearn.boosting import AdaBoostClassifier

    errors = np.zeros(len(p_values))
    reference = 0.0
    for k in range(n_splits):
        seed = seed_from(purpose="repetition", seed=trial.data_seed, split=k)
        X_train, X_test, y_train, y_test = noisy_split(trial.parts["data"], seed)
        model = build(trial.parts["algorithm"], trial.algorithm_seed)
        plain = AdaBoostClassifier(n_estimators=model.n_estimators).fit(X_train, y_train)
        reference += _staged_errors(plain, X_test, y_test).min() / n_splits
        for i, p in enumerate(p_values):
            model.set_params(p=p).fit(X_train, y_train)
            errors[i] += _staged_errors(model, X_test, y_test).min() / n_splits
    return {
        "best_p": p_values[int(np.argmin(errors))],
        "best_error": errors.min(),
        "adaboost_error": reference,
        "improvement": 100 * (reference - errors.min()) / reference,
    }


@protocol("data_facts", version=1)
def data_facts(trial: "Trial") -> dict[str, float]:
    """What a set and its split are: `n_samples`, `n_features`, `n_train`, `n_test`, counts of the classes in the
    order of their labels (`first_class`, `second_class`), `noise` (percent of training labels exchanged)."""
    data = trial.parts["data"]
    X_train, _, y_train, y_test = noisy_split(data, trial.data_seed)
    clean = split_source(data, trial.data_seed)[2]
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
def snapshots(trial: "Trial", rounds: Sequence[int]) -> dict[str, Any]:
    """An ensemble in the plane after some rounds: the training set as `x1`, `x2`, `label`, and for each round T
    `weights T` of the examples (of mean 1), `margins T` (sorted, over the sum of the coefficients), `norm T`."""
    X, _, y, _ = noisy_split(trial.parts["data"], trial.data_seed)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X, y)
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


@protocol("round_coefficients", version=1)
def round_coefficients(trial: "Trial") -> dict[str, Any]:
    """Coefficients of the distinct stumps of AdaBoost's rounds, over their sum: `coefficients`, in the order of
    the rounds that found them first (`rounds`); 0 where a correction left the stump out. And the `test_error`."""
    from weaklearn.boosting import AdaBoostClassifier

    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
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
