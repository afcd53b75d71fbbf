"""How fast boosting must fit its training set: the bound on the training error of AdaBoost."""

from typing import NamedTuple

import numpy as np

__all__ = ["TrainingErrorBound", "training_error_bound"]


class TrainingErrorBound(NamedTuple):
    """The two forms of the bound, after each round."""

    product: np.ndarray  # of sqrt(1 - 4 beta_t^2)
    exponential: np.ndarray  # exp(-2 sum of beta_t^2), which is never smaller


def training_error_bound(errors):
    """An upper bound on the training error of AdaBoost, from the weighted errors of its hypotheses.

    With the edges ``beta_t = 1/2 - e_t`` the share of wrongly classified training examples after T rounds is at most
    ``prod_t sqrt(1 - 4 beta_t^2) <= exp(-2 sum_t beta_t^2)``. The product is the mean exponential cost of AdaBoost's
    ensemble.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        Weighted errors, at least 0 and below 1/2: `estimator_errors_` of an `AdaBoostClassifier`.

    Returns
    -------
    TrainingErrorBound
        Two arrays of shape (n_rounds,).

    References
    ----------
    barnes1999, theorem 7.

    Examples
    --------
    >>> from weaklearn.boosting import training_error_bound
    >>> bound = training_error_bound([0.3, 0.4])
    >>> bound.product.round(3), bound.exponential.round(3)
    (array([0.917, 0.898]), array([0.923, 0.905]))
    """
    errors = np.asarray(errors, dtype=np.float64)
    if errors.ndim != 1 or not ((errors >= 0) & (errors < 0.5)).all():
        raise ValueError("errors must be a list of weighted errors, at least 0 and below 1/2")
    squares = (0.5 - errors) ** 2
    return TrainingErrorBound(
        np.cumprod(np.sqrt(np.maximum(1 - 4 * squares, 0.0))), np.exp(-2 * np.cumsum(squares))
    )
