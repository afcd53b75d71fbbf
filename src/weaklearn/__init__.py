"""weaklearn: find wrong labels, train despite them, find thresholds with few questions.

Five names open the doors: `audit` and `LabelAuditor` (which labels are wrong), `RobustClassifier` (train despite
them), `compare` (which classifier suits a table), `PosteriorMinEnt` (find a threshold); `load` reads a model that was
saved. Behind them are classifiers
that minimise the 0/1 loss itself, one boosting engine, measures of the complexity of data, and a lab that reproduces
the documents all of this comes from. Everything loads on first use, so that importing the package costs nothing:

>>> import weaklearn
>>> weaklearn.costs.Hinge().value([0.0, 2.0])
array([1., 0.])
>>> weaklearn.RobustClassifier
<class 'weaklearn.robust._classifier.RobustClassifier'>
"""

import importlib
from typing import Any

__version__ = "0.1.0.dev0"

_DOORS = {
    "LabelAuditor": "labels",
    "PosteriorMinEnt": "adaptive",
    "RobustClassifier": "robust",
    "audit": "labels",
    "compare": "comparison",
    "load": "persistence",
}
_SUBMODULES = (
    "adaptive",
    "boosting",
    "cloning",
    "comparison",
    "complexity",
    "costs",
    "datasets",
    "display",
    "engines",
    "kernel",
    "lab",
    "labels",
    "linear",
    "monotone",
    "multiclass",
    "persistence",
    "reports",
    "robust",
    "stumps",
    "tables",
    "testing",
    "trees",
)

__all__ = ["__version__", *_DOORS, *_SUBMODULES]


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return getattr(importlib.import_module(f"weaklearn.{_DOORS[name]}"), name)
    if name in _SUBMODULES:
        return importlib.import_module(f"weaklearn.{name}")
    raise AttributeError(f"module 'weaklearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
