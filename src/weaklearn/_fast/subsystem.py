"""Search for a maximum feasible subsystem of strict inequalities <a_i, w> > 0 by elastic linear programs.

All rows get a slack that costs c_i per unit; the linear program that minimises the total slack is solved
(`simplex.descend_hinge`), the row that needs most slack is dropped, and the program is solved again from where it
stands, until no slack is left (Chinneck, 1996, 2001). What has been dropped is a small set of rows without which the
rest is feasible. The search continues from there: put a few dropped rows back at random, repair, keep the result unless
it is worse.
"""

import numpy as np
from numba import njit

from weaklearn._fast.simplex import NONE, copy_vertex, descend_hinge, refactor, set_cost

__all__ = ["move_to", "search_rounds", "uniform"]

_ZERO = 1e-9  # a score below this share of the largest one is on the hyperplane
_BACK, _TAIL = 5.0, 0.7  # rows put back: 5 / u^0.7 with u uniform in (0, 1)
_DROP, _KEEP = np.bool_(True), np.bool_(False)  # unlike plain ones not types of their own: see `NONE`
_REFRESH = 300  # simplex steps between rebuilding the inverse
_MOST_STEPS = 200  # simplex steps per row: far more than are ever needed, against rounding on degenerate data


@njit(cache=True, nogil=True, error_model="numpy")
def uniform(state):
    """A number in [0, 1) from a generator whose whole state is one 64-bit word (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True, error_model="numpy")
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
        for k in range(best_w.size):
            best_w[k] = vertex[0][k]
    return error


@njit(cache=True, nogil=True, error_model="numpy")
def _repair(A, columns, phi, target, vertex, max_steps, drop, work, wrong, best, best_w):
    """Descend; if ``drop``, take out the row that misses its target by most, and again, until the rest is feasible.

    Returns the number of simplex steps.
    """
    row, steps, items = work
    r, cost = vertex[4], vertex[5]
    done = 0
    while True:
        # The only call: whatever calls this has it compiled once more.
        done += descend_hinge(A, columns, vertex, max_steps, row, steps, items)
        if not drop or done >= max_steps:
            return done
        _note(phi, target, vertex, wrong, best, best_w)
        worst = NONE
        for i in range(phi.size):
            if r[i] < -_ZERO and cost[i] > 0.0 and (worst < 0 or r[i] < r[worst]):
                worst = i
        if worst < 0:
            return done
        set_cost(A, vertex, worst, 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def search_rounds(A, columns, phi, target, vertex, saved, since, rng, errors, best, best_w):
    """One round of put-back-and-repair for each entry of ``errors``, which receives the best error so far.

    Without entries, the whole system is repaired from the vertex w = 0. ``best`` (length 1) and ``best_w`` receive the
    smallest weight of rows with <a_i, w> <= 0 and its w.

    How many rows come back follows a heavy-tailed law, so that most rounds are local and a few start almost from
    scratch; those that miss their targets by little are preferred, because they are the ones that can be had
    for little. Costs are drawn anew in every round around phi_i, so that the same rows are not dropped in the
    same order again. ``saved`` is a second vertex, to go back to; ``since`` (length 1) counts simplex steps from one
    rebuilding of the inverse to the next, also from call to call, so that results do not depend on how many rounds a
    call is asked for.
    """
    n, p = A.shape
    work = (np.empty(n), np.empty(n), np.empty(n, np.int64))
    wrong = np.empty(n, np.bool_)
    removed = np.empty(n, np.int64)
    claim = np.empty(n)
    max_steps = _MOST_STEPS * (n + p)
    if errors.size == 0:
        for i in range(n):
            set_cost(A, vertex, i, phi[i])
        _repair(A, columns, phi, target, vertex, max_steps, _DROP, work, wrong, best, best_w)
        refactor(A, target, vertex)
        return
    error = _note(phi, target, vertex, wrong, best, best_w)
    for t in range(errors.size):
        if best[0] <= 0.0:
            errors[t] = best[0]
            continue
        if since[0] > _REFRESH:
            refactor(A, target, vertex)
            since[0] = 0
        # Rows that are right stay in, rows that are wrong are out.
        _note(phi, target, vertex, wrong, best, best_w)
        count = 0
        for i in range(n):
            set_cost(A, vertex, i, 0.0 if wrong[i] else phi[i] * (0.5 + uniform(rng)))
            if wrong[i]:
                removed[count] = i
                count += 1
        since[0] += _repair(A, columns, phi, target, vertex, max_steps, _KEEP, work, wrong, best, best_w)
        copy_vertex(vertex, saved)
        back = min(count, int(_BACK / (uniform(rng) + 1e-9) ** _TAIL))
        for q in range(count):
            # -log(u) is an exponential variable: near rows come first more often, far ones now and then.
            claim[q] = -np.log(uniform(rng) + 1e-300) / (1.0 + max(-vertex[4][removed[q]], 0.0))
        for q in range(back):
            first = q
            for other in range(q + 1, count):
                if claim[other] > claim[first]:
                    first = other
            claim[first], removed[first], removed[q] = claim[q], removed[q], removed[first]
            set_cost(A, vertex, removed[q], phi[removed[q]] * (0.5 + uniform(rng)))
        since[0] += _repair(A, columns, phi, target, vertex, max_steps, _DROP, work, wrong, best, best_w)
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
