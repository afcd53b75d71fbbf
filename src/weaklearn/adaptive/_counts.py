"""Samplers that look at the counts of answers and not at their order."""

from abc import abstractmethod

import numpy as np

from weaklearn.adaptive._sampler import Sampler


class CountSampler(Sampler):
    """A sampler that looks at the counts and not at their order, so that many runs can go in step."""

    n_first = 0  # each level of the first phase is asked this often before the answers are looked at

    def _counts_decide(self):
        return not getattr(self, "between", False)

    def _next(self):
        x, yes, asked = self.counts()
        places = np.searchsorted(x, self._grid())
        return x[self._choose(x, yes[None], asked[None], places, self._rng())[0]]

    def _choose(self, x, yes, asked, places, rng):
        """For every row of counts the position in ``x`` of the next level; ``places`` are those of the grid."""
        first = self._first_places(places)
        short = asked[:, first] < self.n_first
        chosen = first[random_argmin(np.where(short, 0.0, 1.0), rng)]
        rest = ~short.any(axis=1)
        if rest.any():
            chosen[rest] = self._choose_adaptively(x, yes[rest], asked[rest], places, rng)
        return chosen

    def _first_places(self, places):
        """The levels of the first phase."""
        return places

    @abstractmethod
    def _choose_adaptively(self, x, yes, asked, places, rng):
        """As `_choose`, once the first phase is over."""


def random_argmin(scores, rng):
    """The position of a least entry of every row, drawn among equals (to 1e-12)."""
    least = scores.min(axis=1, keepdims=True)
    keys = np.where(scores <= least + 1e-12, rng.random(scores.shape), -1.0)
    return keys.argmax(axis=1)


def thinned(places, most):
    """All places, or ``most`` of them in even steps from the first to the last."""
    return places[np.unique(np.linspace(0, len(places) - 1, most).round().astype(int))]
