"""Certificates of the 0/1 minimiser against mixed integer programming (HiGHS)."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from weaklearn.linear import ZeroOneClassifier


def by_highs(X, y, max_time, margin=1e-4):
    """The smallest number of errors of hyperplanes that keep a margin, by big M; None if time ran out."""
    low, high = X.min(0), X.max(0)
    X = 2 * (X - low) / np.where(high > low, high - low, 1) - 1
    n, m = X.shape
    big = 2 * m + 2 * margin
    rows = np.column_stack([np.column_stack([X, np.ones(n)]) * y[:, None], big * np.eye(n)])
    result = milp(
        np.concatenate([np.zeros(m + 1), np.ones(n)]),
        constraints=LinearConstraint(rows, lb=margin),
        integrality=np.concatenate([np.zeros(m + 1), np.ones(n)]),
        bounds=Bounds(
            np.concatenate([-np.ones(m), [-m - margin], np.zeros(n)]),
            np.concatenate([np.ones(m), [m + margin], np.ones(n)]),
        ),
        options={"mip_rel_gap": 0.0, "time_limit": max_time},
    )
    return round(result.fun) if result.status == 0 else None


def degenerate_problem(seed):
    """A few points of a small grid, binary every other time, with duplicates and contradictions."""
    rng = np.random.default_rng([seed, 2005])
    n, m = int(rng.integers(8, 21)), int(rng.integers(1, 5))
    X = rng.integers(0, 2 + seed % 2, size=(n, m)).astype(float)
    y = np.where(X[:, 0] + rng.normal(size=n) > X[:, 0].mean(), 1, -1)
    y[:2] = -1, 1
    return X, y


def agreement(problems, max_time):
    """(problems both finished, disagreements, errors below the optimum) over an iterable of (X, y)."""
    finished = different = below = 0
    for seed, (X, y) in enumerate(problems):
        optimum = by_highs(X, y, max_time)
        model = ZeroOneClassifier(certify=True, max_time=max_time, random_state=seed).fit(X, y)
        wrong = np.sum(y * model.decision_function(X) <= 0)
        if optimum is not None:
            below += int(wrong < optimum or model.error_ < optimum)
            if model.optimal_:
                finished += 1
                different += int(model.error_ != optimum)
    return finished, different, below
