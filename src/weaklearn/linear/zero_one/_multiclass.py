"""More than two classes at once: exact line searches on the error of the largest score.

With one weight vector per class, example i is right if its own class has strictly the largest score. Moving only the
weight vector of class k along a direction d changes one score per example: an example of class k is right
where s_ik + alpha d_i > max_{j != k} s_ij, an example of class c != k where s_ik + alpha d_i < s_ic, provided that
its own score beats all the others. Both are the two-class condition with scores s_ik - rival and label +1 or
-1; examples that another class gets wrong whatever alpha is are left out. So the exact two-class search applies to
every block of coordinates in turn.
"""

import numpy as np

from weaklearn._fast.line_search import search_line, workspace

__all__ = ["argmax_errors", "descend_argmax"]

_PRECISION = 1e-12
_ITERATIONS = 100  # if neither their number nor a time is given
_SEARCHES = 8  # line searches per class and iteration


def argmax_errors(scores, codes, sample_weight):
    """Weight of the examples whose own class does not have strictly the largest score."""
    n = len(codes)
    own = scores[np.arange(n), codes]
    rival = _without(scores, codes)
    return float(sample_weight @ (own <= rival))


def _without(scores, codes):
    """The largest score of the classes other than the given one."""
    scores = scores.copy()
    scores[np.arange(len(codes)), codes] = -np.inf
    return scores.max(axis=1)


def descend_argmax(X, codes, sample_weight, start, rng, clock):
    """Descend from one weight vector per class.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Features in [-1, 1].
    codes : ndarray of shape (n,)
    sample_weight : ndarray of shape (n,)
    start : ndarray of shape (n_classes, m + 1)
    rng : numpy Generator
    clock : Clock

    Returns
    -------
    weights : ndarray of shape (n_classes, m + 1)
    curve : ndarray
        Errors at the start and after each iteration.
    """
    n = len(X)
    rows = np.column_stack([X, np.ones(n)])
    # One common scale: the classes' vectors come from separate searches of arbitrary lengths.
    weights = start / np.maximum(np.abs(start).max(axis=1), 1e-300)[:, None]
    n_classes, size = weights.shape
    covariance = rows.T @ rows / n
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * values[-1]
    factor = (vectors[:, kept] / np.sqrt(values[kept])) @ vectors.T[kept]
    best, error = weights.copy(), argmax_errors(rows @ weights.T, codes, sample_weight)
    curve = [error]
    try:
        while error > 0 and (chunk := clock.chunk(_ITERATIONS)):
            for _ in range(chunk):
                weights /= np.abs(weights).max()
                scores = rows @ weights.T
                directions = rng.standard_normal((n_classes * _SEARCHES, size)) @ factor
                deltas = directions @ rows.T
                for q in range(n_classes * _SEARCHES):
                    k = q % n_classes
                    _step(weights, scores, codes, sample_weight, k, directions[q], deltas[q])
                now = argmax_errors(rows @ weights.T, codes, sample_weight)
                if now <= error:
                    best, error = weights.copy(), now
                curve.append(error)
            if clock.tell(chunk, error):
                break
    except KeyboardInterrupt:
        pass
    return best, np.array(curve)


def _step(weights, scores, codes, sample_weight, k, direction, delta):
    """Move class k to a best point of its line."""
    n = len(codes)
    own = codes == k
    others = scores.copy()
    others[:, k] = -np.inf
    strongest = others.max(axis=1)
    rival = np.where(own, strongest, scores[np.arange(n), codes])
    # An example of another class counts only if its own class beats all classes but k.
    others[np.arange(n), codes] = -np.inf
    counts = own | (rival > others.max(axis=1))
    if not counts.any():
        return
    yw = np.where(own, sample_weight, -sample_weight)[counts]
    size = np.abs(weights).sum(axis=1).max()
    alpha, _, _ = search_line(
        (scores[:, k] - rival)[counts], delta[counts], yw, _PRECISION * size,
        _PRECISION * np.abs(direction).sum(), 0.0, False, workspace(len(yw)),
    )  # fmt: skip
    weights[k] += alpha * direction
    scores[:, k] += alpha * delta
