"""Trials of li2006, chapter 3: cost ratios, validated sizes of ensembles and their spread, crossing curves."""

import math
from collections.abc import Sequence

import numpy as np

from weaklearn.boosting import AnyBoostClassifier
from weaklearn.costs import Bisigmoid, Sigmoid
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.rounds import staged_errors


@protocol("cost_ratio", version=1)
def cost_ratio(trial: Trial) -> dict[str, float]:
    """CGBoost's final cost over that of AnyBoost with the same cost and rounds: `log_ratio`, natural logarithm.

    The mean of logarithms is the logarithm of the geometric mean, which li2006 reports. Also `cg_cost`, `any_cost`.
    """
    X_train, _, y_train, _ = trial.split()
    conjugate = trial.build()
    plain = AnyBoostClassifier(cost=conjugate.cost, n_estimators=conjugate.n_estimators).fit(X_train, y_train)
    cg, one = conjugate.fit(X_train, y_train).cost_curve_[-1], plain.cost_curve_[-1]
    # A cost that a float cannot hold counts as the smallest that it can.
    smallest = float(np.finfo(np.float64).tiny)
    return {"log_ratio": math.log(max(cg, smallest) / max(one, smallest)), "cg_cost": cg, "any_cost": one}


@protocol("validated_size", version=1)
def validated_size(trial: Trial, kappas: Sequence[float] = ()) -> dict[str, float]:
    """`test_error` of the stage with the least validation error; half of the held-out part validates.

    With ``kappas`` the cost is the bisigmoid, and validation chooses among these kappa_neg too (first best).
    """
    X_train, X_rest, y_train, y_rest = trial.split()
    half = len(y_rest) // 2
    best = (np.inf, np.inf)
    for model in [trial.build(cost=Bisigmoid(1.0, kappa)) for kappa in kappas] or [trial.build()]:
        model.fit(X_train, y_train)
        errors = staged_errors(model, X_rest[:half], y_rest[:half])
        if len(errors) and errors.min() < best[0]:
            test = staged_errors(model, X_rest[half:], y_rest[half:])
            best = errors.min(), test[int(np.argmin(errors))]
    return {"validation_error": best[0], "test_error": best[1]}


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
