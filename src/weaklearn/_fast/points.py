"""Passes over all points of a large data set that NumPy would need several copies for."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def project(X, direction):
    """<x_i, direction>, each summed in the same order: equal rows have equal projections to the last bit."""
    n, m = X.shape
    out = np.empty(n)
    for i in range(n):
        total = 0.0
        for j in range(m):
            total += X[i, j] * direction[j]
        out[i] = total
    return out


@njit(cache=True, nogil=True, error_model="numpy")
def signed_rows(X, picks, sign, centre, half_width):
    """Rows sign_i ((x_i - centre) / half_width, 1) of the picked points."""
    m = X.shape[1]
    out = np.empty((picks.size, m + 1))
    for q in range(picks.size):
        x = X[picks[q]]
        for j in range(m):
            out[q, j] = sign[q] * ((x[j] - centre[j]) / half_width[j])
        out[q, m] = sign[q]
    return out
