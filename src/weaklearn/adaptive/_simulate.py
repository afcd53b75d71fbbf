"""How well an experiment would do, before it is paid for: simulate, and plan_trials for the number of answers."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone


@dataclass(frozen=True)
class Simulation:
    """The estimates of many simulated experiments after each answer.

    Attributes
    ----------
    truth : ndarray of shape (n_functionals,)
        The thresholds of the target curve.
    estimates : ndarray of shape (n_functionals, n_runs, budget)
        Entry [f, r, n] is run r's estimate of threshold f after n + 1 answers.
    intervals : ndarray of shape (n_functionals, n_runs, budget, 2) or None
        The ends of the intervals, if they were asked for.
    """

    truth: np.ndarray
    estimates: np.ndarray
    intervals: np.ndarray | None = None

    @property
    def widths(self):
        """The widths of the intervals, shaped as `estimates`."""
        return self._known_intervals()[..., 1] - self._known_intervals()[..., 0]

    @property
    def coverage(self):
        """The share of intervals that hold the truth, shaped as `mean_squared_error`."""
        return self.held.mean(axis=1)

    @property
    def held(self):
        """Whether each interval holds the truth, shaped as `estimates`."""
        low, high = np.moveaxis(self._known_intervals(), -1, 0)
        truth = self.truth[:, None, None]
        return (low <= truth) & (truth <= high)

    def _known_intervals(self):
        if self.intervals is None:
            raise ValueError("the intervals were not computed: call simulate with confidence=0.9")
        return self.intervals

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
        return _first_lasting((np.sqrt(self.mean_squared_error) <= error).all(axis=0))


def _first_lasting(good):
    """The number of answers from which on all entries are true, or None."""
    lasting = np.flip(np.logical_and.accumulate(np.flip(good)))
    return int(lasting.argmax()) + 1 if lasting.any() else None


def simulate(sampler, target, n_runs=1000, *, budget=None, confidence=None, random_state=None, progress=None):
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
    confidence : float, default=None
        Also compute an interval of this confidence after every answer.
    random_state : int, Generator or None, default=None
        The same integer gives every sampler the same luck: answer n of run r is yes if the same uniform number lies
        below the probability. So samplers are compared in pairs.
    progress : callable, default=None
        Called as ``progress(done, total)`` now and then.

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
    >>> plain = simulate(EqualAllocation(levels), guess, 40, random_state=0)
    >>> clever = simulate(PosteriorMinEnt(levels), guess, 40, random_state=0)
    >>> bool(clever.mean_squared_error[0, -1] < plain.mean_squared_error[0, -1])
    True
    """
    curve = target.predict if hasattr(target, "predict") else target
    sampler._check_parameters()
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
    progress = progress or (lambda done, total: None)
    if sampler._counts_decide() and (confidence is None or hasattr(sampler, "_intervals")):
        found = _in_step(clone(sampler), rates, luck, confidence, rng, progress)
    else:
        seeds = rng.integers(2**31, size=n_runs)
        runs = []
        for seed, row in zip(seeds, luck, strict=True):
            one = clone(sampler).set_params(random_state=int(seed))
            runs.append(_one_run(one, curve, row, confidence))
            progress(len(runs), n_runs)
        found = np.array(runs).transpose(2, 0, 1, 3)
    return Simulation(truth, found[..., 0], None if confidence is None else found[..., 1:])


def _in_step(sampler, rates, luck, confidence, rng, progress):
    """All runs at once, answer by answer: the choice depends on the counts alone."""
    grid, functionals = sampler._grid(), sampler._functionals()
    n_runs, budget = luck.shape
    yes, asked = np.zeros((2, n_runs, len(grid)))
    rows, places = np.arange(n_runs), np.arange(len(grid))
    found = np.empty((len(functionals), n_runs, budget, 1 if confidence is None else 3))
    for n in range(budget):
        chosen = sampler._choose(grid, yes, asked, places, rng)
        asked[rows, chosen] += 1
        yes[rows, chosen] += luck[:, n] < rates[chosen]
        for f, functional in enumerate(functionals):
            found[f, :, n, 0] = sampler._estimates(grid, yes, asked, functional)
            if confidence is not None:
                found[f, :, n, 1:] = sampler._intervals(grid, yes, asked, functional, confidence)
        progress(n + 1, budget)
    return found


def _one_run(sampler, curve, luck, confidence):
    def learned(functional):
        ends = () if confidence is None else sampler.interval(functional, confidence)
        return [sampler.estimate(functional), *ends]

    run = []
    for chance in luck:
        level = sampler.ask()
        sampler.tell(level, chance < np.asarray(curve(np.array([level])), dtype=float)[0])
        run.append([learned(one) for one in sampler._functionals()])
    return run


@dataclass(frozen=True)
class TrialPlan:
    """What simulated experiments say about the number of answers.

    Attributes
    ----------
    simulation : Simulation
        The experiments, with their intervals; the first functional counts.
    width : float
        The precision that was asked for.
    share : float
        The share of experiments that must reach it.
    confidence : float
    needed : int or None
        The least number of answers from which on that share of the experiments has intervals at most ``width`` wide;
        None if the largest simulated number does not suffice.
    """

    simulation: Simulation
    width: float
    share: float
    confidence: float
    needed: int | None

    @property
    def n_answers(self):
        """1, 2, ... up to the largest simulated number."""
        return np.arange(1, self.simulation.estimates.shape[2] + 1)

    @property
    def rmse(self):
        """The root mean squared error after each number of answers."""
        return np.sqrt(self.simulation.mean_squared_error[0])

    @property
    def coverage(self):
        """The share of intervals that held the truth after each number of answers."""
        return self.simulation.coverage[0]

    @property
    def typical_width(self):
        """The width that ``share`` of the experiments stay below, after each number of answers."""
        return np.quantile(self.simulation.widths[0], self.share, axis=0)

    def sentence(self):
        """The result as a sentence."""
        kind = f"{self.confidence:.0%} interval at most {self.width:g} wide"
        if self.needed is None:
            return (
                f"{self.n_answers[-1]} answers are not enough for a {kind} in {self.share:.0%} of the experiments: "
                f"they give {self.typical_width[-1]:.3g}."
            )
        return (
            f"About {self.needed} answers give a {kind} in {self.share:.0%} of the experiments "
            f"(root mean squared error {self.rmse[self.needed - 1]:.2g})."
        )


def plan_trials(
    sampler,
    target,
    width,
    *,
    share=0.8,
    confidence=0.9,
    max_answers=120,
    n_runs=100,
    random_state=None,
    progress=None,
):
    """Simulate experiments and see how many answers a precision takes.

    Parameters
    ----------
    sampler : Sampler
        Copies without history are run; the first functional counts.
    target : callable or fitted regressor
        A guess of the curve, as in `simulate`.
    width : float
        The largest acceptable width of the interval, in units of the levels.
    share : float, default=0.8
        The share of experiments that must reach it.
    confidence : float, default=0.9
    max_answers : int, default=120
    n_runs : int, default=100
    random_state : int, Generator or None, default=None
    progress : callable, default=None
        Called as ``progress(done, total)`` now and then.

    Returns
    -------
    TrialPlan

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.adaptive import PosteriorMinEnt
    >>> def guess(x):
    ...     return 1 / (1 + np.exp((0.4 - x) / 0.05))
    >>> sampler = PosteriorMinEnt(np.linspace(0, 1, 21))
    >>> plan = plan_trials(sampler, guess, 0.2, max_answers=60, n_runs=20, random_state=0)
    >>> 10 <= plan.needed <= 60
    True
    """
    if not (width > 0 and 0 < share <= 1 and 0 < confidence < 1):
        raise ValueError(
            f"width must be positive, share and confidence between 0 and 1; got {width!r}, {share!r}, {confidence!r}"
        )
    done = simulate(
        sampler,
        target,
        n_runs,
        budget=max_answers,
        confidence=confidence,
        random_state=random_state,
        progress=progress,
    )
    needed = _first_lasting((done.widths[0] <= width).mean(axis=0) >= share)
    return TrialPlan(done, width, share, confidence, needed)
