"""What all linear threshold learners share: scaling, one-vs-rest, prediction.

Conventions:

- A linear threshold classifier predicts ``classes_[1]`` where ``x @ coef + intercept > 0`` and
  ``classes_[0]`` elsewhere. In *training* a score of exactly 0 counts as an error whatever the label
  is (li2005, section 2: the error of (x, y) is [y <w, x> <= 0]).
- A weight vector is one array of length m + 1 whose *last* entry is the bias. (The document puts it
  first, as w_0.)
- Learners that care about the scale of the features see them shifted and scaled to [-1, 1] by the
  range of the training rows (li2005, section 4); ``coef_`` and ``intercept_`` are always in the
  user's own coordinates. A column that is constant in training gets the coefficient 0.
- More than two classes are learned one against the rest; the largest score wins.
"""

import inspect
from abc import ABCMeta, abstractmethod
from numbers import Integral
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import one_vs_rest, training_set, validate_data

# Scores of many weight vectors are computed in blocks of about this many numbers, to stay in cache.
_BLOCK = 1 << 18
# Coefficients are divided by half the range of their column: a narrower one leaves no room for them.
_NARROWEST = 1e-300

_SHARED_CONSTRAINTS: dict = {
    "order": [StrOptions({"cyclic", "permute", "random"})],
    "init": [StrOptions({"zero", "fld"}), "array-like"],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "weighting": [StrOptions({"reweight", "resample"})],
    "random_state": ["random_state"],
}


class FeatureRange(NamedTuple):
    """The affine map of each column onto [-1, 1], and how weight vectors follow it."""

    centre: np.ndarray
    half_width: np.ndarray  # infinite for constant columns: they map to 0 and get no coefficient

    @classmethod
    def of(cls, X):
        low, high = X.min(axis=0), X.max(axis=0)
        # Halving first keeps the range of columns near the largest float finite.
        half_width = high / 2 - low / 2
        narrow = (half_width > 0) & (half_width < _NARROWEST)
        if narrow.any():
            raise ValueError(
                f"column {int(narrow.argmax())} of X spans only {2 * half_width[narrow][0]:.2g}; its coefficient would "
                "overflow. Multiply the column by a large constant."
            )
        half_width[half_width == 0] = np.inf
        return cls(high / 2 + low / 2, half_width)

    @classmethod
    def identity(cls, n_features):
        return cls(np.zeros(n_features), np.ones(n_features))

    def apply(self, X):
        return (X - self.centre) / self.half_width

    def weights_to_user(self, weights):
        """Weight vectors (along the last axis) on scaled columns -> on the user's columns."""
        coef = weights[..., :-1] / self.half_width
        intercept = weights[..., -1] - coef @ self.centre
        return np.concatenate([coef, intercept[..., None]], axis=-1)

    def weights_from_user(self, weights):
        """The inverse of `weights_to_user`, dropping what constant columns contribute to the slope."""
        coef, intercept = weights[..., :-1], weights[..., -1]
        scaled = coef * np.where(np.isinf(self.half_width), 0.0, self.half_width)
        return np.concatenate([scaled, (intercept + coef @ self.centre)[..., None]], axis=-1)


class LinearFit(NamedTuple):
    """What one binary fit returns."""

    weights: np.ndarray  # (m + 1,), bias last, on the columns the learner saw
    n_iter: int
    error_curve: np.ndarray  # (n_iter + 1,): weighted training errors, as shares, from the start on
    path: np.ndarray | None = None  # (n_iter + 1, m + 1): the weight vectors behind error_curve
    extra: dict | None = None  # further fitted attributes, by name


def one_or_all(values):
    """The value of the only fit of two classes, or the list of those of all classes."""
    return values[0] if len(values) == 1 else values


def with_bias(X):
    """X with a last column of ones."""
    return np.concatenate([X, np.ones((X.shape[0], 1))], axis=1)


def linear_scores(X, coef, intercept):
    """``X @ coef.T + intercept``; what exceeds the largest float is that float, with the right sign."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = X @ coef.T + intercept
        beyond = ~np.isfinite(scores).all(axis=1)
        if beyond.any():
            # Sums of numbers of size one cannot overflow; the bias is negligible beside such rows.
            row_unit = np.abs(X[beyond]).max(axis=1, keepdims=True)
            coef_unit = np.abs(coef).max()
            units = np.maximum(row_unit, 1.0) * max(coef_unit, 1e-300)
            sums = (X[beyond] / np.maximum(row_unit, 1.0)) @ (coef / max(coef_unit, 1e-300)).T
            largest = np.finfo(np.float64).max
            scores[beyond] = np.clip(sums * units + intercept, -largest, largest)
            scores[np.isnan(scores)] = 0.0
    return scores


def path_errors(X, y, sample_weight, path):
    """Training error of every weight vector in ``path`` (T, m + 1), as shares."""
    total = sample_weight.sum()
    errors = np.empty(len(path))
    rows = max(1, _BLOCK // max(1, X.shape[0]))
    for start in range(0, len(path), rows):
        block = path[start : start + rows]
        scores = block[:, :-1] @ X.T
        scores += block[:, -1:]
        errors[start : start + rows] = (scores * y <= 0) @ sample_weight / total
    return errors


def fit_of_path(X, y, sample_weight, path, **extra):
    """The fit whose weight vector is the last one of a path."""
    return LinearFit(path[-1], len(path) - 1, path_errors(X, y, sample_weight, path), path, extra)


class LinearThresholdClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the linear learners: a subclass states one binary fit, `_fit_signed`.

    Parameters
    ----------
    order : {"random", "permute", "cyclic"}, default="random"
        How examples are presented: every trial drawn anew, every epoch in a new random order, or every
        epoch in the given order.
    init : {"zero", "fld"} or array-like of shape (n_features + 1,), default="zero"
        The first weight vector: zero, Fisher's discriminant, or coefficients followed by an intercept (one
        row per class if there are more than two).
    max_iter : int, default=100
        Number of epochs.
    weighting : {"reweight", "resample"}, default="reweight"
        How sample weights act: as above, or by drawing examples in proportion to them (only with order
        "random").
    fit_intercept : bool, default=True
        Whether to learn a bias. Without one the columns are used as they are, because scaling them to [-1,
        1] would move the origin.
    keep_path : bool, default=False
        Whether to keep ``path_``.
    random_state : int, RandomState instance or None, default=None
        Seeds what is random: orders, directions, searches.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The coefficients; one row for two classes, else one per class against the rest.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The intercepts.
    n_iter_ : int
        Number of epochs run.
    error_curve_ : ndarray of shape (n_iter_ + 1,) or (n_classes, n_iter_ + 1)
        Weighted training error, as a share, at the start and after each epoch.
    path_ : ndarray of shape (n_iter_ + 1, n_features + 1)
        With ``keep_path``: the weight vectors behind ``error_curve_``, bias last. A list if there are more
        than two classes.
    """

    def __init_subclass__(cls, **kwargs):
        """A learner states the constraints of its own parameters; those of switches and shared ones are added."""
        super().__init_subclass__(**kwargs)
        parameters = inspect.signature(cls.__init__).parameters
        shared = {name: rule for name, rule in _SHARED_CONSTRAINTS.items() if name in parameters}
        shared |= {name: ["boolean"] for name, p in parameters.items() if isinstance(p.default, bool)}
        cls._parameter_constraints = {**shared, **vars(cls).get("_parameter_constraints", {})}

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn from a training set.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Class labels of any kind; more than two classes are learned one against the rest.
        """
        X, codes, sample_weight = training_set(self, self._read(X), y, sample_weight)
        self._begin(X, codes, sample_weight)
        scaled = getattr(self, "fit_intercept", True)  # without a bias, scaling would move the origin
        feature_range = FeatureRange.of(X) if scaled else FeatureRange.identity(X.shape[1])
        X = self._seen(X, feature_range) if scaled else X
        random_state = check_random_state(getattr(self, "random_state", None))
        fits = []
        for k, labels in enumerate(one_vs_rest(codes, len(self.classes_))):
            rng = np.random.default_rng(random_state.randint(np.iinfo(np.int32).max))
            start = self._start(feature_range, k, X.shape[1])
            fits.append(self._fit_signed(X, labels, sample_weight, rng, start))
        self._keep(fits, feature_range)
        return self

    def _read(self, X):
        """X for scikit-learn's checks."""
        return X

    def _begin(self, X, codes, sample_weight):
        """Called before the first binary fit, for learners that report what they do."""

    def _seen(self, X, feature_range):
        """The columns as the learner sees them."""
        return feature_range.apply(X)

    @abstractmethod
    def _fit_signed(self, X, y, sample_weight, rng, start):
        """Fit labels in {-1.0, +1.0}; ``start`` is a given weight vector or None. Returns a LinearFit."""

    def _start(self, feature_range, k, n_features):
        """The user's own ``init`` array for the k-th fit, on the columns that the learner sees."""
        init = getattr(self, "init", None)
        if init is None or isinstance(init, str):
            return None
        init = np.asarray(init, dtype=np.float64)
        rows = 1 if len(self.classes_) == 2 else len(self.classes_)
        if init.ndim == 1 and rows == 1:
            init = init[None, :]
        if init.shape != (rows, n_features + 1) or not np.isfinite(init).all():
            raise ValueError(
                f"init must hold {rows} x {n_features + 1} finite numbers (coefficients, then the intercept, "
                f"for each linear function); got an array of shape {np.shape(self.init)}."
            )
        return feature_range.weights_from_user(init[k])

    def _keep(self, fits, feature_range):
        weights = feature_range.weights_to_user(np.array([fit.weights for fit in fits]))
        self.coef_ = weights[:, :-1]
        self.intercept_ = weights[:, -1]
        self.n_iter_ = max(fit.n_iter for fit in fits)
        # A learner that stopped early keeps its last error.
        length = max(len(fit.error_curve) for fit in fits)
        curves = [np.pad(fit.error_curve, (0, length - len(fit.error_curve)), mode="edge") for fit in fits]
        self.error_curve_ = curves[0] if len(fits) == 1 else np.array(curves)
        if getattr(self, "keep_path", False):
            self.path_ = one_or_all([feature_range.weights_to_user(fit.path) for fit in fits])
        for name in fits[0].extra or {}:
            setattr(self, name, one_or_all([fit.extra[name] for fit in fits]))

    @documented
    def decision_function(self, X):
        """Scores ``X @ coef_.T + intercept_``."""
        check_is_fitted(self)
        X = validate_data(self, self._read(X), dtype=np.float64, reset=False)
        scores = linear_scores(X, self.coef_, self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    @documented
    def predict(self, X):
        """Predicted class labels."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]
