"""What the matrix tries: every public estimator with `fit`, every public function of X and y, every sampler.

Classifiers for many classes are tried with two classes and with three.
"""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
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
    #: The samplers: levels and outcomes instead of rows and labels.
    is_session: bool = False
    #: Three classes instead of two.
    many_classes: bool = False
    #: A table with a label column is made of X and y first.
    is_table: bool = False
    allows_nan: bool = False
    allows_text: bool = False
    #: Of the estimator or the sampler: what may be given wrong values.
    parameters: inspect.Signature | None = None


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


# Takes a table of raters' labels: ``tests/labels/test_annotators.py`` has its bad input.
_OF_RATERS = ("AnnotatorConsensus",)


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
        parameters=inspect.signature(kind),
    )


def _of_many_classes(row):
    subject = _estimator(*row)
    return subject._replace(name=f"{subject.name}, three classes", many_classes=True)


def _takes_many(row):
    room, _, kind = row
    model = quick(kind)
    if room == "monotone" or not is_classifier(model) or not hasattr(model, "predict"):
        return False
    return get_tags(model).classifier_tags.multi_class


def _sampler(name, kind):
    def session(levels, outcomes, told, **params):
        sampler = kind(levels, **{"random_state": 0, **params})
        for i, outcome in enumerate(outcomes):
            sampler.tell(sampler.ask() if told is None else told[i], outcome)
        estimate, interval = sampler.estimate(), sampler.interval()
        return np.array([estimate, interval.low, interval.high, sampler.ask()])

    return Subject(name, call=session, is_session=True, parameters=inspect.signature(kind))


def _samplers():
    from weaklearn import adaptive

    kinds = {name: getattr(adaptive, name) for name in adaptive.__all__}
    return [
        _sampler(name, kind)
        for name, kind in kinds.items()
        if inspect.isclass(kind) and issubclass(kind, adaptive.Sampler) and not inspect.isabstract(kind)
    ]


def _table(X, y):
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(np.shape(X)[1])])
    return frame.assign(label=y)


def _tables():
    from sklearn.tree import DecisionTreeClassifier

    from weaklearn.comparison import compare
    from weaklearn.labels import audit
    from weaklearn.stumps import DecisionStump

    models = [("stump", True, DecisionStump()), ("tree", False, DecisionTreeClassifier(random_state=0))]

    def compared(X, y, w):
        found = compare(_table(X, y), "label", models=models, n_folds=2, n_repeats=1)
        return np.array([model.error for model in found.models if not model.failure])

    def audited(X, y, w):
        return audit(_table(X, y), "label").wrong_probability

    return [
        Subject(name, call=call, is_table=True, allows_nan=True, allows_text=True)
        for name, call in (("audit()", audited), ("compare()", compared))
    ]


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


SUBJECTS = [
    *(_estimator(*row) for row in fitted_kinds() if row[1] not in _OF_RATERS),
    *(_of_many_classes(row) for row in fitted_kinds() if _takes_many(row)),
    *_functions(),
    *_samplers(),
    *_tables(),
]
