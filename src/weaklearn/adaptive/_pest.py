"""BestPEST: ask where the logistic fit has its threshold."""

from typing import ClassVar

import numpy as np

from weaklearn.adaptive._counts import CountSampler, random_argmin
from weaklearn.monotone import LogisticFit


class BestPEST(CountSampler):
    """Ask at the level next to the threshold of the maximum likelihood logistic curve.

    Parameters
    ----------
    levels, functional, fit, increasing, random_state
        See `Sampler`; the fit is `LogisticFit` unless another one is given. With several functionals the questions
        take turns.
    n_first : int, default=1
        Each level is asked this often, in random order, before the fit is looked at.
    ties : {"random", "lower", "upper"}, default="random"
        While the answers are separated (no yes below a no), every threshold in the gap is as likely as any other.
        "random" asks any level of the gap, its ends included, and estimates by the fit; "lower" and "upper" ask and
        estimate at that end of the gap, which biases the estimate in that direction.
    placement : {"nearest", "below"}, default="nearest"
        Which level is next to the estimate: the nearest one, or the one at or below it (of separated answers too,
        whatever `ties` says about where to ask). "below" agrees with the published biases of pratap2008.

    References
    ----------
    pratap2008, section 3.4.1, after Pentland (1980). The text does not say how ties are broken, and on steep curves
    they decide the bias.

    Examples
    --------
    >>> sampler = BestPEST([1, 2, 3, 4], random_state=0)
    >>> for _ in range(8):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level >= 3)
    >>> round(sampler.estimate(), 1)
    2.5
    """

    def __init__(
        self,
        levels,
        functional=None,
        *,
        fit=None,
        n_first=1,
        ties="random",
        placement="nearest",
        increasing=True,
        random_state=None,
    ):
        super().__init__(levels, functional, fit=fit, increasing=increasing, random_state=random_state)
        self.n_first = n_first
        self.ties = ties
        self.placement = placement

    _least: ClassVar[dict[str, int]] = {"n_first": 0}

    def _default_fit(self):
        return LogisticFit()

    def _choose_adaptively(self, x, yes, asked, places, rng):
        if self.ties not in ("random", "lower", "upper"):
            raise ValueError(f"ties must be 'random', 'lower' or 'upper', got {self.ties!r}")
        if self.placement not in ("nearest", "below"):
            raise ValueError(f"placement must be 'nearest' or 'below', got {self.placement!r}")
        functionals = self._functionals()
        # Rows are in step, so all of them have the same number of answers.
        functional = functionals[int(asked[0].sum()) % len(functionals)]
        if not asked.any():
            return places[np.full(len(asked), len(places) // 2)]
        grid = x[places]
        if self.placement == "below":
            # An estimate at a level belongs to it, whatever its last bits.
            place = self._estimates(x, yes, asked, functional) + 1e-9 * (grid[-1] - grid[0])
            return places[np.maximum(np.searchsorted(grid, place, side="right") - 1, 0)]
        place = super()._estimates(x, yes, asked, functional)
        distance = np.abs(place[:, None] - grid)
        low, high = self._gap(x, yes, asked)
        open_gap = (low <= high)[:, None]
        inside = open_gap & (grid >= low[:, None]) & (grid <= high[:, None])
        if self.ties == "lower":
            distance = np.where(open_gap, np.abs(grid - low[:, None]), distance)
        elif self.ties == "upper":
            distance = np.where(open_gap, np.abs(grid - high[:, None]), distance)
        else:
            distance = np.where(inside, -1.0, distance)
        return places[random_argmin(distance, rng)]

    def _gap(self, x, yes, asked):
        """The ends of the gap between separated answers, (inf, -inf) where they are not separated."""
        no = asked > yes
        said = yes > 0
        if not self.increasing:
            no, said = said, no  # the last yes and the first no
        last = np.where(no, x, -np.inf).max(axis=1)
        first = np.where(said, x, np.inf).min(axis=1)
        separated = (last < first) & np.isfinite(last) & np.isfinite(first)
        return np.where(separated, last, np.inf), np.where(separated, first, -np.inf)

    def _estimates(self, x, yes, asked, functional):
        found = super()._estimates(x, yes, asked, functional)
        low, high = self._gap(x, yes, asked)
        if self.ties == "lower":
            return np.where(low <= high, low, found)
        if self.ties == "upper":
            return np.where(low <= high, high, found)
        return found
