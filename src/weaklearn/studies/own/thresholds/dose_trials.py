"""Dose escalation beside the continual reassessment method (O'Quigley, Pepe and Fisher, 1990).

The right dose is the one whose true probability of harm is closest to the target; a patient is overdosed where that
probability exceeds the target by 10 points or more. Both methods start at the lowest dose, never skip a dose on the way
up, obey an overdose limit and recommend a dose that was tried. They meet the same luck: patient n of trial r is harmed
if the same uniform number lies below the probability.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from weaklearn.adaptive import DoseEscalation
from weaklearn.lab import Trial, protocol
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.dose_scenarios import COHORT, DOSES, N_PATIENTS, SCENARIOS, TARGET

# Guessed probabilities, indifference half-width 0.06 around dose 3 (Lee and Cheung, 2009), and the usual prior.
SKELETON = np.array([0.09, 0.18, 0.30, 0.42, 0.53])
_SD = np.sqrt(1.34)
_A = np.linspace(-5, 5, 401)


class DefaultEscalation(BaseEstimator):
    """`DoseEscalation` with its defaults."""

    def start(self):
        """A new trial."""
        return DoseEscalation(DOSES, Crossing(TARGET), cohort=COHORT)


class ContinualReassessment(BaseEstimator):
    """The power model p_d = skeleton_d ^ exp(a), a normal: the posterior by quadrature on a grid. Doses are 1, 2, ...

    Parameters
    ----------
    limit : float, default=0.35
        The largest allowed probability of an overdose; it was not tuned.
    skeleton : array-like, default=SKELETON
        The guessed probability of harm at every dose.
    target : float, default=0.3
    """

    def __init__(self, limit=0.35, skeleton=SKELETON, target=TARGET):
        self.limit = limit
        self.skeleton = skeleton
        self.target = target
        self._p = np.clip(np.asarray(skeleton)[:, None] ** np.exp(_A), 1e-12, 1 - 1e-12)
        self._answers: list[tuple[int, bool]] = []

    def start(self):
        """A new trial."""
        return ContinualReassessment(self.limit, self.skeleton, self.target)

    def tell(self, dose, outcomes):
        """Take the answers of a cohort."""
        self._answers += [(round(dose) - 1, bool(one)) for one in outcomes]

    def weights(self):
        """The posterior of a on its grid."""
        total = -0.5 * (_A / _SD) ** 2
        for dose, harmed in self._answers:
            total += np.log(self._p[dose] if harmed else 1 - self._p[dose])
        weights = np.exp(total - total.max())
        return weights / weights.sum()

    def ask(self):
        """The next dose."""
        if not self._answers:
            return 1.0
        weights = self.weights()
        allowed = np.flatnonzero((self._p > self.target) @ weights <= self.limit)
        top = min(max(dose for dose, _ in self._answers) + 1, len(self._p) - 1)
        top = min(top, allowed.max() if len(allowed) else 0)
        return 1.0 + int(np.abs(self._p @ weights - self.target)[: top + 1].argmin())

    def recommend(self):
        """The dose for later use."""
        tried = np.isin(np.arange(len(self._p)), [dose for dose, _ in self._answers])
        far = np.abs(self._p @ self.weights() - self.target)
        return 1.0 + int(np.where(tried, far, np.inf).argmin())


def treat(method, harm, luck):
    """(recommended dose, patients overdosed) of one trial with these probabilities of harm."""
    overdosed = 0
    for first in range(0, N_PATIENTS, COHORT):
        dose = method.ask()
        rate = harm[DOSES.index(dose)]
        overdosed += COHORT * (rate >= TARGET + 0.1 - 1e-9)
        method.tell(dose, luck[first : first + COHORT] < rate)
    return method.recommend(), overdosed


@protocol("weaklearn.lab.studies.own.thresholds.dose_trials:treated", version=1)
def treated(trial: Trial, n_runs: int) -> Mapping[str, Any]:
    """Trials in the scenario that the row's setting names.

    Records `right` (how often the right dose was recommended, in percent) and `overdosed` (patients per trial).
    """
    harm = SCENARIOS[trial.setting["scenario"]]
    right = DOSES[int(np.abs(np.array(harm) - TARGET).argmin())]
    luck = np.random.default_rng(trial.data_seed).random((n_runs, N_PATIENTS))
    method = trial.build()
    results = [treat(method.start(), harm, one) for one in luck]
    return {
        "right": 100 * np.mean([dose == right for dose, _ in results]),
        "overdosed": np.mean([overdosed for _, overdosed in results]),
    }
