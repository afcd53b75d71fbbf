"""Compiled loops of the learners that look at one example at a time.

Conventions:

- ``rows`` holds the *signed* examples y_k (x_k, 1), one per row and C-contiguous, so that the margin of
  example k is ``rows[k] @ w`` and every additive rule is ``w += something * rows[k]``.
- A margin of exactly 0 is a mistake.
- ``trials`` is an array of row numbers, one line per epoch. It is drawn by the caller: a kernel holds no
  random state, so the same arrays in give the same arrays out.
- ``strength[k]`` is N phi_k, the weight of example k relative to the mean weight (li2005, section 4.3).
- ``w`` and the other running arrays are updated in place, so that a long run can be fed in blocks of epochs;
  line e of ``path`` receives the weight vector after epoch e.

Sums may be reassociated, which is what lets them use vector registers: a result is the same in every run on
one machine, and up to rounding between machines.
"""

import numpy as np
from numba import njit

_SUMS = {"reassoc", "contract"}

# Rows of one block in the pocket's error count: their scores stay in registers or the first-level cache.
BLOCK_ROWS = 64


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _margin(rows, k, w):
    margin = 0.0
    for j in range(w.shape[0]):
        margin += rows[k, j] * w[j]
    return margin


@njit(cache=True, nogil=True)
def _all_above(rows, w, bound):
    k = 0
    while k < rows.shape[0] and _margin(rows, k, w) > bound:
        k += 1
    return k == rows.shape[0]


@njit(cache=True, nogil=True)
def perceptron_epochs(rows, strength, trials, state, path, missed, stop):
    """Rosenblatt's rule, with what averaging and voting need.

    ``state`` is, in one array, the weight vector w, a vector called lag, and the clock: the sum of the
    strengths of all trials so far. The sum over trials of strength times the vector *after* the trial is
    clock * w - lag: a mistake at time c adds its step to all later vectors, so lag collects c times the
    step, and a trial without a mistake costs only its margin (li2005, Algorithms 2 and 6). Line e of
    ``path`` receives the state after epoch e.

    The flat positions (in this block) of the trials with a mistake go to ``missed``. With ``stop`` the run
    ends after an epoch without a mistake if all rows are then right, which an epoch of random trials does
    not imply.

    Returns the number of epochs done, the number of mistakes, and whether the run ended so.
    """
    n_epochs, n_trials = trials.shape
    n_columns = rows.shape[1]
    w = state[:n_columns]
    lag = state[n_columns : 2 * n_columns]
    clock = state[2 * n_columns]
    n_missed = 0
    for epoch in range(n_epochs):
        missed_before = n_missed
        for t in range(n_trials):
            k = trials[epoch, t]
            if _margin(rows, k, w) <= 0.0:
                for j in range(n_columns):
                    step = strength[k] * rows[k, j]
                    w[j] += step
                    lag[j] += clock * step
                missed[n_missed] = epoch * n_trials + t
                n_missed += 1
            clock += strength[k]
        state[2 * n_columns] = clock
        path[epoch] = state
        if stop and n_missed == missed_before and _all_above(rows, w, 0.0):
            return epoch + 1, n_missed, True
    return n_epochs, n_missed, False


def rows_in_blocks(rows, sample_weight):
    """Rows and weights laid out for the pocket's error count: (blocks, columns, BLOCK_ROWS).

    Neighbouring numbers belong to neighbouring rows, so that one instruction works on several rows. The last
    block is filled up with rows of weight zero.
    """
    n_rows, n_columns = rows.shape
    n_blocks = -(-n_rows // BLOCK_ROWS)
    filled = np.zeros((n_blocks * BLOCK_ROWS, n_columns))
    filled[:n_rows] = rows
    weights = np.zeros(n_blocks * BLOCK_ROWS)
    weights[:n_rows] = sample_weight
    blocks = filled.reshape(n_blocks, BLOCK_ROWS, n_columns).transpose(0, 2, 1)
    return np.ascontiguousarray(blocks), weights.reshape(n_blocks, BLOCK_ROWS)


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _error_up_to(blocks, weights, w, bound, margins):
    """Weight of the rows with margin <= 0; any number >= bound, once that much is known."""
    error = 0.0
    for b in range(blocks.shape[0]):
        margins[:] = 0.0
        for j in range(w.shape[0]):
            w_j = w[j]
            for i in range(BLOCK_ROWS):
                margins[i] += w_j * blocks[b, j, i]
        in_block = 0.0
        for i in range(BLOCK_ROWS):
            in_block += weights[b, i] if margins[i] <= 0.0 else 0.0
        error += in_block
        if error >= bound:
            break
    return error


@njit(cache=True, nogil=True)
def pocket_epochs(rows, strength, trials, blocks, weights, w, pocket, state, path, errors):
    """The pocket algorithm with ratchet (li2006, Algorithm 2.1).

    ``state`` holds, between calls: the run of the current vector, the run of the pocket vector, the
    pocket's error (a sum of ``weights``), the number of error counts, and 1.0 if the current vector was
    counted already.

    Returns the number of epochs done; the run ends after the epoch in which the error became 0 (it could only
    strictly decrease).
    """
    margins = np.empty(BLOCK_ROWS)
    n_epochs, n_trials = trials.shape
    run, pocket_run, pocket_error, n_counts = state[0], state[1], state[2], state[3]
    counted = state[4] == 1.0
    done = 0
    for epoch in range(n_epochs):
        for t in range(n_trials):
            k = trials[epoch, t]
            if _margin(rows, k, w) > 0.0:
                run += strength[k]
                if run > pocket_run and not counted:
                    counted = True
                    n_counts += 1.0
                    error = _error_up_to(blocks, weights, w, pocket_error, margins)
                    if error < pocket_error:
                        pocket[:] = w
                        pocket_error = error
                        pocket_run = run
            else:
                for j in range(w.shape[0]):
                    w[j] += strength[k] * rows[k, j]
                run = 0.0
                counted = False
        path[epoch] = pocket
        errors[epoch] = pocket_error
        done += 1
        if pocket_error == 0.0:
            break
    state[0], state[1], state[2], state[3] = run, pocket_run, pocket_error, n_counts
    state[4] = 1.0 if counted else 0.0
    return done


# The margin costs whose slopes c'(margin) the kernel knows.
ONE_KNOT = 0  # level + rise * margin up to and including the knot, 0 beyond it
LOGISTIC = 1  # of ln(1 + exp(-margin))
EXPONENTIAL = 2  # of exp(-margin)


@njit(cache=True, nogil=True)
def slope(kind, knot, level, rise, margin):
    """Slope of a margin cost; ``knot``, ``level`` and ``rise`` belong to the kind ONE_KNOT."""
    if kind == ONE_KNOT:
        return level + rise * margin if margin <= knot else 0.0
    if kind == LOGISTIC:
        return -1.0 / (1.0 + np.exp(margin))
    return -np.exp(-margin)


@njit(cache=True, nogil=True)
def gradient_epochs(rows, step_size, trials, kind, knot, level, rise, w, path):
    """Stochastic gradient descent: w -= step_size[k] c'(margin of k) rows[k] for each trial k."""
    n_epochs, n_trials = trials.shape
    for epoch in range(n_epochs):
        for t in range(n_trials):
            k = trials[epoch, t]
            step = -step_size[k] * slope(kind, knot, level, rise, _margin(rows, k, w))
            if step != 0.0:
                for j in range(w.shape[0]):
                    w[j] += step * rows[k, j]
        path[epoch] = w


@njit(cache=True, nogil=True, fastmath=_SUMS)
def relaxed_margin_epochs(rows, trials, aggressive, tolerance, w, state, path):
    """The relaxed online maximum margin algorithm, on the unit vector ``w`` and the margin it stands for.

    ``state`` holds, between calls: the margin 1 / |weight vector| (infinite for the vector 0, which ``w`` =
    0 stands for), the number of updates, and the number of trials whose constraint contradicts the current
    vector.

    A row z asks for v . z >= 1 and the past is relaxed to v . W >= |W|^2, W being the weight vector. In
    units of |W|, with the unit vector w, a = w . z and the margin tau = 1 / |W|, the shortest such v is w +
    (tau - a) / |p|^2 p where p = z - a w is perpendicular to w; or z / |z|^2 alone where that satisfies the
    past as well, a tau >= |z|^2. Neither the norm of W nor the difference |z|^2 |W|^2 - (W . z)^2 of the
    usual formula is ever formed, so nothing overflows and nothing cancels. Where |p| <= tolerance |z| the
    two constraints contradict each other (z points against W): the trial is counted and passed over.

    Line e of ``path`` receives w and the margin after epoch e. Returns the number of epochs done and
    whether all rows were satisfied after the last one, which ends the run.
    """
    n_epochs, n_trials = trials.shape
    n_columns = w.shape[0]
    margin, n_updates, n_contradictions = state[0], state[1], state[2]
    rest = np.empty(n_columns)
    # Rows whose constraints are tight lie on the margin up to rounding only.
    wanted = 1.0 - 1e-12 if aggressive else 0.0
    done = 0
    converged = False
    for epoch in range(n_epochs):
        updates_before = n_updates
        for t in range(n_trials):
            k = trials[epoch, t]
            along = _margin(rows, k, w)
            # The first comparison alone decides for w = 0, whose margin is infinite.
            if along > 0.0 and along >= wanted * margin:
                continue
            norm2 = _margin(rows, k, rows[k])
            if margin == np.inf or (along > 0.0 and along * margin >= norm2):
                margin = np.sqrt(norm2)
                for j in range(n_columns):
                    w[j] = rows[k, j] / margin
                n_updates += 1.0
                continue
            rest2 = 0.0
            for j in range(n_columns):
                rest[j] = rows[k, j] - along * w[j]
                rest2 += rest[j] * rest[j]
            if rest2 <= tolerance * tolerance * norm2:
                n_contradictions += 1.0
                continue
            step = (margin - along) / rest2
            length2 = 0.0
            for j in range(n_columns):
                w[j] += step * rest[j]
                length2 += w[j] * w[j]
            length = np.sqrt(length2)
            for j in range(n_columns):
                w[j] /= length
            margin /= length
            n_updates += 1.0
        path[epoch, :n_columns] = w
        path[epoch, n_columns] = margin
        done += 1
        if n_updates == updates_before and _all_above(rows, w, wanted * margin * (1.0 - 1e-12)):
            converged = True
            break
    state[0], state[1], state[2] = margin, n_updates, n_contradictions
    return done, converged


@njit(cache=True, nogil=True)
def _winnow_misses(features, y, threshold, weights, k):
    return y[k] * (_margin(features, k, weights) - threshold) <= 0.0


@njit(cache=True, nogil=True)
def winnow_epochs(features, y, exponent, trials, threshold, limit, weights, path, n_mistakes):
    """Winnow: on a mistake at example k, weight_i *= 2 ** (y_k exponent_k feature_ki).

    A mistake is y_k (weights . features_k - threshold) <= 0; weights stay within [1 / limit, limit].
    Returns the number of epochs done and whether all rows were right after the last one, which ends the
    run.
    """
    n_epochs, n_trials = trials.shape
    for epoch in range(n_epochs):
        n_mistakes[epoch] = 0
        for t in range(n_trials):
            k = trials[epoch, t]
            if _winnow_misses(features, y, threshold, weights, k):
                n_mistakes[epoch] += 1
                for j in range(weights.shape[0]):
                    if features[k, j] != 0.0:
                        factor = 2.0 ** (y[k] * exponent[k] * features[k, j])
                        weights[j] = min(max(weights[j] * factor, 1.0 / limit), limit)
        path[epoch] = weights
        if n_mistakes[epoch] == 0:
            right = True
            for k in range(y.shape[0]):
                right = right and not _winnow_misses(features, y, threshold, weights, k)
            if right:
                return epoch + 1, True
    return n_epochs, False
