"""The long work of a comparison: one classifier on one split of cross-validation.

A task depends on its payload and on `Shared` alone, so tasks can run in any process and in any order.

Conventions: the log loss of a row is at most -log(1e-6), so that one row of which a classifier was certain, and wrong,
does not decide alone. Labels in the table are given ones, some of them wrong: a classifier that also tells
probabilities of given labels (``predict_given_proba``) is scored by these. With more than two classes the AUC is the
mean over classes, each against the rest, weighted by their rows.
"""

import time
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from weaklearn.engines import Outcome
from weaklearn.tables import Column, TableEncoder, take_rows

_LEAST_PROBABILITY = 1e-6


class Shared(NamedTuple):
    """What all tasks see: the table, the splits (training rows, test rows), and the estimators."""

    X: Any
    y: np.ndarray
    columns: tuple[Column, ...]
    splits: list[tuple[np.ndarray, np.ndarray]]
    estimators: list[Any]


class Task(NamedTuple):
    """A classifier and a split."""

    model: int
    split: int


class Judged(NamedTuple):
    """The result of a task.

    ``wrong`` and ``log_loss`` have a number for every test row; ``log_loss`` is None without probabilities, ``auc`` NaN
    without scores. ``failure`` is the message of the exception that ended the task; then there is nothing else.
    """

    wrong: np.ndarray | None = None
    log_loss: np.ndarray | None = None
    auc: float = np.nan
    seconds: float = np.nan
    failure: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> "Judged":
        """What an engine has found, or why it has not."""
        return outcome.value if outcome.failure is None else cls(failure=str(outcome.failure))


def judge(task: Task, shared: Shared) -> Judged:
    """Fit and test as the task says."""
    # The encoder learns medians, scales and categories where the classifier is fitted, in training parts.
    model = make_pipeline(TableEncoder(columns=shared.columns), clone(shared.estimators[task.model]))
    train, test = shared.splits[task.split]
    X_test, y_test = take_rows(shared.X, test), shared.y[test]
    with warnings.catch_warnings():
        # A table brings out warnings (a category unseen in training, a solver at its limit) that are no news here.
        warnings.simplefilter("ignore")
        try:
            started = time.perf_counter()
            model.fit(take_rows(shared.X, train), shared.y[train])
            seconds = time.perf_counter() - started
            wrong = (model.predict(X_test) != y_test).astype(np.float64)
            probability = given_probability(model, X_test)
            known = None if probability is None else _row_log_loss(probability, model.classes_, y_test)
            return Judged(wrong, known, _auc(model, probability, X_test, y_test), seconds)
        except (
            Exception
        ) as error:  # what an estimator raises is reported with it; the others are not concerned
            return Judged(failure=f"{type(error).__name__}: {error}")


def given_probability(pipeline: Any, X: Any) -> np.ndarray | None:
    """Probabilities of labels like those of the table, mistakes included; None without any."""
    if hasattr(pipeline[-1], "predict_given_proba"):
        return pipeline[-1].predict_given_proba(pipeline[:-1].transform(X))
    return pipeline.predict_proba(X) if hasattr(pipeline, "predict_proba") else None


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
