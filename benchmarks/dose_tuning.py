"""Random dose scenarios on which the numbers of `DoseEscalation` were chosen, and exact results of trials in them.

    python -m benchmarks.dose_tuning

prints, for scenarios that the choice did not see, how often the right dose is recommended and how many patients are
overdosed, minus the same for the continual reassessment method; then the same for the five scenarios of the study.

A decision depends on nothing but the counts so far, so few states of a trial can be reached, and the probability of
each is known for every scenario: `operating` goes through them cohort by cohort and gives what endless simulation
would. None of the scenarios is one of `weaklearn.studies.own.thresholds`. There are four kinds, and every dose is
the right one equally often: random walks on the probit scale (Paoletti, O'Quigley and Maccario, 2004); logistic, hazard
and power curves; sorted uniform numbers below and above the target; logistic curves that bend at the right dose. The
numbers were chosen with seeds 1, 11, 21 and 31 so that little is lost to the continual reassessment method in any
scenario, most of all with five doses and a target of 30%.
"""

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri
from scipy.stats import binom

from weaklearn.adaptive import DoseEscalation
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.dose_scenarios import SCENARIOS, TARGET
from weaklearn.studies.own.thresholds.dose_trials import SKELETON, ContinualReassessment

_RARE = 1e-6  # states less likely than this in every scenario are left out
_UNSEEN = 99


def _walk(rng, n_doses, target, right):
    steps = np.maximum(rng.normal(0.65, 0.25, n_doses - 1) ** 2, 0.1)
    z = np.concatenate([[0.0], np.cumsum(steps)])
    return ndtr(ndtri(target) + rng.normal(0, 0.05) + z - z[right])


def _curve(rng, n_doses, target, right):
    family, slope = rng.integers(3), np.exp(rng.uniform(np.log(0.35), np.log(1.6)))
    z = slope * (np.arange(n_doses) - right + rng.normal(0, 0.1))
    if family == 0:
        return expit(logit(target) + z)
    if family == 1:
        return -np.expm1(-np.exp(np.log(-np.log1p(-target)) + 0.8 * z))
    return np.exp(-np.exp(np.log(-np.log(target)) - 0.55 * z))


def _sorted(rng, n_doses, target, right, gap=0.07):
    above = n_doses - 1 - right
    most = target + gap + (1 - target - gap) * rng.beta(max(above, 0.5), 1.0)
    middle = target + rng.uniform(-0.03, 0.03)
    low = np.sort(rng.uniform(0, target - gap, right))
    high = np.sort(rng.uniform(target + gap, max(most, target + gap + 0.02), above))
    return np.concatenate([low, [middle], high])


def _bent(rng, n_doses, target, right):
    below, above = np.exp(rng.uniform(np.log(0.25), np.log(2.0), 2))
    step = np.arange(n_doses) - right
    return expit(logit(target) + np.where(step < 0, below, above) * step + rng.normal(0, 0.03))


def _usable(kind, harm):
    if kind == "sorted":
        return (np.diff(harm) > 0.01).all()
    return kind != "bent" or harm[-1] < 0.97


KINDS = {"walk": _walk, "curve": _curve, "sorted": _sorted, "bent": _bent}


def dose_scenarios(seed=1, n_each=40, n_doses=5, target=0.3):
    """Probabilities of harm, (kinds, n_doses, n_each, n_doses): the second axis is the right dose."""
    found = np.empty((len(KINDS), n_doses, n_each, n_doses))
    for number, (kind, draw) in enumerate(KINDS.items()):
        rng = np.random.default_rng([seed, number, n_doses])
        for right in range(n_doses):
            for one in range(n_each):
                while True:
                    harm = draw(rng, n_doses, target, right)
                    if np.abs(harm - target).argmin() == right and _usable(kind, harm):
                        break
                found[number, right, one] = harm
    return found


def skeleton(n_doses, target, half_width=0.06):
    """The guessed probabilities of Lee and Cheung (2009), the target at the dose in the middle."""
    middle = (n_doses - 1) // 2
    found = np.full(n_doses, target)
    low, high = target - half_width, target + half_width
    for step, ends in ((-1, (high, low)), (1, (low, high))):
        for dose in range(middle + step, n_doses if step > 0 else -1, step):
            power = np.log(ends[0]) / np.log(found[dose - step])
            found[dose] = ends[1] ** (1 / power)
    return found


def operating(start, scenarios, target, n_patients=30, cohort=3):
    """(how often the right dose is recommended, overdosed patients) in every scenario, exactly.

    Parameters
    ----------
    start : callable
        Gives a new trial, with ``ask``, ``tell`` and ``recommend``, whose doses are 1, 2, ...
    scenarios : ndarray (n_scenarios, n_doses)
    target : float
    n_patients, cohort : int
    """
    n_doses = scenarios.shape[1]
    chances = np.stack([binom.pmf(k, cohort, scenarios) for k in range(cohort + 1)])
    too_high = scenarios >= target + 0.1 - 1e-9
    # A state is, for every dose, how many were treated and how many of them harmed.
    states = {(0,) * (2 * n_doses): np.ones(len(scenarios))}
    overdosed = np.zeros(len(scenarios))
    for _ in range(n_patients // cohort):
        after: dict[tuple, np.ndarray] = {}
        for state, chance in states.items():
            dose = round(_resumed(start, state).ask()) - 1
            overdosed += cohort * chance * too_high[:, dose]
            for harmed in range(cohort + 1):
                new = list(state)
                new[2 * dose] += cohort
                new[2 * dose + 1] += harmed
                key, share = tuple(new), chance * chances[harmed, :, dose]
                after[key] = after[key] + share if key in after else share
        states = {state: chance for state, chance in after.items() if chance.max() > _RARE}
    right = np.abs(scenarios - target).argmin(axis=1)
    found = np.zeros(len(scenarios))
    for state, chance in states.items():
        found += chance * (right == round(_resumed(start, state).recommend()) - 1)
    return found, overdosed


def _resumed(start, state):
    trial = start()
    for dose in range(len(state) // 2):
        treated, harmed = state[2 * dose : 2 * dose + 2]
        if treated:
            trial.tell(dose + 1.0, [True] * harmed + [False] * (treated - harmed))
    return trial


def compared(scenarios, target):
    """Ours minus the continual reassessment method: right and overdosed, one number for every scenario."""
    n_doses = scenarios.shape[-1]
    rows = scenarios.reshape(-1, n_doses)
    doses = np.arange(1.0, n_doses + 1)
    guessed = SKELETON if (n_doses, target) == (5, 0.3) else skeleton(n_doses, target).round(2)
    ours = operating(lambda: DoseEscalation(doses, Crossing(target), cohort=3), rows, target)
    theirs = operating(lambda: ContinualReassessment(skeleton=guessed, target=target), rows, target)
    return tuple((a - b).reshape(scenarios.shape[:-1]) for a, b in zip(ours, theirs, strict=True))


def main():
    for n_doses, target, n_each in ((5, 0.3, 40), (5, 0.2, 15), (6, 0.25, 12), (7, 0.3, 10)):
        right, overdosed = compared(dose_scenarios(_UNSEEN, n_each, n_doses, target), target)
        print(f"{n_doses} doses, target {target:g}, {right.size} scenarios, by the right dose:")
        print("  right dose, points     ", *(f"{100 * one:+6.2f}" for one in right.mean(axis=(0, 2))))
        print("  overdosed patients     ", *(f"{one:+6.2f}" for one in overdosed.mean(axis=(0, 2))))
        kept, safe = right >= -0.002, overdosed <= 0.02
        print(
            f"  no worse: right dose {kept.mean():.0%}, overdosed {safe.mean():.0%}, both {(kept & safe).mean():.0%}"
        )
    for name, right, overdosed in zip(
        SCENARIOS, *compared(np.array(list(SCENARIOS.values())), TARGET), strict=True
    ):
        print(f"{name:15} right dose {100 * right:+.2f} points, overdosed patients {overdosed:+.3f}")


if __name__ == "__main__":
    main()
