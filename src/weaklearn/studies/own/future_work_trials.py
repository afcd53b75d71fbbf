"""Trials of open questions: two learners on the same split, tuned on the training part."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import StratifiedKFold

from weaklearn.boosting import PBoostClassifier
from weaklearn.boosting.engine import coefficients
from weaklearn.boosting.p_hull import Sloppy
from weaklearn.costs import Exponential
from weaklearn.lab import Trial, build, protocol, seed_from
from weaklearn.lab.protocols import percent_wrong
from weaklearn.lab.rounds import flipped_split, sampled, staged_errors

N_FOLDS = 3


class Pair(BaseEstimator):
    """Two algorithms, each with the parameters to choose from; one choice is no choice."""

    def __init__(self, first=None, second=None, first_grid=(), second_grid=()):
        self.first = first
        self.second = second
        self.first_grid = first_grid
        self.second_grid = second_grid


def _tuned(described: Mapping[str, Any], grid: list, X: np.ndarray, y: np.ndarray, seed: int) -> Any:
    """Fitted with the parameters of least error in cross-validation; of equals the first."""
    candidates = [{**described, "params": {**described["params"], **chosen}} for chosen in grid or [{}]]
    if len(candidates) == 1:
        return build(candidates[0], seed).fit(X, y)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed % 2**32)
    errors = [
        sum(
            percent_wrong(y[test], build(candidate, seed).fit(X[train], y[train]).predict(X[test]))
            for train, test in folds.split(X, y)
        )
        for candidate in candidates
    ]
    return build(candidates[int(np.argmin(errors))], seed).fit(X, y)


@protocol("weaklearn.lab.studies.own.future_work_trials:tuned_difference", version=1)
def tuned_difference(trial: Trial) -> dict[str, float]:
    """Errors (percent) of the first of a `Pair` minus those of the second, on one split with the row's noise.

    Records `test` and `train` (the labels as given), the differences, and `first` and `second`, the test errors.
    """
    X_train, X_test, y_train, y_test = flipped_split(trial)
    pair = trial.algorithm["params"]
    seed = seed_from(seed=trial.data_seed, member="tuning")
    models = [
        _tuned(pair[name], pair[f"{name}_grid"], X_train, y_train, seed) for name in ("first", "second")
    ]
    first, second = (percent_wrong(y_test, model.predict(X_test)) for model in models)
    train_first, train_second = (percent_wrong(y_train, model.predict(X_train)) for model in models)
    return {"test": first - second, "train": train_first - train_second, "first": first, "second": second}


@protocol("weaklearn.lab.studies.own.future_work_trials:later_minus_earlier", version=1)
def later_minus_earlier(trial: Trial, earlier: int) -> dict[str, float]:
    """The test error after the last round minus that after an earlier one, in points.

    Records `test`, the difference, `first` and `second`, the two errors, and `train`, the final training error.
    """
    X_train, X_test, y_train, y_test = flipped_split(trial)
    model = trial.build().fit(X_train, y_train)
    errors = staged_errors(model, X_test, y_test)
    (before,) = sampled(errors, [earlier])
    return {
        "test": errors[-1] - before,
        "first": errors[-1],
        "second": before,
        "train": percent_wrong(y_train, model.predict(X_train)),
    }


@protocol("weaklearn.lab.studies.own.future_work_trials:lost_rounds", version=1)
def lost_rounds(trial: Trial) -> dict[str, float]:
    """How many of its rounds a run did not make, as `test`."""
    X_train, _, y_train, _ = flipped_split(trial)
    model = trial.build().fit(X_train, y_train)
    return {"test": float(model.n_estimators - model.n_iter_)}


class AnnealedSloppy(Sloppy):
    """Sloppy p-boosting with another p in every round: all coefficients are divided by their norm of that round."""

    def __init__(self, p, p_start, annealing):
        super().__init__(p)
        self.p_start = p_start
        self.annealing = annealing

    def p_of(self, n_rounds):
        """The p of the round after this many: from `p_start` to p, each the same multiple of the one before."""
        passed = min(n_rounds / self.annealing, 1.0)
        return self.p_start ** (1 - passed) * self.p**passed

    def step(self, ensemble, hypothesis_margins, error):
        if not ensemble.stages:
            return super().step(ensemble, hypothesis_margins, error)
        step = self.plain_step(ensemble, hypothesis_margins, error)
        p = self.p_of(len(ensemble.stages))
        norm = (np.append(coefficients(ensemble.stages), step) ** p).sum() ** (1 / p)
        ensemble.move(hypothesis_margins, step, scale=1 / norm)
        return None


class AnnealedPBoostClassifier(PBoostClassifier):
    """Sloppy p-boosting whose p falls from `p_start` to `p` in the first `annealing` rounds."""

    def __init__(
        self, estimator=None, n_estimators=100, *, p=1.0, p_start=4.0, annealing=50, random_state=None
    ):
        super().__init__(estimator, n_estimators, p=p, random_state=random_state)
        self.p_start = p_start
        self.annealing = annealing

    def _preset(self):
        return Exponential(), AnnealedSloppy(self.p, self.p_start, self.annealing)
