"""Complexity contributions as the best linear unbiased estimate, for any covariance of the measuring noise."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

__all__ = ["best_linear_contribution"]


def best_linear_contribution(orders, complexities, start=0, covariance=None):
    r"""The contributions :math:`(P^T \Sigma^{-1} P)^{-1} P^T \Sigma^{-1} \Delta` from subset paths.

    A permutation adds the examples to an empty set one by one. While the set grows from `start` to `stop` examples its
    complexity is measured, which gives ``s = stop - start`` equations: the increase since `start` is the sum of the
    contributions of the examples that joined, plus noise. The noise of different permutations is independent; within
    one it has the given covariance.

    Parameters
    ----------
    orders : array-like of int, of shape (n_permutations, n_samples)
        Each row a permutation of 0, ..., n_samples - 1.
    complexities : array-like of shape (n_permutations, s + 1)
        The complexities of the first ``start, start + 1, ..., start + s`` examples of each order.
    start : int, default=0
    covariance : array-like of shape (s, s), default=None
        Of the noise of the s equations of a permutation, up to a factor; positive definite. None is the identity:
        least squares. The matrix ``min(i, j)``, i and j from 1 on, gives the average contribution (theorem 1.6).

    Returns
    -------
    ndarray of shape (n_samples,)
        NaN for examples that never joined inside the window.

    Notes
    -----
    With the lower triangle L of ones and E that picks the examples in the order in which they join, ``P = L E`` for
    each permutation, so that ``K = L' covariance^-1 L`` is computed once and added to the normal equations at the
    places of the examples: s^2 steps for each permutation.

    The examples' increases alone identify the contributions only if the permutations mix them well; where they do not
    (one permutation and a singular system), an error says so.

    References
    ----------
    li2006, equations (1.10) to (1.13) and theorem 1.6.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.complexity import best_linear_contribution
    >>> orders = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    >>> paths = [[0, 1, 3, 6], [0, 3, 4, 6], [0, 2, 5, 6]]  # contributions 1, 2, 3 without noise
    >>> best_linear_contribution(orders, paths).round(6)
    array([1., 2., 3.])
    """
    orders = np.asarray(orders, dtype=np.intp)
    complexities = np.asarray(complexities, dtype=np.float64)
    if orders.ndim != 2 or complexities.ndim != 2 or len(orders) != len(complexities) or len(orders) == 0:
        raise ValueError(
            f"orders and complexities must have one row for each permutation; got shapes {orders.shape} and "
            f"{complexities.shape}"
        )
    n, s = orders.shape[1], complexities.shape[1] - 1
    if not (s >= 1 and start >= 0 and start + s <= n):
        raise ValueError(
            f"start={start} and {s + 1} complexities do not fit into permutations of {n} examples"
        )
    if (np.sort(orders, axis=1) != np.arange(n)).any():
        raise ValueError(f"every row of orders must be a permutation of 0, ..., {n - 1}")
    kernel, pull = _whitened(s, covariance)
    increases = complexities[:, 1:] - complexities[:, :1]
    gram, moment = np.zeros((n, n)), np.zeros(n)
    for order, increase in zip(orders, increases, strict=True):
        joined = order[start : start + s]
        gram[np.ix_(joined, joined)] += kernel
        moment[joined] += pull @ increase
    seen = np.flatnonzero(gram.any(axis=1))
    estimate = np.full(n, np.nan)
    try:
        factor = cho_factor(gram[np.ix_(seen, seen)], lower=True)
    except LinAlgError:
        raise ValueError("the permutations do not determine the contributions: use more of them") from None
    estimate[seen] = cho_solve(factor, moment[seen])
    return estimate


def _whitened(s, covariance):
    """``L' covariance^-1 L`` and ``L' covariance^-1``."""
    ones = np.tri(s)
    if covariance is None:
        return ones.T @ ones, ones.T
    covariance = np.asarray(covariance, dtype=np.float64)
    if covariance.shape != (s, s) or not np.allclose(covariance, covariance.T):
        raise ValueError(
            f"covariance must be a symmetric matrix of {s} rows and columns, got shape {covariance.shape}"
        )
    try:
        factor = cho_factor(covariance, lower=True)
    except LinAlgError:
        raise ValueError("covariance must be positive definite") from None
    return ones.T @ cho_solve(factor, ones), cho_solve(factor, ones).T
