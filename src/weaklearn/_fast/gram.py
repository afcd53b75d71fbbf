"""City-block distances: the one kernel that no matrix product gives."""

from numba import njit

# Columns of Y per tile: a tile of 64 rows of a few hundred features stays in the L2 cache.
_TILE = 64


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def cityblock(X, Y, out):
    """out[i, j] = sum_k |X[i, k] - Y[j, k]|, tile by tile."""
    n, m = X.shape
    p = Y.shape[0]
    for first in range(0, p, _TILE):
        last = min(first + _TILE, p)
        for i in range(n):
            for j in range(first, last):
                total = X.dtype.type(0.0)
                for k in range(m):
                    total += abs(X[i, k] - Y[j, k])
                out[i, j] = total
