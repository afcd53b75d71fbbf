"""Trials of li2006, chapter 4: official splits, folds, curves, partitions, orders of classes, times.

Two readings of data that the general protocols do not have: a set with an official split is used as it is
split, in every trial, so that only the algorithm is random; one without is cut into ten folds, ten times over,
and trial i tests on fold i mod 10 of shuffle i div 10.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import GridSearchCV, ShuffleSplit

from weaklearn import datasets, multiclass
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.protocols import cpu_seconds, percent_wrong
from weaklearn.lab.rounds import sampled
from weaklearn.studies.li2006 import reductions
from weaklearn.studies.li2006.perceptron_svm import PerceptronKernelSVC

N_FOLDS = 10
# Up to this many classes "max-cut" is exact.
MOST_CLASSES = 20


def training_and_test(trial: Trial) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The official split or the trial's fold, features scaled to [-1, 1] on the training part.

    A feature that is constant in training becomes 0 there. Returns X_train, X_test, y_train, y_test.
    """
    X, y = trial.load()
    bunch = datasets.load(trial.data_name)
    if bunch.split is not None:
        train, test = bunch.train, bunch.test
    else:
        shuffle, fold = divmod(trial.index, N_FOLDS)
        seed = seed_from(purpose="folds", data=trial.data, index=shuffle)
        order = np.random.default_rng(seed).permutation(len(y))
        chosen = np.arange(len(y)) % N_FOLDS == fold
        train, test = order[~chosen], order[chosen]
    low, high = X[train].min(axis=0), X[train].max(axis=0)
    centre, width = (low + high) / 2, np.where(high > low, high - low, 1.0)
    scaled = 2 * (X - centre) / width
    return scaled[train], scaled[test], y[train], y[test]


@protocol("multiclass", version=1)
def multiclass_holdout(
    trial: Trial, rounds: Sequence[int] = (), n_estimators: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Fit on the training part, count errors on the test part.

    Records `test_error` and, of classifiers that boost, `train_error`, `cost` (as a share of its start), `n_rounds`
    and the lists `test_errors` and `costs` after each of the given rounds. A run that ended early stays where it
    ended.

    Parameters
    ----------
    trial : Trial
    rounds : sequence of int
        When curves are recorded.
    n_estimators : mapping, optional
        Numbers of rounds of data sets that have their own.

    Notes
    -----
    Where there are too many classes for the exact "max-cut", the greedy one takes its place, as in li2006.
    """
    X_train, X_test, y_train, y_test = training_and_test(trial)
    estimator = trial.build()
    own_number = (n_estimators or {}).get(trial.data_name)
    if own_number is not None and hasattr(estimator, "n_estimators"):
        estimator.set_params(n_estimators=own_number)
    if getattr(estimator, "partition", "") == "max-cut" and len(np.unique(y_train)) > MOST_CLASSES:
        estimator.set_params(partition="max-cut-greedy")
    estimator.fit(X_train, y_train)
    result: dict[str, Any] = {"test_error": percent_wrong(y_test, estimator.predict(X_test))}
    if getattr(estimator, "n_iter_", 0):
        result["train_error"] = 100.0 * estimator.error_curve_[-1]
        result["cost"] = estimator.cost_curve_[-1]
        result["n_rounds"] = float(estimator.n_iter_)
        result |= _curves(estimator, X_test, y_test, rounds)
    return result


def _curves(estimator: Any, X: np.ndarray, y: np.ndarray, rounds: Sequence[int]) -> dict[str, list[float]]:
    errors = [percent_wrong(y, predicted) for predicted in estimator.staged_predict(X)]
    return {"test_errors": sampled(errors, rounds), "costs": sampled(estimator.cost_curve_, rounds)}


@protocol("tangram", version=1)
def tangram_rounds(trial: Trial, rounds: Sequence[int], n_test: int = 5000) -> dict[str, Any]:
    """Boosting on a fresh draw of the tangram: costs, test errors and the two dominating partitions.

    Records `cost`, `test_error` and the lists of "multiclass"; for the two partitions with the largest sums of
    coefficients their columns (`partitions`, one after the other), `sums`, `means` and `counts`; and
    `mean_coefficient`, that of all rounds.
    """
    n_train = trial.parts["data"]["split"]["train_size"]
    X, y = datasets.make_tangram(n_train + n_test, random_state=trial.data_seed % 2**32)
    estimator = trial.build().fit(X[:n_train], y[:n_train])
    columns, sums, counts = multiclass.dominating_partitions(
        estimator.code_matrix_, estimator.estimator_weights_
    )
    return {
        "cost": estimator.cost_curve_[-1],
        "n_rounds": float(estimator.n_iter_),
        "test_error": percent_wrong(y[n_train:], estimator.predict(X[n_train:])),
        **_curves(estimator, X[n_train:], y[n_train:], rounds),
        "partitions": columns[:2].ravel(),
        "sums": sums[:2],
        "means": sums[:2] / counts[:2],
        "counts": counts[:2],
        "mean_coefficient": estimator.estimator_weights_.mean(),
    }


def validated_svm(family: str, params: Mapping[str, Any], C: Sequence[float]) -> Any:
    """A multiclass ensemble of perceptron-kernel SVMs whose C is the best on a random validation part of 30%.

    Parameters
    ----------
    family : str
        A class of `weaklearn.multiclass`, or of `reductions`.
    params : mapping
        Its parameters, without the estimator.
    C : sequence of float
        The values to try; of equally good ones the first is taken.
    """
    return ValidatedSVM(svm_ensemble(family, params), tuple(C))


def svm_ensemble(family: str, params: Mapping[str, Any], C: float = 1.0) -> Any:
    """A multiclass ensemble of perceptron-kernel SVMs."""
    room = reductions if hasattr(reductions, family) else multiclass
    return getattr(room, family)(PerceptronKernelSVC(C=C), **params)


class ValidatedSVM(BaseEstimator):
    """Choose C of the ensemble's SVMs on one random part, then fit on everything."""

    def __init__(self, estimator, C, random_state=None):
        self.estimator = estimator
        self.C = C
        self.random_state = random_state

    def fit(self, X, y):
        """Try every C; ``best_c_`` is the best."""
        split = ShuffleSplit(n_splits=1, test_size=0.3, random_state=self.random_state)
        search = GridSearchCV(self.estimator, {"estimator__C": list(self.C)}, cv=split).fit(X, y)
        self.best_c_, self.estimator_ = search.best_params_["estimator__C"], search.best_estimator_
        return self

    def predict(self, X):
        """Predicted class labels."""
        return self.estimator_.predict(X)


@protocol("li2006_fit_seconds", version=1, timed=True)
def fit_seconds(trial: Trial, against: Mapping[str, Any]) -> dict[str, float]:
    """CPU seconds of fitting the trial's ensemble over those of AdaBoost.ECC with the same SVMs: `ratio`.

    ``against`` are the parameters of the latter. Both are fitted twice, in turn, and the shorter times count.
    """
    X, _, y, _ = training_and_test(trial)
    ours = trial.build()
    theirs = multiclass.AdaBoostECCClassifier(ours.estimator, **against, random_state=ours.random_state)
    times = [[cpu_seconds(model.fit, X, y) for model in (ours, theirs)] for _ in range(2)]
    seconds, other = np.min(times, axis=0)
    return {"ratio": seconds / other, "seconds": seconds, "other": other}


@protocol("li2006_class_orders", version=1)
def class_orders(trial: Trial) -> dict[str, float]:
    """As `multiclass_holdout`, with the classes numbered in a random order, which decides between equals.

    Records `test_error` and `n_wrong`. Cuts are tried, and equal numbers of votes decided, in the order of the classes.
    """
    X_train, X_test, y_train, y_test = training_and_test(trial)
    codes = np.unique(np.concatenate([y_train, y_test]), return_inverse=True)[1]
    order = np.random.default_rng(trial.algorithm_seed).permutation(codes.max() + 1)
    y_train, y_test = order[codes[: len(y_train)]], order[codes[len(y_train) :]]
    predicted = trial.build().fit(X_train, y_train).predict(X_test)
    return {
        "test_error": percent_wrong(y_test, predicted),
        "n_wrong": float(np.count_nonzero(predicted != y_test)),
    }


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
