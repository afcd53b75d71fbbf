"""Least squares on labels -1 and +1.

Conventions:

- Weights count as repetitions.
- Of all solutions the one of smallest norm is taken (the bias counts in the norm).
"""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, training_error, with_bias


@documented
class LeastSquaresClassifier(LinearThresholdClassifier):
    r"""Linear least squares on labels -1 and +1.

    Minimises :math:`\sum_i \varphi_i (\langle w, x_i \rangle + b - y_i)^2`; where several weight vectors
    do, the one of smallest norm is taken.

    Attributes
    ----------
    n_iter_ : int
        0: the solution is direct.
    error_curve_ : ndarray of shape (1,) or (n_classes, 1)
        Weighted training error.

    References
    ----------
    may2020, part II (without a bias); li2005, Table 1 (the cost).

    Examples
    --------
    The label is the first of three bits:

    >>> from weaklearn.linear import LeastSquaresClassifier
    >>> X = [[1, 1, -1], [1, -1, 1], [-1, 1, 1], [-1, -1, -1]]
    >>> y = [1, 1, -1, -1]
    >>> LeastSquaresClassifier(fit_intercept=False).fit(X, y).coef_.round(12) + 0.0
    array([[1., 0., 0.]])
    """

    def __init__(self, *, fit_intercept=True):
        self.fit_intercept = fit_intercept

    def _fit_signed(self, X, y, sample_weight, rng, start):
        columns = with_bias(X) if self.fit_intercept else X
        root = np.sqrt(sample_weight / sample_weight.max())
        solution, *_ = np.linalg.lstsq(columns * root[:, None], y * root, rcond=None)
        weights = np.zeros(X.shape[1] + 1)
        weights[: len(solution)] = solution
        error = training_error(X @ weights[:-1] + weights[-1], y, sample_weight)
        return LinearFit(weights, 0, np.array([error]))
