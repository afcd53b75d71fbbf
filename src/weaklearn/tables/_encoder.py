"""From the columns of a table to numbers: one scikit-learn transformer, and how it stands in front of estimators."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils import _safe_indexing, check_random_state, validation
from sklearn.utils.validation import _num_samples, check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import check_labels, refuse_large_integers, validate_data
from weaklearn.tables._cells import is_missing_text
from weaklearn.tables._column import Column, Kind, Reason, TableError, Treatment
from weaklearn.tables._inspect import MOST_ONE_HOT, values_of
from weaklearn.tables._layout import declared_categories, is_table, needs_encoder
from weaklearn.tables._parts import DateParts, OneHot, Presence, Scaled, TargetEncoded
from weaklearn.tables._table import checked_names, read_table

_FOLDS = 5
_CHECKS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


class TableInputMixin:
    """Mixin of estimators that take tables with missing values, text, categories and dates.

    Parameters
    ----------
    encoder : TableEncoder, default=None
        How columns that are not numbers become numbers; fitted to training rows of positive weight. None means
        ``TableEncoder(scale=None)``, with columns of a categorical type as categories. It is used only for tables that
        have a column of text, categories or dates, or if it is given; arrays of numbers and frames of numbers and
        booleans are used as they are.

    Attributes
    ----------
    encoder_ : TableEncoder or None
        With ``encoder``: the fitted encoder; None if all columns are numbers.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


@documented
class TableEncoder(TableInputMixin, TransformerMixin, BaseEstimator):
    """Turn the columns of a table into numbers without missing values.

    Everything that is learned from data, medians, scales, categories and class frequencies, is learned in `fit`, from
    training rows. What each column holds is found there, too, unless `columns` is given.

    =====================  ====================================================================
    column                 what it becomes
    =====================  ====================================================================
    number, boolean        scaled; missing values the median, and an indicator column
    category, up to 30     one 0/1 column each, missing as a category of its own
    category, more         class frequencies of other rows of that category (needs `y`)
    date                   scaled number of days, sine and cosine of the day of the year
    constant or missing    whether there is a value
    text, identifier, ...  nothing
    =====================  ====================================================================

    Parameters
    ----------
    scale : {"standard", "robust", None}, default="standard"
        Divide by the standard deviation, by the interquartile range (as a standard deviation), or leave numbers as
        they are, which is what trees want. Indicators and 0/1 columns are never scaled.
    columns : sequence of Column, default=None
        What the columns hold, in their order, as in `LabelledTable.used`. None finds it in `fit`.
    drop, categorical, numeric : sequence of str, default=()
        Names of columns to drop, to read as categories, and to read as numbers, whatever they look like.
    random_state : int, RandomState instance or None, default=0
        Chooses the folds in which class frequencies are crossed.

    Attributes
    ----------
    columns_ : tuple of Column
        One for each input column.
    sources_ : ndarray of int
        For each output column the input column it comes from.
    classes_ : ndarray
        The classes, if `y` was given.

    Notes
    -----
    In a plain array of numbers all columns are numbers: none is dropped as an identifier or a constant, and only NaN is
    missing. In data frames and arrays of objects columns are inspected as in a file.

    `fit_transform` gives training rows the class frequencies of *other* rows; `transform` is for new rows.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.tables import TableEncoder
    >>> X = np.array([[20, "north"], [None, "north"], [40, "south"], [60, "south"]], dtype=object)
    >>> encoder = TableEncoder(scale=None)
    >>> encoder.fit_transform(X)
    array([[20.,  0.,  1.,  0.],
           [40.,  1.,  1.,  0.],
           [40.,  0.,  0.,  1.],
           [60.,  0.,  0.,  1.]])
    >>> encoder.get_feature_names_out().tolist()
    ['x0', 'x0 missing', 'x1=north', 'x1=south']
    """

    def __init__(
        self, *, scale="standard", columns=None, drop=(), categorical=(), numeric=(), random_state=0
    ):
        self.scale = scale
        self.columns = columns
        self.drop = drop
        self.categorical = categorical
        self.numeric = numeric
        self.random_state = random_state

    @documented
    def fit(self, X, y=None):
        """Learn what the columns hold and how they become numbers.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            Labels, for columns with more than 30 categories. Without them the 30 most frequent categories get a column.
        """
        self.fit_transform(X, y)
        return self

    @documented
    def fit_transform(self, X, y=None):
        """Fit, and give the numbers of the training rows.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
        """
        if not (self.scale is None or (isinstance(self.scale, str) and self.scale in ("standard", "robust"))):
            raise ValueError(f'scale must be "standard", "robust" or None; got {self.scale!r}.')
        try:
            rng = check_random_state(self.random_state)
        except ValueError as error:
            raise ValueError(
                "random_state must be a whole number from 0 to 2**32 - 1, a numpy.random.RandomState or None; "
                f"got {self.random_state!r}."
            ) from error
        values = self._values(X, reset=True)
        codes = self._codes(y, _num_samples(X))
        self._parts, blocks = [], []
        found = list(self.columns_)
        for j, column in enumerate(found):
            if not column.used:
                continue
            if column.treatment is Treatment.TARGET_ENCODED and codes is None:
                found[j] = column = replace(column, treatment=Treatment.ONE_HOT)
            part, block = self._part(column, values[j], codes, rng)
            self._parts.append((j, part))
            blocks.append(block)
        self.columns_: tuple[Column, ...] = tuple(found)
        if not self._parts:
            raise TableError("no column can be used: all are empty, constant, identifiers or free text.")
        self.sources_ = np.repeat([j for j, _ in self._parts], [block.shape[1] for block in blocks])
        return _joined(blocks)

    def _part(self, column, values, codes, rng):
        """What turns values into numbers, and the numbers of the training rows."""
        if column.treatment is Treatment.TARGET_ENCODED:
            target = TargetEncoded(values)
            return target, target.crossed(values, codes, len(self.classes_), self.scale, _FOLDS, rng)
        part: Any
        if column.treatment is Treatment.ONE_HOT:
            part = OneHot(values, MOST_ONE_HOT)
        elif column.treatment is Treatment.PRESENCE:
            part = Presence()
        else:
            part = (DateParts if column.treatment is Treatment.DATE_PARTS else Scaled)(values, self.scale)
        return part, part.encode(values)

    @documented
    def transform(self, X):
        """The numbers of new rows.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
        """
        check_is_fitted(self)
        values = self._values(X, reset=False)
        return _joined([part.encode(values[j]) for j, part in self._parts])

    def get_feature_names_out(self, input_features=None):
        """Names of the output columns.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        found = [name for j, part in self._parts for name in part.names(self.columns_[j].name)]
        return np.array(found, dtype=object)

    def _codes(self, y, n_rows):
        self.__dict__.pop("classes_", None)
        if y is None:
            return None
        y = np.asarray(check_labels(y))
        if y.shape != (n_rows,):
            raise ValueError(f"X has {n_rows} rows, y has the shape {y.shape}.")
        self.classes_, codes = np.unique(y, return_inverse=True)
        return codes

    def _given_columns(self, n_columns):
        given = tuple(self.columns) if isinstance(self.columns, Iterable) else (self.columns,)
        if not all(isinstance(column, Column) for column in given):
            raise ValueError(f"columns must be a sequence of Column, or None; got {self.columns!r}.")
        if len(given) != n_columns:
            raise ValueError(f"columns describes {len(given)} columns; X has {n_columns}.")
        return given

    @refuse_large_integers()
    def _values(self, X, *, reset):
        """The values of each column (None for dropped ones), after learning what they hold if that is not known."""
        plain = _is_plain(X)
        if plain:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset)
        else:
            X = X if is_table(X) else np.asarray(X, dtype=object)
            validate_data(self, X, reset=reset, skip_check_array=True)
            if len(X) == 0:
                raise ValueError("Found array with 0 sample(s), while a minimum of 1 is required.")
        options: dict[str, Any] = {
            name: checked_names(name, getattr(self, name)) for name in ("drop", "categorical", "numeric")
        }
        if not reset:
            options = {}
        elif self.columns is not None:
            self.columns_ = self._given_columns(X.shape[1])
            options = {}
        elif plain and not any(map(len, options.values())):
            self.columns_ = tuple(
                Column(f"x{j}", Kind.NUMBER, Treatment.SCALED, Reason.NUMBERS, int(np.isnan(X[:, j]).sum()))
                for j in range(X.shape[1])
            )
            options = {}
        if plain and not options and all(c.kind is Kind.NUMBER and not c.sentinels for c in self.columns_):
            return [np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])]
        table = read_table(X, **options)
        if options:
            self.columns_ = table.columns
        pairs = list(zip(self.columns_, table.cells.values(), strict=True))
        found = [values_of(column, cells) if column.used else None for column, cells in pairs]
        if not reset:
            for (column, cells), values in zip(pairs, found, strict=True):
                _check_readable(column, values, cells)
        return found


def _is_plain(X):
    """Whether X is an array of numbers, or something that becomes one, and no table."""
    # Sparse arrays are refused where plain arrays are checked.
    return issparse(X) or (not is_table(X) and np.asarray(X).dtype.kind in "iufbc")


def _check_readable(column, values, cells):
    """Refuse a column of which nothing can be read any more, rather than fill all of it with the median."""
    if values is None or values.dtype == object or column.sentinels or not np.isnan(values).all():
        return
    texts, _ = cells.factor()
    present = [text for text in texts if not is_missing_text(text)]
    if present:
        raise TableError(
            f"column {column.name!r} was read as {column.kind.value} in fit; now it holds {present[0]!r}, for example, "
            "and nothing that can be read in this way. Pass the same columns as in fit."
        )


def _joined(blocks):
    return np.ascontiguousarray(np.concatenate(blocks, axis=1), dtype=np.float64)


def encode_training_table(estimator, X, y, sample_weight=None):
    """The rows of a training table as numbers.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_``, ``feature_names_in_`` and ``encoder_`` are set. Its parameter ``encoder`` is a
        `TableEncoder`, which is cloned, or None: then only tables with columns that are neither numbers nor booleans
        are encoded, by ``TableEncoder(scale=None)`` with columns of a categorical type as categories.
    X : DataFrame or array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), default=None
        The encoder is fitted to rows of positive weight.

    Returns
    -------
    numbers : ndarray of shape (n_samples, n_features_out)
        NaN for missing values.
    y : ndarray of shape (n_samples,)
    """
    estimator.encoder_ = None
    if estimator.encoder is None and not needs_encoder(X):
        return validate_data(estimator, X, y, **_CHECKS)
    validation.validate_data(estimator, X, reset=True, skip_check_array=True)
    y = validation._check_y(check_labels(y))
    validation.check_consistent_length(X, y, sample_weight)
    if isinstance(X, list | tuple):
        X = np.asarray(X, dtype=object)
    if estimator.encoder is None:
        # Categories that are numbers (zip codes, grades) are categories if the frame says so.
        encoder = TableEncoder(scale=None, categorical=declared_categories(X))
    else:
        encoder = clone(estimator.encoder)
    estimator.encoder_ = encoder
    kept = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
    if kept.all() or not kept.any():  # no rows at all are refused later, for all tables alike
        return encoder.fit_transform(X, y), y
    learned = encoder.fit_transform(_safe_indexing(X, np.flatnonzero(kept)), y[kept])
    numbers = np.empty((len(y), learned.shape[1]))
    numbers[kept] = learned
    numbers[~kept] = encoder.transform(_safe_indexing(X, np.flatnonzero(~kept)))
    return numbers, y


def encode_new_table(estimator, X):
    """The rows of another table as numbers, by the ``encoder_`` of a fitted estimator."""
    if estimator.encoder_ is not None:
        validation.validate_data(estimator, X, reset=False, skip_check_array=True)
        return estimator.encoder_.transform(X)
    if needs_encoder(X):
        raise ValueError(
            f"{type(estimator).__name__} was fitted to numbers only; this X has columns of text, categories or dates. "
            "Pass the same columns as in fit."
        )
    return validate_data(estimator, X, reset=False, **_CHECKS)
