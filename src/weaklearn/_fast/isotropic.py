"""Tyler's transform: rows of unit length that look the same in every direction.

Strict inequalities <a_i, w> > 0 are unchanged by scaling rows and by an invertible map of all of them. Of all such
forms the isotropic one,

    sum_i phi_i u_i u_i^T = (sum_i phi_i / p) I,      u_i = L a_i / |L a_i|,

is the one in which no direction is favoured (Tyler, 1987): on raw rows a linear program that minimises the sum of
violations often prefers the constant classifier. The map is found by fixed-point iteration on the scatter matrix
S = (L^T L)^-1,

    S <- (1 - rho) (p / sum_i phi_i) sum_i phi_i a_i a_i^T / (a_i^T S^-1 a_i) + rho I,

from whitened rows. Without the last term there is no fixed point where a subspace holds more than its share of
the rows, as with binary columns; with it the map stays well conditioned, and any invertible map is valid.
"""

import numpy as np
from scipy.linalg.lapack import dtrtri

_NULL = 1e-14  # eigenvalues of the Gram matrix below this share of the largest are zero
_THIN = 1e-8  # eigenvalues below this share are whitened no further
_SHRINKAGE = 0.02


def isotropic_rows(rows, weight, n_iter=12):
    """Isotropic unit rows (n, p) of full column rank p, and the map ``back`` (p, q) of weight vectors.

    ``w @ back`` is the weight vector on the given rows (n, q) that has the scores of w on the unit rows, up to positive
    factors. Weights are positive, and not all rows zero; rows of zeros stay zero.
    """
    rows = _unit(rows)
    weight = weight / weight.sum()
    values, vectors = _principal_axes(rows, weight)
    kept = values > _NULL * values[-1]
    values = np.maximum(values[kept], _THIN * values[-1])
    back = (vectors[:, kept] / np.sqrt(values)).T
    white = rows @ back.T
    p = len(back)
    # L^T of S^-1 = L^T L by Cholesky's factor of S; the first one is the identity.
    root = np.eye(p)
    for _ in range(n_iter):
        mapped = white @ root
        squared = np.einsum("ij,ij->i", mapped, mapped)
        squared[squared == 0] = 1.0
        scatter = (white * (weight * (p * (1.0 - _SHRINKAGE)) / squared)[:, None]).T @ white
        scatter.flat[:: p + 1] += _SHRINKAGE
        root, previous = dtrtri(np.linalg.cholesky(scatter), lower=1)[0].T, root
        if np.abs(root - previous).max() < 0.01:
            break
    unit = _unit(white @ root)
    return np.ascontiguousarray(unit), root.T @ back


def _principal_axes(rows, weight):
    """Eigenvalues, rising, and eigenvectors of the Gram matrix of the columns, without the zeros of wide rows."""
    if rows.shape[1] <= len(rows):
        return np.linalg.eigh((rows * weight[:, None]).T @ rows)
    _, singular, vectors = np.linalg.svd(rows * np.sqrt(weight)[:, None], full_matrices=False)
    return singular[::-1] ** 2, vectors[::-1].T


def _unit(rows):
    """Rows at unit length; rows of zeros as they are."""
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    length[length == 0] = 1.0
    return rows / length[:, None]
