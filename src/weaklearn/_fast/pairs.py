"""Kernels of `weaklearn.robust` for all pairs of rows, each in one pass over a block that stays in the cache.

``product`` has the inner products of the rows P and Q, ``p`` and ``q`` their squared lengths.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def negative_distances(product, p, q, out):
    """out = -|p - q|_2."""
    for i in range(len(p)):
        for j in range(len(q)):
            out[i, j] = -np.sqrt(max(-2 * product[i, j] + p[i] + q[j], 0.0))


@njit(cache=True, nogil=True)
def scaled_squares(product, p, q, scale, out):
    """out = -|p - q|_2^2 / scale."""
    for i in range(len(p)):
        for j in range(len(q)):
            out[i, j] = -max(-2 * product[i, j] + p[i] + q[j], 0.0) / scale


@njit(cache=True, nogil=True)
def add_half_square(product, scale, out):
    """out = product + product^2 / (2 scale)."""
    for i in range(len(product)):
        for j in range(product.shape[1]):
            x = product[i, j]
            out[i, j] = x + 0.5 * (x * x) / scale


@njit(cache=True, nogil=True)
def negative_city_block(P, columns, out):
    """out = -|p - q|_1 for the columns of Q, summed in their order."""
    for i in range(len(P)):
        row = out[i]
        row[:] = 0.0
        for k in range(len(columns)):
            x, column = P[i, k], columns[k]
            for j in range(len(column)):
                row[j] -= abs(x - column[j])
