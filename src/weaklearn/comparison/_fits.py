"""The long work of a comparison: one classifier on one repeat of cross-validation, or on one clone.

A task depends on its payload and on `Shared` alone, so tasks can run in any process and in any order.

Conventions: the log loss of a row is at most -log(1e-6), so that one row of which a classifier was certain, and wrong,
does not decide alone. The AUC is the mean over test parts; with more than two classes it is the mean over classes, each
against the rest, weighted by their rows.
"""

import time
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from weaklearn.engines import Outcome
from weaklearn.tables import Column, TableEncoder, take_rows

_LEAST_PROBABILITY = 1e-6


class Shared(NamedTuple):
    """What all tasks see: the table, the splits of each repeat, the clones, and the estimators."""

    X: Any
    y: np.ndarray
    columns: tuple[Column, ...]
    repeats: list[list[tuple[np.ndarray, np.ndarray]]]
    clones: list[Any]
    estimators: list[Any]


class Task(NamedTuple):
    """A classifier and a repeat, or a classifier and a clone."""

    model: int
    repeat: int | None = None
    clone: int | None = None


class Judged(NamedTuple):
    """The result of a task.

    ``wrong`` and ``log_loss`` have a number for every row of the table (of the clone's test set, if it was one);
    ``log_loss`` is None without probabilities. ``fold_errors`` and ``aucs`` have one for every fit, ``seconds`` for
    every fit of a repeat but the first. ``failure`` is the message of the exception that ended the task;
    then there is nothing else.
    """

    wrong: np.ndarray | None = None
    log_loss: np.ndarray | None = None
    fold_errors: tuple[float, ...] = ()
    aucs: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()
    failure: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> "Judged":
        """What an engine has found, or why it has not."""
        return outcome.value if outcome.failure is None else cls(failure=str(outcome.failure))


def first_failure(parts: Iterable[Judged]) -> str:
    """The first message among the results of a classifier; empty if all its tasks are done."""
    return next((part.failure for part in parts if part.failure), "")


def judge(task: Task, shared: Shared) -> Judged:
    """Fit and test as the task says."""
    # The encoder learns medians, scales and categories where the classifier is fitted, in training parts.
    model = make_pipeline(TableEncoder(columns=shared.columns), clone(shared.estimators[task.model]))
    with warnings.catch_warnings():
        # A table brings out warnings (a category unseen in training, a solver at its limit) that are no news here.
        warnings.simplefilter("ignore")
        try:
            if task.clone is not None:
                (X, y), (X_test, y_test) = shared.clones[task.clone]
                wrong = clone(model).fit(X, y).predict(X_test) != y_test
                return Judged(wrong.astype(np.float64), fold_errors=(float(wrong.mean()),))
            assert task.repeat is not None
            return _cross_validated(model, shared, shared.repeats[task.repeat])
        except (
            Exception
        ) as error:  # what an estimator raises is reported with it; the others are not concerned
            return Judged(failure=f"{type(error).__name__}: {error}")


def _cross_validated(model, shared, splits):
    X, y = shared.X, shared.y
    wrong, log_loss = np.empty(len(y)), np.full(len(y), np.nan)
    errors, aucs, seconds = [], [], []
    for train, test in splits:
        started = time.perf_counter()
        fitted = clone(model).fit(take_rows(X, train), y[train])
        seconds.append(time.perf_counter() - started)
        X_test = take_rows(X, test)
        wrong[test] = fitted.predict(X_test) != y[test]
        errors.append(float(wrong[test].mean()))
        probability = fitted.predict_proba(X_test) if hasattr(fitted, "predict_proba") else None
        if probability is not None:
            log_loss[test] = _row_log_loss(probability, fitted.classes_, y[test])
        aucs.append(_auc(fitted, probability, X_test, y[test]))
    known = None if np.isnan(log_loss).any() else log_loss
    # The first fit may have compiled and imported.
    return Judged(wrong, known, tuple(errors), tuple(aucs), tuple(seconds[1:]))


def _row_log_loss(probability, classes, y):
    # A class that the training part lacks has probability 0.
    place = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    given = np.where(classes[place] == y, probability[np.arange(len(y)), place], 0.0)
    return -np.log(np.clip(given, _LEAST_PROBABILITY, 1.0))


def _auc(fitted, probability, X, y):
    """NaN where there is no score, or where the test part lacks a class."""
    classes = fitted.classes_
    if len(np.unique(y)) != len(classes):
        return np.nan
    if len(classes) == 2:
        if probability is not None:
            score = probability[:, 1]
        elif hasattr(fitted, "decision_function"):
            score = fitted.decision_function(X)
        else:
            return np.nan
        return float(roc_auc_score(y == classes[1], score))
    if probability is None:
        return np.nan
    found = [roc_auc_score(y == name, probability[:, k]) for k, name in enumerate(classes)]
    return float(np.average(found, weights=[np.sum(y == name) for name in classes]))
