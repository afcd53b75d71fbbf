r"""The kernels of the ridge machines, each conditionally positive definite, so that a machine with a bias may use it.

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

import numpy as np
from scipy import linalg
from scipy.spatial.distance import cdist

__all__ = ["KERNELS", "Landmarks", "landmark_count"]

# Of n m^2 for m landmarks, for two classes; more classes need finer machines, whose cost grows, too.
_WORK = 2.5e9
_FEWEST = 300


def _squared_distances(P, Q):
    squared = P @ Q.T
    squared *= -2
    squared += np.einsum("ij,ij->i", P, P)[:, None]
    squared += np.einsum("ij,ij->i", Q, Q)
    np.maximum(squared, 0, out=squared)
    return squared


def linear(P, Q):
    return P @ Q.T


def quadratic(P, Q):
    product = P @ Q.T
    return product + 0.5 * product**2 / P.shape[1]


def stump(P, Q):
    return -cdist(P, Q, "cityblock")


def perceptron(P, Q):
    return -np.sqrt(_squared_distances(P, Q))


def rbf(P, Q):
    return np.exp(-_squared_distances(P, Q) / P.shape[1])


def laplace(P, Q):
    return np.exp(-cdist(P, Q, "cityblock") / P.shape[1])


KERNELS = {
    "linear": linear,
    "quadratic": quadratic,
    "stump": stump,
    "perceptron": perceptron,
    "rbf": rbf,
    "laplace": laplace,
}


def landmark_count(n_rows, n_classes, most):
    """The number of landmarks for a table: ``most`` for small ones, fewer for large ones."""
    affordable = int(np.sqrt(_WORK * n_classes / 2 / n_rows))
    return min(n_rows, most, max(affordable, _FEWEST))


class Landmarks:
    """Landmarks ``Z`` of a kernel, by its name; features are ``values(X) @ basis``."""

    def __init__(self, kernel, Z):
        self.kernel, self.Z = kernel, np.asarray(Z, dtype=np.float64)
        K = self.values(self.Z)
        mean = K.mean(axis=1)
        w, U = linalg.eigh(K - mean - mean[:, None] + mean.mean(), check_finite=False, driver="evd")
        used = w > w[-1] * 1e-9
        self.basis = U[:, used] / np.sqrt(w[used])

    def values(self, X):
        """Kernel values, (n_samples, n_landmarks)."""
        return KERNELS[self.kernel](np.asarray(X, dtype=np.float64), self.Z)
