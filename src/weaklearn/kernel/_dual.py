"""Solving the dual of a binary support vector machine: shrinking and restarts around the compiled loop."""

from typing import NamedTuple

import numpy as np

from weaklearn._fast.smo import CONVERGED, OUT_OF_STEPS, UNBOUNDED, gradient, simplified_smo, smo

# After this many steps find the examples that stay at a bound. Copying the Gram matrix of the others pays when
# it is at most this share as wide.
_SHRINK_AFTER = 1000
_SHRINK_TO = 0.6


class DualSolution(NamedTuple):
    """A solved dual."""

    beta: np.ndarray  # signed coefficients y_i alpha_i
    intercept: float
    objective: float  # sum |beta| - 1/2 beta' K beta
    n_steps: int
    gap: float
    status: int  # CONVERGED, OUT_OF_STEPS or UNBOUNDED


def solve_dual(gram, y, C, *, tol=1e-3, max_steps):
    """Minimise the dual to a gap of `tol`, with labels -1.0 and +1.0 and upper bounds C, infinity allowed.

    Examples at rest are left out of the loop and checked at the end (shrinking).
    """
    n = len(y)
    lower, upper = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)
    beta = np.zeros(n)
    F = np.empty(n)
    gradient(gram, y, beta, F)
    diagonal = np.ascontiguousarray(gram.diagonal()).astype(np.float64)
    active = np.arange(n)
    hard = bool(np.isinf(C).all())
    part, part_diagonal = gram, diagonal
    steps, status = 0, OUT_OF_STEPS
    while steps < max_steps:
        some_beta, some_F = beta[active], F[active]
        done, gap, low, high, status = smo(
            part, part_diagonal, y[active], lower[active], upper[active], hard, tol,
            min(_SHRINK_AFTER, max_steps - steps), some_beta, some_F,
        )  # fmt: skip
        beta[active], F[active] = some_beta, some_F
        steps += done
        if status == UNBOUNDED:
            break
        if status == CONVERGED:
            if done == 0 and len(active) == n:
                break
            # Rounding in F, and examples that were left out: recompute from scratch and include all of them.
            gradient(gram, y, beta, F)
            active = _restless(beta, F, lower, upper, low, high, tol)
            gap, low, high = _gap(beta, F, lower, upper)
            if gap < tol:
                break
            status = OUT_OF_STEPS
            active = np.arange(n) if len(active) > _SHRINK_TO * n else active
            part, part_diagonal = _part(gram, diagonal, active)
        else:
            kept = _restless(beta[active], F[active], lower[active], upper[active], low, high, 0.0)
            if len(kept) <= _SHRINK_TO * len(active):
                active = active[kept]
                part, part_diagonal = _part(gram, diagonal, active)
    if status == OUT_OF_STEPS:
        gradient(gram, y, beta, F)
        gap, low, high = _gap(beta, F, lower, upper)
    return DualSolution(
        beta, _intercept(beta, F, lower, upper, low, high), _objective(beta, F, y), steps, float(gap), status
    )


def solve_simplified(gram, y, C, partners, *, tol=1e-3, quiet_passes=2):
    """The same problem by the simplified algorithm; see `weaklearn._fast.smo.simplified_smo`."""
    alpha, scores = np.zeros(len(y)), np.zeros(len(y))
    passes, bias = simplified_smo(gram, y, C, tol, partners, quiet_passes, alpha, scores)
    beta = y * alpha
    F = scores - y
    gap, _, _ = _gap(beta, F, np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0))
    status = CONVERGED if passes < len(partners) else OUT_OF_STEPS
    return DualSolution(beta, bias, _objective(beta, F, y), passes, float(gap), status)


def _part(gram, diagonal, active):
    if len(active) == len(gram):
        return gram, diagonal
    return np.ascontiguousarray(gram[np.ix_(active, active)]), diagonal[active]


def _gap(beta, F, lower, upper):
    low = F[beta < upper].min(initial=np.inf)
    high = F[beta > lower].max(initial=-np.inf)
    return high - low, low, high


def _restless(beta, F, lower, upper, low, high, slack):
    """Everything but the coefficients at a bound whose gradient holds them there."""
    held_up = (beta >= upper) & (low - slack > F)
    held_down = (beta <= lower) & (high + slack < F)
    return np.flatnonzero(~(held_up | held_down))


def _intercept(beta, F, lower, upper, low, high):
    free = (beta > lower) & (beta < upper)
    if free.any():
        return -float(F[free].mean())
    return -float(low + high) / 2 if np.isfinite(low) and np.isfinite(high) else 0.0


def _objective(beta, F, y):
    return float(np.abs(beta).sum() - 0.5 * beta @ (F + y))
