"""plan_trials: how many answers does a given precision take?"""

from dataclasses import dataclass

import numpy as np

from weaklearn.adaptive._simulate import Simulation, simulate

__all__ = ["TrialPlan", "plan_trials"]


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
    good = (done.widths[0] <= width).mean(axis=0) >= share
    lasting = np.flip(np.logical_and.accumulate(np.flip(good)))
    needed = int(lasting.argmax()) + 1 if lasting.any() else None
    return TrialPlan(done, width, share, confidence, needed)
