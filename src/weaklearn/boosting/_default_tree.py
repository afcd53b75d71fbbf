"""The tree of one split that many classes are boosted with by default, for columns of any scale.

It is scikit-learn's, which gives the same splits as scikit-learn's AdaBoost. But that tree works in float32: numbers
beyond 3.4e38 become infinite there, numbers below 1e-45 become 0, and of an offset of 1e15 nothing is left but the
offset. A training set with such columns gets `SmallTree`, which works in float64.
"""

import numpy as np
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

from weaklearn.trees import SmallTree

__all__ = ["default_tree", "seen_by_trees"]

# Sums of many such numbers stay within float32: scikit-learn adds up a table to see whether all of it is finite.
_LARGEST = 1e25
# A range below this share of the largest value leaves fewer than 4,096 different numbers in float32; one below this
# size comes close to the smallest numbers of float32.
_LEAST_SPREAD = 2.0**-12
_LEAST_RANGE = 1e-30


def default_tree(X):
    """An unfitted tree of depth 1 that can tell the values of X apart."""
    if sparse.issparse(X) or X.dtype.kind != "f":
        return DecisionTreeClassifier(max_depth=1)
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)  # of the values that are not missing
    # Halving first keeps the range of columns near the largest float finite.
    half_width = high / 2 - low / 2
    largest = np.maximum(np.abs(low), np.abs(high))
    lost = (half_width < _LEAST_RANGE) | (half_width < _LEAST_SPREAD * largest) | (largest > _LARGEST)
    kind = SmallTree if (lost & (half_width > 0)).any() else DecisionTreeClassifier
    return kind(max_depth=1)


def seen_by_trees(hypotheses, X):
    """Checked X as trees of scikit-learn can take it: what float32 cannot hold is beyond all their thresholds."""
    plain = bool(hypotheses) and type(hypotheses[0]) is DecisionTreeClassifier
    if not plain or sparse.issparse(X) or not (np.abs(X) > _LARGEST).any():
        return X
    return np.clip(X, -2 * _LARGEST, 2 * _LARGEST)
