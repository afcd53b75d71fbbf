"""All linear dichotomies of points in the plane, by the exact threshold search in every direction."""

import numpy as np
from numba import njit

from weaklearn._fast.line_search import search_line


@njit(cache=True, nogil=True)
def search_plane(X, yw, angles, err, work):
    """Best threshold classifier over the given directions: (angle, threshold offset, error, negate).

    For each angle the points are projected on (cos, sin) and the best threshold of either polarity is
    found; the classifier is sign(projection + offset), negated if ``negate``. ``err`` bounds the rounding of
    a projection; ``work`` is from `workspace`.
    """
    n = X.shape[0]
    projection = np.empty(n)
    ones = np.ones(n)
    best_error = np.inf
    best_angle = 0.0
    best_offset = 0.0
    best_negate = False
    for angle in angles:
        c, s = np.cos(angle), np.sin(angle)
        for i in range(n):
            projection[i] = c * X[i, 0] + s * X[i, 1]
        offset, error, negate = search_line(projection, ones, yw, err, 0.0, 0.0, True, work)
        if error < best_error:
            best_error, best_angle, best_offset, best_negate = error, angle, offset, negate
    return best_angle, best_offset, best_error, best_negate
