"""The VC dimension of decision stumps, exactly, and how many labellings of given points stumps have."""

import math
from numbers import Integral

import numpy as np


def stump_dimension(n_features):
    """The VC dimension of decision stumps on `n_features` real features.

    The largest m with ``binomial(m, floor(m / 2)) <= 2 n_features``. A feature orders m points, and its stumps say +1
    to a beginning or to an end of that order: two sets of floor(m/2) points each, where shattering needs all of them.

    Parameters
    ----------
    n_features : int

    Returns
    -------
    int

    Notes
    -----
    barnes1999, theorem 13, bounds it by n_features + 1, the dimension of all half-spaces. The two agree up to three
    features; beyond, it grows like the logarithm of their number.

    References
    ----------
    - barnes1999, theorem 13.
    - S. Gey: Vapnik-Chervonenkis dimension of axis-parallel cuts. Communications in Statistics 47, 2018.

    Examples
    --------
    >>> from weaklearn.boosting import stump_dimension
    >>> [stump_dimension(k) for k in (1, 2, 3, 4, 60, 1000)]
    [2, 3, 4, 4, 8, 13]
    """
    if not isinstance(n_features, Integral) or n_features < 1:
        raise ValueError(f"n_features must be a positive integer; got {n_features!r}.")
    m, n_sets = 1, 2 * int(n_features)
    while math.comb(m + 1, (m + 1) // 2) <= n_sets:
        m += 1
    return m


def stump_dichotomies(X):
    """In how many ways decision stumps label the points X; 2^n_samples if they shatter them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)

    Returns
    -------
    int

    Examples
    --------
    >>> from weaklearn.boosting import stump_dichotomies
    >>> stump_dichotomies([[1.0], [2.0], [3.0]])
    6
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or len(X) == 0 or not np.isfinite(X).all():
        raise ValueError(f"X must be a finite matrix with at least one row; got shape {X.shape}.")
    found = set()
    for values in X.T:
        for cut in (-np.inf, *np.unique(values)):
            above = values > cut
            found |= {above.tobytes(), (~above).tobytes()}
    return len(found)
