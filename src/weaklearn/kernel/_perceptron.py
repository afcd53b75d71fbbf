"""Kernel perceptrons: in memory, by blocks, and on streams with a budget."""

from copy import copy
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._fast.kernel_perceptron import present_pairs, present_rest
from weaklearn._training import check_weights, validate_data
from weaklearn.kernel._machine import KernelMachine

# Rows of a block when there is no Gram matrix: large enough for matrix products, small beside the support.
_BLOCK_ROWS = 512


def class_pairs(n_classes):
    """(negative, positive) class of every pair, (0, 1), (0, 2), ... as in may2020, Table 11."""
    low, high = np.triu_indices(n_classes, 1)
    return np.column_stack([low, high])


class _Pool(NamedTuple):
    """Examples that may carry coefficients, and the coefficients of all machines on them."""

    X: np.ndarray
    codes: np.ndarray
    strength: np.ndarray
    coef: np.ndarray  # (machines, n)
    lag: np.ndarray  # (machines, n), or no rows if no mean is wanted


@documented
class KernelPerceptronClassifier(CallbackSupportMixin, KernelMachine):
    r"""Perceptron in the feature space of a kernel.

    The weight vector is never written down: it is a sum of the examples on which mistakes were made, so a score is
    :math:`f(x) = \sum_i \alpha_i k(x_i, x)`, and a mistake on :math:`x_t` changes :math:`\alpha_t`. Two classes have
    one machine with :math:`\alpha_t \leftarrow \alpha_t + y_t` where :math:`y_t f(x_t) \le 0`. With more,

    - ``multi_class="ovr"`` has a machine for every class, the largest score wins, and a mistake moves two of them,
      :math:`\alpha^{(y)}_t` up and :math:`\alpha^{(\hat y)}_t` down (Algorithm 3 of may2020);
    - ``multi_class="ovo"`` has a machine for every pair of classes, the most votes win, and every machine of the
      example's class that is wrong is moved (Algorithm 4). Of classes with equal votes the larger sum of scores wins;
      the document takes the first.

    The default is a Gaussian kernel. A polynomial one without a constant (``coef0="auto"``), as for the digits of
    may2020, has no bias: it cannot separate two clusters that lie on one side of the origin.

    Parameters
    ----------
    gamma : "scale" or float, default="scale"
        Factor of the inner product or width of the Gaussian; "scale" is 1 / (n_features * X.var()), taken
        from the first batch on a stream.
    multi_class : {"ovr", "ovo"}, default="ovr"
    max_iter : int, default=100
        Epochs at most. A run ends after an epoch without an update in any case.
    tol : float or None, default=0.01
        Stop when the mean accuracy of the last `patience` epochs (counting mistakes as they were made) is less than
        `tol` above that of the `patience` epochs before: the rule of may2020. None runs all epochs.
    patience : int, default=5
    shuffle : bool, default=True
        Present the examples in a new random order in every epoch of `fit`.
    averaged : bool, default=False
        Predict with the mean of the weight vectors after all trials instead of the last one.
    budget : int or None, default=None
        The largest number of support examples. When there is one more, the one that the others classify with the
        largest margin is dropped.
    gram_limit : float, default=1.0
        Gigabytes that a Gram matrix may take. Larger sets are learned in blocks against the support found so
        far, with the same result and in little memory, but with kernels evaluated again in every epoch.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Row numbers of the support examples (on a stream, counted from its beginning).
    dual_coef_ : ndarray of shape (n_machines, n_support)
        1 machine for two classes; else n_classes machines, or one for each pair (0, 1), (0, 2), ...
    mistakes_ : ndarray of shape (n_iter_,)
        Mistakes in each epoch of `fit`, each counted as it was made; in each call on a stream.
    n_iter_ : int
        Number of epochs, or of calls on a stream.
    n_trials_ : int
        Number of examples presented so far, each as often as it was.
    intercept_ : ndarray of shape (n_machines,)
        Zeros: a kernel perceptron has no bias.

    References
    ----------
    may2020, part I, sections 1 to 4. The budget: K. Crammer, J. Kandola and Y. Singer, "Online classification on a
    budget", 2004.

    Examples
    --------
    >>> from weaklearn.kernel import KernelPerceptronClassifier
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]
    >>> model = KernelPerceptronClassifier(gamma=1.0, random_state=0).fit(X, y)
    >>> model.predict(X)
    array(['same', 'same', 'other', 'other'], dtype='<U5')
    """

    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "multi_class": [StrOptions({"ovr", "ovo"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "shuffle": ["boolean"],
        "averaged": ["boolean"],
        "budget": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        degree=3,
        gamma="scale",
        coef0="auto",
        multi_class="ovr",
        max_iter=100,
        tol=0.01,
        patience=5,
        shuffle=True,
        averaged=False,
        budget=None,
        dtype="float64",
        gram_limit=1.0,
        random_state=None,
    ):
        super().__init__(kernel, degree, gamma, coef0, dtype, gram_limit, random_state)
        self.multi_class = multi_class
        self.max_iter = max_iter
        self.tol = tol
        self.patience = patience
        self.shuffle = shuffle
        self.averaged = averaged
        self.budget = budget

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn from a training set.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            The size of an example's updates; None means 1 each.
        """
        self._check_budget()
        # Looking through a whole Gram matrix takes longer than learning from it, which reads few of its rows.
        given = self.kernel == "precomputed"
        (X, codes, strength), kept = self._training_data(X, y, sample_weight, finite=not given)
        n = len(codes)
        self._choose_kernel(X, strength)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        shape = (self._n_machines(), n)
        pool = _Pool(X, codes, strength, np.zeros(shape), np.zeros(shape if self.averaged else (0, n)))
        in_memory = given or (self.budget is None and self._gram_gigabytes(n) <= self.gram_limit)
        gram = self._gram(X) if in_memory else None
        scores = np.zeros(shape)
        self.n_trials_ = 0
        mistakes = []
        task = fit_task(self, "epoch", self.max_iter, X, lambda: self.classes_[codes], strength)
        for _ in range(self.max_iter):
            rows = rng.permutation(n) if self.shuffle else np.arange(n)
            if gram is None:
                wrong, updates = self._present_in_blocks(pool, rows)
            else:
                wrong, updates = self._present(gram, pool, rows, scores, self.budget or 0)
            mistakes.append(wrong)
            if task is not None and task.step(lambda: self._fitted_so_far(pool, kept)):
                break
            if updates == 0 or self._has_converged(1.0 - np.array(mistakes) / n):
                break
        if not np.isfinite(scores).all():
            raise ValueError(
                "the scores are not finite: the kernel matrix holds NaN or infinity, or values too large to add up."
            )
        self.mistakes_ = np.array(mistakes)
        self.n_iter_ = len(mistakes)
        self._n_seen = int(kept[-1]) + 1
        self._keep(pool, kept)
        if task is not None:
            task.end()
        return self

    def _fitted_so_far(self, pool, kept):
        twin = copy(self)
        twin._keep(pool, kept)
        return {name: value for name, value in vars(twin).items() if value is not getattr(self, name, None)}

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn from the next examples of a stream, in the order given.

        Parameters
        ----------
        classes : array-like of shape (n_classes,), default=None
            All classes of the stream; needed in the first call, and only there.
        """
        self._check_budget()
        if self.kernel == "precomputed":
            raise ValueError('partial_fit needs a kernel function; kernel="precomputed" has none.')
        first = not hasattr(self, "support_")
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", reset=first)
        strength = check_weights(sample_weight, X)
        if first:
            self._start_stream(X, strength, classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes {classes} are not those of the first call, {self.classes_}.")
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"y holds the label {unknown[0]}, which is not among classes {self.classes_}.")
        rows = self._n_seen + np.arange(len(y))
        self._n_seen += len(y)
        present = strength > 0
        n_old, n_new = len(self.support_), int(present.sum())
        zeros = np.zeros((self._n_machines(), n_new))
        pool = _Pool(
            np.concatenate([self.support_vectors_, X[present]]),
            np.concatenate([self._support_codes, np.searchsorted(self.classes_, y[present])]),
            np.concatenate([np.zeros(n_old), strength[present]]),
            np.concatenate([self._coef, zeros], axis=1),
            np.concatenate([self._lag, zeros[: len(self._lag)]], axis=1),
        )
        wrong, _ = self._present_in_blocks(pool, n_old + np.arange(n_new))
        self.mistakes_ = np.append(self.mistakes_, wrong)
        self.n_iter_ += 1
        self._keep(pool, np.concatenate([self.support_, rows[present]]))
        return self

    def _start_stream(self, X, strength, classes):
        if classes is None:
            raise ValueError("the first call of partial_fit needs all classes of the stream in `classes`.")
        self.classes_ = np.unique(classes)
        if len(self.classes_) < 2:
            raise ValueError(f"classes must hold at least two labels, got {self.classes_}.")
        self._choose_kernel(X, strength)
        self.support_ = np.zeros(0, dtype=np.int64)
        self.support_vectors_ = np.zeros((0, X.shape[1]))
        self._support_codes = np.zeros(0, dtype=np.int64)
        self._coef = np.zeros((self._n_machines(), 0))
        self._lag = np.zeros((self._n_machines() if self.averaged else 0, 0))
        self.mistakes_ = np.zeros(0, dtype=np.int64)
        self.n_iter_ = self.n_trials_ = self._n_seen = 0

    def _check_budget(self):
        if self.budget is not None and self.averaged:
            raise ValueError(
                "averaged=True cannot be combined with budget: the mean needs every past example."
            )

    def _n_machines(self):
        n_classes = len(self.classes_)
        if n_classes == 2:
            return 1
        return n_classes if self.multi_class == "ovr" else n_classes * (n_classes - 1) // 2

    def _has_converged(self, accuracy):
        if self.tol is None or len(accuracy) < 2 * self.patience:
            return False
        recent, before = accuracy[-self.patience :], accuracy[-2 * self.patience : -self.patience]
        return recent.mean() < before.mean() + self.tol

    def _present(self, gram, pool, rows, scores, budget):
        """Present rows of a pool whose Gram matrix and scores are given."""
        trials = float(self.n_trials_)
        self.n_trials_ += len(rows)
        if len(self.classes_) > 2 and self.multi_class == "ovr":
            return present_rest(
                gram, pool.codes, pool.strength, rows, budget, trials, scores, pool.coef, pool.lag
            )
        pairs = class_pairs(len(self.classes_))
        return present_pairs(
            gram, pool.codes, len(self.classes_), pairs, pool.strength, rows, budget, trials,
            scores, pool.coef, pool.lag,
        )  # fmt: skip

    def _present_in_blocks(self, pool, rows):
        """Present rows of a pool, block by block, against the support found so far."""
        wrong = updates = 0
        for start in range(0, len(rows), _BLOCK_ROWS):
            chunk = rows[start : start + _BLOCK_ROWS]
            support = np.flatnonzero(pool.coef.any(axis=0))
            # With a budget the support takes part in the game, so its own kernel values are needed too.
            inside = np.union1d(support, chunk) if self.budget is not None else np.sort(chunk)
            gram = self._evaluate(pool.X[inside])
            if self.budget is not None:
                scores = pool.coef[:, inside] @ gram
            elif len(support):
                scores = pool.coef[:, support] @ self._evaluate(pool.X[support], pool.X[inside])
            else:
                scores = np.zeros((len(pool.coef), len(inside)))
            part = _Pool(
                pool.X, pool.codes[inside], pool.strength[inside], pool.coef[:, inside], pool.lag[:, inside]
            )
            order = np.searchsorted(inside, chunk)
            scores = np.ascontiguousarray(scores, dtype=np.float64)
            counts = self._present(gram, part, order, scores, self.budget or 0)
            pool.coef[:, inside] = part.coef
            pool.lag[:, inside] = part.lag
            wrong, updates = wrong + counts[0], updates + counts[1]
        return wrong, updates

    def _keep(self, pool, rows):
        """Keep the examples with coefficients."""
        active = np.flatnonzero(pool.coef.any(axis=0) | pool.lag.any(axis=0))
        self._coef, self._lag = pool.coef[:, active], pool.lag[:, active]
        self._support_codes = pool.codes[active]
        self.support_ = rows[active]
        precomputed = self.kernel == "precomputed"
        self.support_vectors_ = np.zeros((0, 0)) if precomputed else pool.X[active]
        self.dual_coef_ = self._coef - self._lag / max(1, self.n_trials_) if self.averaged else self._coef
        self.n_support_ = np.count_nonzero(self.dual_coef_, axis=1)
        self.intercept_ = np.zeros(len(self.dual_coef_))

    @documented
    def decision_function(self, X):
        """Scores of the classes.

        Returns
        -------
        ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)
            For one-vs-one, votes plus a fraction below one half that orders equal votes by their sums of scores.
        """
        scores = self._machine_scores(X)
        if len(self.classes_) == 2:
            return scores.ravel()
        if self.multi_class == "ovr":
            return scores
        votes = np.zeros((len(scores), len(self.classes_)))
        confidence = np.zeros_like(votes)
        for column, (low, high) in zip(scores.T, class_pairs(len(self.classes_)), strict=True):
            votes[:, low] += column <= 0
            votes[:, high] += column > 0
            confidence[:, low] -= column
            confidence[:, high] += column
        return votes + confidence / (3 * (np.abs(confidence) + 1))
