"""From what a user passes to ``fit`` to the arrays that the algorithms work on.

Conventions, shared by every classifier of the package:

- Classes are sorted as ``numpy.unique`` sorts them; of two classes the second, ``classes_[1]``, is
  the positive one (+1).
- Examples of weight zero are dropped before anything is learned from the data, so that a zero
  weight and an absent row are the same thing to every algorithm, including to feature ranges.
- Weights are passed on as given, never normalised: sums of integer weights stay exact, and a
  weight of two is the same as two copies of a row down to how ties are broken. Weights so large or
  so small that their sum would overflow or vanish are multiplied by a power of two, which is exact.
- What scikit-learn would convert silently is refused: masked cells (it would use the values behind
  the mask), dates (it would use their number), integers beyond the range of floats.
"""

from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from sklearn.utils import validation
from sklearn.utils.multiclass import check_classification_targets

__all__ = [
    "TrainingSet",
    "check_X_y",
    "check_array",
    "check_weights",
    "encoded",
    "refuse_conversions",
    "refuse_large_integers",
    "signed_labels",
    "training_set",
    "validate_data",
]

# Sums of weights and of their products stay far from the limits of floats between these.
_SMALLEST_WEIGHT, _LARGEST_WEIGHT = 1e-100, 1e100


def validate_data(estimator, X="no_validation", y="no_validation", **settings):
    """scikit-learn's `validate_data`, which see, without silent conversions."""
    refuse_conversions(X, "X")
    refuse_conversions(y, "y")
    with refuse_large_integers():
        return validation.validate_data(estimator, X, y, **settings)


def check_X_y(X, y, **settings):
    """scikit-learn's `check_X_y`, which see, without silent conversions."""
    refuse_conversions(X, "X")
    refuse_conversions(y, "y")
    with refuse_large_integers():
        return validation.check_X_y(X, y, **settings)


def check_array(X, **settings):
    """scikit-learn's `check_array`, which see, without silent conversions."""
    refuse_conversions(X, settings.get("input_name") or "X")
    with refuse_large_integers():
        return validation.check_array(X, **settings)


def check_weights(sample_weight, X):
    """Finite weights >= 0 of the rows of X, as given or times a power of two if their sum might overflow or vanish."""
    refuse_conversions(sample_weight, "sample_weight")
    with refuse_large_integers():
        weights = validation._check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
    largest = weights.max(initial=0.0)
    if largest == 0:  # older releases of scikit-learn let this pass
        raise ValueError("sample_weight needs a non-zero weight: all sample weights are zero.")
    if not _SMALLEST_WEIGHT <= largest <= _LARGEST_WEIGHT:
        weights = np.ldexp(weights, -np.frexp(largest)[1])
    return weights


def refuse_conversions(values, name):
    """Refuse masked cells and dates, which would be converted silently."""
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} has masked cells. Fill them in, for instance with {name}.filled(0), or drop them."
        )
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind in ("M", "m"):
        raise TypeError(f"{name} holds dates or times; convert them to numbers in the unit that matters.")


@contextmanager
def refuse_large_integers():
    """An integer that no float can hold becomes a ValueError; a context and a decorator."""
    try:
        yield
    except OverflowError as error:
        raise ValueError(f"the input holds an integer that is too large for a float ({error}).") from error


class TrainingSet(NamedTuple):
    """Rows of positive weight: features, indices into ``classes_``, weights."""

    X: np.ndarray
    codes: np.ndarray
    sample_weight: np.ndarray


def training_set(
    estimator, X, y, sample_weight=None, *, binary=False, dtype="float64", finite=True, checks=None
):
    """Validate a training set and set ``classes_`` and ``n_features_in_`` on the estimator.

    Parameters
    ----------
    estimator : object
        The classifier being fitted.
    X, y, sample_weight
        As passed to its ``fit``.
    binary : bool, default=False
        Refuse more than two classes.
    dtype : str, default="float64"
        Of the features.
    finite : bool, default=True
        Refuse NaN and infinity in X. If False, the caller handles them.
    checks : dict, default=None
        Arguments of scikit-learn's ``validate_data`` that replace these.

    Returns
    -------
    TrainingSet
    """
    checks = checks or {"dtype": np.dtype(dtype), "order": "C", "ensure_all_finite": finite}
    try:
        checked, y = validate_data(estimator, X, y, **checks)
    except ValueError as error:
        column = _text_column(X)
        if column is None:
            raise
        raise ValueError(
            f"{type(estimator).__name__} needs numbers, and column {column!r} of X holds text. Encode it first, for "
            "example by weaklearn.tables.TableEncoder."
        ) from error
    X = checked
    data, estimator.classes_ = encoded(type(estimator).__name__, X, y, sample_weight, binary=binary)
    return data


def _text_column(X):
    """The name or number of the first column that cannot be made numbers; None if there is none."""
    names = getattr(X, "columns", None)
    rows = np.asarray(X)
    if rows.ndim != 2 or rows.dtype.kind not in "OUS":
        return None
    for k in range(rows.shape[1]):
        try:
            rows[:, k].astype(np.float64)
        except (TypeError, ValueError):
            return k if names is None else names[k]
        except OverflowError:  # a number, if too large a one: not text
            continue
    return None


def encoded(name, X, y, sample_weight=None, *, binary=False):
    """The `TrainingSet` of checked arrays and its classes; ``name`` is who complains."""
    if y.dtype.kind not in "biuUS":  # these are classes whatever they hold
        check_classification_targets(y)
    sample_weight = check_weights(sample_weight, X)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"{name} needs examples of at least two classes; y has only one class: {classes[0]}."
        )
    if binary and len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported by {name}, but y has {len(classes)} classes. "
            "Wrap it in sklearn.multiclass.OneVsRestClassifier for more."
        )
    kept = sample_weight > 0
    if not kept.all():
        X, codes, sample_weight = X[kept], codes[kept], sample_weight[kept]
        present = np.unique(codes)
        if len(present) < 2:
            left = "no examples" if len(present) == 0 else f"only one class: {classes[present[0]]}"
            raise ValueError(
                f"{name} needs examples of at least two classes; dropping those of weight zero leaves {left}."
            )
    return TrainingSet(X, codes, sample_weight), classes


def signed_labels(codes, positive=1):
    """+1.0 where the class index is ``positive``, -1.0 elsewhere."""
    return np.where(codes == positive, 1.0, -1.0)
