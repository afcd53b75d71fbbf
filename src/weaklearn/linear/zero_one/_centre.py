"""Which of the hyperplanes that make the same errors: the one in the middle.

The weight vectors that get the rows of a set S right form a cone. Its analytic centre

    argmax_w  sum_{i in S} phi_i log <a_i, w> - (sum_{i in S} phi_i / 2) |w|^2

has the largest geometric mean of margins among weight vectors of the same length: it keeps away from all
examples that it gets right, where the vertices that a linear program returns touch p of them. It is found by a
few Newton steps from any point of the cone.
"""

import numpy as np
from scipy.linalg.lapack import dposv

from weaklearn.linear.zero_one._problem import ON_HYPERPLANE, count_errors

_TOO_CLOSE = 1e-7  # a score below this share of the largest one is too close to call


def analytic_centre(rows, weight, start, max_iter=30, tolerance=1e-4):
    """The analytic centre of {w : rows @ w > 0} from a point in it; ``start`` if that has no inside."""
    total = weight.sum()
    weight = weight / total
    w = start / np.sqrt(start @ start)
    scores = rows @ w
    # The best length of w in this direction is 1 whatever the rows: the weights sum to 1.
    value = -(weight @ np.log(scores)) + 0.5 * (w @ w)
    for _ in range(max_iter):
        ratio = weight / scores
        gradient = w - ratio @ rows
        scaled = rows * (np.sqrt(weight) / scores)[:, None]
        hessian = scaled.T @ scaled
        hessian.flat[:: len(w) + 1] += 1.0
        _, step, info = dposv(hessian, -gradient, lower=1)
        if info != 0:
            break
        decrease = -(gradient @ step)
        if decrease < tolerance:
            break
        change = rows @ step
        # As far as a tenth of the way short of the first row to be hit, then back until the value falls.
        slowest = (change / scores).min()
        length = 1.0 if slowest >= -0.9 else 0.9 / -slowest
        for _ in range(20):
            new_w, new_scores = w + length * step, scores + length * change
            new_value = -(weight @ np.log(new_scores)) + 0.5 * (new_w @ new_w)
            if new_value < value - 0.1 * length * decrease:
                break
            length *= 0.5
        else:
            break
        w, scores, value = new_w, new_scores, new_value
    return w


def away_from_points(problem, weights, rng, centre=True):
    """A weight vector with no more errors that keeps away from every point, right, wrong or neutral.

    Points on the hyperplane are errors, but rounding may put them on either side: the weight vector is moved until
    they are clearly on one.
    """
    error, wrong = count_errors(problem, weights)
    right = ~wrong
    if centre and right.any():
        rows = problem.rows[right]
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        middle = analytic_centre(rows / length[:, None], problem.weight[right], weights)
        if count_errors(problem, middle)[0] <= error:
            weights = middle
    size = np.abs(weights).max()
    weights = weights / size if size > 0 else weights
    points = problem.rows if len(problem.neutral) == 0 else np.concatenate([problem.rows, problem.neutral])
    scores = points @ weights
    on = ON_HYPERPLANE * np.abs(weights).sum()
    touching = np.abs(scores) <= _TOO_CLOSE * np.abs(scores).max()
    touching[: len(problem.rows)] &= scores[: len(problem.rows)] <= on
    if not touching.any():
        return weights
    clear = np.abs(scores[~touching])
    room = clear.min() if len(clear) else 1.0
    direction = -points[touching].sum(axis=0)
    direction /= max(np.abs(direction).max(), 1e-300)
    best, best_error = weights, np.inf
    for _ in range(4):
        push = direction + 0.1 * rng.standard_normal(len(weights))
        moved = weights + push * (0.5 * room / np.abs(points @ push).max())
        moved_error = count_errors(problem, moved)[0]
        if moved_error < best_error:
            best, best_error = moved, moved_error
    return best
