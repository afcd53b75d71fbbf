"""The rows of a training set in all their orders, and what searches on them share."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from weaklearn._fast.code_columns import subset_order
from weaklearn._fast.trees.grow import Orders
from weaklearn._fast.trees.orders import encode_order
from weaklearn._fast.trees.radix import radix_order, sortable
from weaklearn._training import bounded_jobs

# Below this many numbers comparing them is faster than sorting them by their digits.
_FEW = 4096
_SMALL = 2**16
# Below it, threads take longer to start than they save.
_FOR_ONE_THREAD = 2**17


class SortedRows:
    """A training set, sorted once by every column.

    X is float64 or float32, C-contiguous, with NaN for missing values; it is kept, not copied. ``categorical`` lists
    the columns whose values are categories, and ``n_jobs`` is the number of threads of `each`.

    ``codes`` (n_orders, n_samples) holds the orders (`weaklearn._fast.trees.orders`), two for a column with missing
    values; ``orders`` says what they mean. ``categories`` has the sorted distinct values of each column of categories,
    without NaN.
    """

    def __init__(self, X, categorical=(), n_jobs=None):
        n_samples, n_features = X.shape
        if n_samples >= 2**31:
            raise ValueError(f"at most 2**31 - 1 rows can be sorted; X has {n_samples}.")
        self.X = X
        categorical = list(categorical)
        # One sum tells, mostly, that nothing is missing; opposite infinities only seem to be.
        with np.errstate(over="ignore", invalid="ignore"):
            maybe = np.isnan(X.sum())
        with_missing = np.isnan(X).any(axis=0) if maybe else np.zeros(n_features, dtype=bool)
        two = with_missing.copy()
        two[categorical] = False
        features = np.repeat(np.arange(n_features), 1 + two)
        second = np.append(False, features[1:] == features[:-1])
        places = np.full(n_features, -1, dtype=np.int64)
        places[categorical] = np.arange(len(categorical))
        rows = places[features]
        self.codes = np.empty((len(features), n_samples), dtype=np.uint32)
        category = np.empty((len(categorical), n_samples), dtype=np.int32)
        self.categories: dict[int, np.ndarray] = {}
        n_threads = 1 if n_jobs is None else min(bounded_jobs(n_jobs), len(features))
        self.n_threads = 1 if X.size < _FOR_ONE_THREAD else n_threads
        self._pool = ThreadPoolExecutor(self.n_threads - 1) if self.n_threads > 1 else None
        # Small numbers of rows and columns: the calls take longer than the sorting, so all is sorted in one.
        together = X.size < _SMALL and not categorical and not with_missing.any()
        columns = X.T.copy() if together else X[:0]
        orders = np.argsort(columns, axis=1).astype(np.uint32)

        def sort(k):
            if together:
                encode_order(columns[k], orders[k], self.codes[k])
                return
            column = np.ascontiguousarray(X[:, features[k]])
            if rows[k] >= 0:
                values, category[rows[k]] = np.unique(column, return_inverse=True)
                self.categories[int(features[k])] = values[~np.isnan(values)].astype(np.float64)
                order = np.arange(n_samples, dtype=np.uint32)  # renewed before every search
            else:
                order = _argsort(column)
                if second[k]:
                    order = np.roll(order, np.count_nonzero(np.isnan(column)))
            encode_order(column, order, self.codes[k])

        self.each(sort, range(len(features)))
        n_present = np.array([len(self.categories[j]) for j in categorical], dtype=np.int64)
        missing = np.array([with_missing[j] for j in categorical], dtype=bool)
        self.orders = Orders(
            features, second, rows, category, n_present + missing, np.where(missing, n_present, -1)
        )

    def each(self, work, items):
        """The results of ``work(item)`` for all items, shared out among the threads."""
        if self._pool is None:
            return list(map(work, items))
        items = list(items)
        # This thread does its part: to wake another one takes as long as some ten thousand additions.
        own = len(items) // self.n_threads
        others = [self._pool.submit(work, item) for item in items[own:]]
        return [work(item) for item in items[:own]] + [other.result() for other in others]

    @property
    def n_categories(self):
        """The largest number of categories of a column, at least 1."""
        return max([1, *self.orders.n_categories.tolist()])

    def among(self, members):
        """The codes of some samples alone: a cut fits wherever it fits between two of them."""
        codes = np.empty((len(self.codes), np.count_nonzero(members)), dtype=np.uint32)
        subset_order(self.codes, members, codes)
        return codes


class RowSearch:
    """Base of the searches on one set of rows, sorted once: a subclass states `_search`.

    `fit` and `fit_labels` are what `weaklearn.boosting` asks of weak learners; the search is deterministic, so that the
    random numbers they are given are ignored.
    """

    _kind: Any  # the class of hypotheses
    _rows: SortedRows
    _y: np.ndarray | None  # labels in {-1.0, +1.0}; None if only `fit_labels` is used

    def _search(self, codes, labels, weights):
        """The best hypothesis, its margins ``y_i h(x_i)`` and its weighted error on the rows in ``codes``."""
        raise NotImplementedError

    def fit(self, weights, rng=None):
        """The best hypothesis for weights of any scale, its margins ``y_i h(x_i)`` and its error, as a share."""
        return self._search(self._rows.codes, self._y, weights)

    def fit_labels(self, labels, weights, rng=None):
        """The best hypothesis for new labels, and its votes -1.0 or +1.0 of all rows. Rows of label 0 are left out.

        Thresholds lie midway between values of rows that take part, as if the others were not there: this
        differs from a weight of zero, and published tables of multiclass boosting tell the two apart.
        """
        members = labels != 0
        if members.all():
            hypothesis, margins, _ = self._search(self._rows.codes, labels, weights)
            return hypothesis, margins * labels
        shown, weights = np.where(members, labels, 1.0), np.where(members, weights, 0.0)
        hypothesis, _, _ = self._search(self._rows.among(members), shown, weights)
        return hypothesis, np.where(self._kind.ensemble_votes([hypothesis], self._rows.X)[:, 0], 1.0, -1.0)


def _argsort(column):
    """The order of a column of floats, missing values at the end."""
    if len(column) < _FEW:
        return np.argsort(column).astype(np.uint32)
    kind = np.uint32 if column.dtype == np.float32 else np.uint64
    keys, other_keys = np.empty((2, len(column)), dtype=kind)
    order, other = np.empty((2, len(column)), dtype=np.uint32)
    # Without the sign of zeros and of missing values.
    bits = np.where(np.isnan(column), column.dtype.type(np.nan), column + 0).view(kind)
    sortable(bits, kind(1 << (8 * keys.itemsize - 1)), keys)
    return other if radix_order(keys, order, other_keys, other) else order


def numbered_categories(X, categories):
    """X with the values of category columns replaced by their numbers, NaN where a value is unknown or missing.

    ``categories`` as `SortedRows` has them; X itself if there are none.
    """
    if not categories:
        return X
    numbered = np.array(X, dtype=np.float64)
    for j, values in categories.items():
        if len(values) == 0:
            numbered[:, j] = np.nan
            continue
        place = np.minimum(np.searchsorted(values, numbered[:, j]), len(values) - 1)
        numbered[:, j] = np.where(values[place] == numbered[:, j], place, np.nan)
    return numbered


def categorical_columns(categorical_features, n_features):
    """The numbers of the columns that hold categories, sorted, from a mask, numbers or None.

    >>> categorical_columns([2, 0], 3), categorical_columns([False, True, False], 3)
    ([0, 2], [1])
    """
    if categorical_features is None:
        return []
    given = np.asarray(categorical_features)
    if given.size == 0:
        return []
    if given.ndim != 1 or given.dtype.kind not in "biu":
        raise ValueError(
            f"categorical_features must be column numbers or a mask of booleans; got {categorical_features!r}."
        )
    if given.dtype.kind == "b":
        if len(given) != n_features:
            raise ValueError(
                f"categorical_features is a mask of {len(given)} columns, and X has {n_features}."
            )
        return np.flatnonzero(given).tolist()
    if given.min() < 0 or given.max() >= n_features:
        raise ValueError(
            f"categorical_features must be numbers from 0 to {n_features - 1}, the last column of X; "
            f"got {categorical_features!r}."
        )
    return np.unique(given).tolist()


def column_signs(monotonic_cst, n_features, categorical):
    """One sign for each column: +1 if the positive class may only become likelier with it, -1 less likely, 0 either."""
    if monotonic_cst is None:
        return np.zeros(n_features)
    signs = np.asarray(monotonic_cst, dtype=np.float64)
    if signs.shape != (n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 for each of the {n_features} columns of X; got {monotonic_cst!r}."
        )
    if signs[categorical].any():
        column = next(j for j in categorical if signs[j] != 0)
        raise ValueError(
            f"monotonic_cst constrains column {column}, whose values are categories without an order; set it to 0."
        )
    return signs
