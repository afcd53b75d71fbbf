"""The tree of one split that many classes are boosted with by default, for columns of any scale.

scikit-learn's trees work in float32: numbers beyond 3.4e38 become infinite there, numbers below 1e-45 become 0, and of
an offset of 1e15 nothing is left but the offset. Where a training set has such columns, they are mapped to [-1, 1]
first. All other training sets get scikit-learn's tree as it is, and so the same splits as scikit-learn's AdaBoost.
"""

import numpy as np
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

__all__ = ["RescaledTree", "default_tree", "seen_by_trees"]

# Sums of many such numbers stay within float32: scikit-learn adds up a table to see whether all of it is finite.
_LARGEST = 1e25
# A range below this share of the largest value leaves fewer than 4,096 different numbers in float32; one below this
# size comes close to the smallest numbers of float32.
_LEAST_SPREAD = 2.0**-12
_LEAST_RANGE = 1e-30


class RescaledTree(DecisionTreeClassifier):
    """A tree that maps every column to [-1, 1] by its range in training.

    Attributes
    ----------
    centre_, half_width_ : ndarray of shape (n_features,)
        The map; the half width of a constant column is 1.
    """

    def fit(self, X, y, sample_weight=None, check_input=True):
        """Grow the tree on the mapped columns."""
        X = np.asarray(X, dtype=np.float64)
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)  # of the values that are not missing
        # Halving first keeps the range of columns near the largest float finite.
        half_width = high / 2 - low / 2
        self.centre_ = np.nan_to_num(high / 2 + low / 2)
        self.half_width_ = np.where(half_width > 0, half_width, 1.0)
        return super().fit(self._mapped(X), y, sample_weight=sample_weight, check_input=check_input)

    def _mapped(self, X):
        with np.errstate(over="ignore"):
            mapped = (np.asarray(X, dtype=np.float64) - self.centre_) / self.half_width_
        return np.clip(mapped, -_LARGEST, _LARGEST)

    def predict(self, X, check_input=True):
        """Predicted class labels."""
        return super().predict(self._mapped(X), check_input=check_input)

    def predict_proba(self, X, check_input=True):
        """Class probabilities."""
        return super().predict_proba(self._mapped(X), check_input=check_input)


def default_tree(X):
    """An unfitted tree of depth 1 that can tell the values of X apart."""
    if sparse.issparse(X) or X.dtype.kind != "f":
        return DecisionTreeClassifier(max_depth=1)
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    half_width = high / 2 - low / 2
    largest = np.maximum(np.abs(low), np.abs(high))
    lost = (half_width < _LEAST_RANGE) | (half_width < _LEAST_SPREAD * largest) | (largest > _LARGEST)
    kind = RescaledTree if (lost & (half_width > 0)).any() else DecisionTreeClassifier
    return kind(max_depth=1)


def seen_by_trees(hypotheses, X):
    """Checked X as trees of scikit-learn can take it: what float32 cannot hold is beyond all their thresholds."""
    plain = bool(hypotheses) and type(hypotheses[0]) is DecisionTreeClassifier
    if not plain or sparse.issparse(X) or not (np.abs(X) > _LARGEST).any():
        return X
    return np.clip(X, -2 * _LARGEST, 2 * _LARGEST)
