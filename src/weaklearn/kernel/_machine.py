"""What all kernel machines share: which kernel, how much memory, and scores from sparse duals.

Conventions:

- A machine's score is sum_i dual_coef_i k(x_i, x) + intercept over its support, and ``classes_[1]`` is the positive
  class of two. In *training* a score of exactly 0 counts as an error whatever the label is.
- ``gamma="scale"`` is 1 / (n_features * X.var()), as in scikit-learn, with weights counting as copies. Beyond
  scikit-learn, a training set that lies farther from the origin than 10 times its spread is centred first, and one
  whose squares would overflow or vanish is multiplied by a power of two. Without that, polynomials of such rows are
  all alike, and gamma is about an offset instead of a spread.
  ``coef0="auto"`` is 0 for polynomials, and for the perceptron and stump kernels the constant that makes them
  positive definite on the training set.
- With ``kernel="precomputed"`` the rows given to ``fit`` are those of a square Gram matrix, and the rows given to
  ``predict`` hold the kernel between each example and every *training* example.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import training_set, validate_data
from weaklearn.kernel._functions import KERNELS, positive_shift

# Scores are computed for this many kernel values at a time (64 MB).
_BLOCK_NUMBERS = 1 << 23
# With gamma="scale": a mean this many spreads away from the origin is taken off; squares of numbers beyond these, or
# below their inverses, come close to the limits of the type.
_FAR = 10.0
_LARGEST = {"float64": 1e100, "float32": 1e12}


class KernelMachine(ClassifierMixin, BaseEstimator):
    """Base of the kernel machines; ``fit`` sets the attributes below.

    Parameters
    ----------
    kernel : {"rbf", "polynomial", "linear", "perceptron", "stump", "precomputed"} or callable, default="rbf"
        A callable gets two tables and returns the matrix between their rows.
    degree : int, default=3
        Of the polynomial kernel.
    gamma : "scale" or float, default="scale"
        Factor of the inner product or width of the Gaussian; "scale" is 1 / (n_features * X.var()).
    coef0 : "auto" or float, default="auto"
        Constant of the polynomial (0) or of the perceptron and stump kernels (what makes them positive definite).
    dtype : {"float64", "float32"}, default="float64"
        Of the Gram matrix.
    gram_limit : float, default=2.0
        Gigabytes that the Gram matrix may take; a larger one is refused before anything is computed.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Row numbers of the examples with a coefficient in any machine.
    support_vectors_ : ndarray of shape (n_support, n_features)
        These rows. Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_machines, n_support)
        Their coefficients; one machine for two classes, else one per class.
    intercept_ : ndarray of shape (n_machines,)
        The intercepts.
    n_support_ : ndarray of shape (n_machines,)
        Number of non-zero coefficients of each machine.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "kernel": [StrOptions({*KERNELS, "precomputed"}), callable],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "gamma": [StrOptions({"scale"}), Interval(Real, 0, None, closed="neither")],
        "coef0": [StrOptions({"auto"}), Interval(Real, None, None, closed="neither")],
        "dtype": [StrOptions({"float64", "float32"})],
        "gram_limit": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, kernel, degree, gamma, coef0, dtype, gram_limit, random_state):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.dtype = dtype
        self.gram_limit = gram_limit
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _training_data(self, X, y, sample_weight, finite=True):
        """A `TrainingSet` and the numbers of its rows among those given."""
        dtype = self.dtype if self.kernel == "precomputed" else "float64"
        data = training_set(self, X, y, sample_weight, dtype=dtype, finite=finite)
        n_given = len(np.asarray(y))
        kept = (
            np.arange(n_given)
            if len(data.codes) == n_given
            else np.flatnonzero(np.asarray(sample_weight) > 0)
        )
        if self.kernel == "precomputed":
            if data.X.shape[1] != n_given:
                raise ValueError(
                    f'kernel="precomputed" needs a square matrix; X has {n_given} rows and {data.X.shape[1]} columns.'
                )
            if len(kept) < n_given:
                data = data._replace(X=np.ascontiguousarray(data.X[:, kept]))
        return data, kept

    def _distinct_data(self, X, y, sample_weight):
        """Each example once, with the sum of its weights; row numbers as in `_training_data`; the Gram matrix."""
        (X, codes, sample_weight), kept = self._training_data(X, y, sample_weight)
        if self.kernel != "precomputed":
            X, codes, sample_weight, first = _distinct_examples(X, codes, sample_weight)
            kept = kept[first]
            self._refuse_large_gram(len(codes))
        self._choose_kernel(X, sample_weight)
        return X, codes, sample_weight, kept, self._gram(X)

    def _choose_kernel(self, X, sample_weight):
        """Settle the parameters that depend on the training rows."""
        arguments: dict[str, Any] = {}
        self._centre, self._exponent = None, 0
        if self.kernel in ("rbf", "polynomial"):
            if self.gamma == "scale":
                self._choose_origin_and_unit(X, sample_weight)
                variance = _weighted_variance(self._moved(X), sample_weight)
                arguments["gamma"] = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
            else:
                arguments["gamma"] = float(self.gamma)
        if self.kernel == "polynomial":
            arguments["degree"] = int(self.degree)
            arguments["coef0"] = 0.0 if self.coef0 == "auto" else float(self.coef0)
        if self.kernel in ("perceptron", "stump"):
            arguments["shift"] = positive_shift(self.kernel, X) if self.coef0 == "auto" else float(self.coef0)
        self._kernel_arguments = arguments

    def _choose_origin_and_unit(self, X, sample_weight):
        unit = np.frexp(np.abs(X).max())[1]
        near = np.ldexp(X, -unit)
        share = sample_weight / sample_weight.sum()
        mean = share @ near
        spread = share @ ((near - mean) ** 2).sum(axis=1)
        if mean @ mean > _FAR**2 * spread > 0:
            self._centre = np.ldexp(mean, unit)
        largest = np.abs(X if self._centre is None else X - self._centre).max()
        if largest > 0 and not 1 / _LARGEST[self.dtype] <= largest <= _LARGEST[self.dtype]:
            self._exponent = int(np.frexp(largest)[1])

    def _moved(self, X):
        """X from the origin and in the unit that were chosen; most training sets need neither."""
        if self._centre is not None:
            X = X - self._centre
        return np.ldexp(X, -self._exponent) if self._exponent else X

    def _evaluate(self, X, Y=None):
        """The kernel between rows of X and rows of Y."""
        dtype = np.dtype(self.dtype).type
        if self._centre is not None or self._exponent:
            X, Y = self._moved(X), None if Y is None else self._moved(Y)
        if callable(self.kernel):
            matrix = np.ascontiguousarray(self.kernel(X, X if Y is None else Y), dtype=dtype)
            expected = (len(X), len(X if Y is None else Y))
            if matrix.shape != expected:
                raise ValueError(f"kernel returned an array of shape {matrix.shape}, expected {expected}.")
            return matrix
        return KERNELS[self.kernel](X, Y, dtype=dtype, **self._kernel_arguments)

    def _gram(self, X):
        """The Gram matrix of the training rows."""
        if self.kernel == "precomputed":
            return np.ascontiguousarray(X, dtype=self.dtype)
        return self._evaluate(X)

    def _gram_gigabytes(self, n_rows):
        return n_rows**2 * np.dtype(self.dtype).itemsize / 1e9

    def _refuse_large_gram(self, n_rows):
        size = self._gram_gigabytes(n_rows)
        if size > self.gram_limit:
            raise ValueError(
                f"the Gram matrix of {n_rows:,} rows needs {size:.1f} GB, more than gram_limit={self.gram_limit}. "
                'Raise it if there is memory, use dtype="float32" (half the size), or learn from fewer rows.'
            )

    def _keep_support(self, X, coefficients, kept):
        """Keep the training rows with a coefficient in any machine, in the user's order."""
        active = np.flatnonzero(coefficients.any(axis=0))
        active = active[np.argsort(kept[active])]
        self.support_ = kept[active]
        self.support_vectors_ = np.zeros((0, 0)) if self.kernel == "precomputed" else X[active]
        self.dual_coef_ = np.ascontiguousarray(coefficients[:, active])
        self.n_support_ = np.count_nonzero(self.dual_coef_, axis=1)

    def _support_scores(self, X, dual_coef):
        """sum_i dual_coef[m, i] k(x_i, x), shape (n_samples, machines), in blocks of rows."""
        scores = np.empty((len(X), len(dual_coef)))
        if not len(self.support_):
            scores[:] = 0.0
            return scores
        step = max(1, _BLOCK_NUMBERS // len(self.support_))
        for start in range(0, len(X), step):
            rows = X[start : start + step]
            if self.kernel == "precomputed":
                values = rows[:, self.support_]
            else:
                values = self._evaluate(rows, self.support_vectors_)
            scores[start : start + step] = values @ dual_coef.T
        return scores

    def _machine_scores(self, X):
        """Scores of all machines, shape (n_samples, machines)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self._support_scores(X, self.dual_coef_) + self.intercept_

    @documented
    def decision_function(self, X):
        """Scores of the classes."""
        scores = self._machine_scores(X)
        return scores.ravel() if len(self.classes_) == 2 else scores

    @documented
    def predict(self, X):
        """Predicted class labels."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]


def _weighted_variance(X, sample_weight):
    """X.var() over all entries, each row as often as its weight says."""
    share = sample_weight / (sample_weight.sum() * X.shape[1])
    mean = share @ X.sum(axis=1)
    return float(share @ ((X - mean) ** 2).sum(axis=1))


def _distinct_examples(X, codes, sample_weight):
    """Each example once, with the sum of its weights, in an order that depends on nothing but the examples.

    So a weight of two is the same as two copies, and the order of the rows makes no difference, to the last step of
    the solver and not only up to `tol`.
    """
    table = np.column_stack([X + 0.0, codes])  # adding 0 makes -0.0 and 0.0 the same bytes
    keys = table.view(np.dtype((np.void, table.itemsize * table.shape[1]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    weights = np.bincount(which.ravel(), weights=sample_weight)
    return np.ascontiguousarray(X[first]), codes[first], weights, first
