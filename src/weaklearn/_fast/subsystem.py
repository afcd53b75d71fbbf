"""Search for a maximum feasible subsystem of strict inequalities <a_i, w> > 0 by elastic linear programs.

All rows get a slack that costs c_i per unit; the linear program that minimises the total slack is solved
(`simplex.descend_hinge`), the row that needs most slack is dropped, and the program is solved again from where it
stands, until no slack is left (Chinneck, 1996, 2001). What has been dropped is a small set of rows without which the
rest is feasible. The search continues from there: put a few dropped rows back at random, repair, keep the result unless
it is worse.
"""

import numpy as np
from numba import njit

from weaklearn._fast.copying import copy_into
from weaklearn._fast.simplex import NONE, copy_vertex, descend_hinge, refactor, set_cost, weight_of_wrong

_ZERO = 1e-9  # a score or a slack below this is zero: rows have unit length
_BACK, _TAIL = 5.0, 0.7  # rows put back: 5 / u^0.7 with u uniform in (0, 1)
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
    """`weight_of_wrong`, and the weight vector if no other had less."""
    error = weight_of_wrong(phi, target, vertex, wrong)
    if error < best[0] - 1e-12:
        best[0] = error
        copy_into(best_w, vertex[0])
    return error


@njit(cache=True, nogil=True, error_model="numpy")
def _drop_worst(A, vertex):
    """Take out the row that misses its target by most; False if all are met."""
    r, cost = vertex[4], vertex[5]
    worst = NONE
    for i in range(r.size):
        if r[i] < -_ZERO and cost[i] > 0.0 and (worst < 0 or r[i] < r[worst]):
            worst = i
    if worst >= 0:
        set_cost(A, vertex, worst, 0.0)
    return worst >= 0


@njit(cache=True, nogil=True, error_model="numpy")
def search_rounds(A, columns, phi, target, vertex, saved, since, rng, errors, best, best_w, work):
    """One round of put-back-and-repair for each entry of ``errors``, which receives the best error so far.

    How many rows come back follows a heavy-tailed law, so that most rounds are local and a few start almost from
    scratch; those that miss their targets by little are preferred, because they are the ones that can be had
    for little. Costs are drawn anew in every round around phi_i, so that the same rows are not dropped in the
    same order again. Without entries there is one round from the vertex w = 0, where every row is wrong: all of them
    come back, at their own costs.

    ``saved`` is a second vertex, to go back to; ``since`` (length 1) counts simplex steps from one rebuilding of the
    inverse to the next, also from call to call, so that results do not depend on how many rounds a call is asked for.
    ``best`` (length 1) and ``best_w`` receive the smallest weight of rows with <a_i, w> <= 0 and its w. ``work`` is
    from `simplex.work_arrays`.
    """
    n, p = A.shape
    # The first rows are those of the descent.
    claim, removed, wrong = work[0][4], work[1][2], work[1][3]
    max_steps = _MOST_STEPS * (n + p)
    first = errors.size == 0
    error = _note(phi, target, vertex, wrong, best, best_w)
    for t in range(max(errors.size, 1)):
        if best[0] <= 0.0:
            errors[t] = best[0]
            continue
        if since[0] > _REFRESH:
            refactor(A, target, vertex, work)
            since[0] = 0
        # Rows that are right stay in, rows that are wrong are out.
        _note(phi, target, vertex, wrong, best, best_w)
        if first:
            best[0] = np.inf  # w = 0 is no answer
        count = 0
        for i in range(n):
            set_cost(A, vertex, i, 0.0 if wrong[i] > 0 else phi[i] * (0.5 + uniform(rng)))
            if wrong[i] > 0:
                removed[count] = i
                count += 1
        # One descent with what is in; then rows come back, and descents and drops take turns until the rest is
        # feasible. All in one place: a second call of the descent would take half a second to compile.
        done, repairing = 0, False
        while True:
            done += descend_hinge(A, columns, vertex, max_steps, work)
            if repairing:
                if done >= max_steps:
                    break
                _note(phi, target, vertex, wrong, best, best_w)
                if not _drop_worst(A, vertex):
                    break
                continue
            since[0] += done
            done, repairing = 0, True
            copy_vertex(vertex, saved)
            back = count if first else min(count, int(_BACK / (uniform(rng) + 1e-9) ** _TAIL))
            for q in range(0 if first else count):
                # -log(u) is an exponential variable: near rows come first more often, far ones now and then.
                claim[q] = -np.log(uniform(rng) + 1e-300) / (1.0 + max(-vertex[4][removed[q]], 0.0))
            for q in range(back):
                factor = 1.0
                if not first:
                    nearest = q
                    for other in range(q + 1, count):
                        if claim[other] > claim[nearest]:
                            nearest = other
                    claim[nearest], removed[nearest], removed[q] = claim[q], removed[q], removed[nearest]
                    factor = 0.5 + uniform(rng)
                set_cost(A, vertex, removed[q], phi[removed[q]] * factor)
        if first:
            refactor(A, target, vertex, work)
            return
        since[0] += done
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
