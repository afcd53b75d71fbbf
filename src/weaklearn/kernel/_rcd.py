"""Random coordinate descent on the 0/1 loss, with the kernel trick."""

from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn._fast.line_search import descend, workspace
from weaklearn._training import one_vs_rest
from weaklearn.kernel._machine import KernelMachine
from weaklearn.linear import fisher_weights

# Line searches between two choices of columns, with one matrix product for all of them.
_BLOCK = 64
# Scores are known up to this multiple of the 1-norm of the weight vector (features lie in [-1, 1]).
_PRECISION = 1e-12


@documented
class KernelRCDClassifier(KernelMachine):
    r"""Classifier trained by random coordinate descent on the 0/1 loss among few kernel columns.

    The score is :math:`f(x) = \sum_{j \in S} \beta_j k(x_j, x) + b`, and what is minimised is

    .. math:: \sum_i \varphi_i [y_i f(x_i) \le 0] \Big/ \sum_i \varphi_i + \lambda |S|, \quad |S| \le m,

    over coefficients, bias and the set S of columns, by exact line searches: random combinations of the columns in
    S, as in `weaklearn.linear.RCDPerceptron`; single columns that may join S; and columns of S that may leave it.
    Without a limit, a kernel that separates distinct points would drive the training error to zero and learn nothing:
    the number of columns is what controls the capacity. The kernel need not be positive definite.

    More than two classes are learned one against the rest; each machine is scaled to a mean absolute score of 1 on
    the training set, and the largest score wins.

    Parameters
    ----------
    max_support : int, default=50
        :math:`m`: columns of each machine at most.
    price : float, default=0.001
        :math:`\lambda`: how much a column must lower the training error (a share) to be taken or kept.
    max_iter : int, default=2000
        Number of line searches of each machine.
    dtype : {"float64", "float32"}, default="float64"
        Of the Gram matrix. The line search needs float64 and gets it row by row.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Row numbers of the columns in any machine. Of equal rows only the first is listed.
    error_curve_ : ndarray of shape (max_iter + 1,) or (n_classes, max_iter + 1)
        Weighted training error before the first epoch and after each.
    n_iter_ : int

    References
    ----------
    li2005, section 3; its section 6 says that the algorithms work with the kernel trick and leaves it at that.

    Examples
    --------
    >>> from weaklearn.datasets import make_yinyang
    >>> from weaklearn.kernel import KernelRCDClassifier
    >>> X, y = make_yinyang(200, random_state=0)
    >>> model = KernelRCDClassifier(gamma=2.0, max_support=10, random_state=0).fit(X, y)
    >>> bool(model.n_support_[0] <= 10), bool(model.error_curve_[-1] < 0.1)
    (True, True)
    """

    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "max_support": [Interval(Integral, 1, None, closed="left")],
        "price": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        degree=3,
        gamma="scale",
        coef0="auto",
        max_support=50,
        price=0.001,
        max_iter=2000,
        dtype="float64",
        gram_limit=2.0,
        random_state=None,
    ):
        super().__init__(kernel, degree, gamma, coef0, dtype, gram_limit, random_state)
        self.max_support = max_support
        self.price = price
        self.max_iter = max_iter

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn from a training set.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights; None means 1 each. A weight of two is the same as two copies.
        """
        X, codes, sample_weight, kept, gram = self._distinct_data(X, y, sample_weight)
        random_state = check_random_state(self.random_state)
        fits = []
        for y in one_vs_rest(codes, len(self.classes_)):
            rng = np.random.default_rng(random_state.randint(np.iinfo(np.int32).max))
            fits.append(self._descend(gram, y * sample_weight, rng))
        betas, self.intercept_, curves = map(np.array, zip(*fits, strict=True))
        self.error_curve_ = curves if len(curves) > 1 else curves[0]
        self.n_iter_ = self.max_iter
        self._keep_support(X, betas, kept)
        return self

    def _descend(self, gram, yw, rng):
        """Coefficients on all columns, bias, and the errors before the first and after each epoch."""
        n, weight = len(yw), np.abs(yw)
        total = weight.sum()
        work = workspace(n)
        errors = np.empty(self.max_iter + 1)
        columns = np.sort(rng.choice(n, size=min(int(self.max_support), n), replace=False))
        basis = _Basis.of(gram, columns)
        w = fisher_weights(basis.features[:, :-1], np.sign(yw), weight)
        best: tuple = ()
        best_cost = np.inf
        for first in range(0, self.max_iter, _BLOCK):
            w /= max(np.abs(w).max(), np.finfo(float).tiny)
            scores = basis.features @ w
            if first == 0:
                errors[0] = _wrong(scores, yw)
            count = min(_BLOCK, self.max_iter - first)
            directions = rng.uniform(-1, 1, size=(count, len(w)))
            descend(
                w, scores, directions, directions @ basis.features.T, yw, _PRECISION, False,
                errors[first + 1 : first + 1 + count], np.empty((0, len(w))), work,
            )  # fmt: skip
            columns, coef, bias, scores = self._shed(gram, columns, basis, w, yw)
            cost = _wrong(scores, yw) / total + self.price * len(columns)
            if cost < best_cost:
                best, best_cost = (columns, coef, bias, scores), cost
            fresh = np.setdiff1d(np.flatnonzero(yw * scores <= 0), columns)
            if len(columns) < self.max_support and len(fresh):
                # A column at an example that is wrong: that is where the error can fall.
                column = rng.choice(fresh, p=weight[fresh] / weight[fresh].sum())
                at = np.searchsorted(columns, column)
                columns, coef = np.insert(columns, at, column), np.insert(coef, at, 0.0)
            basis = _Basis.of(gram, columns)
            w = np.append(basis.from_columns @ coef, bias)
        columns, coef, bias, scores = best
        errors[-1] = _wrong(scores, yw)
        beta = np.zeros(n)
        beta[columns] = coef
        size = weight @ np.abs(scores) / total
        return beta / size, bias / size, errors / total

    def _shed(self, gram, columns, basis, w, yw):
        """Drop columns, the least important first, while the error rises by no more than `price` for each.

        When a column goes, the others take over what they can of its part, in the sense of least squares.
        """
        table = np.concatenate([gram[columns], np.ones((1, len(yw)))])
        coef = np.append(basis.to_columns @ w[:-1], w[-1])
        inverse = np.linalg.pinv(table @ table.T, hermitian=True)
        scores = coef @ table
        error, allowed = _wrong(scores, yw), self.price * np.abs(yw).sum()
        while len(columns) > 1:
            spread = np.diag(inverse)[:-1]
            loss = np.where(spread > 0, coef[:-1] ** 2 / np.where(spread > 0, spread, 1.0), np.inf)
            j = int(loss.argmin())
            if not np.isfinite(loss[j]):
                break
            fitted = np.delete(coef - inverse[j] * (coef[j] / inverse[j, j]), j)
            rest = np.delete(table, j, axis=0)
            new_scores = fitted @ rest
            new_error = _wrong(new_scores, yw)
            if new_error > error + allowed:
                break
            inverse = inverse - np.outer(inverse[j], inverse[j]) / inverse[j, j]
            inverse = np.delete(np.delete(inverse, j, axis=0), j, axis=1)
            columns, coef, table = np.delete(columns, j), fitted, rest
            scores, error = new_scores, new_error
        return columns, coef[:-1], coef[-1], scores


def _wrong(scores, yw):
    """Weight of the examples that are wrong, or right by less than rounding."""
    return float(np.abs(yw[np.sign(yw) * scores <= _PRECISION * np.abs(scores).max()]).sum())


class _Basis(NamedTuple):
    """The span of some kernel columns and a constant, in coordinates where the kernel's norm is the Euclidean one.

    A direction that is drawn uniformly in these coordinates is a smooth function if the kernel's functions are.
    """

    features: np.ndarray  # (n, r + 1), within [-1, 1], the last column constant
    to_columns: np.ndarray  # (m, r): coefficients of the kernel columns for unit weights
    from_columns: np.ndarray  # (r, m): the inverse, on the span

    @classmethod
    def of(cls, gram, columns):
        block = gram[columns].astype(np.float64)
        values, vectors = np.linalg.eigh(block[:, columns])
        # A kernel that is not positive definite has negative values; their columns span as much as the others.
        size = np.abs(values)
        kept = size > size.max() * 1e-10
        root, vectors = np.sqrt(size[kept]), vectors[:, kept]
        features = block.T @ (vectors / root)
        scale = np.abs(features).max(initial=0.0) or 1.0
        ones = np.ones((len(features), 1))
        return cls(
            np.concatenate([features / scale, ones], axis=1),
            vectors / (root * scale),
            (vectors * (root * scale)).T,
        )
