"""Dose escalation against the continual reassessment method (O'Quigley, Pepe and Fisher, 1990).

Five doses, target 30% harm, 30 patients in cohorts of three, five scenarios as in the literature. The right dose is the
one whose true probability of harm is closest to the target; a patient is overdosed where that probability exceeds the
target by 10 points or more. Both methods start at the lowest dose, never skip a dose on the way up, obey an
overdose limit and recommend a dose that was tried. They meet the same luck: patient n of trial r is harmed if the same
uniform number lies below the probability.
"""

import numpy as np

from weaklearn.adaptive import DoseEscalation
from weaklearn.monotone import Crossing

TARGET, N_PATIENTS, COHORT = 0.3, 30, 3
# Ours is the default and was chosen on these scenarios; that of CRM was not tuned.
LIMITS = {"DoseEscalation": 0.25, "CRM": 0.35}
DOSES = (1.0, 2.0, 3.0, 4.0, 5.0)
SCENARIOS = {
    "steep, dose 3": (0.02, 0.08, 0.30, 0.60, 0.80),
    "flat, dose 4": (0.05, 0.10, 0.18, 0.30, 0.42),
    "low, dose 2": (0.12, 0.30, 0.50, 0.65, 0.75),
    "top, dose 5": (0.01, 0.03, 0.07, 0.15, 0.30),
    "first, dose 1": (0.30, 0.50, 0.65, 0.75, 0.85),
}
# Guessed probabilities, indifference half-width 0.06 around dose 3 (Lee and Cheung, 2009), and the usual prior.
SKELETON = np.array([0.09, 0.18, 0.30, 0.42, 0.53])
_SD = np.sqrt(1.34)


class ContinualReassessment:
    """The power model p_d = skeleton_d ^ exp(a), a normal: the posterior by quadrature on a grid."""

    def __init__(self, limit=LIMITS["CRM"]):
        self.limit = limit
        self._a = np.linspace(-5, 5, 401)
        self._log_prior = -0.5 * (self._a / _SD) ** 2
        self._p = np.clip(SKELETON[:, None] ** np.exp(self._a), 1e-12, 1 - 1e-12)
        self._answers = []

    def tell(self, dose, outcomes):
        self._answers += [(DOSES.index(dose), bool(one)) for one in outcomes]

    def _weights(self):
        total = self._log_prior.copy()
        for dose, harmed in self._answers:
            total += np.log(self._p[dose] if harmed else 1 - self._p[dose])
        weights = np.exp(total - total.max())
        return weights / weights.sum()

    def ask(self):
        if not self._answers:
            return DOSES[0]
        weights = self._weights()
        allowed = np.flatnonzero((self._p > TARGET) @ weights <= self.limit)
        top = min(max(dose for dose, _ in self._answers) + 1, len(DOSES) - 1)
        top = min(top, allowed.max() if len(allowed) else 0)
        return DOSES[int(np.abs(self._p @ weights - TARGET)[: top + 1].argmin())]

    def recommend(self):
        weights = self._weights()
        tried = np.isin(np.arange(len(DOSES)), [dose for dose, _ in self._answers])
        return DOSES[int(np.where(tried, np.abs(self._p @ weights - TARGET), np.inf).argmin())]


def trial(method, harm, chances):
    """(recommended dose, patients overdosed) of one trial."""
    overdosed = 0
    for first in range(0, N_PATIENTS, COHORT):
        dose = method.ask()
        rate = harm[DOSES.index(dose)]
        overdosed += COHORT * (rate >= TARGET + 0.1 - 1e-9)
        method.tell(dose, chances[first : first + COHORT] < rate)
    return method.recommend(), overdosed


def compare(n_runs):
    """Per scenario and method: the share of trials with the right dose, and mean overdosed patients."""
    found = {}
    for position, (name, harm) in enumerate(SCENARIOS.items()):
        right = DOSES[int(np.abs(np.array(harm) - TARGET).argmin())]
        luck = np.random.default_rng([31, position]).random((n_runs, N_PATIENTS))
        for method in ("DoseEscalation", "CRM"):
            results = [
                trial(
                    ContinualReassessment()
                    if method == "CRM"
                    else DoseEscalation(
                        DOSES, Crossing(TARGET), cohort=COHORT, overdose_limit=LIMITS[method]
                    ),
                    harm,
                    chances,
                )
                for chances in luck
            ]
            found[name, method] = (
                float(np.mean([dose == right for dose, _ in results])),
                float(np.mean([overdosed for _, overdosed in results])),
            )
    return found


def dose_table(n_runs):
    """The comparison as Markdown."""
    found = compare(n_runs)
    lines = [
        "| scenario | right dose: DoseEscalation | CRM | patients overdosed: DoseEscalation | CRM |",
        "|---|---|---|---|---|",
    ]
    for name in SCENARIOS:
        ours, theirs = found[name, "DoseEscalation"], found[name, "CRM"]
        lines.append(f"| {name} | {ours[0]:.3f} | {theirs[0]:.3f} | {ours[1]:.2f} | {theirs[1]:.2f} |")
    return f"{n_runs} trials per scenario\n\n" + "\n".join(lines)
