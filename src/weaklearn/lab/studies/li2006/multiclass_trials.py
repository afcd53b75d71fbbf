"""Trials of the multiclass experiments: official splits, folds, curves, partitions.

Two readings of data that the general protocols do not have: a set with an official split is used as it is
split, in every trial, so that only the algorithm is random; one without is cut into ten folds, ten times over,
and trial i tests on fold i mod 10 of shuffle i div 10.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.lab._build import build
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._protocols import protocol
from weaklearn.lab._sources import load_source, split_source

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

    from weaklearn.lab._spec import Figure
    from weaklearn.lab._trial import Trial
    from weaklearn.lab.curves import FigureData

__all__ = [
    "multiclass_holdout",
    "partition_panels",
    "round_curves",
    "samme_selection",
    "staged_holdout",
    "tangram_rounds",
    "validated_svm",
]

N_FOLDS = 10


def training_and_test(trial: "Trial") -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The official split or the trial's fold, features scaled to [-1, 1] on the training part.

    A feature that is constant in training becomes 0 there. Returns X_train, X_test, y_train, y_test.
    """
    from weaklearn import datasets

    data = trial.parts["data"]
    X, y = load_source(data)
    bunch = datasets.load(data["name"])
    if bunch.split is not None:
        train, test = bunch.train, bunch.test
    else:
        shuffle, fold = divmod(trial.index, N_FOLDS)
        seed = seed_from(purpose="folds", data=data, index=shuffle)
        order = np.random.default_rng(seed).permutation(len(y))
        chosen = np.arange(len(y)) % N_FOLDS == fold
        train, test = order[~chosen], order[chosen]
    low, high = X[train].min(axis=0), X[train].max(axis=0)
    centre, width = (low + high) / 2, np.where(high > low, high - low, 1.0)
    scaled = 2 * (X - centre) / width
    return scaled[train], scaled[test], y[train], y[test]


def _percent_wrong(y: np.ndarray, predicted: np.ndarray) -> float:
    return 100.0 * float(np.mean(predicted != y))


@protocol("multiclass", version=1)
def multiclass_holdout(
    trial: "Trial", rounds: Sequence[int] = (), n_estimators: Mapping[str, int] | None = None
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
    from weaklearn.multiclass._partitions import MOST_CLASSES

    X_train, X_test, y_train, y_test = training_and_test(trial)
    estimator = build(trial.parts["algorithm"], trial.algorithm_seed)
    own_number = (n_estimators or {}).get(trial.parts["data"]["name"])
    if own_number is not None and hasattr(estimator, "n_estimators"):
        estimator.set_params(n_estimators=own_number)
    if getattr(estimator, "partition", "") == "max-cut" and len(np.unique(y_train)) > MOST_CLASSES:
        estimator.set_params(partition="max-cut-greedy")
    estimator.fit(X_train, y_train)
    result: dict[str, Any] = {"test_error": _percent_wrong(y_test, estimator.predict(X_test))}
    if getattr(estimator, "n_iter_", 0):
        result["train_error"] = 100.0 * estimator.error_curve_[-1]
        result["cost"] = estimator.cost_curve_[-1]
        result["n_rounds"] = float(estimator.n_iter_)
        result |= _curves(estimator, X_test, y_test, rounds)
    return result


def _curves(estimator: Any, X: np.ndarray, y: np.ndarray, rounds: Sequence[int]) -> dict[str, list[float]]:
    errors = [_percent_wrong(y, predicted) for predicted in estimator.staged_predict(X)]
    last = len(errors) - 1
    stages = [min(number - 1, last) for number in rounds]
    return {
        "test_errors": [errors[stage] for stage in stages],
        "costs": [estimator.cost_curve_[stage] for stage in stages],
    }


@protocol("staged", version=1)
def staged_holdout(trial: "Trial", stages: Sequence[int]) -> dict[str, float]:
    """One fit on a random split, errors after several numbers of rounds: `test_error 25`, `train_error 25`, ..."""
    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    estimator = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
    result = {}
    for stage, error in _errors_after(estimator, X_test, y_test, stages).items():
        result[f"test_error {stage}"] = error
        result[f"train_error {stage}"] = 100.0 * estimator.error_curve_[min(stage, estimator.n_iter_) - 1]
    return result


@protocol("samme-selection", version=1)
def samme_selection(trial: "Trial", stages: Sequence[int], depths: Sequence[int]) -> dict[str, float]:
    """The number and depth of trees of least error in 5-fold cross-validation on the training part.

    Records `n_classifiers`, `depth` and the `test_error` of that choice; ties go to the smaller ensemble.
    """
    from sklearn.model_selection import StratifiedKFold

    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    folds = StratifiedKFold(5, shuffle=True, random_state=trial.data_seed % 2**32)
    errors: dict[tuple[int, int], float] = {}
    for depth in depths:
        estimator = build(trial.parts["algorithm"], trial.algorithm_seed)
        estimator.set_params(estimator__max_depth=depth, n_estimators=max(stages))
        for train, held_out in folds.split(X_train, y_train):
            estimator.fit(X_train[train], y_train[train])
            found = _errors_after(estimator, X_train[held_out], y_train[held_out], stages)
            for stage, error in found.items():
                errors[stage, depth] = errors.get((stage, depth), 0.0) + error
    stage, depth = min(sorted(errors), key=lambda choice: errors[choice])
    estimator.set_params(estimator__max_depth=depth, n_estimators=stage).fit(X_train, y_train)
    return {
        "n_classifiers": float(stage),
        "depth": float(depth),
        "test_error": _percent_wrong(y_test, estimator.predict(X_test)),
    }


def _errors_after(estimator: Any, X: np.ndarray, y: np.ndarray, stages: Sequence[int]) -> dict[int, float]:
    errors = [_percent_wrong(y, predicted) for predicted in estimator.staged_predict(X)]
    return {stage: errors[min(stage, len(errors)) - 1] for stage in stages}


@protocol("tangram", version=1)
def tangram_rounds(trial: "Trial", rounds: Sequence[int], n_test: int = 5000) -> dict[str, Any]:
    """Boosting on a fresh draw of the tangram: costs, test errors and the two dominating partitions.

    Records `cost`, `test_error` and the lists of "multiclass"; for the two partitions with the largest sums of
    coefficients their columns (`partitions`, one after the other), `sums`, `means` and `counts`; and
    `mean_coefficient`, that of all rounds.
    """
    from weaklearn.datasets import make_tangram
    from weaklearn.multiclass import dominating_partitions

    n_train = trial.parts["data"]["split"]["train_size"]
    X, y = make_tangram(n_train + n_test, random_state=trial.data_seed % 2**32)
    estimator = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X[:n_train], y[:n_train])
    columns, sums, counts = dominating_partitions(estimator.code_matrix_, estimator.estimator_weights_)
    return {
        "cost": estimator.cost_curve_[-1],
        "n_rounds": float(estimator.n_iter_),
        "test_error": _percent_wrong(y[n_train:], estimator.predict(X[n_train:])),
        **_curves(estimator, X[n_train:], y[n_train:], rounds),
        "partitions": columns[:2].ravel(),
        "sums": sums[:2],
        "means": sums[:2] / counts[:2],
        "counts": counts[:2],
        "mean_coefficient": estimator.estimator_weights_.mean(),
    }


def validated_svm(family: str, params: Mapping[str, Any], C: Sequence[float]) -> Any:
    """A multiclass ensemble of perceptron-kernel SVMs whose C is the best on a validation part of 30%.

    Parameters
    ----------
    family : str
        A class of `weaklearn.multiclass`.
    params : mapping
        Its parameters, without the estimator.
    C : sequence of float
        The values to try; of equally good ones the first is taken.
    """
    from sklearn.model_selection import GridSearchCV, ShuffleSplit

    from weaklearn import multiclass

    estimator = getattr(multiclass, family)(multiclass.PerceptronKernelSVC(), **params)
    # A fixed split: the trial's own randomness is that of the folds and of the partitions.
    split = ShuffleSplit(n_splits=1, test_size=0.3, random_state=0)
    return GridSearchCV(estimator, {"estimator__C": list(C)}, cv=split)


def round_curves(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Mean cost and test error against the number of rounds, both logarithmic, one panel each and data set."""
    from matplotlib.figure import Figure as Panel

    panels = []
    for row in (row.label for row in figure.rows if data.columns_of(row.label)):
        for metric, title in (("costs", "training cost"), ("test_errors", "test error (%)")):
            panel = Panel(figsize=(5.4, 4.2), layout="constrained")
            axes = panel.add_subplot()
            for column in (column.name for column in figure.columns):
                if column in data.columns_of(row):
                    mean, _ = data.curve(row, column, metric)
                    # Points beyond the last round repeat it.
                    last = max(result["n_rounds"] for result in data.results[row, column])
                    rounds = [number for number in figure.protocol.params["rounds"] if number <= last]
                    style = figure.options["styles"][column]
                    axes.plot(rounds, mean[: len(rounds)], label=column, **style)
            axes.set(xscale="log", yscale="log", xlabel="rounds", ylabel=title)
            axes.set_title(f"{row}: {title}", fontsize=11)
            axes.grid(alpha=0.25)
            axes.spines[["top", "right"]].set_visible(False)
            panel.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False, handlelength=3)
            panels.append(panel)
    return panels


def partition_panels(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The two dominating partitions of the first trial of each column, on the pieces of the tangram."""
    from matplotlib.figure import Figure as Panel

    from weaklearn.datasets._plane import TANGRAM_PIECES
    from weaklearn.display import PartitionDisplay

    panels = []
    (row,) = (row.label for row in figure.rows)
    pieces = [TANGRAM_PIECES[code] for code in sorted(TANGRAM_PIECES)]
    for column in data.columns_of(row):
        result = data.results[row, column][0]
        for rank, partition in enumerate(np.reshape(result["partitions"], (2, -1))):
            panel = Panel(figsize=(2.7, 3.0), layout="constrained")
            display = PartitionDisplay(pieces, partition, labels=sorted(TANGRAM_PIECES))
            display.plot(panel.add_subplot())
            display.ax_.set_title(
                f"{column}: {result['counts'][rank]:.0f} rounds,\nmean coefficient {result['means'][rank]:.2f}",
                fontsize=9,
            )
            panels.append(panel)
    return panels
