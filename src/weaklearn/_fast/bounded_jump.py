"""Compiled least squares along a chain whose consecutive jumps are bounded from both sides.

Dynamic programming on convex, piecewise quadratic functions. Let F_i(v) be the least cost of the entries
up to i given that entry i is v. The graph of its derivative is a rising broken line in the plane (with
vertical pieces, and a vertical ray where F_i turns infinite). A jump between a and b maps F_i to the
least of F_i(u) over v - b <= u <= v - a: the part of the line below zero moves right by a, the part above
by b, and a flat stretch at zero joins them. The next entry then adds w (v - y). Going back, the best
entry i is the minimiser of F_i moved into the interval that entry i + 1 leaves to it, as F_i is convex.

Every step adds at most two corners, so n entries take at most of the order of n^2 steps, and no iteration.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _zero(at, slope, corners, left, right):
    """Where the line meets zero, and the number of corners strictly below zero."""
    below = 0
    while below < corners and slope[below] < 0:
        below += 1
    if below == 0:
        return at[0] - slope[0] / left, below  # a vertical ray is an infinite slope
    if below == corners:
        return at[corners - 1] - slope[corners - 1] / right, below
    share = -slope[below - 1] / (slope[below] - slope[below - 1])
    return at[below - 1] + share * (at[below] - at[below - 1]), below


@njit(cache=True, nogil=True)
def bounded_jumps(y, w, least, most, first, last, out):
    """Minimise sum w (out - y)^2 subject to least[i] <= out[i + 1] - out[i] <= most[i].

    ``first`` and ``last`` are the (low, high) bounds of the first and the last entry. ``least`` is finite,
    weights are positive, and the caller has checked that some solution exists.
    """
    n = y.shape[0]
    at, slope = np.empty(2 * n + 2), np.empty(2 * n + 2)
    best, low, high = np.empty(n), np.empty(n), np.empty(n)
    low[0], high[0] = first[0], first[1]
    left = np.inf if np.isfinite(first[0]) else 0.0
    right = np.inf if np.isfinite(first[1]) else 0.0
    corners = 0
    for end in first:
        if np.isfinite(end):
            at[corners], slope[corners] = end, 0.0
            corners += 1
    if corners == 0:
        at[0], slope[0] = y[0], 0.0
        corners = 1
    for i in range(n):
        if i > 0:
            a, b = least[i - 1], most[i - 1]
            zero, below = _zero(at, slope, corners, left, right)
            for k in range(below):
                at[k] += a
            if b < np.inf:
                for k in range(corners - 1, below - 1, -1):
                    at[k + 2], slope[k + 2] = at[k] + b, slope[k]
                at[below + 1], slope[below + 1] = zero + b, 0.0
                corners += 2
            else:
                corners, right = below + 1, 0.0
            at[below], slope[below] = zero + a, 0.0
            low[i], high[i] = low[i - 1] + a, high[i - 1] + b
        for k in range(corners):
            slope[k] += w[i] * (at[k] - y[i])
        left += w[i]
        right += w[i]
        best[i] = _zero(at, slope, corners, left, right)[0]
    from_below, from_above = max(low[n - 1], last[0]), min(high[n - 1], last[1])
    for i in range(n - 1, -1, -1):
        out[i] = min(max(best[i], from_below), from_above)
        if i > 0:
            from_below = max(low[i - 1], out[i] - most[i - 1])
            from_above = min(high[i - 1], out[i] - least[i - 1])
