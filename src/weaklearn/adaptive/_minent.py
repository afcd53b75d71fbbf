"""MinEnt: ask where one more answer leaves the least doubt about the threshold."""

from typing import ClassVar

import numpy as np

from weaklearn.adaptive._counts import CountSampler, random_argmin, thinned
from weaklearn.adaptive._sampler import entropies
from weaklearn.monotone import HybridFit

# Drawn data sets are fitted in blocks of about this many numbers, whatever the number of runs in step.
_BLOCK = 4_000_000
_MOST_CANDIDATES = 24  # levels that are compared for one question
_MOST_FIRST = 20  # levels of the first phase if no budget is known


class MinEnt(CountSampler):
    """Take the current curve for the truth, redraw all answers from it, and see which further question helps most.

    For every candidate level, `n_resamples` data sets with one more answer at that level are drawn from the fitted
    curve; each gives a threshold. The candidate whose thresholds have the least entropy is asked.

    Parameters
    ----------
    levels, functional, fit, increasing, random_state
        See `Sampler`; the default fit is `HybridFit`. With several functionals their entropies are added.
    criterion : {"entropy", "variance"}, default="entropy"
        What measures the doubt: the entropy of the thresholds in as many equal bins as there are levels, or their
        variance.
    n_resamples : int, default=40
        Drawn data sets per candidate.
    n_first : int, default=1
        Each level of the first phase is asked this often, in random order, before the curve is looked at; at least
        once, because a curve says nothing about what lies beyond the levels that were asked.
    budget : int, default=None
        The number of answers that are planned. The first phase takes half of them at most, on levels spread from
        the first to the last; None allows 20 levels. `Session` and `simulate` set it.
    smooth : bool, default=True
        Draw answers with the probability (W p + 1/2) / (W + 1), W being the number of answers in the level's block of
        equal isotonic values. With False, as in the source, a few answers that happen to be alike are taken for
        certainty.

    Notes
    -----
    The candidates share their random numbers: the drawn answers at the present counts are the same for all, and only
    the additional answer differs. The comparison is between candidates, so what they have in common cancels; with
    independent draws the choice is hardly better than chance at this number of resamples.

    References
    ----------
    pratap2008, section 3.5, Figure 3.4; section 3.5.3 for `criterion`.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.monotone import Crossing
    >>> sampler = MinEnt(np.linspace(0, 1, 11), Crossing(0.5), random_state=0)
    >>> for _ in range(25):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level > 0.42)
    >>> 0.4 <= sampler.estimate() <= 0.5
    True
    """

    def __init__(
        self,
        levels,
        functional=None,
        *,
        fit=None,
        criterion="entropy",
        n_resamples=40,
        n_first=1,
        budget=None,
        smooth=True,
        increasing=True,
        random_state=None,
    ):
        super().__init__(levels, functional, fit=fit, increasing=increasing, random_state=random_state)
        self.criterion = criterion
        self.n_resamples = n_resamples
        self.n_first = n_first
        self.budget = budget
        self.smooth = smooth

    _least: ClassVar[dict[str, int]] = {"n_resamples": 1, "n_first": 1, "budget": 1}
    _switches = ("increasing", "smooth")

    def _default_fit(self):
        return HybridFit()

    def _first_places(self, places):
        most = max(_MOST_FIRST if self.budget is None else self.budget // (2 * self.n_first), 3)
        return thinned(places, most)

    def _choose_adaptively(self, x, yes, asked, places, rng):
        if self.criterion not in ("entropy", "variance"):
            raise ValueError(f"criterion must be 'entropy' or 'variance', got {self.criterion!r}")
        if len(places) > _MOST_CANDIDATES:
            return np.array(
                [self._choose_among_many(x, y, m, places, rng) for y, m in zip(yes, asked, strict=True)]
            )
        rows = max(1, _BLOCK // (self.n_resamples * len(places) * len(x)))
        blocks = range(0, len(yes), rows)
        scores = [self._doubt(x, yes[i : i + rows], asked[i : i + rows], places, rng) for i in blocks]
        return places[random_argmin(np.concatenate(scores), rng)]

    def _choose_among_many(self, x, yes, asked, places, rng):
        """One run with many levels: candidates are spread over where thresholds of redrawn data lie.

        Levels that have no answers and are not candidates do not matter to a fit and are left out.
        """
        told = np.flatnonzero(asked > 0)
        fit = self._fit()
        curve = self._resampling_curve(fit, x[told], yes[None, told], asked[None, told], self.smooth)[0]
        drawn = rng.binomial(asked[told].astype(np.int64), curve, (self.n_resamples, len(told)))
        m = np.broadcast_to(asked[told], drawn.shape)
        found = np.concatenate(
            [
                fit.threshold_many(x[told], drawn / m, m, functional, self._range())
                for functional in self._functionals()
            ]
        )
        room = 0.5 * (found.max() - found.min()) + 2 * (x[places[-1]] - x[places[0]]) / len(places)
        near = places[(x[places] >= found.min() - room) & (x[places] <= found.max() + room)]
        near = thinned(near, _MOST_CANDIDATES)
        kept = np.union1d(told, near)
        scores = self._doubt(x[kept], yes[None, kept], asked[None, kept], np.searchsorted(kept, near), rng)
        return near[random_argmin(scores, rng)[0]]

    def _doubt(self, x, yes, asked, places, rng):
        """The score of every candidate (columns) in every run (rows)."""
        from weaklearn._fast.curves import one_more_answer

        fit = self._fit()
        curve = self._resampling_curve(fit, x, yes, asked, self.smooth)
        n_runs, n_levels = yes.shape
        shape = (n_runs, self.n_resamples, n_levels)
        drawn = rng.binomial(asked.astype(np.int64)[:, None, :], curve[:, None, :], shape)
        further = rng.random(shape) < curve[:, None, :]
        y, m = np.empty((2, n_runs * len(places) * self.n_resamples, n_levels))
        one_more_answer(drawn, further, asked, places, y, m)
        total = np.zeros((n_runs, len(places)))
        low, high = self._range()
        for functional in self._functionals():
            found = fit.threshold_many(x, y, m, functional, (low, high))
            found = found.reshape(n_runs, len(places), self.n_resamples)
            if self.criterion == "entropy":
                total += entropies(found, low, high, len(self._grid()))
            else:
                total += found.var(axis=2)
        return total
