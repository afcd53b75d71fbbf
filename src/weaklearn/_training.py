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
- Labels come in through `check_labels`: all text or all numbers, and one for every row.
"""

from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from joblib import cpu_count, effective_n_jobs
from scipy.sparse import issparse
from sklearn.utils import validation
from sklearn.utils.multiclass import check_classification_targets

# Sums of weights and of their products stay far from the limits of floats between these.
# Sparse matrices are made dense up to this size.
_DENSE_NUMBERS = 100_000_000
_SMALLEST_WEIGHT, _LARGEST_WEIGHT = 1e-100, 1e100


def validate_data(estimator, X="no_validation", y="no_validation", **settings):
    """scikit-learn's `validate_data`, which see, without silent conversions."""
    refuse_conversions(X, "X", each_column=not settings.get("skip_check_array"))
    if not (y is None or (isinstance(y, str) and y == "no_validation")):
        y = check_labels(y)
    with refuse_large_integers():
        return validation.validate_data(estimator, X, y, **settings)


def check_X_y(X, y, **settings):
    """scikit-learn's `check_X_y`, which see, without silent conversions."""
    refuse_conversions(X, "X")
    y = check_labels(y)
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


def check_labels(y, name="y"):
    """Labels that are all text or all numbers, one for every row; numbers that are objects become an array of numbers.

    What has no rows, or several columns, is returned as it is: scikit-learn refuses it.
    """
    refuse_conversions(y, name)
    values = np.asarray(y) if hasattr(y, "dtype") else _objects(y)
    if values.ndim == 0 or values.size != len(values) or values.dtype.kind in "biuUSc":
        return y
    cells = values.ravel()
    if values.dtype.kind == "f":
        _refuse_missing(np.isnan(cells), cells, name)
        return y
    cells = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells.astype(object)]
    kinds = [_LABEL_KINDS.get(kind) for kind in map(type, cells)]
    found = set(kinds)
    if found - {"text", "number", "bytes"}:
        _refuse_missing([_is_missing(cell) for cell in cells], cells, name)
        for row, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
            if kind is None and not isinstance(cell, str):
                raise ValueError(
                    f"labels must be text or numbers: row {row} of {name} (counted from 0) holds {_shown(cell)}, of "
                    f"type {type(cell).__name__}. Convert {name} first, for example to text."
                )
        return y
    if "number" in found:
        _refuse_missing([cell != cell for cell in cells], cells, name)
    if len(found) > 1 and not hasattr(y, "dtype"):
        return np.asarray(y)  # as scikit-learn reads a list: numbers beside text are text
    if len(found) > 1:
        other = next(row for row, kind in enumerate(kinds) if kind != kinds[0])
        raise ValueError(
            f"{name} mixes labels of several types: row 0 holds {_shown(cells[0])}, row {other} (counted from 0) holds "
            f"{_shown(cells[other])}. Convert all of them to text, or all to numbers."
        )
    if found != {"number"}:
        return y if hasattr(y, "dtype") else np.array(cells)
    numbers = np.array(cells)
    if numbers.dtype.kind not in "biu" and not any(isinstance(cell, float) for cell in cells):
        row = max(range(len(cells)), key=lambda row: abs(cells[row]))
        raise ValueError(
            f"row {row} of {name} (counted from 0) holds {_shown(cells[row])}, an integer beyond 64 bits. Convert "
            f"{name} to text."
        )
    return numbers.reshape(values.shape)


_LABEL_KINDS = {str: "text", bytes: "bytes", bool: "number", int: "number", float: "number"}


def _objects(y):
    # numpy.asarray would make text of numbers, and of NaN, beside text.
    try:
        return np.asarray(y, dtype=object)
    except ValueError:
        return np.empty((0, 0))


def _is_missing(cell):
    if cell is None or isinstance(cell, float):
        return cell is None or cell != cell
    return type(cell).__name__ in ("NAType", "NaTType")


def _shown(cell):
    text = repr(cell)
    return text if len(text) <= 40 else text[:37] + "..."


def _refuse_missing(missing, cells, name):
    rows = np.flatnonzero(missing)
    if len(rows):
        more = f" and in {len(rows) - 1} more" if len(rows) > 1 else ""
        raise ValueError(
            f"{name} has no label in row {rows[0]} (counted from 0){more}: found {_shown(cells[rows[0]])}, a missing "
            "value (NaN, None). Drop the rows without a label, or fill it in."
        )


def refuse_conversions(values, name, each_column=True):
    """Refuse masked cells and dates, in a data frame in ``each_column``, which would be converted silently."""
    # Nullable arrays of pandas have masks, too.
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"{name} has masked cells. Fill them in, for instance with {name}.filled(0), or drop them."
        )
    columns = getattr(values, "dtypes", None)
    kinds = columns if each_column and np.iterable(columns) else [getattr(values, "dtype", None)]
    if any(getattr(kind, "kind", "") in ("M", "m") for kind in kinds):
        raise TypeError(f"{name} holds dates or times; convert them to numbers in the unit that matters.")


def dense(X):
    """X, but an array in place of a sparse matrix of at most 100 million numbers; larger ones are refused."""
    if not issparse(X) or X.ndim != 2:
        return X
    n_rows, n_columns = X.shape
    if n_rows * n_columns > _DENSE_NUMBERS:
        raise ValueError(
            f"X is sparse, with {n_rows:,} rows and {n_columns:,} columns, and has to be made dense: at most "
            f"{_DENSE_NUMBERS:,} numbers (800 MB). Take fewer columns, for instance by "
            "sklearn.decomposition.TruncatedSVD."
        )
    return X.toarray()


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
    estimator,
    X,
    y,
    sample_weight=None,
    *,
    binary=False,
    fewest_classes=2,
    dtype="float64",
    finite=True,
    checks=None,
):
    """The `TrainingSet` of what is passed to ``fit``; sets ``classes_`` and ``n_features_in_`` on the estimator.

    ``binary`` refuses more than two classes, ``fewest_classes=1`` takes one alone. If ``finite`` is False, the
    caller handles NaN and infinity in X. ``checks`` are arguments of scikit-learn's ``validate_data`` that replace
    ``dtype`` and ``finite``.
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
    data, estimator.classes_ = encoded(
        type(estimator).__name__, X, y, sample_weight, binary=binary, fewest_classes=fewest_classes
    )
    return data


def _text_column(X):
    """The name or number of the first column that cannot be made numbers; None if there is none."""
    names = getattr(X, "columns", None)
    rows = np.asarray(X)
    if rows.ndim != 2 or rows.dtype.kind not in "OUS":
        return None
    for k in range(rows.shape[1]):
        try:
            np.array([cell for cell in rows[:, k] if not _is_missing(cell)]).astype(np.float64)
        except (TypeError, ValueError):
            return k if names is None else names[k]
        except OverflowError:  # a number, if too large a one: not text
            continue
    return None


def encoded(name, X, y, sample_weight=None, *, binary=False, fewest_classes=2):
    """The `TrainingSet` of checked arrays and its classes; ``name`` is who complains."""
    if y.dtype.kind not in "biuUS":  # these are classes whatever they hold
        check_classification_targets(y)
    sample_weight = check_weights(sample_weight, X)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < fewest_classes:
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
        if len(present) < fewest_classes:
            left = "no examples" if len(present) == 0 else f"only one class: {classes[present[0]]}"
            raise ValueError(
                f"{name} needs examples of at least two classes; dropping those of weight zero leaves {left}."
            )
    return TrainingSet(X, codes, sample_weight), classes


def bounded_jobs(n_jobs):
    """``n_jobs`` as joblib reads it, but at most one per core, as more would only cost memory; None stays."""
    return None if n_jobs is None else min(effective_n_jobs(n_jobs), cpu_count())


def signed_labels(codes, positive=1):
    """+1.0 where the class index is ``positive``, -1.0 elsewhere."""
    return np.where(codes == positive, 1.0, -1.0)


def one_vs_rest(codes, n_classes):
    """Labels -1.0 and +1.0: one row for two classes, else one row for each class."""
    positive = np.arange(n_classes) if n_classes > 2 else np.array([1])
    return signed_labels(codes, positive[:, None])
