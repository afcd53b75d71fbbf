"""Splits: how rows are sorted once so that stumps and small trees find their best splits again and again.

`_sorted_rows` holds the orders of a training set: numbers, missing values, categories. `StumpSearch`, `TreeSearch` and
`ClassTreeSearch` are the prepared forms of `weaklearn.stumps.DecisionStump` and `weaklearn.trees.SmallTree`, which are
above. The compiled loops are in `weaklearn._fast`.
"""

from weaklearn._splits._classifier import SplitClassifier
from weaklearn._splits._sorted_rows import numbered_categories
from weaklearn._splits._stumps import StumpSearch
from weaklearn._splits._trees import ClassTreeSearch, TreeSearch

__all__ = [
    "ClassTreeSearch",
    "SplitClassifier",
    "StumpSearch",
    "TreeSearch",
    "numbered_categories",
]
