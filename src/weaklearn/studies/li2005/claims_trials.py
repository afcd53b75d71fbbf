"""Trials behind the sentences of li2005: differences between learners on the same split, and counts over data sets.

Errors are in percent. Members are descriptions of algorithms by name; each has a seed of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from weaklearn.lab import Trial, build, protocol, seed_from, split_source
from weaklearn.lab.protocols import percent_wrong


class Contest(BaseEstimator):
    """Algorithms that a trial compares, by name: what it builds are its members, one by one."""

    def __init__(self, members=()):
        self.members = members


def _members(trial: Trial) -> Mapping[str, Any]:
    return trial.algorithm["params"]["members"]


def _built(trial: Trial, name: str, **params: Any) -> Any:
    member = _members(trial)[name]
    seed = seed_from(seed=trial.algorithm_seed, member=name)
    return build({**member, "params": {**member["params"], **params}}, seed)


@protocol("weaklearn.lab.studies.li2005.claims_trials:final_differences", version=1)
def final_differences(trial: Trial, pairs: Sequence[Sequence[str]], early: int) -> dict[str, float]:
    """The errors of linear learners on one split, as differences of pairs.

    For each pair (a, b) of members: `a minus b, final training error`, `a minus b, final test error`, and
    `a minus b, training error at the beginning`, after ``early`` epochs.
    """
    X_train, X_test, y_train, y_test = trial.split()
    errors: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        model = _built(trial, name, keep_path=True).fit(X_train, y_train)
        path = np.asarray(model.path_)
        weights = path[min(early, len(path) - 1)]
        at_first = model.classes_[(X_train @ weights[:-1] + weights[-1] > 0).astype(int)]
        errors[name] = {
            "final training error": percent_wrong(y_train, model.predict(X_train)),
            "final test error": percent_wrong(y_test, model.predict(X_test)),
            "training error at the beginning": percent_wrong(y_train, at_first),
        }
    return {
        f"{a} minus {b}, {measure}": errors[a][measure] - errors[b][measure]
        for a, b in pairs
        for measure in errors[a]
    }


def _turn(trial: Trial, sources: Sequence[Mapping[str, Any]]) -> Any:
    """The split of this trial: the sets take turns, and each has a new split when its turn comes again."""
    turn, place = divmod(trial.index, len(sources))
    source = dict(sources[place])
    return split_source(source, seed_from(purpose="data", data=source, index=turn))


@protocol("weaklearn.lab.studies.li2005.claims_trials:boosted_in_turn", version=1)
def boosted_in_turn(trial: Trial, sources: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """An ensemble on the sets in turn: `n_rounds` and `train_error`."""
    X_train, _, y_train, _ = _turn(trial, sources)
    model = trial.build().fit(X_train, y_train)
    return {
        "n_rounds": float(len(model.estimators_)),
        "train_error": percent_wrong(y_train, model.predict(X_train)),
    }


@protocol("weaklearn.lab.studies.li2005.claims_trials:resampling_in_turn", version=1)
def resampling_in_turn(trial: Trial, sources: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """An ensemble whose learner draws examples by weight, minus one whose learner uses the weights; sets in turn.

    Records `train_error`, `test_error` and `n_rounds`, the differences.
    """
    X_train, X_test, y_train, y_test = _turn(trial, sources)
    found = {}
    for weighting in ("resample", "reweight"):
        model = trial.build().set_params(estimator__weighting=weighting).fit(X_train, y_train)
        found[weighting] = np.array(
            [
                percent_wrong(y_train, model.predict(X_train)),
                percent_wrong(y_test, model.predict(X_test)),
                len(model.estimators_),
            ]
        )
    difference = found["resample"] - found["reweight"]
    return dict(zip(("train_error", "test_error", "n_rounds"), map(float, difference), strict=True))


@protocol("weaklearn.lab.studies.li2005.claims_trials:lowest_counts", version=1)
def lowest_counts(
    trial: Trial, sources: Sequence[Mapping[str, Any]], ours: Sequence[str], n_splits: int
) -> dict[str, float]:
    """A small repetition of a whole table: every member on ``n_splits`` splits of every set.

    Records on how many sets one of the members ``ours`` has the lowest mean training error (`train`) or test error
    (`test`), equals included, and the latter as a share of the sets (`test_share`).
    """
    names = list(_members(trial))
    counts = np.zeros(2)
    for source in map(dict, sources):
        errors = np.zeros((2, len(names)))
        for k in range(n_splits):
            seed = seed_from(purpose="repetition", data=source, index=trial.index, split=k)
            X_train, X_test, y_train, y_test = split_source(source, seed)
            for place, name in enumerate(names):
                model = _built(trial, name).fit(X_train, y_train)
                errors[0, place] += percent_wrong(y_train, model.predict(X_train))
                errors[1, place] += percent_wrong(y_test, model.predict(X_test))
        own = [names.index(name) for name in ours]
        counts += errors[:, own].min(axis=1) <= errors.min(axis=1) + 1e-9
    return {"train": counts[0], "test": counts[1], "test_share": counts[1] / len(sources)}
