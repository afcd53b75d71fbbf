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

The kernels are conditionally positive definite, so that a machine with a bias may use them:

- *linear*, :math:`\langle p, q \rangle`;
- *quadratic*, :math:`\langle p, q \rangle + \tfrac12 \langle p, q \rangle^2 / m` for m columns: products of
  two columns;
- *stump*, :math:`-\|p - q\|_1`: all decision stumps at once (li2006, chapter 5);
- *perceptron*, :math:`-\|p - q\|_2`: all perceptrons at once (ibid.);
- *rbf*, :math:`e^{-\|p - q\|_2^2 / m}`;
- *laplace*, :math:`e^{-\|p - q\|_1 / m}`.

Columns have mean 0 and standard deviation 1, so that m is half the mean squared distance.

*Landmarks* are a few rows that stand for all in a kernel (Nystroem), so that large tables cost a fixed sum per row.
With landmarks :math:`z_1, \dots, z_m` and their centred kernel matrix :math:`U \mathrm{diag}(w) U^T`, the features of x
are :math:`w^{-1/2} U^T k(x)` with the kernel values :math:`k(x) = (k(x, z_1), \dots, k(x, z_m))`. Up to a constant,
which the bias of a machine takes up, these are those of the centred kernel, because the columns of U add up to 0.
Inner products of centred features are the centred kernel exactly if one of the two rows is a landmark.
"""

from functools import cached_property

import numpy as np
from scipy import linalg
from scipy.spatial.distance import cdist

from weaklearn._fast.pairs import add_half_square, negative_city_block, negative_distances, scaled_squares

# Smallest first. The lower end lets directions of 0.01% of the variance in: crabs are told apart by such a one.
STRENGTHS = 10.0 ** np.arange(-4, 3.26, 0.25)
# Leave-one-out values beyond this are those of rows that the others say nothing about.
CLIP = 3.0
_ALLOWANCE = 0.25
# Of n m^2 for m landmarks, for two classes; more classes need finer machines, whose cost grows, too.
_WORK = 2.5e9
_FEWEST = 300


class Pairs:
    """Rows P and Q, and the kernels of each pair, by name; what several kernels need is computed once.

    The kernels of new rows are compiled. Those of rows with themselves are not, to the same bits: the first fit of a
    table without landmarks does not wait for a compiler.
    """

    def __init__(self, P, Q):
        self.P, self.Q, self.scale = P, Q, float(P.shape[1])
        self._compiled = P is not Q

    @cached_property
    def _product(self):
        return self.P @ self.Q.T

    @cached_property
    def _squares(self):
        return [np.einsum("ij,ij->i", rows, rows) for rows in (self.P, self.Q)]

    @cached_property
    def _city_block(self):
        if self._compiled:
            return self._filled(negative_city_block, self.P, np.ascontiguousarray(self.Q.T))
        return -cdist(self.P, self.Q, "cityblock")

    def _filled(self, kernel, *arguments):
        values = np.empty((len(self.P), len(self.Q)))
        kernel(*arguments, values)
        return values

    def _squared_distances(self):
        p, q = self._squares
        return np.maximum(-2 * self._product + p[:, None] + q, 0)

    def kernel(self, name):
        """Kernel values, (len(P), len(Q)); not to be written to."""
        match name, self._compiled:
            case "linear", _:
                return self._product
            case "stump", _:
                return self._city_block
            case "quadratic", True:
                return self._filled(add_half_square, self._product, self.scale)
            case "quadratic", False:
                return self._product + 0.5 * self._product**2 / self.scale
            case "perceptron", True:
                return self._filled(negative_distances, self._product, *self._squares)
            case "perceptron", False:
                return -np.sqrt(self._squared_distances())
            case "rbf", True:
                exponent = self._filled(scaled_squares, self._product, *self._squares, self.scale)
            case "rbf", False:
                exponent = -self._squared_distances() / self.scale
            case "laplace", _:
                exponent = self._city_block / self.scale
        return np.exp(exponent, out=exponent)


def landmark_count(n_rows, n_classes, most):
    """The number of landmarks for a table: ``most`` for small ones, fewer for large ones."""
    affordable = int(np.sqrt(_WORK * n_classes / 2 / n_rows))
    return min(n_rows, most, max(affordable, _FEWEST))


def landmark_basis(kernel, Z):
    """The basis (m, r) that turns kernel values with landmarks Z into features."""
    K = Pairs(Z, Z).kernel(kernel)
    mean = K.mean(axis=1)
    w, U = linalg.eigh(K - mean - mean[:, None] + mean.mean(), check_finite=False, driver="evd")
    used = w > w[-1] * 1e-9
    return U[:, used] / np.sqrt(w[used])


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


class _Ridge:
    """What both machines share: the thin spectral form.

    In spectral coordinates (`spectral`), the weighted Gram matrix of the training rows is the identity: they are the
    rows of A without the roots of the weights. ``_projected`` is A^T of the tilde targets.
    """

    s: np.ndarray
    _projected: np.ndarray

    def __init__(self, weight, share, Y):
        self.weight, self.share, self._Y = weight, share, Y
        self._total = weight.sum()
        self._y_mean = weight @ Y / self._total

    def _spectral_rows(self, rows):
        raise NotImplementedError

    def left_out(self, rows=slice(None), strengths=STRENGTHS):
        """Leave-one-out predictions of some rows (a slice or indices), one (n_rows, n_targets) array per strength."""
        B, Y = self._spectral_rows(rows), self._Y[rows]
        shrink = self.s[:, None] / (self.s[:, None] + strengths)
        leverage = self.weight[rows, None] * (1 / self._total + (B**2) @ shrink)
        left_out = np.empty((len(strengths), *Y.shape))
        for k in range(len(strengths)):
            fitted = self._y_mean + B @ (shrink[:, [k]] * self._projected)
            remaining = np.maximum(1 - self.share[rows] * leverage[:, k], 1e-9)[:, None]
            left_out[k] = Y - (Y - fitted) / remaining
        return np.clip(left_out, -CLIP, CLIP, out=left_out)


class DualRidge(_Ridge):
    """Ridge in the span of the training rows: for kernel matrices K (n, n) of up to some thousand rows."""

    def __init__(self, K, weight, share, Y):
        super().__init__(weight, share, Y)
        self._normed = weight / self._total
        self._column_mean = K @ self._normed
        centred = K - self._column_mean - self._column_mean[:, None] + self._normed @ self._column_mean
        scale = self._normed @ np.diag(centred)
        self.scale = scale if scale > 0 else 1.0
        self._root = np.sqrt(weight)[:, None]
        centred *= self._root * self._root.T / self.scale
        s, A = linalg.eigh(centred, overwrite_a=True, check_finite=False, driver="evd")
        used = s > max(s[-1], 0) * 1e-13 + 1e-300
        self.s, self.A = s[used], A[:, used]
        self._projected = self.A.T @ (self._root * (Y - self._y_mean))

    def _spectral_rows(self, rows):
        return (self.A / self._root)[rows]

    def spectral(self, values):
        """Spectral coordinates of rows, from their kernel values with the training rows."""
        centred = values - self._column_mean - (values @ self._normed)[:, None]
        centred += self._normed @ self._column_mean
        return centred @ (self._root * self.A) / (self.s * self.scale)

    def solution(self, strength):
        """Coefficients c and bias b of f(x) = sum_j c_j k(x, x_j) + b."""
        beta = self._root * (self.A @ (self._projected / (self.s + strength)[:, None])) / self.scale
        coef = beta - np.outer(self._normed, beta.sum(axis=0))
        return coef, self._y_mean - self._column_mean @ coef


class PrimalRidge(_Ridge):
    """Ridge on explicit features, block by block: linear kernels, and landmarks for large tables.

    ``features`` gives those of a slice of rows, (rows, m). It is called twice for each block, so that a large table
    need not be kept in this form. The penalty is on ``features @ basis`` (m, r) if a basis is given: kernel values of
    landmarks need not be rotated row by row.
    """

    def __init__(self, blocks, features, weight, share, Y, basis=None):
        super().__init__(weight, share, Y)
        self._features = features
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
        self.rotation = Q[:, used] / np.sqrt(self.s * self.scale)
        if basis is not None:
            self.rotation = basis @ self.rotation
        # Weighted targets are centred, so the mean of the features takes no part.
        self._projected = self.rotation.T @ product

    def _spectral_rows(self, rows):
        return self.spectral(self._features(rows))

    def spectral(self, features):
        """Spectral coordinates of rows, from their features."""
        return features @ self.rotation - self.mean @ self.rotation

    def solution(self, strength):
        """Coefficients w and bias b of f(x) = features(x) w + b."""
        coef = self.rotation @ (self._projected * (self.s / (self.s + strength))[:, None])
        return coef, self._y_mean - self.mean @ coef
