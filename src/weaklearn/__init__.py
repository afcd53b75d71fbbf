"""weaklearn: learning from weak hypotheses and hard data.

Classifiers that minimise the 0/1 loss itself, one boosting engine with explicit
control of cost and step, and a lab that reproduces the tables of its source
documents cell by cell. Subpackages load on first use, so that importing the
package costs nothing:

>>> import weaklearn
>>> weaklearn.costs.Hinge().value([0.0, 2.0])
array([1., 0.])
"""

import importlib

__version__ = "0.1.0.dev0"

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
    "splits",
    "stumps",
    "tables",
    "testing",
    "trees",
)

__all__ = ["__version__", *_SUBMODULES]


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"weaklearn.{name}")
    raise AttributeError(f"module 'weaklearn' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
