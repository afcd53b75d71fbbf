"""What the cloners share: a labelled table in, and others like it out.

A cloner is a classifier, the *cloner function*, fitted to a labelled table, together with a source of new inputs. Its
`sample` labels new inputs with that function and selects from them a set with the original's mix of typical, critical
and noisy examples.

Two settings of a cloner cannot be read off the text they come from, and decide how complex its clones are: how far a
boosted ensemble is trained, and how much of what a rho-learner gets wrong is noise. By default they are *matched*: from
a ladder of settings the one is taken whose clones are nearest to the original in complexity.
"""

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.svm import SVC
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d

from weaklearn._docstrings import documented
from weaklearn._training import check_labels, validate_data
from weaklearn.cloning._bootstrap import SmoothedBootstrap
from weaklearn.cloning._selection import enough, label_values, select, softened
from weaklearn.complexity import LookupComplexity
from weaklearn.tables import Layout, TableEncoder, is_table, stacked, take_rows

# What the docstrings of methods and functions of a labelled table have in common.
LABELLED_TABLE = partial(
    documented,
    shared="""
    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_features)
        Numbers; in a data frame or an array of objects also categories. Entries may be missing.
    y : array-like of shape (n_samples,)
        Labels of two or more classes.
    """,
)
# Candidates for each selected example, and how often as many more are drawn while some bin has too few: the original's
# values are those of training examples, and in many dimensions few new inputs fit the cloner as well.
_CANDIDATES = 10
_BATCHES = 8
# Settings are compared by the mean complexity of this many clones, of at most this many examples.
_MATCHING_CLONES = 3
_MATCHING_SIZE = 500


def gaussian_complexity(X, y):
    """Support vectors plus errors of a Gaussian SVM (C = 1, width from the variance of X), as a share of the examples.

    The measure of pratap2008, section 4.7.2: Definition 1 of section 4.2 with a lookup price of one support vector.
    """
    return LookupComplexity(SVC(C=1.0, gamma="scale"))(X, y) / len(y)


@dataclass(frozen=True)
class Setting:
    """One rung of the ladder: which stage of the scores, and which share of the misfits is noise."""

    stage: int
    noise: float


class Cloner(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the cloners: a subclass states how scores are learned, and its ladder of settings.

    Parameters
    ----------
    inputs : callable, DataFrame, array-like or None, default=None
        Where new inputs come from: ``inputs(n, rng)`` that returns n of them, a pool of unlabelled ones, or
        (None) `SmoothedBootstrap`.
    n_bins : int, default=10
        Quantile bins of the values, in each class.
    random_state : int, RandomState instance or None, default=None
        Seeds the matching; clones are seeded in `sample`.

    Attributes
    ----------
    columns_ : tuple of Column
        What the columns hold (see `weaklearn.tables`).
    values_ : ndarray of shape (n_samples,)
        The margins of the original examples.
    complexity_ : float
        The complexity of the original (of 500 of its examples, if there are more).
    ladder_complexity_ : ndarray
        Mean complexity of the clones for each setting of ``ladder_``; NaN where there was nothing to choose.
    ladder_ : list
        The settings tried, each with the stage of the scores and the share of misfits that count as noise.
    setting_ : object
        The one taken: that whose clones are nearest to the original in complexity.
    """

    _parameter_constraints: dict = {
        "inputs": [None, callable, "array-like"],
        "n_bins": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    @abstractmethod
    def _learn(self, Z, codes, n_classes, rng):
        """Fit the cloner function; returns the ladder, a list of `Setting`."""

    @abstractmethod
    def _stage_scores(self, Z, stages):
        """Scores (n, n_classes) of standardised inputs at each of the given stages; two classes are opposite."""

    @LABELLED_TABLE
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Learn the cloner function, the source of inputs, and the mix of examples."""
        X, y = self._checked_training(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs examples of at least two classes; "
                f"y has only one class: {self.classes_[0]}."
            )
        if len(codes) < self.n_bins:
            raise ValueError(
                f"n_bins={self.n_bins} bins need at least as many examples; there are {len(codes)}. Take fewer bins."
            )
        rng = check_random_state(self.random_state)
        self._layout = Layout(X)
        columns = self._layout.split(X)
        self._may_be_missing = [bool(_missing_entries(column).any()) for column in columns]
        self._encoder = TableEncoder()
        Z = self._encoder.fit_transform(X, codes)
        self.columns_ = self._encoder.columns_
        if np.ptp(Z, axis=0).max() == 0:
            raise ValueError("every column of X is constant: there is nothing that a clone could keep.")
        self._bootstrap = SmoothedBootstrap().fit(X) if self.inputs is None else None
        given = self.inputs is not None and not callable(self.inputs)
        self._pool = self._checked_inputs(self.inputs) if given else None
        self._codes = codes
        ladder = self._learn(Z, codes, len(self.classes_), rng)
        self._choose(ladder, Z, rng)
        return self

    def _checked_training(self, X, y):
        if is_table(X) and not _all_numbers(X):
            validate_data(self, X, skip_check_array=True)
            y = column_or_1d(check_labels(y))
            if len(X) != len(y):
                raise ValueError(f"X has {len(X)} rows, y has {len(y)} labels.")
        else:
            checked, y = validate_data(
                self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2
            )
            # Frames are checked as numbers and kept: clones have their columns and types.
            X = X if is_table(X) and hasattr(X, "columns") else checked
        check_classification_targets(y)
        return X, np.asarray(y)

    def _checked_inputs(self, X):
        """Inputs from a pool or from the user's generator: as many columns, and missing only where it was before."""
        if not is_table(X):
            X = np.asarray(X)
            if X.dtype.kind in "iufb":
                X = X.astype(np.float64)
        if getattr(X, "ndim", 2) != 2 or _num_samples(X) == 0:
            raise ValueError(
                f"inputs must have two dimensions and at least one row; got shape {np.shape(X)}."
            )
        columns = self._layout.split(X)
        for name, column, allowed in zip(self._layout.names, columns, self._may_be_missing, strict=True):
            if not allowed and _missing_entries(column).any():
                raise ValueError(f"inputs has missing entries (NaN) in {name}, where the original has none.")
            if column.dtype != object and np.isinf(column).any():
                raise ValueError(f"inputs has infinite entries in {name}.")
        return X

    def _drawn_inputs(self, n_samples, rng):
        """New inputs and their standardised form."""
        if self._bootstrap is not None:
            X = self._bootstrap.sample(n_samples, rng)
        elif self._pool is not None:
            size = _num_samples(self._pool)
            X = take_rows(self._pool, rng.choice(size, size=n_samples, replace=size < n_samples))
        else:
            X = self._checked_inputs(self.inputs(n_samples, rng))
            if _num_samples(X) != n_samples:
                raise ValueError(f"inputs was asked for {n_samples} rows and returned {_num_samples(X)}.")
        return X, self._encoder.transform(X)

    def _choose(self, ladder, Z, rng):
        """Take the setting whose clones are nearest to the original in complexity."""
        subset = rng.permutation(len(Z))[:_MATCHING_SIZE]
        self.complexity_ = gaussian_complexity(Z[subset], self.classes_[self._codes[subset]])
        stages = [setting.stage for setting in ladder]
        scores = self._stage_scores(Z, stages)
        drafts = [self._values_of(score, setting, rng) for score, setting in zip(scores, ladder, strict=True)]
        self.ladder_complexity_ = np.full(len(ladder), np.nan)
        chosen = len(ladder) - 1
        if len(ladder) > 1:
            _, pool, pool_values = self._candidates(drafts, stages, len(subset), rng)
            for i, (values, codes) in enumerate(drafts):
                found = []
                for _ in range(_MATCHING_CLONES):
                    rows, labels = select(values, codes, pool_values[i], len(subset), self.n_bins, rng)
                    found.append(gaussian_complexity(pool[rows], self.classes_[labels]))
                self.ladder_complexity_[i] = np.mean(found)
            chosen = int(np.argmin(np.abs(self.ladder_complexity_ - self.complexity_)))
        self.ladder_, self.setting_ = ladder, ladder[chosen]
        self._values, self._value_codes = drafts[chosen]
        self.values_ = label_values(scores[chosen])[np.arange(len(Z)), self._codes]

    def _candidates(self, drafts, stages, n_samples, rng):
        """New inputs, in batches until every bin of every draft has enough: as drawn, standardised, and their values.

        Values are those under each label, by the scores of the stage of the draft.
        """
        tables, inputs = [], []
        candidates = [np.empty((0, len(self.classes_)))] * len(stages)
        for _ in range(_BATCHES):
            X, Z = self._drawn_inputs(_CANDIDATES * n_samples, rng)
            tables.append(X)
            inputs.append(Z)
            fresh = map(label_values, self._stage_scores(Z, stages))
            candidates = [np.concatenate(pair) for pair in zip(candidates, fresh, strict=True)]
            pairs = zip(drafts, candidates, strict=True)
            if all(enough(values, codes, some, n_samples, self.n_bins) for (values, codes), some in pairs):
                break
        return tables, np.concatenate(inputs), candidates

    def _values_of(self, scores, setting, rng):
        values = label_values(scores)[np.arange(len(self._codes)), self._codes]
        return softened(values, self._codes, scores.argmax(axis=1), setting.noise, rng)

    def sample(self, n_samples=None, *, selection=True, random_state=None):
        """A clone.

        Parameters
        ----------
        n_samples : int, default=None
            Its size; None means that of the original.
        selection : bool, default=True
            Whether the mix of examples is that of the original, noise included. False takes inputs as they come,
            labelled by the cloner function, as a test set needs.
        random_state : int, RandomState instance or None, default=None
            None draws another clone each time.

        Returns
        -------
        X : DataFrame or ndarray of shape (n_samples, n_features)
            Of the kind that was given to `fit`.
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        n_samples = len(self._codes) if n_samples is None else n_samples
        if not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise ValueError(f"n_samples must be an integer of at least 1; got {n_samples!r}.")
        rng = check_random_state(random_state)
        if not selection:
            X, Z = self._drawn_inputs(n_samples, rng)
            return X, self.classes_[self._scores(Z).argmax(axis=1)]
        draft = self._values, self._value_codes
        tables, _, (candidates,) = self._candidates([draft], [self.setting_.stage], n_samples, rng)
        rows, codes = select(self._values, self._value_codes, candidates, n_samples, self.n_bins, rng)
        return take_rows(stacked(tables), rows), self.classes_[codes]

    def _scores(self, Z):
        return self._stage_scores(Z, [self.setting_.stage])[0]

    def _encoded(self, X):
        check_is_fitted(self)
        if is_table(X) and (hasattr(X, "columns") or not all(self._layout.numeric)):
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return self._encoder.transform(X)

    @LABELLED_TABLE
    def decision_function(self, X):
        """Scores of the cloner function."""
        Z = self._encoded(X)
        scores = self._scores(Z)
        return scores[:, 1] if scores.shape[1] == 2 else scores

    @LABELLED_TABLE
    def predict(self, X):
        """Classes that the cloner function gives."""
        Z = self._encoded(X)  # first of all: it raises if there was no fit
        return self.classes_[self._scores(Z).argmax(axis=1)]

    @LABELLED_TABLE
    def example_values(self, X, y):
        """How well labelled examples fit the cloner: above 0 typical or critical, else noisy.

        Returns
        -------
        ndarray of shape (n_samples,)
            Margins or rho-values.
        """
        values = label_values(self._scores(self._encoded(X)))
        y = column_or_1d(y)
        unknown = ~np.isin(y, self.classes_)
        if unknown.any():
            raise ValueError(f"y holds the label {y[unknown][0]}; the cloner knows {self.classes_.tolist()}.")
        return values[np.arange(len(values)), np.searchsorted(self.classes_, y)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _all_numbers(X):
    # An array of objects may be numbers in disguise; then it is checked as numbers.
    if not hasattr(X, "columns"):
        return not any(isinstance(value, str | bytes | bool | type(None)) for value in X.ravel())
    return all(Layout(X).numeric)


def _missing_entries(column):
    if column.dtype == object:
        return np.array([value is None for value in column], dtype=bool)
    return np.isnan(column)
