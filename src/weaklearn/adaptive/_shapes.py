"""Shapes of psychometric curves: named families and random rising curves, as arrays.

A shape is a distribution function F on the line. Its scale is given as an interquartile width in units of the range of
levels. The named families are one component each; the random curves, which stand for "any rising curve", are
mixtures of three logistic functions with Dirichlet weights, and centres and widths drawn over two orders of magnitude:
among them are plateaus, two steps and long tails. They are drawn once from a fixed seed, so they are the same in every
process. Straight lines of several widths, three logistic functions side by side, stand beside them.

Within the named and within the random curves the prior grows with the interquartile width, as its power `_FAVOUR_WIDE`.
Steep curves are recognised after few answers whatever the prior; where flat ones are thought unlikely, a few answers
that happen to agree look like a steep curve, and the interval is too narrow.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import logit, ndtr, ndtri


class Family(NamedTuple):
    """A family with a name: its distribution function, the inverse, and the interquartile width at scale 1."""

    values: Callable
    inverse: Callable
    width: float


def _gumbel(z):
    return -np.expm1(-np.exp(np.minimum(z, 50.0)))


def _flipped_gumbel(z):
    return np.exp(-np.exp(np.minimum(-z, 50.0)))


_GUMBEL_WIDTH = np.log(np.log(4.0) / np.log(4.0 / 3.0))
#: In the order of `Shapes.family`; what follows the last one is the random rising curve.
NAMED = {
    "logistic": Family(lambda z: 0.5 + 0.5 * np.tanh(0.5 * z), logit, 2 * np.log(3.0)),
    "normal": Family(ndtr, ndtri, 1.3489795003921634),
    "gumbel": Family(_gumbel, lambda p: np.log(-np.log1p(-p)), _GUMBEL_WIDTH),
    "flipped gumbel": Family(_flipped_gumbel, lambda p: -np.log(-np.log(p)), _GUMBEL_WIDTH),
    "cauchy": Family(lambda z: 0.5 + np.arctan(z) / np.pi, lambda p: np.tan(np.pi * (p - 0.5)), 2.0),
}
_WIDEST = 2.5
_NARROWEST = 0.005
_SEED = 20081
_N_LOGISTIC, _N_OTHER, _N_RANDOM = 10, 5, 100
_LOGISTIC_SHARE, _OTHER_SHARE, _LINES_SHARE = 0.2, 0.1, 0.15  # of the prior; the rest is the random curves'
_N_LINES = 6
# Chosen on the curves of benchmarks/threshold_tuning.py, as the share of straight lines was.
_FAVOUR_WIDE = 0.35
_WIDEST_FAVOURED = 1.5  # of the range: what is wider looks flat in any case


class Shapes(NamedTuple):
    """A library of S shapes.

    ``family`` (S,) is an index into `NAMED`, or ``len(NAMED)`` for a random curve; ``weights``, ``centres`` and
    ``scales`` (S, 3) are those of its components; ``prior`` (S,) sums to 1. Shapes of a family are adjacent.
    """

    family: np.ndarray
    weights: np.ndarray
    centres: np.ndarray
    scales: np.ndarray
    prior: np.ndarray

    def take(self, rows):
        """The shapes at the positions ``rows``, which must not mix the order of families."""
        return Shapes(*(part[rows] for part in self))

    def values(self, z):
        """F of every shape (last axis of ``z``)."""
        out = np.empty(z.shape, dtype=z.dtype)
        for name, part in self._parts():
            inner = z[..., part]
            if name == "random":
                weights, centres, scales = (
                    array[part].T.astype(z.dtype) for array in (self.weights, self.centres, self.scales)
                )
                # sum of w (1 + tanh((z - c) / 2s)) / 2: the weights sum to 1.
                total = np.full(inner.shape, 0.5, dtype=z.dtype)
                for weight, centre, half in zip(0.5 * weights, centres, 0.5 / scales, strict=True):
                    component = inner - centre
                    component *= half
                    np.tanh(component, out=component)
                    component *= weight
                    total += component
                out[..., part] = total
            else:
                out[..., part] = NAMED[name].values(inner / self.scales[part, 0].astype(z.dtype))
        return out

    def _parts(self):
        """(name, slice) of every family that is there."""
        starts = np.searchsorted(self.family, np.arange(len(NAMED) + 2))
        names = (*NAMED, "random")
        return [(name, slice(a, b)) for name, (a, b) in zip(names, pairwise(starts), strict=True) if a < b]

    def inverse(self, level):
        """Where each shape has the value ``level`` (S,): in closed form, for random curves by bisection."""
        level = np.broadcast_to(np.asarray(level, dtype=float), self.family.shape)
        found = np.empty(self.family.shape)
        for name, part in self._parts():
            if name == "random":
                found[part] = self.take(part)._bisected(level[part])
            else:
                found[part] = self.scales[part, 0] * NAMED[name].inverse(level[part])
        return found

    def _bisected(self, level):
        # Every component has passed the level beyond the farthest of their own crossings.
        own = self.centres + self.scales * logit(level)[:, None]
        low, high = own.min(axis=1), own.max(axis=1)
        for _ in range(60):
            middle = 0.5 * (low + high)
            above = self.values(middle) >= level
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return 0.5 * (low + high)


@lru_cache(maxsize=8)
def shape_library(gap):
    """The shapes for levels whose smallest distance is ``gap`` of the range: the narrowest is a step between two."""
    narrowest = min(_NARROWEST, 0.25 * gap)
    n_logistic = _N_LOGISTIC + int(np.ceil(np.log2(_NARROWEST / narrowest)))
    rows: list[tuple] = []
    for name in NAMED:
        count, share = _N_OTHER, _OTHER_SHARE / (len(NAMED) - 1)
        ends = 0.05, 1.2
        if name == "logistic":
            count, share, ends = n_logistic, _LOGISTIC_SHARE, (narrowest, _WIDEST)
        rows += [_single(name, width, share / count) for width in np.geomspace(*ends, count)]
    rng = np.random.default_rng(_SEED)
    share = (1 - _LOGISTIC_SHARE - _OTHER_SHARE - _LINES_SHARE) / _N_RANDOM
    for _ in range(_N_RANDOM):
        spread = np.exp(rng.uniform(np.log(0.05), np.log(2.0)))
        centres = spread * rng.random(3)
        scales = np.exp(rng.uniform(np.log(_NARROWEST), np.log(0.8), 3)) / NAMED["logistic"].width
        rows.append((len(NAMED), rng.dirichlet(np.ones(3)), centres, scales, share))
    for width in np.geomspace(0.2, 2.0, _N_LINES):
        centres = width * np.array([-1.0, 0.0, 1.0]) / 3
        rows.append((len(NAMED), [1 / 3] * 3, centres, [0.12 * width] * 3, _LINES_SHARE / _N_LINES))
    return _favouring_wide(_from_rows(rows))


def _favouring_wide(shapes):
    """The same shapes, the prior tilted towards wide ones; named and other curves keep their shares."""
    width = np.clip(shapes.inverse(0.75) - shapes.inverse(0.25), _NARROWEST, _WIDEST_FAVOURED)
    prior = shapes.prior * width**_FAVOUR_WIDE
    named = shapes.family < len(NAMED)
    for part in (named, ~named):
        prior[part] *= shapes.prior[part].sum() / prior[part].sum()
    return shapes._replace(prior=prior)


# The curves of the continual reassessment method are powers of a guessed curve, skeleton ** a, so log(-log p) of two of
# them differs by a constant. With the usual skeletons (Lee and Cheung, 2009) it falls by about a third from one of five
# doses to the next, which makes them flipped Gumbel curves of one width, 4.7 steps between doses; a smaller one did
# better on random scenarios (benchmarks/dose_tuning.py). Widths are in steps: doses of a trial are chosen to
# differ, so more of them span a wider range rather than lie closer together.
_POWER_SHARE, _POWER_WIDTH = 0.6, 3.4
_GRADUAL_WIDTHS = (1.4, 10.0)
_MOST_STEPS = 8  # from here on doses are taken for a fine grid


@lru_cache(maxsize=8)
def gradual_library(n_doses):
    """Curves that take several doses to rise: the power curves of dose finding, logistic and Gumbel ones."""
    step = 1 / min(n_doses - 1, _MOST_STEPS)
    gradual = [
        _single(name, width * step, (1 - _POWER_SHARE) / 18)
        for name in ("logistic", "gumbel", "flipped gumbel")
        for width in np.geomspace(*_GRADUAL_WIDTHS, 6)
    ]
    return _from_rows([*gradual, _single("flipped gumbel", _POWER_WIDTH * step, _POWER_SHARE)])


def _single(name, width, prior):
    """The row of a library that is one component of a family, of this interquartile width."""
    return list(NAMED).index(name), [1.0, 0.0, 0.0], [0.0] * 3, [width / NAMED[name].width] * 3, prior


def _from_rows(rows):
    family, weights, centres, scales, prior = (
        np.array(part, dtype=float) for part in zip(*rows, strict=True)
    )
    return Shapes(family.astype(int), weights, centres, scales, prior)
