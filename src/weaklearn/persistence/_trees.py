"""Whether the decision trees inside a loaded object are safe to run.

scikit-learn follows the node numbers of a tree without looking whether they exist. A hostile file could use that to
read foreign memory, so every tree is checked before the object is handed over.
"""

from typing import Any

import numpy as np

__all__ = ["check_trees"]


def check_trees(root: Any) -> None:
    """Raise ValueError if a decision tree inside an object refers to nodes or columns that do not exist."""
    from sklearn.tree._tree import Tree  # a second to import, unless a model with trees is read

    seen: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, str | bytes | int | float | complex | None):
            continue
        seen[id(value)] = value  # holding it keeps its id from being given to another object
        if isinstance(value, Tree):
            _check_tree(value)
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


def _check_tree(tree: Any) -> None:
    n_nodes = tree.node_count
    nodes = tree.__getstate__()["nodes"]
    left, right, feature = nodes["left_child"], nodes["right_child"], nodes["feature"]
    leaf = left == -1
    own = np.arange(n_nodes)
    # A child comes after its parent in every tree that scikit-learn builds, so following them ends.
    inside = (left > own) & (left < n_nodes) & (right > own) & (right < n_nodes)
    inside &= (feature >= 0) & (feature < tree.n_features)
    if n_nodes == 0 or not (leaf | inside).all():
        raise ValueError(
            "the file holds a decision tree with nodes that do not exist; it is damaged or hostile."
        )
