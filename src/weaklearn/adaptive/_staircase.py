"""Staircase: step up after no, down after yes."""

from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

from weaklearn.adaptive._sampler import Sampler
from weaklearn.monotone import Crossing, LogisticFit

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
        Where to start; None is the middle of the levels, one of the two at random if their number is even.
    fit, increasing, random_state
        See `Sampler`; the default fit is `LogisticFit`. All questions but the first are deterministic.

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
        super().__init__(levels, functional, fit=fit, increasing=increasing, random_state=random_state)
        self.up = up
        self.down = down
        self.steps = steps
        self.first = first

    _least: ClassVar[dict[str, int]] = {"up": 1, "down": 1}

    def _check_parameters(self):
        super()._check_parameters()
        steps = self.steps if isinstance(self.steps, list | tuple | np.ndarray) else ()
        if len(steps) == 0 or not all(isinstance(step, int | np.integer) and step >= 1 for step in steps):
            raise ValueError(f"steps must be a list of whole numbers, at least 1 each; got {self.steps!r}")
        if self.first is not None and not (
            isinstance(self.first, int | float | np.number) and np.isfinite(self.first)
        ):
            raise ValueError(f"first must be None or a finite number, got {self.first!r}")

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
        grid = self._grid()
        at = {level: i for i, level in enumerate(grid.tolist())}
        position, run, last_move = self._start(grid), 0, 0
        turns = []
        for level, outcome in self._answers():
            # An answer at another level than the one asked moves the staircase there.
            position = at[level] if level in at else int(np.abs(grid - level).argmin())
            run = max(run, 0) + 1 if outcome else min(run, 0) - 1
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

    def _start(self, grid):
        """The first position; where there are answers, they tell the position."""
        if self.first is not None:
            return int(np.abs(grid - self.first).argmin())
        upper = len(grid) % 2 or self._answers() or self._rng().random() < 0.5
        return len(grid) // 2 - (0 if upper else 1)

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
