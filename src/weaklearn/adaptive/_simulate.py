"""simulate: how well an experiment would do, before it is paid for."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

__all__ = ["Simulation", "simulate"]


@dataclass(frozen=True)
class Simulation:
    """The estimates of many simulated experiments after each answer.

    Attributes
    ----------
    truth : ndarray of shape (n_functionals,)
        The thresholds of the target curve.
    estimates : ndarray of shape (n_functionals, n_runs, budget)
        Entry [f, r, n] is run r's estimate of threshold f after n + 1 answers.
    """

    truth: np.ndarray
    estimates: np.ndarray

    @property
    def mean_squared_error(self):
        """Of each threshold (rows) after 1, 2, ... answers."""
        return ((self.estimates - self.truth[:, None, None]) ** 2).mean(axis=1)

    @property
    def bias(self):
        """Mean estimate minus truth, shaped as `mean_squared_error`."""
        return self.estimates.mean(axis=1) - self.truth[:, None]

    @property
    def variance(self):
        """Variance of the estimates over runs, shaped as `mean_squared_error`."""
        return self.estimates.var(axis=1)

    def answers_needed(self, error):
        """How many answers bring the root mean squared error of every threshold to ``error``, and keep it there.

        None if the simulated budget does not suffice.
        """
        good = (np.sqrt(self.mean_squared_error) <= error).all(axis=0)
        from_here_on = np.flip(np.logical_and.accumulate(np.flip(good)))
        return int(from_here_on.argmax()) + 1 if from_here_on.any() else None


def simulate(sampler, target, n_runs=1000, *, budget=None, random_state=None):
    """Run an experiment many times on a computer.

    Parameters
    ----------
    sampler : Sampler
        Its own history is left alone: copies without any are run.
    target : callable or fitted regressor
        The guess of the curve: a function from an array of levels to probabilities of yes, or an object with
        ``predict``.
    n_runs : int, default=1000
    budget : int, default=None
        Answers per run; None is three times the number of levels.
    random_state : int, Generator or None, default=None
        The same integer gives every sampler the same luck: answer n of run r is yes if the same uniform number lies
        below the probability. So samplers are compared in pairs.

    Returns
    -------
    Simulation

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.adaptive import EqualAllocation, PosteriorMinEnt
    >>> levels = np.linspace(0.05, 0.95, 10)
    >>> def guess(x):
    ...     return 1 / (1 + np.exp((0.4 - x) / 0.1))
    >>> plain = simulate(EqualAllocation(levels), guess, 200, random_state=0)
    >>> clever = simulate(PosteriorMinEnt(levels), guess, 200, random_state=0)
    >>> bool(clever.mean_squared_error[0, -1] < plain.mean_squared_error[0, -1])
    True
    """
    curve = target.predict if hasattr(target, "predict") else target
    grid = sampler._grid()
    low, high = sampler._range()
    functionals = sampler._functionals()
    budget = 3 * len(grid) if budget is None else budget
    if n_runs < 1 or budget < 1:
        raise ValueError(f"n_runs and budget must be at least 1, got {n_runs} and {budget}")
    if getattr(sampler, "budget", budget) is None:
        sampler = clone(sampler).set_params(budget=budget)
    rates = np.asarray(curve(grid), dtype=float)
    if rates.shape != grid.shape or not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError("target must give one probability between 0 and 1 for each level")
    rng = np.random.default_rng(random_state)
    luck = rng.random((n_runs, budget))
    truth = np.array([float(functional(curve, low, high)) for functional in functionals])
    in_step = sampler._counts_decide()
    if in_step:
        estimates = _in_step(clone(sampler), grid, rates, luck, functionals, rng)
    else:
        seeds = rng.integers(2**31, size=n_runs)
        runs = [
            _one_run(clone(sampler).set_params(random_state=int(seed)), curve, row, functionals)
            for seed, row in zip(seeds, luck, strict=True)
        ]
        estimates = np.array(runs).transpose(2, 0, 1)
    return Simulation(truth, estimates)


def _in_step(sampler, grid, rates, luck, functionals, rng):
    """All runs at once, answer by answer: the choice depends on the counts alone."""
    n_runs, budget = luck.shape
    yes, asked = np.zeros((2, n_runs, len(grid)))
    rows, places = np.arange(n_runs), np.arange(len(grid))
    estimates = np.empty((len(functionals), n_runs, budget))
    for n in range(budget):
        chosen = sampler._choose(grid, yes, asked, places, rng)
        asked[rows, chosen] += 1
        yes[rows, chosen] += luck[:, n] < rates[chosen]
        for f, functional in enumerate(functionals):
            estimates[f, :, n] = sampler._estimates(grid, yes, asked, functional)
    return estimates


def _one_run(sampler, curve, luck, functionals):
    run = []
    for chance in luck:
        level = sampler.ask()
        sampler.tell(level, chance < np.asarray(curve(np.array([level])), dtype=float)[0])
        run.append([sampler.estimate(functional) for functional in functionals])
    return run
