"""What follows from the weights of hypotheses: expected doubt after one more answer, means, quantiles.

Weights are (rows, cells, shapes), one row per run; ``at`` is the threshold of each hypothesis on the unit scale, either
(cells,) where it is the cell itself or (cells, shapes). Every function is plain arithmetic on arrays.
"""

import numpy as np


def normalised(log_weights):
    """Weights that sum to 1 in every row."""
    weights = np.exp(log_weights - log_weights.max(axis=(1, 2), keepdims=True))
    return weights / weights.sum(axis=(1, 2), keepdims=True, dtype=np.float64).astype(weights.dtype)


def _sums(weights, p):
    """sum over shapes of weight times p: (cells, rows, levels)."""
    return np.matmul(weights.transpose(1, 0, 2), p)


def expected_variance(weights, p, at, inside):
    """The expected variance of the threshold after one more answer at each level, (rows, levels).

    ``p`` is (cells, shapes, levels). Only hypotheses whose threshold lies ``inside`` count: what lies beyond the levels
    cannot be found by asking at them.
    """
    if at.ndim == 1:
        kept = np.flatnonzero(inside)
        weights, p, at = weights[:, kept], p[kept], at[kept]
        mass = weights.sum(axis=2, dtype=np.float64)
        total = mass.sum(axis=1)
        centred = at - (mass @ at / total)[:, None]  # (rows, cells): variances are small against the range
        yes = _sums(weights, p).astype(np.float64)
        moments = [np.einsum("rc,crl->rl", centred**k, yes) for k in range(2)]
        first, second = (mass * centred).sum(axis=1), (mass * centred**2).sum(axis=1)
    else:
        weights = weights * inside
        total = weights.sum(axis=(1, 2), dtype=np.float64)
        at = np.where(inside, at, 0.0)
        mean = (weights * at).sum(axis=(1, 2), dtype=np.float64) / total
        centred = at - mean[:, None, None]
        moments = [
            _sums((weights * centred**k).astype(np.float32), p).sum(axis=0, dtype=np.float64)
            for k in range(2)
        ]
        first = (weights * centred).sum(axis=(1, 2), dtype=np.float64)
        second = (weights * centred**2).sum(axis=(1, 2), dtype=np.float64)
    # E[var] = E[at^2] - E[E[at | answer]^2]
    yes_mass, yes_first = moments
    no_mass, no_first = total[:, None] - yes_mass, first[:, None] - yes_first
    left = second[:, None] - yes_first**2 / yes_mass - no_first**2 / no_mass
    return left / total[:, None]


def distribution(mass):
    """The distribution function at the edges of cells with these probabilities."""
    cumulative = np.concatenate([[0.0], np.cumsum(mass)])
    return cumulative / cumulative[-1]


def quantiles(weights, at, shares, edges=None):
    """Quantiles of the threshold under one table of weights (cells, shapes).

    With ``edges`` the thresholds are those of the cells and spread evenly over each; otherwise they are interpolated
    between the hypotheses.
    """
    if edges is not None:
        return np.interp(shares, distribution(weights.sum(axis=1, dtype=np.float64)), edges)
    flat, weights = at.ravel(), weights.ravel().astype(np.float64)
    order = np.argsort(flat, kind="stable")
    flat, weights = flat[order], weights[order]
    mass = np.cumsum(weights) - 0.5 * weights
    return np.interp(shares, mass / weights.sum(), flat)


# A window holds the middle 99.9% of the mass, one cell more on both sides and some room.
_TAIL, _ROOM, _LEAST_HALVINGS, _OUTSIDE = 5e-4, 1.4, 2, 0.02


def zoom_window(weights, grid):
    """The part of the range in which the threshold lies for certain, if it is a quarter of the window or less.

    None if there is no such part. Windows start at quarters of their width, so that few different ones occur.
    """
    mass = weights.sum(axis=1, dtype=np.float64)
    if mass[~grid.inside].sum() > _OUTSIDE * mass.sum():
        return None
    low, high = quantiles(weights, grid.tau, [_TAIL, 1 - _TAIL], grid.edges)
    places = np.searchsorted(grid.edges, [low, high])
    low = max(grid.edges[max(places[0] - 2, 0)], 0.0)
    high = min(grid.edges[min(places[1] + 1, len(grid.edges) - 1)], 1.0)
    halvings = int(np.floor(-np.log2(_ROOM * (high - low))))
    size = 2.0**-halvings
    if size > (grid.window[1] - grid.window[0]) * 2.0**-_LEAST_HALVINGS:
        return None
    start = min(np.floor(4 * low / size) * size / 4, 1 - size)
    return float(start), float(start + size)


def reach(window):
    """The window and half its width on both sides: a question beside the threshold can tell more than one at it."""
    half = 0.5 * (window[1] - window[0])
    return np.array([window[0] - half, window[1] + half])


def is_inside(at, grid):
    """Which thresholds ``at`` lie among the levels, shaped as ``at``."""
    return grid.inside if at.ndim == 1 else (at >= 0) & (at <= 1)


def mean_inside(weights, at, inside):
    """The mean of the thresholds among the levels under one table of weights (cells, shapes)."""
    weights = np.where(inside, _on(at, weights), 0.0)
    return float((weights * np.where(inside, at, 0.0)).sum() / weights.sum())


def masses_outside(weights, at):
    """The probabilities that the threshold lies below 0 and above 1."""
    weights = _on(at, weights)
    return float(weights[at < 0].sum()), float(weights[at > 1].sum())


def _on(at, weights):
    """The weights shaped as ``at``."""
    return weights.sum(axis=1, dtype=np.float64) if at.ndim == 1 else weights
