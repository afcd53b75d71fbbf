"""Trials of li2006, chapter 3: cost ratios and validated sizes of ensembles."""

import math
from collections.abc import Sequence

import numpy as np

from weaklearn.boosting import AnyBoostClassifier
from weaklearn.costs import Bisigmoid
from weaklearn.lab import Trial, protocol
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
    for kappa in [*kappas] or [None]:  # type: ignore[list-item]
        model = trial.build()
        if kappa is not None:
            model.set_params(cost=Bisigmoid(1.0, kappa))
        model.fit(X_train, y_train)
        errors = staged_errors(model, X_rest[:half], y_rest[:half])
        if len(errors) and errors.min() < best[0]:
            test = staged_errors(model, X_rest[half:], y_rest[half:])
            best = errors.min(), test[int(np.argmin(errors))]
    return {"validation_error": best[0], "test_error": best[1]}
