"""Splits: how rows are sorted once so that stumps and small trees find their best splits again and again.

`SortedRows` holds the orders of a training set: numbers, missing values, categories. `StumpSearch`, `TreeSearch` and
`ClassTreeSearch` are the prepared forms of `weaklearn.stumps.DecisionStump` and `weaklearn.trees.SmallTree`, which are
above; `BinnedStumps` searches large sets. The compiled loops are in `weaklearn._fast`.
"""

from weaklearn.splits._binned import BinnedStumps
from weaklearn.splits._class_trees import ClassTreeSearch
from weaklearn.splits._sorted_rows import SortedRows, numbered_categories
from weaklearn.splits._stumps import StumpSearch
from weaklearn.splits._trees import TREE_ATTRIBUTES, TreeSearch

__all__ = [
    "TREE_ATTRIBUTES",
    "BinnedStumps",
    "ClassTreeSearch",
    "SortedRows",
    "StumpSearch",
    "TreeSearch",
    "numbered_categories",
]
