"""Splits: how rows are sorted once so that stumps and small trees find their best splits again and again.

`SortedRows` holds the orders of a training set: numbers, missing values, categories. `BinnedStumps` searches large
sets. The compiled loops are in `weaklearn._fast`; `weaklearn.stumps` and `weaklearn.trees` are above.
"""

from weaklearn.splits._binned import BinnedStumps
from weaklearn.splits._columns import categorical_columns, column_signs
from weaklearn.splits._sorted_rows import SortedRows, numbered_categories

__all__ = ["BinnedStumps", "SortedRows", "categorical_columns", "column_signs", "numbered_categories"]
