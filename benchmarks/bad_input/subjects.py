"""What the matrix tries: every public estimator with `fit`, and every public function of X and y."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import get_tags

from benchmarks.every_estimator import fitted_kinds, quick

__all__ = ["SUBJECTS", "Subject", "answer"]


class Subject(NamedTuple):
    """An estimator (`make`) or a function (`call`) under test."""

    name: str
    make: Callable[[], Any] | None = None
    call: Callable[..., Any] | None = None
    takes_weights: bool = False
    takes_labels: bool = True
    #: The monotone fits: one column, numbers as labels.
    is_curve: bool = False
    is_classifier: bool = False
    allows_nan: bool = False
    allows_text: bool = False


def answer(estimator, X):
    """What an estimator says about rows; about what it learned from, if it takes no others."""
    for name in ("predict", "transform"):
        if hasattr(estimator, name):
            return np.asarray(getattr(estimator, name)(X))
    if hasattr(estimator, "sample"):
        return np.asarray(estimator.sample(20, random_state=0))
    found = [np.ravel(value) for name, value in sorted(vars(estimator).items()) if _is_result(name, value)]
    return np.concatenate([part.astype(float) for part in found])


def _is_result(name, value):
    return (
        name.endswith("_")
        and isinstance(value, np.ndarray)
        and value.dtype.kind in "biuf"
        and name != "classes_"
    )


def _estimator(room, name, kind):
    model = quick(kind)
    tags = get_tags(model)
    return Subject(
        name,
        make=lambda: quick(kind),
        takes_weights="sample_weight" in inspect.signature(kind.fit).parameters,
        is_curve=room == "monotone",
        is_classifier=is_classifier(model) and hasattr(model, "predict"),
        allows_nan=tags.input_tags.allow_nan,
        allows_text=tags.input_tags.string or tags.input_tags.categorical,
        takes_labels=name not in ("SmoothedBootstrap", "TableEncoder"),
    )


def _of_rows(function):
    return lambda X, y, w: function(X)


def _functions():
    from weaklearn import complexity, kernel
    from weaklearn.cloning import clone_dataset
    from weaklearn.linear import minimum_zero_one_error

    of_rows = [
        Subject(f"{name}()", call=_of_rows(getattr(kernel, name)), takes_labels=False)
        for name in kernel.__all__
        if name.endswith("_kernel")
    ]
    small = {"n_permutations": 3, "random_state": 0}
    calls = {
        "complexity": lambda X, y, w: [complexity.complexity(X, y)],
        "complexity_contribution": lambda X, y, w: (
            complexity.complexity_contribution(X, y, **small).contribution
        ),
        "complexity_error_path": lambda X, y, w: (
            complexity.complexity_error_path(X, y, random_state=0).complexity
        ),
        "greedy_pruning": lambda X, y, w: complexity.greedy_pruning(X, y, max_removals=2).contribution,
        "class_clusters": lambda X, y, w: complexity.class_clusters(X, y, 4),
        "principal_points": lambda X, y, w: complexity.principal_points(
            X, y, random_state=0, max_subsets=4096
        ),
        "clone_dataset": lambda X, y, w: clone_dataset(X, y, 20, random_state=0).y,
    }
    tables = {"clone_dataset"}
    of_labels = [
        Subject(f"{name}()", call=call, allows_nan=name in tables, allows_text=name in tables)
        for name, call in calls.items()
    ]
    exact = Subject(
        "minimum_zero_one_error()",
        call=lambda X, y, w: np.array([minimum_zero_one_error(X, y, w, max_time=2.0).error]),
        takes_weights=True,
    )
    return [*of_rows, *of_labels, exact]


SUBJECTS = [_estimator(*row) for row in fitted_kinds()] + _functions()
