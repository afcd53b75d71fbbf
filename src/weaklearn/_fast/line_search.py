"""The exact weighted 0/1 line search and the coordinate descent loop around it.

For scores s_i = <w, x_i> and d_i = <d, x_i>, labels y_i and weights phi_i, the training error along the
line w + alpha d is the piecewise constant function

    e(alpha) = sum_i phi_i [y_i (s_i + alpha d_i) <= 0].

Example i with d_i != 0 changes sides at alpha = -x_i, where x_i = s_i / d_i: it behaves like the one-
dimensional example (x_i, y_i sign d_i) under the stump sign(x - theta) with theta = -alpha (li2005,
section 3.1). Conventions:

- A score of exactly 0 is an error whatever the label, before and after negation. (Algorithm 3 of the
  document sets sign(0) = -1 for examples with d_i = 0, which would let negation "correct" an example on
  the hyperplane; here it stays an error, as in the definition of e.)
- Thresholds lie inside the gaps between distinct x_i, at the midpoint, or one unit beyond the smallest or
  largest x_i. Of equally good gaps the one with the smallest theta wins (errors closer than 1e-12 of the total
  weight are equal); the unnegated solution wins over an equally good negated one. Whether the
  present point is among the best plays no role: moves along plateaus are what lets the descent go on.
- Breakpoints that coincide mathematically may differ by rounding. A gap counts only if it is wider
  than the uncertainty of its two ends, slack_i = rel |x_i| + (err_s + |x_i| err_d) / |d_i|, where err_s and
  err_d bound the absolute errors of s and d; examples with |d_i| <= err_d do not move at all.

Nothing is sorted as a whole. Breakpoints fall into buckets by the monotone map z / (1 + |z|); sums per
bucket give the error at every bucket's start and a lower bound inside it; only the buckets whose bound
reaches the best error are sorted. The expected cost is linear in N, the result exact.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

_TIE = 1e-12  # relative to the total weight


class LineWork(NamedTuple):
    """Arrays that a search writes to, made once for many lines by `workspace`.

    For each example its bucket and the error of passing it (bucket, move). For each bucket sums, the error at its
    start, whether it is searched and where its breakpoints go (sums, start, marked, place). Breakpoints to be sorted,
    with their examples (keys, items).
    """

    bucket: np.ndarray
    move: np.ndarray
    sums: np.ndarray
    start: np.ndarray
    marked: np.ndarray
    place: np.ndarray
    keys: np.ndarray
    items: np.ndarray


def workspace(n):
    """Work space for lines of n examples."""
    n_buckets = bucket_count(n)
    return LineWork(
        np.empty(n, np.int32),
        np.empty(n),
        np.empty((n_buckets, 3)),
        np.empty(n_buckets),
        np.empty(n_buckets + 1, np.int8),
        np.empty(n_buckets, np.int64),
        np.empty(n),
        np.empty(n, np.int64),
    )


def bucket_count(n):
    """Number of buckets for n breakpoints: about n / 4, at most what fits the L1 cache (measured)."""
    count = 16
    while 5 * count < n and count < 1024:
        count *= 2
    return count


@njit(cache=True, nogil=True)
def _sort_breakpoints(keys, items, low, high):
    """Sort keys[low:high] in place, carrying items along.

    Shell's sort: insertion sort over shrinking distances. (NumPy's sort takes seconds to compile.)
    """
    gap = 1
    if high - low > 48:
        while 9 * gap < 4 * (high - low):
            gap = (9 * gap + 8) // 4
    while gap > 0:
        for i in range(low + gap, high):
            key, item = keys[i], items[i]
            j = i - gap
            while j >= low and keys[j] > key:
                keys[j + gap] = keys[j]
                items[j + gap] = items[j]
                j -= gap
            keys[j + gap] = key
            items[j + gap] = item
        gap = 0 if gap == 1 else max(1, 4 * gap // 9)


@njit(cache=True, nogil=True, error_model="numpy")
def _assign(s, d, yw, side, err_d, n_buckets, bucket, move):
    """The bucket of each breakpoint (n_buckets if the example does not move) and the error of passing it."""
    n = s.size
    size_s = 0.0
    size_d = 0.0
    for i in range(n):
        size_s += abs(s[i])
        size_d += abs(d[i])
    scale = size_d / size_s if size_s > 0.0 else 1.0
    half = 0.5 * n_buckets
    for i in range(n):
        size = abs(d[i])
        sign = 1.0 if d[i] > 0.0 else -1.0
        z = sign * scale * s[i]
        # z / (|d| + |z|) is (x scale) / (1 + |x scale|) without a second division.
        b = np.int32((1.0 + z / (size + abs(z))) * half)
        b = min(b, np.int32(n_buckets - 1))
        bucket[i] = b if size > err_d else n_buckets
        move[i] = sign * side * yw[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _search(s, d, yw, side, err_s, err_d, rel, work):
    """Best threshold of one line, unnegated: (theta, error); theta is nan if no example moves.

    yw holds y_i phi_i, phi_i > 0; a side of -1 flips every label.
    """
    bucket, move, sums, start, marked, place, keys, items = work
    n = s.size
    n_buckets = marked.size - 1
    _assign(s, d, yw, side, err_d, n_buckets, bucket, move)

    for b in range(n_buckets):
        for k in range(3):
            sums[b, k] = 0.0
    total = 0.0
    fixed = 0.0
    for i in range(n):
        b = bucket[i]
        total += abs(yw[i])
        if b < n_buckets:
            c = move[i]
            sums[b, 0] += c
            sums[b, 1] += min(c, 0.0)
            sums[b, 2] += 1.0
        elif side * yw[i] * s[i] <= 0.0:
            fixed += abs(yw[i])

    error = fixed
    for b in range(n_buckets):
        error -= sums[b, 1]
    bound = np.inf
    last = -1
    for b in range(n_buckets):
        start[b] = error
        if sums[b, 2] > 0.0:
            bound = min(bound, error)
            error += sums[b, 0]
            last = b
    if last < 0:
        return np.nan, fixed
    end_error = error
    bound = min(bound, end_error)

    tie = _TIE * total
    while True:
        # Buckets that may hold a gap as good as the bound, each with its predecessor, whose largest
        # breakpoint is the left end of the gap in front of it.
        previous = -1
        for b in range(n_buckets + 1):
            marked[b] = 0
        for b in range(last + 1):
            if sums[b, 2] > 0.0:
                if start[b] + sums[b, 1] <= bound + tie:
                    marked[b] = 2
                    if previous >= 0 and marked[previous] == 0:
                        marked[previous] = 1
                previous = b
        if end_error <= bound + tie and marked[last] == 0:
            marked[last] = 1
        # Bucket by bucket, which also decides where rounding disagrees with it.
        count = 0
        for b in range(last + 1):
            if marked[b] > 0:
                place[b] = count
                count += int(sums[b, 2])
        for i in range(n):
            b = bucket[i]
            if marked[b] > 0:
                keys[place[b]] = s[i] / d[i]
                items[place[b]] = i
                place[b] += 1
        for b in range(last + 1):
            if marked[b] > 0:
                _sort_breakpoints(keys, items, place[b] - int(sums[b, 2]), place[b])

        best = np.inf
        theta = 0.0
        left = -np.inf
        left_slack = 0.0
        current = -1
        error = 0.0
        for k in range(count):
            i = items[k]
            x = keys[k]
            if bucket[i] != current:
                current = bucket[i]
                error = start[current]
            slack = rel * abs(x) + (err_s + abs(x) * err_d) / abs(d[i])
            if marked[current] == 2 and error < best - tie:
                # Nothing on the left of a bucket to be searched means that no breakpoint lies there.
                if left == -np.inf:
                    best = error
                    theta = x - 1.0
                elif x - left > slack + left_slack:
                    best = error
                    theta = left + 0.5 * (x - left)
            error += move[i]
            left = x
            left_slack = slack
        if end_error <= bound + tie and end_error < best - tie:
            best = end_error
            theta = left + 1.0
        if best <= bound + tie:
            return theta, best
        # Every gap at the bound was narrower than rounding: look again for gaps as good as the best found.
        bound = min(best, end_error)


@njit(cache=True, nogil=True, error_model="numpy")
def search_line(s, d, yw, err_s, err_d, rel, negation, work):
    """Exact minimum along one line: (alpha, error, negate). See the module docstring."""
    theta, error = _search(s, d, yw, 1.0, err_s, err_d, rel, work)
    negate = False
    if negation:
        # Negating the weight vector afterwards is the same as flipping every label first.
        other, other_error = _search(s, d, yw, -1.0, err_s, err_d, rel, work)
        total = 0.0
        for i in range(yw.size):
            total += abs(yw[i])
        if other_error < error - _TIE * total:
            theta, error, negate = other, other_error, True
    return 0.0 if np.isnan(theta) else -theta, error, negate


@njit(cache=True, nogil=True, error_model="numpy")
def descend(w, s, directions, deltas, yw, precision, negation, errors, path, work):
    """Descend along a batch of directions one after the other, updating w and s in place.

    Parameters
    ----------
    w, s : the weight vector (bias last) and the scores of all examples under it
    directions, deltas : (batch, m + 1) directions and (batch, n) scores of all examples under them
    yw : y_i phi_i
    precision : rounding of a score relative to the 1-norm of its weight vector (features lie in [-1, 1])
    negation : Algorithm 3 if true, Algorithm 4 if false
    errors : (batch,) receives the error after each step
    path : (batch, m + 1) receives w after each step, or has no rows
    work : from `workspace`
    """
    for t in range(directions.shape[0]):
        d = deltas[t]
        size_w = 0.0
        size_d = 0.0
        for j in range(w.size):
            size_w += abs(w[j])
            size_d += abs(directions[t, j])
        alpha, error, negate = search_line(
            s, d, yw, precision * size_w, precision * size_d, 0.0, negation, work
        )
        sign = -1.0 if negate else 1.0
        for j in range(w.size):
            w[j] = sign * (w[j] + alpha * directions[t, j])
        for i in range(s.size):
            s[i] = sign * (s[i] + alpha * d[i])
        errors[t] = error
        if path.shape[0] > 0:
            for j in range(w.size):
                path[t, j] = w[j]
