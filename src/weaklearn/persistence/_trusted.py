"""What a model file may hold: types that are trusted, and decision trees that are safe to run.

Setting the attributes of such a type to anything must do no more harm than a wrong prediction. So the rooms of models
are trusted, in which nothing reads or writes files: their classes, but for those that take part in their own creation
or deletion, and the kernels among their functions.

Trees of scikit-learn, those of its histogram boosting included, are trusted because `check_trees` checks their content.
scikit-learn follows the node numbers of a tree without looking whether they exist, and a hostile file could use that to
read foreign memory.
"""

import importlib
import re
from types import FunctionType
from typing import Any

import numpy as np

_FOREIGN = {
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._scorer._PassthroughScorer",
    "sklearn.model_selection._split.StratifiedKFold",
    "sklearn.tree._tree.Tree",
    "sklearn.utils._bunch.Bunch",
}
_ROOMS = "adaptive|boosting|cloning|complexity|costs|kernel|linear|monotone|multiclass|robust|stumps|trees"
# In rooms that also hold files and pages, the modules that hold models. Sessions write to their path: not trusted.
_MODULE = re.compile(
    rf"weaklearn\.(_fast\.(?!_)\w+|(?!adaptive\.sessions)({_ROOMS})(\.\w+)*|labels\._(annotators|label_auditor)"
    r"|tables\._(column|encoder|layout|parts))"
)


def is_trusted(name: str) -> bool:
    """Whether a type, by its full name, may be created from a file."""
    module, _, last = name.rpartition(".")
    if name in _FOREIGN:
        return True
    if not _MODULE.fullmatch(module):
        return False
    try:
        found = getattr(importlib.import_module(module), last)
    except (ImportError, AttributeError):
        return False
    if isinstance(found, FunctionType):
        return module.startswith("weaklearn.kernel.") and last.endswith("_kernel")
    own = isinstance(found, type) and found.__module__ == module
    return own and not {"__reduce__", "__reduce_ex__", "__del__"} & vars(found).keys()


def check_trees(root: Any) -> None:
    """Raise ValueError if a decision tree inside an object refers to nodes or columns that do not exist."""
    # A second to import, unless a model with trees is read.
    from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
    from sklearn.tree._tree import Tree

    seen: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, str | bytes | int | float | complex | None):
            continue
        seen[id(value)] = value  # holding it keeps its id from being given to another object
        if isinstance(value, Tree):
            nodes = value.__getstate__()["nodes"]
            _check_nodes(nodes["left_child"], nodes["right_child"], nodes["feature"], value.n_features)
        elif isinstance(value, BaseHistGradientBoosting):
            _check_predictors(value)
        elif isinstance(value, np.ndarray):
            waiting.extend(value.ravel().tolist() if value.dtype.hasobject else [])
        elif isinstance(value, dict):
            waiting.extend([*value.keys(), *value.values()])
        elif isinstance(value, list | tuple | set | frozenset):
            waiting.extend(value)
        if hasattr(value, "__dict__"):
            waiting.extend(vars(value).values())
        for name in getattr(type(value), "__slots__", ()):
            waiting.append(getattr(value, name, None))


def _check_predictors(model: Any) -> None:
    """The trees of histogram boosting, which refer to columns of X; sets of categories are not needed here."""
    if getattr(model, "_preprocessor", None) is not None:
        raise ValueError("the file holds boosted trees with categories of their own, which are not trusted.")
    for stage in getattr(model, "_predictors", []):
        for tree in stage:
            nodes, leaf = tree.nodes, tree.nodes["is_leaf"] == 1
            if nodes["is_categorical"].any():
                raise ValueError(
                    "the file holds boosted trees with categories of their own, which are not trusted."
                )
            left, right = (np.where(leaf, -1, nodes[side].astype(np.int64)) for side in ("left", "right"))
            _check_nodes(left, right, nodes["feature_idx"], int(model.n_features_in_))


def _check_nodes(left: Any, right: Any, feature: Any, n_features: int) -> None:
    own, leaf, n_nodes = np.arange(len(left)), left == -1, len(left)
    # A child comes after its parent in every tree that scikit-learn builds, so following them ends.
    inside = (left > own) & (left < n_nodes) & (right > own) & (right < n_nodes)
    inside &= (feature >= 0) & (feature < n_features)
    if n_nodes == 0 or not (leaf | inside).all():
        raise ValueError(
            "the file holds a decision tree with nodes that do not exist; it is damaged or hostile."
        )
