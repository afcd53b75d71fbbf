"""Trials behind sentences of li2006: single principal points, crossing curves, spreads, facts about data sets."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from weaklearn import datasets
from weaklearn.boosting import AnyBoostClassifier
from weaklearn.complexity import principal_subsets
from weaklearn.costs import Sigmoid
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.rounds import staged_errors
from weaklearn.studies.li2006.complexity_trials import noisy_examples


@protocol("weaklearn.lab.studies.li2006.claims_trials:principal_points", version=1)
def principal_points(
    trial: Trial, n_clusters: int, max_subsets: int, points: Sequence[Sequence[int]]
) -> dict[str, float]:
    """The principal points of a small Yin-Yang set beside given ones, and its two small disks.

    For each given point (c, e): `errors at c`, the fewest errors of a subset of complexity at most c, and
    `complexity at e`, the least complexity of a subset with at most e errors. Also `in_disks`, the examples in the
    small disks, and `disk_complexity`: the least complexity of a principal subset of both classes that has all examples
    of a small disk, for the disk where that is larger (the complexity of the whole set if both are empty).
    """
    X, _, y, _ = trial.split()
    found = principal_subsets(
        X,
        y,
        clusters=n_clusters,
        measure=trial.build(),
        max_subsets=max_subsets,
        random_state=trial.algorithm_seed,
        n_jobs=1,
    )
    complexities, errors = found.points[:, 0], found.points[:, 1]
    result: dict[str, float] = {}
    for complexity, error in points:
        result[f"errors at {complexity}"] = float(errors[complexities <= complexity].min())
        result[f"complexity at {error}"] = float(complexities[errors <= error].min())
    # Those of `make_yinyang`: radius 0.18, around (0.5, 0) and (-0.5, 0).
    disks = [np.hypot(X[:, 0] - centre, X[:, 1]) <= 0.18 for centre in (0.5, -0.5)]
    needed = [
        min(
            complexity
            for complexity, masks in zip(complexities, found.subsets, strict=True)
            if complexity > 0 and np.asarray(masks)[:, disk].all(axis=1).any()
        )
        for disk in disks
        if disk.any()
    ]
    result["in_disks"] = float(sum(disk.sum() for disk in disks))
    result["disk_complexity"] = float(max(needed, default=complexities[-1]))
    return result


@protocol("weaklearn.lab.studies.li2006.claims_trials:alike_sizes", version=1)
def alike_sizes(trial: Trial, flip: float, n_permutations: int, n_sizes: int) -> dict[str, float]:
    """Up to which size of the set that they join flipped and clean examples contribute alike.

    Records `alike`, the largest number of examples present at which the mean contribution of flipped examples is not
    above that of clean ones by two standard errors.
    """
    X, y, flipped = noisy_examples(trial, flip)
    given = trial.build().prepare(X, y)
    rng = np.random.default_rng(trial.algorithm_seed)
    orders = np.array([rng.permutation(len(y)) for _ in range(n_permutations)], dtype=np.int64)
    increases = np.diff(given.path_complexities(orders, 0, n_sizes), axis=1)
    alike = 0
    for size in range(n_sizes):
        joined = flipped[orders[:, size]]
        two = [increases[:, size][joined], increases[:, size][~joined]]
        error = math.sqrt(sum(values.var(ddof=1) / len(values) for values in two))
        if two[0].mean() - two[1].mean() < 2 * error:
            alike = size
    return {"alike": float(alike)}


@protocol("weaklearn.lab.studies.li2006.claims_trials:average_curves", version=1)
def average_curves(trial: Trial, n_splits: int) -> dict[str, float]:
    """CGBoost against AnyBoost with the same cost: their curves, averaged over ``n_splits`` splits.

    Records `slower_until`, the last round with a lower average cost of AnyBoost, and `overfits_after`, the round of
    its lowest average test error.
    """
    conjugate = trial.build()
    rounds = conjugate.n_estimators
    costs, errors = np.zeros((2, rounds)), np.zeros(rounds)
    for k in range(n_splits):
        X_train, X_test, y_train, y_test = trial.split(seed_from(seed=trial.data_seed, split=k))
        plain = AnyBoostClassifier(cost=conjugate.cost, n_estimators=rounds).fit(X_train, y_train)
        for row, model in enumerate((plain, conjugate.fit(X_train, y_train))):
            curve = model.cost_curve_[:rounds]
            costs[row] += np.pad(curve, (0, rounds - len(curve)), mode="edge")
        curve = staged_errors(plain, X_test, y_test)
        errors += np.pad(curve, (0, rounds - len(curve)), mode="edge")
    below = np.flatnonzero(costs[0] < costs[1])
    return {
        "slower_until": float(below[-1] + 1) if len(below) else 0.0,
        "overfits_after": float(errors.argmin() + 1),
    }


@protocol("weaklearn.lab.studies.li2006.claims_trials:sigmoid_end", version=1)
def sigmoid_end(trial: Trial) -> dict[str, float]:
    """The round in which AnyBoost of optimal stumps with the sigmoid cost finds no new stump: `ends_at`.

    In theory the first step is infinite and the run ends; a step that a float can hold is followed by the same stump.
    """
    X_train, _, y_train, _ = trial.split()
    model = AnyBoostClassifier(cost=Sigmoid(), n_estimators=50).fit(X_train, y_train)
    stumps = [(stump.feature_, stump.threshold_, stump.polarity_) for stump in model.estimators_]
    again = next((t for t in range(1, len(stumps)) if stumps[t] in stumps[:t]), len(stumps))
    return {"ends_at": float(again + 1)}


@protocol("weaklearn.lab.studies.li2006.claims_trials:error_deviation", version=1)
def error_deviation(trial: Trial, n_splits: int) -> dict[str, float]:
    """The sample deviation of the validated test error over ``n_splits`` splits (percent): `deviation`.

    Half of the held-out part validates the size. The deviation of a normal sample is corrected for its bias.
    """
    found = []
    for k in range(n_splits):
        X_train, X_rest, y_train, y_rest = trial.split(seed_from(seed=trial.data_seed, split=k))
        half = len(y_rest) // 2
        model = trial.build().fit(X_train, y_train)
        size = int(np.argmin(staged_errors(model, X_rest[:half], y_rest[:half])))
        found.append(staged_errors(model, X_rest[half:], y_rest[half:])[size])
    n = n_splits
    shrinkage = math.sqrt(2 / (n - 1)) * math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2))
    return {"deviation": float(np.std(found, ddof=1)) / shrinkage}


@protocol("weaklearn.lab.studies.li2006.claims_trials:multiclass_facts", version=1)
def multiclass_facts(trial: Trial) -> dict[str, Any]:
    """Sizes of a set: `n_train` and `n_test` (all and none without an official split), `n_classes`, `n_features`."""
    X, y = trial.load()
    bunch = datasets.load(trial.data_name)
    official = bunch.split is not None
    return {
        "n_train": float(len(bunch.train) if official else len(y)),
        "n_test": float(len(bunch.test) if official else 0),
        "n_classes": float(len(np.unique(y))),
        "n_features": float(X.shape[1]),
    }
