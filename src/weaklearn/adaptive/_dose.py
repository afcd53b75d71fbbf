"""DoseEscalation: the posterior of `PosteriorMinEnt` with the rules of a dose-finding trial."""

import numbers

import numpy as np

from weaklearn.adaptive._belief import distribution, quantiles
from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.adaptive._posterior_interval import IntervalParts
from weaklearn.monotone import Crossing, Interval

_RISE = 0.014  # of the overdose limit, with every answer
_TRIED = 0.35  # the largest limit of a dose that was tried


class DoseEscalation(PosteriorMinEnt):
    """Treat at the dose whose probability of harm seems closest to the target, and escalate with care.

    This is a research tool, not approved for treating people. It was compared with the continual reassessment method by
    simulation alone (docs/thresholds.md). With five doses, 30 patients and a target of 30% it overdoses no more of them
    in 99.5% of random scenarios; with other numbers of doses and other targets it overdoses more in many: 73% (five
    doses, target 20%), 52% (six, 25%) and 41% (seven, 30%). A smaller ``overdose_limit`` makes it more cautious.

    The first cohort gets the first dose. After that the next dose is the one whose posterior mean probability of yes
    (harm) is closest to the target, among the doses that are allowed: no dose is skipped on the way up, and for this
    dose and all lower ones the probability that it lies above the threshold (an overdose) is at most the overdose
    limit. The lowest dose is always allowed; a trial in which even that is too high ends by the stopping rule
    `OutsideLevels`.

    Parameters
    ----------
    levels : array-like
        The doses.
    functional : Crossing, default=Crossing(0.3)
        The target probability of yes.
    overdose_limit : float or (float, float), default=(0.16, 0.55)
        The largest allowed probability of an overdose; 1 switches the limit off. Two numbers are limits for doses that
        were not tried yet: the first at the start, rising by 0.014 with every answer up to the second. A dose that was
        tried is then left when the probability exceeds 0.35 (or the second number, if that is smaller).
    cohort : int, default=1
        This many answers are collected at a dose before the next decision. `tell` takes them one by one or together,
        as in ``tell(dose, [0, 0, 1])``.
    guess_rate, lapse_rate, scale, random_state
        As in `PosteriorMinEnt`, lapses excepted: harm far above the threshold is certain by default.

    Attributes
    ----------
    outside_, misfit_, drift_
        As in `PosteriorMinEnt`. "below" means that every dose is too high.

    Notes
    -----
    The limit is that of escalation with overdose control (Babb, Rogatko and Zacks, 1998), which rises as patients are
    seen (Babb and Rogatko, 2001): a new dose may be tried on a suspicion that would not justify continuing with it. No
    skeleton of guessed probabilities is needed: 60% of the prior are curves like those of the continual reassessment
    method, the rest are logistic or Gumbel curves of many widths but no steps; a curve rises over a number of doses,
    not over a share of their range. The threshold is expected below the first dose with probability 0.41, above the
    last with 0.30 and anywhere between them otherwise. These numbers were chosen on random scenarios
    (``benchmarks/dose_tuning.py``), so that with five doses, 30 patients and a target of 30% there are few in which the
    right dose is found less often or more patients are overdosed than with the continual reassessment method.

    Examples
    --------
    >>> trial = DoseEscalation([10, 20, 40, 80, 160], cohort=3, scale="log")
    >>> trial.ask()
    10.0
    >>> trial.tell(10, [0, 0, 0]).ask()
    20.0
    >>> trial.tell(20, [1, 1, 1]).ask()
    10.0
    >>> trial.recommend()
    10.0
    """

    def __init__(
        self,
        levels,
        functional=Crossing(0.3),  # noqa: B008 (a frozen value)
        *,
        overdose_limit=(0.16, 0.55),
        cohort=1,
        guess_rate=0.0,
        lapse_rate=0.0,
        scale="linear",
        increasing=True,
        random_state=None,
    ):
        super().__init__(
            levels,
            functional,
            guess_rate=guess_rate,
            lapse_rate=lapse_rate,
            scale=scale,
            increasing=increasing,
            random_state=random_state,
        )
        self.overdose_limit = overdose_limit
        self.cohort = cohort

    notice = (
        "DoseEscalation is a research tool, not approved for treating people. It was compared with the continual "
        "reassessment method by simulation alone, and it overdoses more patients than that in many scenarios whose "
        "target is not 30% or that have more than five doses: see docs/thresholds.md."
    )
    _prior = "gradual"

    def _parts(self, functional, grid, weights, counts, confidence):
        """Quantiles of the posterior: the prior of doses needs no correction."""
        tail = 0.5 * (1 - confidence)
        at = self._model().at(functional, grid)
        ends = quantiles(weights, at, [tail, 1 - tail], grid.edges if at.ndim == 1 else None)
        return IntervalParts(Interval(*map(float, self._model().unit.from_unit(ends))), None)

    def _calibrated(self, cumulative):
        return cumulative

    def _counts_decide(self):
        return False  # the last dose matters too

    def _check(self):
        functionals = self._functionals()
        if len(functionals) != 1 or not isinstance(functionals[0], Crossing):
            raise ValueError("DoseEscalation looks for one Crossing, the target probability of harm")
        if not self.increasing:
            raise ValueError("DoseEscalation needs increasing=True: harm rises with the dose")
        self._limits()
        if isinstance(self.cohort, bool) or not isinstance(self.cohort, int) or self.cohort < 1:
            raise ValueError(f"cohort must be a whole number, at least 1; got {self.cohort!r}")
        return functionals[0].level

    def _limits(self):
        """The overdose limit at the start and the highest one."""
        given = self.overdose_limit
        limits = (given, given) if isinstance(given, numbers.Real) else tuple(given)
        if len(limits) != 2 or not 0 < limits[0] <= limits[1] <= 1:
            raise ValueError(
                f"overdose_limit must be a number between 0 and 1, or two of them, the smaller first; got {given!r}"
            )
        return limits

    def current_limits(self):
        """The largest allowed probability of an overdose, at every dose in increasing order."""
        first, last = self._limits()
        new = min(first + _RISE * len(self._answers()), last)
        known = new if first == last else min(_TRIED, last)
        return np.where(self._tried(), known, new)

    def _tried(self):
        return np.isin(self._grid(), [answer.level for answer in self._answers()])

    def harm(self):
        """The posterior mean probability of yes at every dose, in increasing order of doses."""
        grid, weights = self._own_whole()
        return np.array(
            [float((weights * grid.column(u)[0]).sum()) for u in self._model().unit.to_unit(self._grid())]
        )

    def overdose_probability(self):
        """The probability that each dose lies above the threshold."""
        grid, weights = self._own_whole()
        below = distribution(weights.sum(axis=1, dtype=np.float64))
        return np.interp(self._model().unit.to_unit(self._grid()), grid.edges, below)

    def _next(self):
        target = self._check()
        doses, history = self._grid(), self._answers()
        if not history:
            return doses[0]
        if len(history) % self.cohort:
            return doses[np.abs(doses - history[-1].level).argmin()]
        tried = max(answer.level for answer in history)
        highest = min(int(np.searchsorted(doses, tried, side="right")), len(doses) - 1)
        refused = np.flatnonzero(self.overdose_probability() > self.current_limits())
        top = min(highest, max(refused[0] - 1, 0) if len(refused) else highest)
        return doses[np.abs(self.harm()[: top + 1] - target).argmin()]

    def recommend(self):
        """The dose for later use: of those tried, the one whose probability of harm is closest to the target."""
        target = self._check()
        doses = self._grid()
        tried = self._tried()
        if not tried.any():
            return float(doses[0])
        return float(doses[np.where(tried, np.abs(self.harm() - target), np.inf).argmin()])
