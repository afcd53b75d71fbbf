"""The canonical form of a 0/1 minimisation: distinct points, net weights, isotropic rows.

- Rows with the same features and the same label are one row with the sum of their weights: a weight of two and
  two copies are the same problem.
- Of a point that occurs with both labels every hyperplane gets at least the lighter label wrong, and a hyperplane
  through it gets both wrong. The lighter weight is unavoidable; the difference stays, with the heavier label. Where
  nothing is left the point is neutral: it does not matter on which side it lies, but it must lie on one.
- What is left is the system <a_i, w> > 0 with a_i = y_i (x_i, 1), brought to isotropic form.
"""

from typing import NamedTuple

import numpy as np

from weaklearn._fast.isotropic import isotropic_rows
from weaklearn._fast.points import project, signed_rows
from weaklearn.linear._base import FeatureRange

# A score smaller than this share of the largest possible one is on the hyperplane.
ON_HYPERPLANE = 1e-11


class ZeroOneProblem(NamedTuple):
    """Distinct rows and what cannot be avoided."""

    rows: np.ndarray  # (n, m + 1): y_i (x_i, 1)
    weight: np.ndarray  # (n,), positive
    unavoidable: float
    neutral: np.ndarray  # (n', m + 1): (x, 1) of points with equal weight on both labels


def zero_one_problem(X, y, sample_weight, feature_range=None):
    """Merge equal points, cancel contradictions, and scale the columns if a `FeatureRange` says how."""
    # Equal points have equal projections; the rare unequal ones that share one are merely left unmerged.
    key = project(X, np.random.default_rng(20050815).uniform(0.5, 1.5, size=X.shape[1]))
    order = np.argsort(key, kind="stable")
    if len(order) > 1:
        neighbours = key[order[1:]] == key[order[:-1]]
        where = np.flatnonzero(neighbours)
        neighbours[where] = (X[order[where + 1]] == X[order[where]]).all(axis=1)
        group = np.concatenate([[0], np.cumsum(~neighbours)])
    else:
        group = np.zeros(len(order), dtype=int)
    n_groups = group[-1] + 1
    first = order[np.searchsorted(group, np.arange(n_groups))]
    positive = np.bincount(group, np.where(y > 0, sample_weight, 0.0)[order], minlength=n_groups)
    negative = np.bincount(group, np.where(y > 0, 0.0, sample_weight)[order], minlength=n_groups)
    net = positive - negative
    kept = net != 0
    scale = FeatureRange.identity(X.shape[1]) if feature_range is None else feature_range
    rows = signed_rows(X, first[kept], np.sign(net[kept]), *scale)
    neutral = signed_rows(X, first[~kept], np.ones(int((~kept).sum())), *scale)
    unavoidable = float(np.minimum(positive, negative).sum())
    return ZeroOneProblem(rows, np.abs(net[kept]), unavoidable, neutral)


def isotropic_problem(problem):
    """Unit rows in isotropic position, their transpose, and the map of weight vectors back to ``rows``."""
    unit, back = isotropic_rows(problem.rows, problem.weight)
    return unit, np.ascontiguousarray(unit.T), back


def count_errors(problem, weights):
    """Weight of the rows that a weight vector does not get strictly right, and which they are."""
    scores = problem.rows @ weights
    wrong = scores <= ON_HYPERPLANE * np.abs(weights).sum()
    return problem.unavoidable + float(problem.weight @ wrong), wrong
