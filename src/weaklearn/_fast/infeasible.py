"""How few rows must go: branch and bound on irreducible infeasible subsystems.

Strict inequalities <a_i, w> > 0 have no common solution exactly if some non-negative combination of their rows is
zero. A minimal set of such rows is an irreducible infeasible subsystem (IIS): at most p + 1 rows, of which every
solution must give up at least one. Hence the branch and bound (compare Amaldi, Pfetsch, Trotter, 2003):

- branch: find an IIS; child q gives up its q-th member and must keep the members before it, so that no set
  of rows is visited twice;
- bound: pack. First from a pool of the subsystems seen so far, those with the fewest members that may still go
  first, then with new ones. Take an IIS, pay the smallest remaining weight among its members that may still go,
  reduce the weight of each of them by as much, let those without remaining weight go, and look for the next IIS
  until the rest is feasible. Every solution pays at least the sum (local ratio; disjoint subsystems for equal
  weights).

An IIS is read off a minimum of the hinge sum (`simplex`): its multipliers are a non-negative combination that is
zero, and exchanging rows until one violated row is left makes it minimal.
"""

import numpy as np
from numba import njit

from weaklearn._fast.copying import copy_into
from weaklearn._fast.simplex import NONE, descend_hinge, exchange, refactor, weight_of_wrong

_ZERO = 1e-9
_POOL = 2000  # subsystems remembered
LEVEL, STATUS, NODES, POOLED = 0, 1, 2, 3
RUNNING, FINISHED, FAILED = 0, 1, 2


def proof_state(n, p):
    """Work space of `prove`.

    Control; for each row whether it is given up and whether it must stay; for each level of the tree the members
    to branch on, their number, the one at work, the bound, the basis and the weight given up; the pool.
    """
    return (
        np.zeros(4, np.int64),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros((n + 2, p + 1), np.int32),
        np.zeros(n + 2, np.int64),
        np.full(n + 2, -1),
        np.zeros(n + 2),
        np.full((n + 2, p), -1, np.int32),
        np.zeros(n + 2),
        np.full((_POOL, p + 1), -1, np.int32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _irreducible(A, vertex, members, product):
    """An IIS among the rows of positive cost at a minimum of the hinge sum with Z > 0: its size, or -1."""
    _, edges, pull, basis, r, cost, inside = vertex
    n, p = A.shape
    lam = np.empty(p)
    for k in range(p):
        lam[k] = max(-np.dot(pull, edges[k]), 0.0)
    last = NONE
    for i in range(n):
        if r[i] < 0.0 and cost[i] > 0.0 and not inside[i] and (last < 0 or r[i] < r[last]):
            last = i
    if last < 0:
        return -1
    t = np.empty(p)
    for v in range(n):
        if not (r[v] < 0.0 and cost[v] > 0.0 and not inside[v]) or v == last:
            continue
        # Let the multiplier of v go down to 0, or until that of a row of the basis is 0: then v takes its place.
        most = cost[v]
        place = NONE
        for k in range(p):
            t[k] = np.dot(A[v], edges[k])
            if basis[k] < 0 or cost[basis[k]] == 0.0:
                # Nothing may lean on a free direction or on a row that is out.
                if abs(t[k]) > _ZERO:
                    most = 0.0
                    place = k
                    break
            elif t[k] < -_ZERO and lam[k] < -most * t[k]:
                most = lam[k] / -t[k]
                place = k
        if most > 0.0:
            for k in range(p):
                lam[k] = max(lam[k] + most * t[k], 0.0)
        if place >= 0:
            exchange(edges, basis, inside, A[v], place, v, product)
            lam[place] = cost[v] - most
    members[0] = last
    count = 1
    rest = A[last].copy()
    for k in range(p):
        share = np.dot(A[last], edges[k])
        if share > _ZERO:
            return -1
        if share < -_ZERO:
            if basis[k] < 0 or cost[basis[k]] == 0.0:
                return -1
            members[count] = basis[k]
            count += 1
            rest -= share * A[basis[k]]
    # The certificate itself: the combination is zero.
    for q in range(p):
        if abs(rest[q]) > 1e-8:
            return -1
    return count


@njit(cache=True, nogil=True)
def _feasible(r, cost):
    worst = 0.0
    for i in range(r.size):
        if cost[i] > 0.0:
            worst = min(worst, r[i])
    return worst >= -_ZERO


@njit(cache=True, nogil=True)
def _pay(subsystem, forced, left, bound, fewest, members):
    """Add one IIS to the packing: (bound, whether nothing of it may go, fewest open members so far)."""
    count = 0
    least = np.inf
    for i in subsystem:
        if i < 0:
            break
        if not forced[i]:
            count += 1
            least = min(least, left[i])
    if count == 0:
        return bound, True, fewest
    record = count < fewest
    q = 0
    for i in subsystem:
        if i < 0:
            break
        if not forced[i]:
            left[i] -= least
            if record:
                members[q] = i
                q += 1
    return bound + least, False, count if record else fewest


@njit(cache=True, nogil=True)
def _pack_pool(pool, pooled, removed, forced, left, bound, enough, members):
    """Pack subsystems of the pool: (bound, whether one of them must stay whole, fewest open members)."""
    size, width = pool.shape
    total = min(pooled, size)
    order = np.empty(total, np.int64)
    opens = np.empty(total, np.int64)
    starts = np.zeros(width + 2, np.int64)
    for s in range(total):
        count = 0
        for i in pool[s]:
            if i < 0:
                break
            if removed[i]:
                count = -1
                break
            if not forced[i]:
                count += 1
        opens[s] = count
        if count == 0:
            return bound, True, left.size + 1
        if count > 0:
            starts[count + 1] += 1
    for c in range(1, width + 2):
        starts[c] += starts[c - 1]
    unhit = starts[width + 1]
    for s in range(total):
        if opens[s] > 0:
            order[starts[opens[s]]] = s
            starts[opens[s]] += 1
    fewest = left.size + 1
    for q in range(unhit):
        if bound > enough:
            break
        s = order[q]
        least = np.inf
        for i in pool[s]:
            if i < 0:
                break
            if not forced[i]:
                least = min(least, left[i])
        if least > 1e-12:
            bound, _, fewest = _pay(pool[s], forced, left, bound, fewest, members)
    return bound, False, fewest


@njit(cache=True, nogil=True)
def prove(A, columns, phi, target, vertex, upper, grain, best_w, state, max_nodes, work):
    """Explore up to ``max_nodes`` more nodes for a solution that gives up less than upper[0].

    ``grain`` is a number that all errors are multiples of, or 0; solutions found go to upper[0] and best_w.
    control[STATUS] tells whether the search is RUNNING, FINISHED (nothing better exists) or FAILED (rounding).
    ``work`` is from `simplex.work_arrays`.
    """
    control, removed, forced, members, taken, chosen, bounds, bases, spent, pool = state
    n, p = A.shape
    found = np.empty(p + 1, np.int64)
    left = np.empty(n)
    cost = vertex[5]
    basis = vertex[3]
    max_steps = 200 * (n + p)
    slack = max(grain * (1.0 - 1e-6), 1e-12)
    level = control[LEVEL]
    nodes = 0
    while True:
        if chosen[level] < 0:
            # A new node: its hinge minimum, starting from the basis of its parent.
            if nodes >= max_nodes:
                break
            nodes += 1
            copy_into(left, phi)
            bound, pruned, fewest = _pack_pool(
                pool, control[POOLED], removed, forced, left, spent[level], upper[0] - slack, members[level]
            )
            fresh = True
            while not pruned and bound <= upper[0] - slack:
                for i in range(n):
                    cost[i] = 0.0 if removed[i] or left[i] <= 1e-12 else 1.0
                if fresh:
                    copy_into(basis, bases[max(level - 1, 0)])
                refactor(A, target, vertex, work)
                descend_hinge(A, columns, vertex, max_steps, work)
                if fresh:
                    copy_into(bases[level], basis)
                    fresh = False
                if _feasible(vertex[4], cost):
                    if fewest > n:
                        error = weight_of_wrong(phi, target, vertex, work[1][3])
                        if error < upper[0]:
                            upper[0] = error
                            copy_into(best_w, vertex[0])
                        pruned = True
                    break
                size = _irreducible(A, vertex, found, work[0][0])
                if size < 0:
                    refactor(A, target, vertex, work)
                    descend_hinge(A, columns, vertex, max_steps, work)
                    if _feasible(vertex[4], cost):
                        continue
                    size = _irreducible(A, vertex, found, work[0][0])
                    if size < 0:
                        control[STATUS] = FAILED
                        control[NODES] += nodes
                        return
                slot = control[POOLED] % pool.shape[0]
                control[POOLED] += 1
                pool[slot, :] = -1
                copy_into(pool[slot], found[:size])
                bound, pruned, fewest = _pay(pool[slot], forced, left, bound, fewest, members[level])
            pruned = pruned or bound > upper[0] - slack
            smallest = fewest
            bounds[level] = bound
            taken[level] = 0 if pruned else smallest
            chosen[level] = 0
        # The next child of the node at this level, or back to its parent.
        done = chosen[level]
        if done > 0:
            removed[members[level, done - 1]] = False
            forced[members[level, done - 1]] = True
        if done == taken[level] or bounds[level] > upper[0] - slack:
            for q in range(done):
                forced[members[level, q]] = False
            chosen[level] = -1
            level -= 1
            if level < 0:
                control[STATUS] = FINISHED
                break
            continue
        i = members[level, done]
        chosen[level] = done + 1
        removed[i] = True
        spent[level + 1] = spent[level] + phi[i]
        level += 1
        chosen[level] = -1
    control[LEVEL] = level
    control[NODES] += nodes
