"""Vertex descent on a sum of weighted hinges: a dual simplex method with an explicit inverse.

Rows a_i, targets tau_i > 0 and costs c_i >= 0 define the convex, piecewise linear function

    Z(w) = sum_i c_i max(0, tau_i - <a_i, w>).

A vertex is a point where p linearly independent rows, the basis B, meet their targets. Its edges are the
directions d_k with <a_{B_j}, d_k> = [j = k], along which only B_k leaves its target. With the pull
g = sum_{i not in B, r_i < 0} c_i a_i of the violated rows and lam_k = -<g, d_k>, the slope of Z along d_k is
lam_k where B_k becomes slack and c_{B_k} - lam_k where it becomes violated: the vertex is a minimum if
0 <= lam_k <= c_{B_k} for every k. A descent step follows an edge past all kinks up to the one where the slope
changes sign, and exchanges one row of the basis (a dual simplex step with bound flipping).

Conventions:

- A basis entry of -1 is free: its edge is a direction in which no row of the basis changes. The first basis
  is free throughout.
- A row of cost 0 is out of the problem: it is carried along, so that it can come back, but neither counts nor stops a
  step.
- Targets that differ by random amounts keep ties from cycling on degenerate data; any positive target asks
  for the same strict inequality.
- A vertex is a tuple of arrays (w, edges, pull, basis, r, cost, inside): ``r`` holds <a_i, w> - tau_i, ``inside`` tells
  which rows are in the basis. Functions change it in place.
"""

from typing import Any

import numpy as np
from numba import njit

_PIVOT = 1e-9  # smaller rates are rounding: rows have unit length, edges moderate length
_SLOPE = 1e-9  # smaller slopes are zero, relative to the largest cost
_SUMS = {"reassoc", "contract"}  # sums in any order, so that they vectorise; no other liberties
_MINIMA = {"nnan", "nsz"}  # what a minimum needs to vectorise
_ZERO = 1e-9  # a score below this share of the largest one is on the hyperplane
_BLOCK = 16  # kinks whose nearest is remembered
# A plain -1 is a type of its own to numba, which compiles every function that it is passed to twice.
NONE: Any = np.int64(-1)


def new_vertex(n, p, target):
    """The vertex w = 0 of n rows of cost 0 with a free basis."""
    return (
        np.zeros(p),
        np.eye(p),
        np.zeros(p),
        np.full(p, -1),
        -np.ascontiguousarray(target, dtype=np.float64),
        np.zeros(n),
        np.zeros(n, np.bool_),
    )


def work_arrays(n):
    """Numbers and integers that the functions on n rows write to; what is in a row of them, each function says.

    Made here and not where it is needed, because arrays made in compiled code take long to compile. No vector is longer
    than the number of rows: the rank is not.
    """
    return np.empty((5, n)), np.empty((4, n), np.int64)


@njit(cache=True, nogil=True, error_model="numpy")
def copy_vertex(source, goal):
    """Overwrite one vertex by another."""
    w, edges, pull, basis, r, cost, inside = source
    new_w, new_edges, new_pull, new_basis, new_r, new_cost, new_inside = goal
    for k in range(w.size):
        new_w[k] = w[k]
        new_pull[k] = pull[k]
        new_basis[k] = basis[k]
        for q in range(w.size):
            new_edges[k, q] = edges[k, q]
    for i in range(r.size):
        new_r[i] = r[i]
        new_cost[i] = cost[i]
        new_inside[i] = inside[i]


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_SUMS)
def rates(columns, d, out):
    """out_i = <a_i, d>, from the columns (p, n) of the rows."""
    p, n = columns.shape
    for i in range(n):
        out[i] = 0.0
    j = 0
    while j + 4 <= p:
        c0, c1, c2, c3 = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
        d0, d1, d2, d3 = d[j], d[j + 1], d[j + 2], d[j + 3]
        for i in range(n):
            out[i] += d0 * c0[i] + d1 * c1[i] + d2 * c2[i] + d3 * c3[i]
        j += 4
    while j < p:
        c0, d0 = columns[j], d[j]
        for i in range(n):
            out[i] += d0 * c0[i]
        j += 1


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_SUMS)
def _products(edges, a, out):
    """out_k = <d_k, a>; four edges at a time, because edges are too short to fill the pipeline one by one."""
    p = edges.shape[0]
    j = 0
    while j + 4 <= p:
        e0, e1, e2, e3 = edges[j], edges[j + 1], edges[j + 2], edges[j + 3]
        s0 = s1 = s2 = s3 = 0.0
        for q in range(a.size):
            s0 += e0[q] * a[q]
            s1 += e1[q] * a[q]
            s2 += e2[q] * a[q]
            s3 += e3[q] * a[q]
        out[j], out[j + 1], out[j + 2], out[j + 3] = s0, s1, s2, s3
        j += 4
    while j < p:
        e0, s0 = edges[j], 0.0
        for q in range(a.size):
            s0 += e0[q] * a[q]
        out[j] = s0
        j += 1


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_SUMS)
def exchange(edges, basis, inside, a, k, e, product):
    """Put row e, which is the vector a, in the place of the k-th row of the basis; ``product`` is work space."""
    p = a.size
    _products(edges, a, product)
    step = 1.0 / product[k]
    leaving = edges[k]
    for q in range(p):
        leaving[q] *= step
    for j in range(p):
        if j != k:
            other, f = edges[j], product[j]
            for q in range(p):
                other[q] -= f * leaving[q]
    if basis[k] >= 0:
        inside[basis[k]] = False
    basis[k] = e
    inside[e] = True


@njit(cache=True, nogil=True, error_model="numpy")
def refactor(A, target, vertex, work):
    """Rebuild a vertex from its basis, which removes the rounding of many steps."""
    w, edges, pull, basis, r, cost, inside = vertex
    n, p = A.shape
    before, product, wanted = work[0][0], work[0][1], work[1][0]
    for i in range(n):
        inside[i] = False
    for k in range(p):
        wanted[k] = basis[k]
        before[k] = w[k]
        for q in range(p):
            edges[k, q] = 0.0
        edges[k, k] = 1.0
        basis[k] = -1
        w[k] = 0.0
        pull[k] = 0.0
    for place in range(p):
        e = wanted[place]
        if e < 0:
            continue
        k, largest = NONE, 0.0
        for j in range(p):
            if basis[j] < 0:
                size = abs(np.dot(edges[j], A[e]))
                if size > largest:
                    k, largest = j, size
        if largest > _PIVOT:
            exchange(edges, basis, inside, A[e], k, e, product)
    for k in range(p):
        # A free edge is still dual to the unit vector that it began as.
        value = target[basis[k]] if basis[k] >= 0 else before[k]
        for q in range(p):
            w[q] += value * edges[k, q]
    for i in range(n):
        r[i] = 0.0 if inside[i] else np.dot(A[i], w) - target[i]
        if r[i] < 0.0 and cost[i] > 0.0:
            for q in range(p):
                pull[q] += cost[i] * A[i, q]


@njit(cache=True, nogil=True, error_model="numpy")
def set_cost(A, vertex, i, value):
    """Change the cost of one row: 0 takes it out of the problem."""
    _, _, pull, _, r, cost, inside = vertex
    if r[i] < 0.0 and not inside[i]:
        change = value - cost[i]
        for q in range(pull.size):
            pull[q] += change * A[i, q]
    cost[i] = value


@njit(cache=True, nogil=True, error_model="numpy")
def weight_of_wrong(phi, target, vertex, wrong):
    """Weight of the rows with score <= 0 at a vertex; ``wrong`` is 1 for them, else 0."""
    r = vertex[4]
    largest = 0.0
    for i in range(phi.size):
        largest = max(largest, abs(r[i] + target[i]))
    error = 0.0
    for i in range(phi.size):
        wrong[i] = 0 if r[i] + target[i] > _ZERO * largest else 1
        if wrong[i] > 0:
            error += phi[i]
    return error


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_MINIMA)
def _least(steps, low, high):
    least = np.inf
    for i in range(low, high):
        if steps[i] < least:
            least = steps[i]
    return least


@njit(cache=True, nogil=True, error_model="numpy")
def _find_kinks(row, sign, r, cost, steps, n_blocks, nearest):
    """How far each row's kink lies ahead, infinitely far if it does not; the nearest one of each block."""
    n = r.size
    # All rows and no branches: which way a row moves cannot be predicted.
    for i in range(n):
        rate = sign * row[i]
        rate = rate if r[i] < 0.0 else -rate
        step = abs(r[i]) / rate
        steps[i] = step if (rate > _PIVOT) & (cost[i] > 0.0) else np.inf
    for b in range(n_blocks):
        nearest[b] = _least(steps, _BLOCK * b, min(n, _BLOCK * (b + 1)))


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_SUMS)
def descend_hinge(A, columns, vertex, max_steps, work):
    """Descend to a minimum of Z; returns the number of steps (max_steps if it was not reached).

    Parameters
    ----------
    A, columns : the rows and their transpose, both contiguous
    vertex : changed in place
    work : from `work_arrays`
    """
    w, edges, pull, basis, r, cost, inside = vertex
    n, p = A.shape
    largest = 0.0
    for i in range(n):
        largest = max(largest, cost[i])
    tolerance = _SLOPE * largest
    row, steps, nearest, product = work[0][0], work[0][1], work[0][2], work[0][3]
    items, blocked = work[1][0], work[1][1]
    for j in range(p):
        blocked[j] = 0
    n_blocks = (n + _BLOCK - 1) // _BLOCK
    for count in range(max_steps):
        k = NONE
        steepest = -tolerance
        sign = 1.0
        _products(edges, pull, product)
        for j in range(p):
            if blocked[j] > 0:
                continue
            lam = -product[j]
            price = cost[basis[j]] if basis[j] >= 0 else 0.0
            if lam < steepest:
                steepest, k, sign = lam, j, 1.0
            elif price - lam < steepest:
                steepest, k, sign = price - lam, j, -1.0
        if k < 0:
            return count
        rates(columns, edges[k], row)
        for j in range(p):
            if basis[j] >= 0:
                row[basis[j]] = 0.0
        _find_kinks(row, sign, r, cost, steps, n_blocks, nearest)
        slope = steepest
        e = NONE
        passed = 0
        while True:
            block = 0
            for b in range(1, n_blocks):
                if nearest[b] < nearest[block]:
                    block = b
            step = nearest[block]
            if step == np.inf:
                break
            low = _BLOCK * block
            i = low
            while steps[i] != step:
                i += 1
            slope += cost[i] * abs(row[i])
            if slope >= -tolerance:
                e = i
                break
            items[passed] = i
            passed += 1
            steps[i] = np.inf
            nearest[block] = _least(steps, low, min(n, low + _BLOCK))
        if e < 0:
            # The slope cannot stay negative for ever (Z >= 0): what is left of it is rounding.
            blocked[k] = 1
            continue
        move = sign * step
        for q in range(passed):
            i = items[q]
            change = -cost[i] if r[i] < 0.0 else cost[i]
            for j in range(p):
                pull[j] += change * A[i, j]
        if r[e] < 0.0:
            for j in range(p):
                pull[j] -= cost[e] * A[e, j]
        for j in range(p):
            w[j] += move * edges[k, j]
        # Rounding must neither undo a crossing that the pull has counted nor make one that it has not.
        for q in range(passed):
            steps[items[q]] = r[items[q]] + move * row[items[q]]
        for i in range(n):
            moved = r[i] + move * row[i]
            kept = max(moved, 0.0) if r[i] >= 0.0 else min(moved, -1e-300)
            r[i] = kept if cost[i] > 0.0 else moved
        for q in range(passed):
            i = items[q]
            r[i] = max(steps[i], 0.0) if sign * row[i] > 0.0 else min(steps[i], -1e-300)
        r[e] = 0.0
        leaving = basis[k]
        if leaving >= 0:
            r[leaving] = move
            if sign < 0.0:
                r[leaving] = min(move, -1e-300)
                for j in range(p):
                    pull[j] += cost[leaving] * A[leaving, j]
        exchange(edges, basis, inside, A[e], k, e, product)
    return max_steps
