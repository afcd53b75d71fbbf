"""Exact hard-margin SVM, one example in or out at a time: a dual active-set method on a growing set of constraints.

The problem over the members i of the set is to minimise ||w||^2 / 2 subject to y_i f(x_i) >= 1 with
f(x) = sum_j a_j K(x_j, x) + b, sum_j a_j = 0. On the support S all constraints hold with equality, so

    [0 1'; 1 K_SS] [b; a_S] = [0; y_S],

and the inverse of that bordered matrix is what is kept up to date, in O(|S|^2) for each example that joins
or leaves S. Between two joins the method of Goldfarb and Idnani (1983) holds: the current (S, a) is always
the optimum of the problem restricted to S, ||w|| only grows, so it ends, whatever the order. Only
differences K_ii + K_jj - 2 K_ij matter, hence conditionally positive definite kernels (minus a distance) will do.

Conventions: an example counts as violated when y f < 1 - 1e-9; the state with members of one class only has
an empty support; an example that is optimal with coefficient 0 stays outside the support.
"""

import numpy as np
from numba import njit

from weaklearn._fast.active_set import HIGH, N_NEGATIVE, N_POSITIVE, N_SUPPORT, evaluate, outputs

DONE = 0
NOT_SEPARABLE = 1

_VIOLATED = 1e-9
# The support's own residual, above which the linear system is polished, or factorised anew.
_POLISH = 1e-12
_REFACTOR = 1e-9
# A Schur complement below this share of the kernel's scale means that no direction of the feature space is left.
_SINGULAR = 1e-12
# A coefficient below this share of the largest is 0.
_IDLE = 1e-10


@njit(cache=True, nogil=True)
def _direction(state, c, beta):
    """How [b; a_S] answers a unit increase of a_c; returns the rate of f(x_c), 0 if x_c is no new direction."""
    m = state.counts[N_SUPPORT]
    row = state.K[c]
    inverse = state.inverse
    for p in range(m + 1):
        beta[p] = -inverse[0, p]
    for k in range(m):
        v = row[state.support[k]]
        line = inverse[k + 1]
        for p in range(m + 1):
            beta[p] -= v * line[p]
    rate = row[c] + beta[0]
    for k in range(m):
        rate += row[state.support[k]] * beta[k + 1]
    return rate


@njit(cache=True, nogil=True)
def _join(state, c, beta, rate):
    m = state.counts[N_SUPPORT]
    inverse = state.inverse
    for p in range(m + 1):
        scaled = beta[p] / rate
        line = inverse[p]
        for q in range(m + 1):
            line[q] += scaled * beta[q]
        line[m + 1] = scaled
    line = inverse[m + 1]
    for q in range(m + 1):
        line[q] = beta[q] / rate
    line[m + 1] = 1.0 / rate
    state.support[m] = c
    state.place[c] = m
    state.counts[N_SUPPORT] = m + 1


@njit(cache=True, nogil=True)
def _drop(state, k):
    """Take the k-th of the support out of the system; its coefficient becomes 0."""
    m = state.counts[N_SUPPORT]
    inverse = state.inverse
    last = m
    r = k + 1
    if r != last:
        # The last row and column move into the gap, so that the matrix stays a leading block.
        for q in range(m + 1):
            inverse[r, q], inverse[last, q] = inverse[last, q], inverse[r, q]
        for q in range(m + 1):
            inverse[q, r], inverse[q, last] = inverse[q, last], inverse[q, r]
    pivot = inverse[last, last]
    lost = inverse[last]
    for p in range(m):
        scaled = inverse[p, last] / pivot
        line = inverse[p]
        for q in range(m):
            line[q] -= scaled * lost[q]
    gone = state.support[k]
    moved = state.support[m - 1]
    state.support[k] = moved
    state.place[moved] = k
    state.place[gone] = -1
    state.coef[gone] = 0.0
    state.counts[N_SUPPORT] = m - 1


@njit(cache=True, nogil=True)
def _solve_correction(state, delta):
    """Add to (b, a_S) what the inverse says is missing; returns the residual before."""
    m = state.counts[N_SUPPORT]
    residual = state.work[1]
    total = 0.0
    for k in range(m):
        total += state.coef[state.support[k]]
    residual[0] = -total
    worst = 0.0
    for k in range(m):
        j = state.support[k]
        residual[k + 1] = state.y[j] - state.output[j]
        worst = max(worst, abs(residual[k + 1]))
    if worst > _POLISH:
        for p in range(m + 1):
            delta[p] = 0.0
        for q in range(m + 1):
            r = residual[q]
            line = state.inverse[q]
            for p in range(m + 1):
                delta[p] += r * line[p]
        state.bias[0] += delta[0]
        for k in range(m):
            state.coef[state.support[k]] += delta[k + 1]
    return worst


@njit(cache=True, nogil=True)
def _refactor(state):
    m = state.counts[N_SUPPORT]
    system = np.empty((m + 1, m + 1))
    system[0, 0] = 0.0
    for k in range(m):
        system[0, k + 1] = 1.0
        system[k + 1, 0] = 1.0
        for q in range(m):
            system[k + 1, q + 1] = state.K[state.support[k], state.support[q]]
    fresh = np.linalg.inv(system)
    for p in range(m + 1):
        for q in range(m + 1):
            state.inverse[p, q] = 0.5 * (fresh[p, q] + fresh[q, p])


@njit(cache=True, nogil=True)
def _accurate_outputs(state):
    """Outputs of all members, with (b, a_S) polished until the support's equations hold to rounding."""
    outputs(state)
    if _solve_correction(state, state.work[0]) > _POLISH:
        outputs(state)
        if _solve_correction(state, state.work[0]) > _REFACTOR:
            _refactor(state)
            for _ in range(2):
                outputs(state)
                _solve_correction(state, state.work[0])
            outputs(state)


@njit(cache=True, nogil=True)
def _enforce(state, c, scale):
    """Grow a_c until y_c f(x_c) = 1, dropping those of the support whose coefficients reach 0 on the way."""
    beta = state.work[0]
    y_c = state.y[c]
    slack = 1.0 - y_c * evaluate(state, c)
    while True:
        rate = _direction(state, c, beta)
        if rate <= _SINGULAR * scale:
            full = np.inf
        else:
            full = slack / rate
        step = full
        blocking = -1
        for k in range(state.counts[N_SUPPORT]):
            j = state.support[k]
            change = y_c * beta[k + 1] * state.y[j]
            if change < 0.0:
                bound = -state.coef[j] * state.y[j] / change
                if bound < step:
                    step = max(bound, 0.0)
                    blocking = k
        if step == np.inf:
            return NOT_SEPARABLE
        moved = step * y_c
        state.bias[0] += moved * beta[0]
        for k in range(state.counts[N_SUPPORT]):
            state.coef[state.support[k]] += moved * beta[k + 1]
        state.coef[c] += moved
        if blocking < 0:
            _join(state, c, beta, rate)
            return DONE
        slack -= step * max(rate, 0.0)
        _drop(state, blocking)


@njit(cache=True, nogil=True)
def _start_pair(state, i, j, scale):
    """The two-example optimum: i and j of opposite classes."""
    rate = state.K[i, i] + state.K[j, j] - 2.0 * state.K[i, j]
    if rate <= _SINGULAR * scale:
        return NOT_SEPARABLE
    state.counts[N_SUPPORT] = 1
    state.support[0] = i
    state.place[i] = 0
    state.inverse[0, 0] = -state.K[i, i]
    state.inverse[0, 1] = 1.0
    state.inverse[1, 0] = 1.0
    state.inverse[1, 1] = 0.0
    beta = state.work[0]
    rate = _direction(state, j, beta)
    _join(state, j, beta, rate)
    a = 2.0 / rate
    state.coef[i] = a * state.y[i]
    state.coef[j] = a * state.y[j]
    state.bias[0] = state.y[i] - state.coef[i] * state.K[i, i] - state.coef[j] * state.K[i, j]
    return DONE


@njit(cache=True, nogil=True)
def _clear(state):
    for k in range(state.counts[N_SUPPORT]):
        j = state.support[k]
        state.place[j] = -1
        state.coef[j] = 0.0
    state.counts[N_SUPPORT] = 0
    state.bias[0] = 0.0


@njit(cache=True, nogil=True)
def _begin(state, c, scale):
    """Start from c and the member of the other class nearest to it."""
    _clear(state)
    best = np.inf
    partner = -1
    for i in range(state.counts[HIGH]):
        if state.member[i] and state.y[i] != state.y[c]:
            distance = state.K[i, i] - 2.0 * state.K[i, c]
            if distance < best:
                best = distance
                partner = i
    return _start_pair(state, partner, c, scale)


@njit(cache=True, nogil=True)
def _drop_idle(state):
    """Take those out of the support whose coefficients are 0 up to rounding: they only touch the margin.

    Points on a line or on a lattice do so often, and which of them a path has met must not show in the count.
    """
    largest = 0.0
    for k in range(state.counts[N_SUPPORT]):
        largest = max(largest, abs(state.coef[state.support[k]]))
    k = 0
    while k < state.counts[N_SUPPORT]:
        if abs(state.coef[state.support[k]]) <= _IDLE * largest:
            _drop(state, k)
        else:
            k += 1


@njit(cache=True, nogil=True)
def _settle(state, scale):
    """Enforce the most violated constraint until none is violated."""
    # ||w|| grows with every enforced constraint, so this ends; the bound only guards against rounding.
    for _ in range(50 * state.counts[HIGH] + 50):
        _accurate_outputs(state)
        worst = 1.0 - _VIOLATED
        c = -1
        for i in range(state.counts[HIGH]):
            if state.member[i] and state.place[i] < 0:
                margin = state.y[i] * state.output[i]
                if margin < worst:
                    worst = margin
                    c = i
        if c < 0:
            _drop_idle(state)
            return DONE
        if _enforce(state, c, scale) != DONE:
            return NOT_SEPARABLE
    return NOT_SEPARABLE


@njit(cache=True, nogil=True)
def add(state, c, scale):
    """Make example c a member and restore the optimum.

    ``scale`` is the size of kernel differences, against which singularity is judged. After NOT_SEPARABLE the
    state is useless.
    """
    state.member[c] = True
    state.counts[HIGH] = max(state.counts[HIGH], c + 1)
    state.counts[N_POSITIVE if state.y[c] > 0 else N_NEGATIVE] += 1
    if state.counts[N_POSITIVE] == 0 or state.counts[N_NEGATIVE] == 0:
        return DONE
    if state.counts[N_SUPPORT] == 0:
        if _begin(state, c, scale) != DONE:
            return NOT_SEPARABLE
        return _settle(state, scale)
    if state.y[c] * evaluate(state, c) >= 1.0 - _VIOLATED:
        return DONE
    if _enforce(state, c, scale) != DONE:
        return NOT_SEPARABLE
    return _settle(state, scale)


@njit(cache=True, nogil=True)
def withdraw(state, c, scale):
    """Take example c out of the members and restore the optimum."""
    state.member[c] = False
    state.counts[N_POSITIVE if state.y[c] > 0 else N_NEGATIVE] -= 1
    while state.counts[HIGH] > 0 and not state.member[state.counts[HIGH] - 1]:
        state.counts[HIGH] -= 1
    if state.counts[N_POSITIVE] == 0 or state.counts[N_NEGATIVE] == 0:
        _clear(state)
        return DONE
    if state.place[c] < 0:
        return DONE
    _drop(state, state.place[c])
    # What is left need not be dual feasible: drop the most negative coefficient until it is. Then (S, a) is
    # the optimum restricted to S again, which is all that the method needs to go on from.
    while True:
        m = state.counts[N_SUPPORT]
        positive = 0
        for k in range(m):
            positive += state.y[state.support[k]] > 0
        if positive == 0 or positive == m:
            for i in range(state.counts[HIGH]):
                if state.member[i]:
                    if _begin(state, i, scale) != DONE:
                        return NOT_SEPARABLE
                    return _settle(state, scale)
        state.bias[0] = 0.0
        for k in range(m):
            state.coef[state.support[k]] = 0.0
        for q in range(m):
            label = state.y[state.support[q]]
            line = state.inverse[q + 1]
            state.bias[0] += label * line[0]
            for k in range(m):
                state.coef[state.support[k]] += label * line[k + 1]
        worst = 0.0
        blocking = -1
        for k in range(m):
            j = state.support[k]
            alpha = state.coef[j] * state.y[j]
            if alpha < worst:
                worst = alpha
                blocking = k
        if blocking < 0:
            return _settle(state, scale)
        _drop(state, blocking)
