"""The curve that a posterior stands for, with a band."""

import numpy as np

__all__ = ["PosteriorCurve"]


class PosteriorCurve:
    """The posterior mean of the probability of yes; made by `PosteriorMinEnt.fitted`."""

    def __init__(self, grid, weights, unit):
        self._grid, self._weights, self._unit = grid, weights, unit

    def predict(self, X):
        """The mean probability of yes at levels, ndarray of the shape of ``X`` (a column is flattened)."""
        places = self._unit.to_unit(np.asarray(X, dtype=float).ravel())
        return np.array([float((self._weights * self._grid.probabilities(u)).sum()) for u in places])

    def predict_interval(self, X, confidence=0.9, *, n_resamples=1000, random_state=None):
        """Pointwise credible intervals from ``n_resamples`` curves drawn from the posterior: (low, high)."""
        rng = np.random.default_rng(random_state)
        share = self._weights.ravel().astype(float)
        drawn = rng.choice(len(share), n_resamples, p=share / share.sum())
        cells, shapes = np.divmod(drawn, self._weights.shape[1])
        order = np.argsort(shapes, kind="stable")  # keeps families together
        cells, shapes = cells[order], shapes[order]
        library = self._grid.shapes.take(shapes)
        places = self._unit.to_unit(np.asarray(X, dtype=float).ravel())
        z = self._grid.anchor[shapes] + places[:, None] - self._grid.tau[cells]
        p = self._grid.floor[shapes] + self._grid.span[shapes] * library.values(z)
        tail = 0.5 * (1 - confidence)
        return tuple(np.quantile(p, [tail, 1 - tail], axis=1))
