"""Every public estimator in a small setting, for the tests that all of them must pass.

A new estimator needs no line here if it can be made without arguments and fitted to a small table of two classes.
Arguments without a default, or attributes that only certain settings leave behind, take one row in ``SETTINGS``.
"""

import importlib
import inspect
import pkgutil

import numpy as np
from sklearn.base import is_regressor

import weaklearn

# Every public room of the package but the studies and what runs them.
ROOMS = [
    room.name
    for room in pkgutil.iter_modules(weaklearn.__path__)
    if not room.name.startswith("_") and room.name not in ("cli", "lab", "studies")
]

# Small numbers that make a fit take milliseconds.
QUICK = {
    "max_iter": 30,
    "n_estimators": 5,
    "n_permutations": 5,
    "max_time": 2.0,
    "n_trees": 10,
    "max_support": 5,
    "random_state": 0,
}
# Settings that leave further attributes behind, wherever an estimator takes them.
SWITCHES = {"validation_fraction": 0.3, "keep_path": True, "certify": True, "noise": 0.1, "outer_cv": 2}
# Other numbers where those mean something else or are too small, arguments without a default, further settings.
SETTINGS = {
    "KernelSVC": {"max_iter": None},
    "SGDPerceptron": {"max_iter": 2000},
    "KernelRCDClassifier": {"max_iter": 2000, "max_support": 50},
    "RhoCloner": {"n_hypotheses": 300},
    "NoiseTolerantBoostClassifier": {"n_estimators": 10, "run_length": 3, "n_restarts": 2},
    "AlphaBoostClassifier": {"n_descent": 3},
    "AdaBoostCloner": {"n_estimators": 3},
    "CalibratedClassifier": lambda: {"estimator": _adaboost(3), "n_folds": 3},
    "CloneSearchCV": lambda: {
        "estimator": _adaboost(3),
        "param_grid": {"n_estimators": [2, 3]},
        "cloner": quick(public("cloning")["AdaBoostCloner"]),
        "n_clones": 1,
        "cv": 2,
    },
}


def _adaboost(n_estimators):
    from weaklearn.boosting import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=n_estimators, random_state=0)


def public(room):
    """The public classes of a room that have scikit-learn's parameters, by name."""
    module = importlib.import_module(f"weaklearn.{room}")
    values = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return {
        name: value
        for name, value in values.items()
        if inspect.isclass(value)
        and hasattr(value, "get_params")
        and not inspect.isabstract(value)
        and value.__module__.startswith("weaklearn.")  # some rooms also export classes of scikit-learn
    }


def quick(kind):
    """An instance with few rounds."""
    taken = inspect.signature(kind).parameters
    settings = {name: value for name, value in QUICK.items() if name in taken}
    own = SETTINGS.get(kind.__name__, {})
    return kind(**{**settings, **(own() if callable(own) else own)})


def variants(kind):
    """Instances whose fits together leave behind all attributes that there are."""
    taken = inspect.signature(kind).parameters
    yield quick(kind)
    for name, value in SWITCHES.items():
        if name in taken:
            yield quick(kind).set_params(**{name: value})


def fit(estimator, X, y):
    """Fit an estimator to a table of two classes, or to what it takes of one."""
    if is_regressor(estimator):  # the monotone curves: one column and the shares of one class
        return estimator.fit(np.asarray(X)[:, 0], np.asarray(y) == np.unique(y)[1])
    labelled = "y" in inspect.signature(estimator.fit).parameters
    return estimator.fit(X, y) if labelled else estimator.fit(X)


def fitted_kinds():
    """(room, name, class) of every public estimator that has `fit`."""
    return [
        (room, name, kind) for room in ROOMS for name, kind in public(room).items() if hasattr(kind, "fit")
    ]
