"""Which types a model file may hold.

Setting the attributes of such a type to anything must do no more harm than a wrong prediction. So the rooms of models
are trusted, in which nothing reads or writes files: their classes, but for those that take part in their own creation
or deletion, and the kernels among their functions. Trees of scikit-learn are trusted because
`weaklearn.persistence._trees` checks their content.
"""

import importlib
import re
from types import FunctionType

__all__ = ["is_trusted"]

_FOREIGN = {"sklearn.metrics._scorer._PassthroughScorer", "sklearn.tree._tree.Tree"}
_ROOMS = "adaptive|boosting|cloning|complexity|costs|kernel|linear|monotone|multiclass|robust|stumps|trees"
# In rooms that also hold files and pages, the modules that hold models. Sessions write to their path: not trusted.
_MODULE = re.compile(
    rf"weaklearn\.(_fast\.(?!_)\w+|(?!adaptive\.sessions)({_ROOMS})(\.\w+)*|labels\._label_auditor"
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
