"""plan_trials: how many answers does a given precision take?"""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

__all__ = ["TrialPlan", "plan_trials"]


@dataclass(frozen=True)
class TrialPlan:
    """What simulated experiments say about the number of answers.

    Attributes
    ----------
    n_answers : ndarray of shape (n_points,)
        The numbers of answers that were looked at, increasing.
    widths : ndarray of shape (n_runs, n_points)
        The width of the interval in each run.
    errors : ndarray of shape (n_runs, n_points)
        Estimate minus truth.
    held : ndarray of bool, shape (n_runs, n_points)
        Whether the interval held the truth.
    truth : float
    width : float
        The precision that was asked for.
    share : float
        The share of experiments that must reach it.
    confidence : float
    needed : int or None
        The least of ``n_answers`` from which on that share of the experiments has intervals at most ``width`` wide;
        None if the largest does not suffice.
    """

    n_answers: np.ndarray
    widths: np.ndarray
    errors: np.ndarray
    held: np.ndarray
    truth: float
    width: float
    share: float
    confidence: float
    needed: int | None

    @property
    def rmse(self):
        """The root mean squared error after each number of answers."""
        return np.sqrt((self.errors**2).mean(axis=0))

    @property
    def coverage(self):
        """The share of intervals that held the truth after each number of answers."""
        return self.held.mean(axis=0)

    @property
    def typical_width(self):
        """The width that ``share`` of the experiments stay below, after each number of answers."""
        return np.quantile(self.widths, self.share, axis=0)

    def sentence(self):
        """The answer in words."""
        kind = f"{self.confidence:.0%} interval at most {self.width:g} wide"
        if self.needed is None:
            return (
                f"{self.n_answers[-1]} answers are not enough for a {kind} in {self.share:.0%} of the experiments: "
                f"they give {self.typical_width[-1]:.3g}."
            )
        at = int(np.searchsorted(self.n_answers, self.needed))
        return (
            f"About {self.needed} answers give a {kind} in {self.share:.0%} of the experiments "
            f"(root mean squared error {self.rmse[at]:.2g})."
        )


def plan_trials(
    sampler,
    target,
    width,
    *,
    share=0.8,
    confidence=0.9,
    max_answers=120,
    every=5,
    n_runs=50,
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
    every : int, default=5
        Intervals are computed after this many answers, twice as many, and so on.
    n_runs : int, default=50
    random_state : int, Generator or None, default=None
    progress : callable, default=None
        Called as ``progress(done, n_runs)`` after every run.

    Returns
    -------
    TrialPlan

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.adaptive import PosteriorMinEnt
    >>> def guess(x):
    ...     return 1 / (1 + np.exp((0.4 - x) / 0.05))
    >>> plan = plan_trials(PosteriorMinEnt(np.linspace(0, 1, 21)), guess, 0.2, max_answers=60, n_runs=10, random_state=0)
    >>> 10 <= plan.needed <= 60
    True
    """
    if not (width > 0 and 0 < share <= 1 and 0 < confidence < 1):
        raise ValueError(
            f"width must be positive, share and confidence between 0 and 1; got {width!r}, {share!r}, {confidence!r}"
        )
    if min(max_answers, every, n_runs) < 1 or every > max_answers:
        raise ValueError(
            f"max_answers, every and n_runs must be at least 1, and every at most max_answers; got {max_answers}, "
            f"{every}, {n_runs}"
        )
    curve = target.predict if hasattr(target, "predict") else target
    low, high = sampler._range()
    functional = sampler._functionals()[0]
    truth = float(functional(curve, low, high))
    rng = np.random.default_rng(random_state)
    n_answers = np.arange(every, max_answers + 1, every)
    widths, errors = np.empty((2, n_runs, len(n_answers)))
    held = np.zeros(widths.shape, dtype=bool)
    for run in range(n_runs):
        one = clone(sampler).set_params(random_state=int(rng.integers(2**31)))
        for n, luck in enumerate(rng.random(n_answers[-1]), start=1):
            level = one.ask()
            one.tell(level, luck < float(np.asarray(curve(np.array([level])), dtype=float)[0]))
            if n % every == 0:
                ends = one.interval(functional, confidence)
                at = n // every - 1
                widths[run, at] = ends.width
                errors[run, at] = one.estimate(functional) - truth
                held[run, at] = ends.low <= truth <= ends.high
        if progress is not None:
            progress(run + 1, n_runs)
    good = (widths <= width).mean(axis=0) >= share
    lasting = np.flip(np.logical_and.accumulate(np.flip(good)))
    needed = int(n_answers[lasting.argmax()]) if lasting.any() else None
    return TrialPlan(n_answers, widths, errors, held, truth, width, share, confidence, needed)
