"""Trials behind single claims of barnes1999: the example of section 4.3.3, and the long runs of Figure 6.5."""

import numpy as np

from weaklearn.lab import Trial, protocol
from weaklearn.lab.rounds import flipped_split

# Examples right (+1) or wrong (-1) by the first and by the second hypothesis.
_HISTORIES = {(1, 1): 7, (1, -1): 2, (-1, 1): 1}
_DRAWN = (0.5, 1.0, 2.0)


def _slopes(p: float) -> np.ndarray:
    """The derivative of the strict line cost of the ten examples, at steps from 1e-8 to 1e4."""
    alpha = np.logspace(-8, 4, 20_001)
    norm = 1 + alpha**p
    total = np.zeros(len(alpha))
    for (first, second), count in _HISTORIES.items():
        inner = (first + alpha * second) / norm ** (1 / p)
        change = second / norm ** (1 / p) - (first + alpha * second) * alpha ** (p - 1) / norm ** (1 / p + 1)
        total -= count * np.exp(-inner) * change
    return total


def has_minimum(p: float) -> bool:
    """Whether the strict line cost of the ten examples falls somewhere and rises after that."""
    slopes = _slopes(p)
    falling = np.flatnonzero(slopes < 0)
    return len(falling) > 0 and bool((slopes[falling[0] :] > 0).any())


@protocol("weaklearn.lab.studies.barnes1999.claims_trials:strict_example", version=1)
def strict_example(trial: Trial) -> dict[str, float]:
    """The ten examples of section 4.3.3 and Figure 4.5; nothing is random.

    Records `threshold`, the p from which the line cost has a minimum (by bisection), and of the three p that Figure 4.5
    draws `smallest_with` a minimum and `largest_without`.
    """
    low, high = 0.5, 1.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (low, middle) if has_minimum(middle) else (middle, high)
    return {
        "threshold": high,
        "smallest_with": min(p for p in _DRAWN if has_minimum(p)),
        "largest_without": max(p for p in _DRAWN if not has_minimum(p)),
    }


@protocol("weaklearn.lab.studies.barnes1999.claims_trials:long_run", version=1)
def long_run(trial: Trial) -> dict[str, float]:
    """One long run of sloppy p-boosting.

    Records `kink` (the round from which two steps in a row are ``0.5 / t``, t rounds made before: the line search ends
    where it starts; the number of rounds if that never happens), `late_train_error` (percent, mean over the second half
    of the rounds) and `least_weight` (decimal logarithm of the smallest coefficient; -323 where doubles end).
    """
    X, _, y, _ = flipped_split(trial)
    model = trial.build().fit(X, y)
    weights = np.abs(model.estimator_weights_)
    errors = model.error_curve_
    return {
        "kink": float(_kink(weights, model.p)),
        "late_train_error": 100.0 * float(np.mean(errors[len(errors) // 2 :])),
        "least_weight": float(np.log10(max(weights.min(), 5e-324))),
    }


def _kink(weights: np.ndarray, p: float) -> int:
    """From the final coefficients: w_t / w_(t+1) is step_t (1 + step_(t+1)^p)^(-1/p) / step_(t+1)."""
    made = np.arange(1, len(weights))  # rounds before round t + 1, for t = 1, 2, ...
    following = 0.5 / made
    with np.errstate(divide="ignore", invalid="ignore"):
        step = weights[:-1] / weights[1:] * following * (1 + following**p) ** (1 / p)
        starts = np.isclose(step[1:], 0.5 / made[:-1], rtol=1e-6, atol=0.0)
    found = np.flatnonzero(starts)
    return int(found[0]) + 2 if len(found) else len(weights)
