"""Random curves on which settings of `PosteriorMinEnt` are chosen (doses: `benchmarks.dose_tuning`).

None of them is a case of `weaklearn.studies.own.thresholds`, which only reports: a setting that was chosen on the
reported cases would look better there than it is.

S-shaped curves have a random family, place (0.25 to 0.75) and interquartile width (0.05 to 0.5); other curves are
straight ramps, broken lines, two or three steps, beta distribution functions and curves with long tails; plateaus lie
within 15 points of the target; forced choices have two to four alternatives and lapses up to 4%. Targets are random
too. The numbers of the intervals were chosen with seeds 8 and 12.
"""

import numpy as np
from scipy import stats
from scipy.special import expit, ndtr

from weaklearn.studies.own.thresholds.curve_cases import Case

_INSIDE = (0.08, 0.92)  # where thresholds may lie
_TRIES = 200


def _s_shaped(rng):
    family = rng.integers(4)
    place, width = rng.uniform(0.25, 0.75), np.exp(rng.uniform(np.log(0.05), np.log(0.5)))
    if family == 0:
        return "logistic", lambda x: expit((x - place) * 2.197 / width)
    if family == 1:
        return "normal", lambda x: ndtr((x - place) * 1.349 / width)
    if family == 2:
        power = rng.uniform(1.5, 6.0)
        return "weibull", lambda x: -np.expm1(-np.log(2) * (np.maximum(x, 0) / place) ** power)
    return "gumbel", lambda x: np.exp(-np.exp(-(x - place) * 1.573 / width))


def _ramp(rng):
    start, end = rng.uniform(-0.2, 0.35), rng.uniform(0.65, 1.2)
    return "ramp", lambda x: np.clip((x - start) / (end - start), 0, 1)


def _broken_line(rng):
    n = rng.integers(3, 6)
    x_of = np.concatenate([[0], np.sort(rng.random(n - 1)), [1]])
    p_of = np.concatenate([[0], np.cumsum(rng.dirichlet(np.full(n, 0.8)))])
    return "broken line", lambda x: np.interp(x, x_of, np.minimum(p_of, 1.0))


def _steps(rng):
    n = rng.integers(2, 4)
    centres, heights = np.sort(rng.uniform(0.1, 0.9, n)), rng.dirichlet(np.full(n, 2.0))
    scales = np.exp(rng.uniform(np.log(0.008), np.log(0.06), n))
    return "steps", lambda x: sum(
        h * expit((x - c) / s) for h, c, s in zip(heights, centres, scales, strict=True)
    )


def _beta(rng):
    a, b = np.exp(rng.uniform(np.log(0.4), np.log(3.0), 2))
    law = stats.beta(a, b)
    return "beta", lambda x: law.cdf(x)


def _long_tails(rng):
    law = stats.t(
        rng.uniform(0.8, 2.0), rng.uniform(0.3, 0.7), np.exp(rng.uniform(np.log(0.02), np.log(0.15)))
    )
    return "long tails", lambda x: law.cdf(x)


def _plateau(rng, target):
    """Two steps, and between them a plateau near the target."""
    height = np.clip(target + rng.uniform(-0.15, 0.15), 0.1, 0.9)
    first = rng.uniform(0.1, 0.5)
    second = first + rng.uniform(0.2, 0.85 - first)
    scales = np.exp(rng.uniform(np.log(0.008), np.log(0.05), 2))
    low = rng.uniform(0, 0.05)
    return lambda x: (
        low + (height - low) * expit((x - first) / scales[0]) + (1 - height) * expit((x - second) / scales[1])
    )


def _forced_choice(rng):
    guess, lapse = 1 / rng.integers(2, 5), rng.uniform(0, 0.04)
    name, curve = _s_shaped(rng)
    return f"{round(1 / guess)}AFC {name}", lambda x: guess + (1 - guess - lapse) * curve(x)


def _cases(rng, group, kinds, n):
    found = []
    for number in range(n):
        for _ in range(_TRIES):
            name, curve = kinds[number % len(kinds)](rng)
            guess = 1 / int(name[0]) if group == "AFC" else 0.0
            target = guess + (1 - guess) * rng.uniform(0.2, 0.8)
            case = Case(group, f"{name} {number} {target:.0%}", curve, float(target), guess)
            low, high = curve(np.array([_INSIDE[0], _INSIDE[1]]))
            if low < target < high:
                break
        found.append(case)
    return found


def tuning_cases(seed=1, n_s_shaped=16, n_other=25, n_forced=10):
    """Random cases: the same for the same seed."""
    rng = np.random.default_rng(seed)
    others = (_ramp, _broken_line, _steps, _beta, _long_tails)
    return (
        _cases(rng, "S-shaped", (_s_shaped,), n_s_shaped)
        + _cases(rng, "badly fitted", others, n_other)
        + _cases(rng, "AFC", (_forced_choice,), n_forced)
    )


def plateau_cases(seed=1, n=14):
    """Cases whose curve has a plateau near the target."""
    rng = np.random.default_rng([seed, 1])
    targets = rng.uniform(0.25, 0.75, n)
    return [
        Case("plateau", f"plateau {number} {target:.0%}", _plateau(rng, target), float(target))
        for number, target in enumerate(targets)
    ]
