"""The hard-margin support vector machine that learns and forgets one example at a time, exactly."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._fast.active_set import N_SUPPORT, ActiveSet, empty_state, kernel_scale
from weaklearn._fast.complexity_paths import Places, arrive, depart, empty_places, locations
from weaklearn._fast.incremental_svm import DONE
from weaklearn._training import check_array, encoded, signed_labels, validate_data
from weaklearn.kernel._functions import KERNELS, kernel_function


class NotSeparableError(ValueError):
    """No hypothesis of the kernel separates the two classes."""


@documented
class IncrementalSVC(ClassifierMixin, BaseEstimator):
    r"""Hard-margin support vector machine with exact addition and removal of single examples.

    After every `push` and `pop` the machine is the optimum over the examples it holds,

    .. math:: \min_{f = \sum_j a_j k(x_j, \cdot) + b} \|f\|^2 \quad \text{subject to} \quad y_i f(x_i) \ge 1,

    found from the optimum before it by an active-set method (one O(s^2) update of an inverse for each example that
    enters or leaves the s support vectors), not by refitting. With the perceptron kernel any set without contradictions
    is separable; with the stump kernel, a sum over features, any set in general position.

    Examples at the same place are one to the machine. Where their labels contradict each other, pairs of
    opposite labels are set aside and counted in `n_contradictions_`; the place keeps the label of its majority.

    Parameters
    ----------
    kernel : {"perceptron", "stump", "rbf", "polynomial", "linear"} or callable, default="perceptron"
        A name stands for a function of `weaklearn.kernel` with its default parameters. A callable takes two tables
        and returns the matrix of kernel values. Kernels need only be conditionally positive definite.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels seen so far, sorted.
    n_support_ : int
        The number of support vectors; 0 while there is only one class.
    support_ : ndarray
        Their numbers, in the order in which examples were pushed.
    dual_coef_ : ndarray of shape (1, n_support_)
        Signed coefficients: positive for ``classes_[1]``.
    intercept_ : ndarray of shape (1,)
    n_examples_ : int
        Examples held.
    n_contradictions_ : int
        Pairs set aside.

    Notes
    -----
    Weights of examples have no meaning to a hard margin, other than that weight 0 means absent.

    References
    ----------
    - li2006, subsection 1.3.4.
    - D. Goldfarb and A. Idnani, "A numerically stable dual method for solving strictly convex quadratic programs",
      Mathematical Programming 27, 1983.

    Examples
    --------
    >>> from weaklearn.kernel import IncrementalSVC
    >>> machine = IncrementalSVC()
    >>> for x, label in [([0.0], "a"), ([1.0], "b"), ([3.0], "a")]:
    ...     machine.push(x, label)
    >>> machine.n_support_, machine.predict([[1.1], [5.0]]).tolist()
    (3, ['b', 'a'])
    >>> machine.pop()
    (array([3.]), 'a')
    >>> machine.n_support_
    2
    """

    _parameter_constraints = {
        "kernel": [StrOptions(set(KERNELS)), callable],
    }

    def __init__(self, kernel="perceptron"):
        self.kernel = kernel

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_state")

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn from a training set of two classes; examples learned before are dropped.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            Examples of weight 0 are left out; otherwise weights make no difference.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        data, labels = encoded(type(self).__name__, X, y, sample_weight, binary=True)
        self._reset(data.X.shape[1], len(data.codes))
        self._labels = list(labels)
        n = len(data.codes)
        self._X[:n] = data.X
        self._state.K[:n, :n] = kernel_function(self.kernel)(data.X, data.X)
        self._state.y[:n] = signed_labels(data.codes)
        self._scale = kernel_scale(self._state.K[:n, :n])
        self._places.location[:n] = locations(data.X)
        for i in range(n):
            if arrive(self._state, self._places, i, self._scale) != DONE:
                del self._state
                raise NotSeparableError(self._not_separable_message())
            self._n = i + 1
        return self

    def push(self, x, y):
        """Add one example.

        Parameters
        ----------
        x : array-like of shape (n_features,)
        y : label
            At most two different labels.
        """
        x = check_array(np.asarray(x)[None], dtype=np.float64, input_name="x")[0]
        if not hasattr(self, "_state"):
            self._validate_params()
            self.n_features_in_ = x.size
            self._reset(x.size, 16)
        if x.size != self.n_features_in_:
            raise ValueError(
                f"x has {x.size} features, but the machine holds examples of {self.n_features_in_}."
            )
        if y not in self._labels:
            if len(self._labels) == 2:
                raise ValueError(f"y must be one of the two labels {self._labels}, got {y!r}.")
            self._labels.append(y)
        n = self._n
        if n == len(self._X):
            self._grow()
        self._X[n] = x
        values = kernel_function(self.kernel)(x[None], self._X[: n + 1])[0]
        self._state.K[n, : n + 1] = values
        self._state.K[: n + 1, n] = values
        self._state.y[n] = 2.0 * self._labels.index(y) - 1.0
        same = np.flatnonzero((self._X[:n] == x).all(axis=1))
        self._places.location[n] = self._places.location[same[0]] if same.size else n
        self._scale = max(self._scale, kernel_scale(self._state.K[: n + 1, : n + 1]))
        self._n = n + 1
        if arrive(self._state, self._places, n, self._scale) != DONE:
            self._n = n
            self._rebuild()
            raise NotSeparableError(self._not_separable_message())

    def pop(self):
        """Take out the example pushed last, and return it.

        Returns
        -------
        x : ndarray of shape (n_features,)
        y : label
        """
        check_is_fitted(self)
        if self._n == 0:
            raise ValueError("pop() needs an example to remove; the machine holds none.")
        self._n -= 1
        depart(self._state, self._places, self._n, self._scale)
        return self._X[self._n].copy(), self._labels[int(self._state.y[self._n] > 0)]

    def _not_separable_message(self):
        return (
            f"the {self.kernel} kernel cannot separate the two classes (or not in double precision); "
            "the perceptron kernel separates any set without contradictions."
        )

    def _reset(self, n_features, capacity):
        self._labels = []
        self._n = 0
        self._scale = 0.0
        self._make_room(n_features, capacity)

    def _make_room(self, n_features, capacity):
        self._X = np.empty((capacity, n_features))
        self._state = empty_state(np.zeros((capacity, capacity)), np.zeros(capacity))
        self._places = empty_places(np.zeros(capacity, dtype=np.int64), capacity)

    def _grow(self):
        full = self._X, *self._state, *self._places
        self._make_room(self.n_features_in_, 2 * len(self._X))
        for new, old in zip((self._X, *self._state, *self._places), full, strict=True):
            new[tuple(slice(size) for size in old.shape)] = old

    def _rebuild(self):
        # A failed update leaves no usable state, so that the examples before it are added anew.
        n = self._n
        state = empty_state(self._state.K, self._state.y)
        places = empty_places(self._places.location, len(self._places.location))
        for i in range(n):
            arrive(state, places, i, self._scale)
        self._state, self._places = ActiveSet(*state), Places(*places)

    @property
    def _flip(self):
        # Signs are those of the order in which labels came; classes_ is sorted.
        return -1.0 if len(self._labels) == 2 and self._labels[0] > self._labels[1] else 1.0

    @property
    def classes_(self):
        """The labels seen so far, sorted."""
        check_is_fitted(self)
        return np.unique(np.asarray(self._labels))

    @property
    def n_examples_(self):
        """Examples held."""
        check_is_fitted(self)
        return self._n

    @property
    def n_contradictions_(self):
        """Pairs of opposite labels at the same place, set aside."""
        check_is_fitted(self)
        return int(self._places.pairs[0])

    @property
    def n_support_(self):
        """The number of support vectors."""
        check_is_fitted(self)
        return int(self._state.counts[N_SUPPORT])

    @property
    def support_(self):
        """The numbers of the support vectors, in the order of pushing."""
        return np.sort(self._state.support[: self.n_support_])

    @property
    def dual_coef_(self):
        """Signed coefficients of the support vectors."""
        return self._flip * self._state.coef[self.support_][None]

    @property
    def intercept_(self):
        """The bias."""
        check_is_fitted(self)
        return self._flip * self._state.bias.copy()

    @documented
    def decision_function(self, X):
        """Scores f(x); positive for ``classes_[1]``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.n_support_ == 0:
            raise ValueError("the machine needs examples of two classes before it can predict.")
        K = kernel_function(self.kernel)(X, self._X[self.support_])
        return K @ self.dual_coef_[0] + self.intercept_[0]

    @documented
    def predict(self, X):
        """Predicted labels."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]
