r"""Weighted ridge regression with a free bias and its leave-one-out predictions in closed form.

For rows with weights :math:`u_i` and targets :math:`y_i`, minimise
:math:`\sum_i u_i (y_i - f(x_i) - b)^2 + \lambda \|f\|^2`. Let tilde mean "centred by the weighted mean and times
:math:`\sqrt{u_i}`". The fitted values are :math:`\tilde y \mapsto A\,\mathrm{diag}(s / (s + \lambda))\,A^T \tilde y`
with the eigenvectors A and eigenvalues s of the centred, weighted kernel matrix, so one decomposition serves all
:math:`\lambda` and all classes, and the leverage of a row is
:math:`h_i = u_i / \sum_j u_j + \sum_r A_{ir}^2 s_r / (s_r + \lambda)`.

Without the share :math:`\phi_i` of row i's weight, the residual at row i is
:math:`(y_i - \hat y_i) / (1 - \phi_i h_i)`. This is exact (Sherman and Morrison). :math:`\phi_i = 1` leaves out
the row; :math:`\phi_i = 1/c` leaves out one of its c copies.

Kernels are divided by their weighted mean diagonal after centring, so that the same grid of :math:`\lambda` does for
all of them and for tables of any size.
"""

import numpy as np
from scipy import linalg

__all__ = ["CLIP", "STRENGTHS", "DualRidge", "PrimalRidge", "choose_strength"]

# Smallest first. The lower end lets directions of 0.01% of the variance in: crabs are told apart by such a one.
STRENGTHS = 10.0 ** np.arange(-4, 3.26, 0.25)
# Leave-one-out values beyond this are those of rows that the others say nothing about.
CLIP = 3.0
_ALLOWANCE = 0.25


def choose_strength(left_out, Y, weight):
    """Index of the largest strength whose squared leave-one-out error is within a quarter s.e. of the least.

    ``left_out`` has the shape (n_strengths, n_samples, n_targets).
    """
    loss = ((Y - left_out) ** 2).sum(axis=2)
    total = weight.sum()
    mean = loss @ weight / total
    best = int(np.argmin(mean))
    excess = loss - loss[best]
    # Of the paired difference, not of the loss itself: rows that every strength gets wrong say nothing here.
    deviation = np.sqrt(np.maximum(excess**2 @ weight / total - (mean - mean[best]) ** 2, 0) / total)
    allowed = mean - mean[best] <= _ALLOWANCE * deviation
    return int(np.flatnonzero(allowed)[-1])


def _left_out(B, s, y_mean, projected, Y, weight, total, share, strengths):
    """Leave-one-out predictions from the thin spectral form.

    B is A without the roots of the weights, ``projected`` is A^T of the tilde targets, ``total`` the weight of the
    whole table, of which the rows here may be a part.
    """
    shrink = s[:, None] / (s[:, None] + strengths)
    leverage = weight[:, None] * (1 / total + (B**2) @ shrink)
    left_out = np.empty((len(strengths), *Y.shape))
    for k in range(len(strengths)):
        fitted = y_mean + B @ (shrink[:, [k]] * projected)
        remaining = np.maximum(1 - share * leverage[:, k], 1e-9)[:, None]
        left_out[k] = Y - (Y - fitted) / remaining
    return np.clip(left_out, -CLIP, CLIP, out=left_out)


class DualRidge:
    """Ridge in the span of the training rows: for kernels without few features, up to some thousand rows.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Conditionally positive definite.
    weight, share : ndarray of shape (n,)
    """

    def __init__(self, K, weight, share):
        self.weight, self.share = weight, share
        normed = weight / weight.sum()
        self._column_mean = K @ normed
        centred = K - self._column_mean - self._column_mean[:, None] + normed @ self._column_mean
        scale = normed @ np.diag(centred)
        self.scale = scale if scale > 0 else 1.0
        root = np.sqrt(weight)
        centred *= root[:, None] * root / self.scale
        s, A = linalg.eigh(centred, overwrite_a=True, check_finite=False, driver="evd")
        used = s > max(s[-1], 0) * 1e-13 + 1e-300
        self.s, self.A = s[used], A[:, used]

    def left_out(self, Y, strengths=STRENGTHS):
        """Leave-one-out predictions, one (n, n_targets) array per strength."""
        root = np.sqrt(self.weight)[:, None]
        self._y_mean = self.weight @ Y / self.weight.sum()
        self._projected = self.A.T @ (root * (Y - self._y_mean))
        return _left_out(
            self.A / root,
            self.s,
            self._y_mean,
            self._projected,
            Y,
            self.weight,
            self.weight.sum(),
            self.share,
            strengths,
        )

    def solution(self, strength):
        """Coefficients c and bias b of f(x) = sum_j c_j k(x, x_j) + b, for the targets last given."""
        root = np.sqrt(self.weight)[:, None]
        beta = root * (self.A @ (self._projected / (self.s + strength)[:, None])) / self.scale
        coef = beta - np.outer(self.weight / self.weight.sum(), beta.sum(axis=0))
        return coef, self._y_mean - self._column_mean @ coef

    def influence(self, strength):
        """Matrix M with g(x, x_i) = 1/U + sum_j k(x, x_j) M_ji + offset_i; see `influence_offset`."""
        root = np.sqrt(self.weight)[:, None]
        beta = root * ((self.A / (self.s + strength)) @ (self.A / root).T) / self.scale
        return beta - np.outer(self.weight / self.weight.sum(), beta.sum(axis=0))

    def influence_offset(self, influence_rows):
        """The constants of `influence`, whose transposed columns are given."""
        return -influence_rows @ self._column_mean


class PrimalRidge:
    """Ridge on explicit features, block by block: linear kernels, and landmarks for large tables.

    Parameters
    ----------
    blocks : list of slice
        The rows, in pieces.
    features : callable
        From a slice to the features of its rows, an array (rows, m). It is called twice for each row, so that a large
        table need not be kept in this form.
    weight, share : ndarray of shape (n,)
    Y : ndarray of shape (n, n_targets)
    basis : ndarray of shape (m, r), default=None
        The penalty is on ``features @ basis``: kernel values of landmarks need not be rotated row by row.
    """

    def __init__(self, blocks, features, weight, share, Y, basis=None):
        self.features = features
        self.weight, self.share = weight, share
        self._Y = Y
        self._total = weight.sum()
        self._y_mean = weight @ Y / self._total
        self.mean, gram, product = 0.0, 0.0, 0.0
        for rows in blocks:
            F = features(rows)
            weighted = F * weight[rows, None]
            self.mean = self.mean + weighted.sum(axis=0)
            gram = gram + weighted.T @ F
            product = product + weighted.T @ (Y[rows] - self._y_mean)
        self.mean = self.mean / self._total
        gram = gram - self._total * np.outer(self.mean, self.mean)
        if basis is not None:
            gram = basis.T @ gram @ basis
        scale = np.trace(gram) / self._total
        self.scale = scale if scale > 0 else 1.0
        s, Q = linalg.eigh(gram / self.scale, overwrite_a=True, check_finite=False, driver="evd")
        used = s > max(s[-1], 0) * 1e-12 + 1e-300
        self.s = s[used]
        # Features times this are the columns of A without the root of the weight.
        self.rotation = Q[:, used] / np.sqrt(self.s * self.scale)
        if basis is not None:
            self.rotation = basis @ self.rotation
        # Weighted targets are centred, so the mean of the features takes no part.
        self._projected = self.rotation.T @ product

    def spectral(self, features):
        """Features in the coordinates in which the weighted Gram matrix is the identity."""
        return features @ self.rotation - self.mean @ self.rotation

    def left_out(self, rows, strengths=STRENGTHS):
        """Leave-one-out predictions of some rows (a slice or indices) by machines fitted to all the others."""
        return _left_out(
            self.spectral(self.features(rows)),
            self.s,
            self._y_mean,
            self._projected,
            self._Y[rows],
            self.weight[rows],
            self._total,
            self.share[rows],
            strengths,
        )

    def solution(self, strength):
        """Coefficients w and bias b of f(x) = features(x) w + b."""
        coef = self.rotation @ (self._projected * (self.s / (self.s + strength))[:, None])
        return coef, self._y_mean - self.mean @ coef
