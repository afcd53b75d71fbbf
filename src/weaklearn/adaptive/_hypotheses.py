"""The hypotheses of `PosteriorMinEnt`: every curve is a threshold, a shape, a guess rate and a lapse rate.

    p(u) = g + (1 - g - lapse) F(F^-1(c) + u - tau),    c = (target - g) / (1 - g - lapse)

on the unit scale u of the levels (0 at the first, 1 at the last, rising), so that p(tau) = target for every hypothesis.
The lower asymptote g is the guess rate, or the lapse rate where that is larger: lapses happen at both ends. Thresholds
lie in cells: 60 equal ones in the window (the whole range, or a part of it once the answers have singled it
out) and, if the window is the whole range, wider ones beyond both ends. Inside, the prior of tau is Beta(3/2, 3/2)
(for doses it is even): levels are usually chosen with the expected threshold nearer to the middle than to the ends.
Arrays are laid out as (cells, shapes).
"""

import itertools
import threading
from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from weaklearn.adaptive._shapes import gradual_library, shape_library

_CERTAIN = 1e-5  # no hypothesis is surer of an answer than this
# Edges of the cells beyond an end; doses may lie far from where they are needed.
_OUTSIDE = (0.0, 0.02, 0.05, 0.09, 0.14, 0.2, 0.27, 0.35, 0.45)
_FAR_OUTSIDE = (*_OUTSIDE, 0.6, 0.8, 1.05, 1.35, 1.7)
_N_INSIDE = 60  # cells of a window
_MOST_COLUMNS = 96  # kept; each takes a quarter of a megabyte


@lru_cache(maxsize=8)
def hypotheses(levels, target, guess_rates, lapse_rates, prior, window=(0.0, 1.0)):
    """The hypotheses for ``levels`` on the unit scale, made once per process: every step of a session needs them.

    ``prior`` "any shape" is for experiments whose levels were chosen around the threshold; "gradual" is for doses,
    where the threshold may well lie beyond the last or below the first and harm does not jump from one dose to the
    next.
    """
    if prior == "gradual":
        shapes, places = gradual_library(len(levels)), Places((0.41, 0.3), _FAR_OUTSIDE, 1.0, 0.0)
    else:
        gap = min(b - a for a, b in itertools.pairwise(levels))
        shapes, places = shape_library(gap), Places((0.05, 0.05))
    return Hypotheses(shapes, target, guess_rates, lapse_rates, window, levels, places)


class Places(NamedTuple):
    """What is believed beforehand about the place of the threshold."""

    shares: tuple[float, float]  # the probabilities of a threshold below and above all levels
    edges: tuple[float, ...] = _OUTSIDE  # of the cells beyond an end, as distances from it
    spread: float = np.inf  # there the density falls like that of a normal distribution with this deviation
    middle: float = 0.5  # among the levels it is (r (1 - r)) ** middle at the rank r of a cell

    def inner(self):
        """The probabilities of the cells among the levels."""
        rank = (np.arange(_N_INSIDE) + 0.5) / _N_INSIDE
        weights = (rank * (1 - rank)) ** self.middle
        return (1 - self.shares[0] - self.shares[1]) * weights / weights.sum()

    def outer(self):
        """The probabilities of the cells beyond an end, given that the threshold lies there."""
        edges = np.array(self.edges)
        weights = np.diff(edges) * np.exp(-0.5 * ((edges[:-1] + edges[1:]) / 2 / self.spread) ** 2)
        return weights / weights.sum()


def _inner_edges(levels):
    """Edges of cells in [0, 1]: half of them spread evenly, half of them as the levels are.

    Evenly spaced levels get equal cells.
    """
    ranks = np.linspace(0.0, 1.0, len(levels))
    even = np.linspace(0.0, 1.0, _N_INSIDE + 1)
    places = np.union1d(levels, even)
    share = 0.5 * places + 0.5 * np.interp(places, levels, ranks)
    return np.interp(even, share, places)


class Hypotheses:
    """A grid of hypotheses over the thresholds of a window.

    All combinations of guess and lapse rates are equally likely, those under which the target cannot be reached left
    out. Where ``levels`` lie close together, so do the cells of the window; ``places`` is the prior of
    the threshold, if the window is the whole range. ``edges`` (n_cells + 1) and ``tau``, the middles, are those of the
    cells, ``inside`` says which lie in the range of the levels, ``log_prior`` is (n_cells, n_shapes).
    """

    def __init__(
        self,
        shapes,
        target,
        guess_rates,
        lapse_rates,
        window=(0.0, 1.0),
        levels=(0.0, 1.0),
        places=Places((0.05, 0.05)),  # noqa: B008 (a constant)
    ):
        whole = window == (0.0, 1.0)
        edges = np.linspace(window[0], window[1], _N_INSIDE + 1)
        if whole:
            beyond = np.array(places.edges[1:])
            edges = np.concatenate([-beyond[::-1], _inner_edges(np.asarray(levels)), 1 + beyond])
        self.window, self.edges = window, edges
        self.tau = 0.5 * (edges[:-1] + edges[1:])
        self.inside = (self.tau > 0) & (self.tau < 1)
        size = np.diff(edges)
        cells = size.copy()
        if whole:
            # In the order of the cells, not by their size: close levels say where the threshold is expected.
            below, above = places.shares
            cells[self.inside] = places.inner()
            cells[self.tau < 0] = below * places.outer()[::-1]
            cells[self.tau > 1] = above * places.outer()
        ends = [(max(guess, lapse), lapse) for guess in guess_rates for lapse in lapse_rates]
        rates = [(floor, 1 - floor - lapse) for floor, lapse in ends]
        rates = [(floor, span) for floor, span in rates if 0 < (target - floor) / span < 1]
        if not rates:
            raise ValueError(
                f"a target of {target:g} cannot be reached with guess rates {list(guess_rates)} and lapse rates "
                f"{list(lapse_rates)}"
            )
        n_shapes = len(shapes.family)
        rows = np.tile(np.arange(n_shapes), len(rates))
        order = np.argsort(shapes.family[rows], kind="stable")
        rows = rows[order]
        self.shapes = shapes.take(rows)
        self.floor, self.span = (np.repeat(part, n_shapes)[order] for part in zip(*rates, strict=True))
        anchors = [shapes.inverse((target - floor) / span) for floor, span in rates]
        self.anchor = np.concatenate(anchors)[order]
        prior = shapes.prior[rows] / shapes.prior[rows].sum()
        self.log_prior = np.log(cells)[:, None] + np.log(prior)
        self._forget_columns()

    def _forget_columns(self):
        self._columns: OrderedDict[float, tuple] = OrderedDict()
        self._lock = threading.Lock()

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name not in ("_columns", "_lock")}

    def __setstate__(self, state):
        vars(self).update(state)
        self._forget_columns()

    def probabilities(self, u):
        """p at the place ``u`` for all hypotheses, (n_cells, n_shapes) in single precision."""
        z = self.anchor + (u - self.tau)[:, None]
        p = self.floor + self.span * self.shapes.values(z.astype(np.float32))
        return np.clip(p, _CERTAIN, 1 - _CERTAIN).astype(np.float32)

    def column(self, u):
        """(p, log p, log(1 - p)) at ``u``; the last ones asked for are kept."""
        u = float(u)
        with self._lock:
            if u not in self._columns:
                p = self.probabilities(u)
                self._columns[u] = p, np.log(p), np.log1p(-p)
                if len(self._columns) > _MOST_COLUMNS:
                    self._columns.popitem(last=False)
            self._columns.move_to_end(u)
            return self._columns[u]

    @lru_cache(maxsize=8)  # noqa: B019 (hypotheses are few and kept anyway)
    def table(self, places):
        """p at all of the ``places``, a tuple: (n_cells, n_shapes, n_places)."""
        return np.stack([self.column(u)[0] for u in places], axis=-1)

    def log_posterior(self, u, yes, no):
        """log(prior x likelihood) of tables of counts (rows) at the places ``u``: (n_rows, n_cells, n_shapes)."""
        told = np.flatnonzero(yes.any(axis=0) | no.any(axis=0))
        total = np.broadcast_to(self.log_prior.astype(np.float32), (len(yes), *self.log_prior.shape)).copy()
        if len(told) == 0:
            return total
        flat = total.reshape(len(yes), -1)
        for part in np.array_split(told, len(told) // 32 + 1):
            columns = [self.column(place) for place in u[part]]
            log_p = np.stack([column[1].ravel() for column in columns])
            log_q = np.stack([column[2].ravel() for column in columns])
            flat += yes[:, part].astype(np.float32) @ log_p + no[:, part].astype(np.float32) @ log_q
        return total

    def crossings(self, level):
        """Where every hypothesis has the value ``level``, (n_cells, n_shapes); infinite where it never has."""
        share = (level - self.floor) / self.span
        reached = (share > 0) & (share < 1)
        shift = self.shapes.inverse(np.where(reached, share, 0.5)) - self.anchor
        shift = np.where(reached, shift, np.where(share <= 0, -np.inf, np.inf))
        return self.tau[:, None] + shift
