"""Sequential minimal optimisation for the dual of a support vector machine with a bias.

With signed coefficients beta_i = y_i alpha_i the dual is

    minimise  1/2 beta' K beta - y' beta   subject to  sum beta = 0,  lower <= beta <= upper,

where [lower_i, upper_i] is [0, C_i] for y_i = +1 and [-C_i, 0] for y_i = -1. Its gradient is F = K beta - y. A point is
optimal iff F_i >= F_j for no i that can fall and j that can rise; the largest such difference is the *gap*, and the
bias lies between the two. Labels do not appear anywhere else.
"""

import numpy as np
from numba import njit

CONVERGED, OUT_OF_STEPS, UNBOUNDED = 0, 1, 2
# What a curvature that is not positive (a kernel that is not positive definite, or equal rows) is replaced by.
_FLAT = 1e-12
# A hard margin below this share of the diameter counts as none.
_NO_MARGIN = 1e-5
_CHECK_EVERY = 512


@njit(cache=True, nogil=True)
def gradient(gram, y, beta, F):
    """F = gram @ beta - y from scratch, reading only the rows with a coefficient."""
    for i in range(F.size):
        F[i] = -y[i]
    for j in range(beta.size):
        if beta[j] != 0.0:
            row = gram[j]
            size = beta[j]
            for i in range(F.size):
                F[i] += size * row[i]


@njit(cache=True, nogil=True, error_model="numpy")
def smo(gram, diagonal, y, lower, upper, hard, tol, max_steps, beta, F):
    """Pairs by second-order selection (Fan, Chen and Lin, 2005) until the gap is below tol.

    beta (feasible) and F (its gradient) are updated in place. With ``hard``, all bounds being infinite, it also looks
    out for classes that cannot be separated. Returns (steps, gap, lowest F that can rise, highest F
    that can fall, status).
    """
    n = y.size
    can_rise = np.empty(n, np.bool_)
    can_fall = np.empty(n, np.bool_)
    low, high = np.inf, -np.inf
    i = -1
    for k in range(n):
        can_rise[k] = beta[k] < upper[k]
        can_fall[k] = beta[k] > lower[k]
        if can_rise[k] and F[k] < low:
            low = F[k]
            i = k
        if can_fall[k] and F[k] > high:
            high = F[k]
    diameter = 0.0
    for step in range(max_steps):
        if high - low < tol or i < 0:
            return step, high - low, low, high, CONVERGED
        row_i = gram[i]
        own = diagonal[i]
        j = -1
        best = -1.0
        for k in range(n):
            drop = F[k] - low
            if can_fall[k] and drop > 0.0:
                curvature = own + diagonal[k] - 2.0 * row_i[k]
                if curvature < _FLAT:
                    curvature = _FLAT
                gain = drop * drop / curvature
                if gain > best:
                    best = gain
                    j = k
        curvature = max(own + diagonal[j] - 2.0 * row_i[j], _FLAT)
        diameter = max(diameter, curvature)
        size = min((F[j] - low) / curvature, upper[i] - beta[i], beta[j] - lower[j])
        # Landing on a bound exactly is what makes a coefficient bounded or zero.
        beta[i] = upper[i] if size == upper[i] - beta[i] else beta[i] + size
        beta[j] = lower[j] if size == beta[j] - lower[j] else beta[j] - size
        can_rise[i], can_fall[i] = beta[i] < upper[i], beta[i] > lower[i]
        can_rise[j], can_fall[j] = beta[j] < upper[j], beta[j] > lower[j]
        row_j = gram[j]
        low, high = np.inf, -np.inf
        i = -1
        for k in range(n):
            value = F[k] + size * (row_i[k] - row_j[k])
            F[k] = value
            if can_rise[k] and value < low:
                low = value
                i = k
            if can_fall[k] and value > high:
                high = value
        if hard and step % _CHECK_EVERY == _CHECK_EVERY - 1:
            # The hulls' points that beta stands for are |w| / s apart, s the sum of one side: no margin is wider.
            length, total = 0.0, 0.0
            for k in range(n):
                length += beta[k] * (F[k] + y[k])
                total += 0.5 * abs(beta[k])
            if length < (_NO_MARGIN * total) ** 2 * diameter:
                return step + 1, high - low, low, high, UNBOUNDED
    return max_steps, high - low, low, high, CONVERGED if high - low < tol else OUT_OF_STEPS


@njit(cache=True, nogil=True)
def simplified_smo(gram, y, upper, tol, partners, quiet_passes, alpha, scores):
    """The simplified algorithm of the CS229 notes, which may2020 (section 5, approach 2) uses.

    Looks at every example in turn and, where it violates its condition, changes it together with a random other one.
    ``partners`` (passes, n) holds numbers in 0 .. n - 2, from which the other one follows. Ends after ``quiet_passes``
    passes in a row without a change, or when the partners are used up; nothing guarantees an optimum. ``scores`` is
    the machine's output without its bias and, like ``alpha``, is updated in place. Returns (passes, bias).
    """
    n = y.size
    bias = 0.0
    quiet = 0
    for p in range(partners.shape[0]):
        changed = 0
        for i in range(n):
            error_i = scores[i] + bias - y[i]
            slope = y[i] * error_i
            if not ((slope < -tol and alpha[i] < upper[i]) or (slope > tol and alpha[i] > 0.0)):
                continue
            j = partners[p, i]
            j += j >= i
            error_j = scores[j] + bias - y[j]
            old_i, old_j = alpha[i], alpha[j]
            if y[i] != y[j]:
                least = max(0.0, old_j - old_i)
                most = min(upper[j], upper[i] + old_j - old_i)
            else:
                least = max(0.0, old_i + old_j - upper[i])
                most = min(upper[j], old_i + old_j)
            curvature = gram[i, i] + gram[j, j] - 2.0 * gram[i, j]
            if least >= most or curvature <= 0.0:
                continue
            new_j = min(max(old_j + y[j] * (error_i - error_j) / curvature, least), most)
            if abs(new_j - old_j) < 1e-5:
                continue
            new_i = old_i + y[i] * y[j] * (old_j - new_j)
            alpha[i], alpha[j] = new_i, new_j
            step_i, step_j = y[i] * (new_i - old_i), y[j] * (new_j - old_j)
            bias_i = bias - error_i - step_i * gram[i, i] - step_j * gram[i, j]
            bias_j = bias - error_j - step_i * gram[i, j] - step_j * gram[j, j]
            if 0.0 < new_i < upper[i]:
                bias = bias_i
            elif 0.0 < new_j < upper[j]:
                bias = bias_j
            else:
                bias = 0.5 * (bias_i + bias_j)
            row_i, row_j = gram[i], gram[j]
            for k in range(n):
                scores[k] += step_i * row_i[k] + step_j * row_j[k]
            changed += 1
        quiet = quiet + 1 if changed == 0 else 0
        if quiet >= quiet_passes:
            return p + 1, bias
    return partners.shape[0], bias
