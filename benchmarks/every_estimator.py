"""Every public estimator in a small setting, for the tests that all of them must pass."""

import importlib
import inspect

ROOMS = [
    "linear",
    "boosting",
    "kernel",
    "multiclass",
    "robust",
    "complexity",
    "cloning",
    "monotone",
    "stumps",
    "trees",
    "tables",
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
# What those names mean elsewhere, or arguments that have no default.
ARGUMENTS = {
    "KernelSVC": {"max_iter": None},
    # A small learning rate needs its rounds, a mean over hypotheses needs many of them.
    "SGDPerceptron": {"max_iter": 2000},
    "KernelRCDClassifier": {"max_iter": 2000, "max_support": 50},
    "RhoCloner": {"n_hypotheses": 300},
    "NoiseTolerantBoostClassifier": {"n_estimators": 10, "run_length": 3, "n_restarts": 2},
    "AlphaBoostClassifier": {"n_descent": 3},
    "AdaBoostCloner": {"n_estimators": 3},
}


def public(room):
    """The public classes of a room that have scikit-learn's parameters, by name."""
    module = importlib.import_module(f"weaklearn.{room}")
    values = {name: getattr(module, name) for name in module.__all__}
    return {
        name: value
        for name, value in values.items()
        if inspect.isclass(value) and hasattr(value, "get_params") and not inspect.isabstract(value)
    }


def quick(kind):
    """An instance with few rounds."""
    from weaklearn.boosting import AdaBoostClassifier

    if kind.__name__ == "CalibratedClassifier":
        return kind(AdaBoostClassifier(n_estimators=3, random_state=0), cv=3, random_state=0)
    if kind.__name__ == "CloneSearchCV":
        cloner = quick(public("cloning")["AdaBoostCloner"])
        grid = {"n_estimators": [2, 3]}
        return kind(AdaBoostClassifier(), grid, cloner=cloner, n_clones=1, cv=2, random_state=0)
    taken = inspect.signature(kind).parameters
    settings = {name: value for name, value in QUICK.items() if name in taken}
    return kind(**{**settings, **ARGUMENTS.get(kind.__name__, {})})


def fitted_kinds():
    """(room, name, class) of every public estimator that has `fit`."""
    return [
        (room, name, kind) for room in ROOMS for name, kind in public(room).items() if hasattr(kind, "fit")
    ]
