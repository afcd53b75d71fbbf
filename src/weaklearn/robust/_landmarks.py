r"""Features that stand for a kernel on large tables (Nystroem): distances to a few rows instead of to all of them.

With landmarks :math:`z_1, \dots, z_m` and their centred kernel matrix :math:`U \mathrm{diag}(w) U^T`, the features of x
are :math:`w^{-1/2} U^T \tilde k(x)`, where the tilde subtracts means over landmarks. Their inner products are the
centred kernel exactly if one of the two rows is a landmark.
"""

import numpy as np
from scipy import linalg

__all__ = ["Landmarks", "row_blocks"]

_BLOCK_NUMBERS = 1 << 23


class Landmarks:
    """Nystroem features of a kernel; ``Z`` are the landmarks."""

    def __init__(self, kernel, Z):
        self.kernel, self.Z = kernel, Z
        K = kernel(Z, Z)
        self.mean = K.mean(axis=1)
        self.grand_mean = self.mean.mean()
        w, U = linalg.eigh(K - self.mean - self.mean[:, None] + self.grand_mean, check_finite=False)
        used = w > w[-1] * 1e-9
        self.rotation = U[:, used] / np.sqrt(w[used])

    def features(self, X):
        K = self.kernel(X, self.Z)
        return (K - self.mean - K.mean(axis=1, keepdims=True) + self.grand_mean) @ self.rotation


def row_blocks(n_rows, n_numbers_per_row):
    """Slices of rows that keep a block at about 64 MB."""
    step = max(256, _BLOCK_NUMBERS // max(n_numbers_per_row, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
