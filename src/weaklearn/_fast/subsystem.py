"""Search for a maximum feasible subsystem of strict inequalities <a_i, w> > 0 by elastic linear programs.

All rows get a slack that costs c_i per unit; the linear program that minimises the total slack is solved
(`simplex.descend_hinge`), one row that needs slack is dropped, and the program is solved again from where it stands,
until no slack is left (Chinneck, 1996, 2001). What has been dropped is a small set of rows without which the rest is
feasible. The search goes on from there: put a few dropped rows back at random, repair, keep the result unless it
is worse.
"""

import numpy as np
from numba import njit

from weaklearn._fast.simplex import copy_vertex, descend_hinge, hinge_sum, refactor, set_cost

__all__ = ["move_to", "search_rounds", "start_search", "uniform"]

_ZERO = 1e-9  # a score below this share of the largest one is on the hyperplane
_BACK, _TAIL = 3.0, 0.7  # rows put back: 3 / u^0.7 with u uniform in (0, 1)
_REFRESH = 300  # simplex steps between rebuilding the inverse
_MOST_STEPS = 200  # simplex steps per row: far more than are ever needed, against rounding on degenerate data


@njit(cache=True, nogil=True)
def uniform(state):
    """A number in [0, 1) from a generator whose whole state is one 64-bit word (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def _note(phi, target, vertex, wrong, best, best_w):
    """Weight of the rows with score <= 0 at the present vertex; marks them in ``wrong``."""
    r = vertex[4]
    largest = 0.0
    for i in range(phi.size):
        largest = max(largest, abs(r[i] + target[i]))
    error = 0.0
    for i in range(phi.size):
        wrong[i] = not r[i] + target[i] > _ZERO * largest
        if wrong[i]:
            error += phi[i]
    if error < best[0] - 1e-12:
        best[0] = error
        best_w[:] = vertex[0]
    return error


@njit(cache=True, nogil=True)
def _repair(A, columns, phi, target, vertices, tested, max_steps, work, wrong, best, best_w):
    """Drop rows until the rest is feasible; returns the number of simplex steps."""
    vertex, _, trial, chosen = vertices
    row, steps, items = work
    n = phi.size
    r, cost = vertex[4], vertex[5]
    done = descend_hinge(A, columns, vertex, max_steps, row, steps, items)
    candidates = np.empty(tested, np.int64)
    while done < max_steps:
        _note(phi, target, vertex, wrong, best, best_w)
        count = 0
        for i in range(n):
            if r[i] < -_ZERO and cost[i] > 0.0:
                # The largest violations, in order.
                q = min(count, tested - 1)
                if count < tested:
                    count += 1
                elif r[i] >= r[candidates[q]]:
                    continue
                while q > 0 and r[candidates[q - 1]] > r[i]:
                    candidates[q] = candidates[q - 1]
                    q -= 1
                candidates[q] = i
        if count == 0:
            break
        if count == 1:
            set_cost(A, vertex, candidates[0], 0.0)
            done += descend_hinge(A, columns, vertex, max_steps, row, steps, items)
            continue
        slack = hinge_sum(r, cost)
        best_gain = -np.inf
        for q in range(count):
            i = candidates[q]
            copy_vertex(vertex, trial)
            set_cost(A, trial, i, 0.0)
            done += descend_hinge(A, columns, trial, max_steps, row, steps, items)
            gain = (slack - hinge_sum(trial[4], trial[5])) / phi[i]
            if gain > best_gain:
                best_gain = gain
                copy_vertex(trial, chosen)
        copy_vertex(chosen, vertex)
    return done


@njit(cache=True, nogil=True)
def start_search(A, columns, phi, target, vertices, tested, best, best_w):
    """Repair the whole system from w = 0: the largest ``tested`` violations are candidates for each drop.

    ``vertices`` are four vertices to work on, the first at w = 0. ``best`` (length 1) and ``best_w`` receive the
    smallest weight of rows with <a_i, w> <= 0 and its w.
    """
    n, p = A.shape
    work = (np.empty(n), np.empty(n), np.empty(n, np.int64))
    for i in range(n):
        set_cost(A, vertices[0], i, phi[i])
    _repair(
        A,
        columns,
        phi,
        target,
        vertices,
        tested,
        _MOST_STEPS * (n + p),
        work,
        np.empty(n, np.bool_),
        best,
        best_w,
    )
    refactor(A, target, vertices[0])


@njit(cache=True, nogil=True)
def search_rounds(A, columns, phi, target, vertices, rng, errors, best, best_w):
    """One round of put-back-and-repair for each entry of ``errors``, which receives the best error so far.

    How many rows come back follows a heavy-tailed law, so that most rounds are local and a few start almost from
    scratch; costs are drawn anew in every round around phi_i, so that the same rows are not dropped in the
    same order again.
    """
    vertex, saved, _, _ = vertices
    n, p = A.shape
    work = (np.empty(n), np.empty(n), np.empty(n, np.int64))
    wrong = np.empty(n, np.bool_)
    removed = np.empty(n, np.int64)
    max_steps = _MOST_STEPS * (n + p)
    since = 0
    error = _note(phi, target, vertex, wrong, best, best_w)
    for t in range(errors.size):
        if best[0] <= 0.0:
            errors[t:] = best[0]
            return
        if since > _REFRESH:
            refactor(A, target, vertex)
            since = 0
        # Rows that are right stay in, rows that are wrong are out.
        _note(phi, target, vertex, wrong, best, best_w)
        count = 0
        for i in range(n):
            set_cost(A, vertex, i, 0.0 if wrong[i] else phi[i] * (0.5 + uniform(rng)))
            if wrong[i]:
                removed[count] = i
                count += 1
        since += descend_hinge(A, columns, vertex, max_steps, work[0], work[1], work[2])
        copy_vertex(vertex, saved)
        back = min(count, int(_BACK / (uniform(rng) + 1e-9) ** _TAIL))
        for q in range(back):
            other = q + int(uniform(rng) * (count - q))
            removed[q], removed[other] = removed[other], removed[q]
            set_cost(A, vertex, removed[q], phi[removed[q]] * (0.5 + uniform(rng)))
        since += _repair(A, columns, phi, target, vertices, 1, max_steps, work, wrong, best, best_w)
        found = _note(phi, target, vertex, wrong, best, best_w)
        if found <= error + 1e-12:
            error = found
        else:
            copy_vertex(saved, vertex)
        errors[t] = best[0]


@njit(cache=True, nogil=True)
def move_to(A, target, vertex, w):
    """Put a vertex without a basis at a point with <a_i, w> >= tau_i for the rows that w gets right.

    Those rows are in the problem, the others out, so that rounds can start from a solution found elsewhere.
    """
    n, p = A.shape
    smallest = np.inf
    for i in range(n):
        score = np.dot(A[i], w)
        if score > _ZERO:
            smallest = min(smallest, score / target[i])
    scale = 1.0 / smallest if smallest < np.inf else 1.0
    vertex[1][:] = 0.0
    for k in range(p):
        vertex[0][k] = scale * w[k]
        vertex[1][k, k] = 1.0
    vertex[2][:] = 0.0
    vertex[3][:] = -1
    vertex[6][:] = False
    for i in range(n):
        vertex[4][i] = scale * np.dot(A[i], w) - target[i]
        vertex[5][i] = 0.0
