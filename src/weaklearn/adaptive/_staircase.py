"""Staircase: step up after no, down after yes."""

import numpy as np
from scipy.optimize import brentq

from weaklearn.adaptive._sampler import Sampler
from weaklearn.monotone import Crossing, LogisticFit

__all__ = ["Staircase"]

_OWN = 0.002  # a level this close to the staircase's own target is the same: 0.707 is meant for 0.70711


class Staircase(Sampler):
    """The transformed up-and-down method.

    Start at a level; after `up` consecutive no answers take a step up, after `down` consecutive yes answers a step
    down. The estimate of the probability at which that settles (`target`) is the mean level at the reversals of
    direction, the first one or two left out. Any other threshold is read off a fit of all answers, because
    the reversals say nothing about it.

    Parameters
    ----------
    levels : array-like
    functional : callable or list of callables, default=None
        None is ``Crossing(target)``, the threshold that the method itself settles at.
    up, down : int, default=1
    steps : sequence of int, default=(1,)
        The size of a step, counted in levels: the first until the first reversal, and so on; the last one stays.
    first : float, default=None
        Where to start; None is the middle of the levels.
    fit, increasing, random_state
        See `Sampler`; the default fit is `LogisticFit`. The questions are deterministic.

    Notes
    -----
    The levels drift to where a step up and a step down are equally likely. With q = 1 - p that is where

        p^(d-1) (1 - q^u) = (p^(d-1) + q^(u-1) - p^(d-1) q^(u-1)) / 2:

    p = 0.5 for one up, one down; p = 0.707 for one up, two down; p = 0.293 for two up, one down. (The source describes
    the last and gives 70.7% for it, which is the level of its mirror image.)

    References
    ----------
    pratap2008, section 3.4.2, after Cornsweet (1962).

    Examples
    --------
    >>> sampler = Staircase([1, 2, 3, 4, 5, 6], first=6)
    >>> for _ in range(9):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level > 3.5)
    >>> [answer.level for answer in sampler.history]
    [6.0, 5.0, 4.0, 3.0, 4.0, 3.0, 4.0, 3.0, 4.0]
    >>> sampler.estimate(), round(sampler.target, 3)
    (3.5, 0.5)
    """

    def __init__(
        self,
        levels,
        functional=None,
        *,
        up=1,
        down=1,
        steps=(1,),
        first=None,
        fit=None,
        increasing=True,
        random_state=None,
    ):
        self.levels = levels
        self.functional = functional
        self.up = up
        self.down = down
        self.steps = steps
        self.first = first
        self.fit = fit
        self.increasing = increasing
        self.random_state = random_state

    def _default_fit(self):
        return LogisticFit()

    def _functionals(self):
        return [Crossing(self.target)] if self.functional is None else super()._functionals()

    @property
    def target(self):
        """The probability of yes at which the procedure settles."""
        u, d = self.up, self.down

        def balance(p):
            run, other = p ** (d - 1), (1 - p) ** (u - 1)
            return run * (1 - (1 - p) ** u) - 0.5 * (run + other - run * other)

        return float(brentq(balance, 1e-9, 1 - 1e-9, xtol=1e-12))

    def _walk(self):
        """Position after the history, and the levels at which the direction turned."""
        if min(self.up, self.down) < 1 or not self.steps or min(self.steps) < 1:
            raise ValueError(
                f"up, down and steps must be at least 1, got {self.up}, {self.down}, {self.steps}"
            )
        grid = self._grid()
        at = {level: i for i, level in enumerate(grid.tolist())}
        start = len(grid) // 2 if self.first is None else int(np.abs(grid - self.first).argmin())
        position, run, last_move = start, 0, 0
        turns = []
        for level, outcome in self._answers():
            # An answer at another level than the one asked moves the staircase there.
            position = at[level] if level in at else int(np.abs(grid - level).argmin())
            run = (
                run + 1
                if outcome and run > 0
                else run - 1
                if not outcome and run < 0
                else 1
                if outcome
                else -1
            )
            if run < self.down and run > -self.up:
                continue
            move = (-1 if run > 0 else 1) * (1 if self.increasing else -1)
            run = 0
            if last_move and move != last_move:
                turns.append(min(max(level, grid[0]), grid[-1]))
            last_move = move
            size = self.steps[min(len(turns), len(self.steps) - 1)]
            position = min(max(position + move * size, 0), len(grid) - 1)
        return position, turns

    def _next(self):
        return self._grid()[self._walk()[0]]

    def reversals(self):
        """How often the direction of the steps has turned so far."""
        return len(self._walk()[1])

    def _estimate_one(self, functional):
        own = isinstance(functional, Crossing) and abs(functional.level - self.target) < _OWN
        return self._mean_reversal() if own else super()._estimate_one(functional)

    def _mean_reversal(self):
        position, turns = self._walk()
        # The first turn still remembers where the staircase started; of the others an even number, so that
        # as many upper as lower turns count.
        kept = turns[1 + (len(turns) + 1) % 2 :] if len(turns) > 2 else turns
        return float(np.mean(kept)) if kept else float(self._grid()[position])
