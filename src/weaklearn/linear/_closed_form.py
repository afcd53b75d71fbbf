"""Learners without iterations: Fisher's linear discriminant, where other learners start, too, and least squares.

Conventions:

- Weights count as repetitions: means, covariance and class shares are weighted ones.
- The within-class covariance is divided by the total weight, which fixes the length of the weight vector;
  learners that start from it and then add examples to it depend on that length.
- The threshold lies between the projected class means, at the average of the two means that gives each
  class the share of the *other* one: the rarer a class, the smaller its side.
- Of all solutions of least squares the one of smallest norm is taken (the bias counts in the norm).
"""

from abc import abstractmethod

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf

from weaklearn._docstrings import documented
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, with_bias

# Eigenvalue shrinkage of a singular covariance matrix (li2005, section 4), and what counts as singular: a
# column of which all but this share of the variance is explained by the columns before it.
_SHRINKAGE = 1e-10


def fisher_weights(X, y, sample_weight):
    """Fisher's linear discriminant for labels -1.0 and +1.0: the coefficients, then the bias.

    Where it does not exist (the class means are equal, or there is only one class) the coefficients are 0 and the bias
    is the difference of the class shares.
    """
    phi = sample_weight / sample_weight.sum()
    phi_positive = np.where(y > 0, phi, 0.0)
    phi_negative = phi - phi_positive
    positive, negative = phi_positive.sum(), phi_negative.sum()
    weights = np.zeros(X.shape[1] + 1)
    weights[-1] = positive - negative
    if positive == 0 or negative == 0:
        return weights
    mean_positive = phi_positive @ X / positive
    mean_negative = phi_negative @ X / negative
    centred = X - np.where(y[:, None] > 0, mean_positive, mean_negative)
    if X.shape[1] > len(X):
        coef = _solve_wide(centred * np.sqrt(phi)[:, None], mean_positive - mean_negative)
    else:
        coef = _solve((centred * phi[:, None]).T @ centred, mean_positive - mean_negative)
    if coef.any():
        weights[:-1] = coef
        weights[-1] = -(coef @ (negative * mean_positive + positive * mean_negative))
    return weights


def _solve(covariance, difference):
    """covariance^-1 difference, with the covariance shrunk towards a multiple of the identity if singular."""
    diagonal = covariance.diagonal()
    factor, info = dpotrf(covariance, lower=1)
    # The squared pivots of the factorisation are the parts of each column's variance that earlier columns
    # leave unexplained; a rounding error can keep one positive that ought to be zero.
    if info == 0 and (factor.diagonal() ** 2 > _SHRINKAGE * diagonal).all():
        _, solution, info = dposv(covariance, difference, lower=1)
        if info == 0:
            return solution
    eigenvalues, vectors = np.linalg.eigh(covariance)
    # Rounding leaves about 1e-16 where there is 0; shrinkage would magnify that into the sixth digit.
    eigenvalues[eigenvalues <= 1e-14 * eigenvalues[-1]] = 0.0
    if not eigenvalues[-1] > 0:
        return difference  # no spread within the classes: every direction is as good as that of the means
    shrunk = (1 - _SHRINKAGE) * eigenvalues + _SHRINKAGE * eigenvalues.mean()
    return vectors @ (vectors.T @ difference / shrunk)


def _solve_wide(root, difference):
    """As `_solve` for the singular covariance root.T @ root of more columns than rows, without forming it."""
    _, singular, vectors = np.linalg.svd(root, full_matrices=False)
    eigenvalues = singular**2
    eigenvalues[eigenvalues <= 1e-14 * eigenvalues[0]] = 0.0
    if not eigenvalues[0] > 0:
        return difference
    floor = _SHRINKAGE * eigenvalues.sum() / root.shape[1]  # the eigenvalue of all other directions
    along = vectors @ difference
    return (
        vectors.T @ (along / ((1 - _SHRINKAGE) * eigenvalues + floor))
        + (difference - vectors.T @ along) / floor
    )


class _ClosedForm(LinearThresholdClassifier):
    """Base of the two learners: a subclass states its weight vector.

    Attributes
    ----------
    n_iter_ : int
        0: the solution is direct.
    error_curve_ : ndarray of shape (1,) or (n_classes, 1)
        Weighted training error.
    """

    @abstractmethod
    def _weights(self, X, y, sample_weight):
        """The coefficients, then the bias, for labels -1.0 and +1.0."""

    def _fit_signed(self, X, y, sample_weight, rng, start):
        weights = self._weights(X, y, sample_weight)
        wrong = y * (X @ weights[:-1] + weights[-1]) <= 0
        return LinearFit(weights, 0, np.array([sample_weight @ wrong / sample_weight.sum()]))


@documented
class FisherDiscriminant(_ClosedForm):
    r"""Fisher's linear discriminant.

    The direction that separates the class means best relative to the spread within the classes,

    .. math:: w = S^{-1} (\mu_+ - \mu_-), \qquad b = -\langle w, p_- \mu_+ + p_+ \mu_- \rangle,

    with the weighted means and shares :math:`\mu_\pm, p_\pm` of the classes and the weighted within-class
    covariance :math:`S`. A singular :math:`S` is replaced by
    :math:`(1 - \gamma) S + \gamma\, m^{-1} \operatorname{tr}(S)\, I` with :math:`\gamma = 10^{-10}`.
    The direction is that of linear discriminant analysis; the threshold is not: it divides
    the distance of the projected means in proportion to the class shares.

    Notes
    -----
    The document does not say where the threshold lies; with this choice the learners that start from
    the discriminant have the errors it reports. Scaling the columns changes nothing but the meaning of the
    shrinkage: the weights are computed on columns scaled to [-1, 1].

    References
    ----------
    li2005, section 4, "Initial Seeding".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn.linear import FisherDiscriminant
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> FisherDiscriminant().fit(X, y).score(X, y) > 0.9
    True
    """

    _weights = staticmethod(fisher_weights)


@documented
class LeastSquaresClassifier(_ClosedForm):
    r"""Linear least squares on labels -1 and +1.

    Minimises :math:`\sum_i \varphi_i (\langle w, x_i \rangle + b - y_i)^2`; where several weight vectors
    do, the one of smallest norm is taken.

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

    def _weights(self, X, y, sample_weight):
        columns = with_bias(X) if self.fit_intercept else X
        root = np.sqrt(sample_weight / sample_weight.max())
        solution, *_ = np.linalg.lstsq(columns * root[:, None], y * root, rcond=None)
        weights = np.zeros(X.shape[1] + 1)
        weights[: len(solution)] = solution
        return weights
