r"""Landmarks: a few rows that stand for all in a kernel (Nystroem), so that large tables cost a fixed sum per row.

With landmarks :math:`z_1, \dots, z_m` and their centred kernel matrix :math:`U \mathrm{diag}(w) U^T`, the features of x
are :math:`w^{-1/2} U^T k(x)` with the kernel values :math:`k(x) = (k(x, z_1), \dots, k(x, z_m))`. Up to a constant,
which the bias of a machine takes up, these are those of the centred kernel, because the columns of U add up to 0.
Inner products of centred features are the centred kernel exactly if one of the two rows is a landmark.

How many landmarks a table gets is what some seconds pay for: the cost is :math:`n m^2`.
"""

import numpy as np
from scipy import linalg

__all__ = ["Landmarks", "landmark_count"]

# Of n m^2, for two classes; more classes need finer machines, and cost everybody more.
_WORK = 2.5e9
_FEWEST = 300


def landmark_count(n_rows, n_classes, most):
    """The number of landmarks for a table: ``most`` for small ones, fewer for large ones."""
    affordable = int(np.sqrt(_WORK * n_classes / 2 / n_rows))
    return min(n_rows, most, max(affordable, _FEWEST))


class Landmarks:
    """Landmarks ``Z`` of a kernel; features are ``values(X) @ basis``."""

    def __init__(self, kernel, Z):
        self.kernel, self.Z = kernel, np.asarray(Z, dtype=np.float64)
        K = kernel(self.Z, self.Z)
        mean = K.mean(axis=1)
        w, U = linalg.eigh(K - mean - mean[:, None] + mean.mean(), check_finite=False, driver="evd")
        used = w > w[-1] * 1e-9
        self.basis = U[:, used] / np.sqrt(w[used])

    def values(self, X):
        """Kernel values, (n_samples, n_landmarks)."""
        return self.kernel(np.asarray(X, dtype=np.float64), self.Z)
