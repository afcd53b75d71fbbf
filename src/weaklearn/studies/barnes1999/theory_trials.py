"""barnes1999: what it proves or computes, by brute force on random instances; and the example of section 4.3.3."""

import math

import numpy as np
from scipy.optimize import linprog

from weaklearn.boosting import AdaBoostClassifier, generalization_bound, stump_dichotomies
from weaklearn.datasets import flip_labels, make_ring
from weaklearn.lab import Trial, protocol
from weaklearn.stumps import DecisionStump

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


@protocol("barnes1999.theorem", version=1)
def theorem(trial: Trial) -> dict[str, float]:
    """One random instance of the theorem that the row's setting names: `violation`, 1 if it is violated, else 0."""
    rng = np.random.default_rng([trial.index, trial.setting["theorem"]])
    return {"violation": float(_THEOREMS[trial.setting["theorem"]](rng))}


def _training_error_is_bounded(rng: np.random.Generator) -> bool:
    """Theorem 7: the training error is at most the product of sqrt(1 - 4 beta_t^2), that at most its exponential."""
    X, y = make_ring(30, random_state=int(rng.integers(2**31)))
    y, _ = flip_labels(y, rng.choice([0.0, 0.1, 0.3]), random_state=rng)
    model = AdaBoostClassifier(DecisionStump(), 100).fit(X, y)
    beta = 0.5 - model.estimator_errors_
    product = np.cumprod(np.sqrt(1 - 4 * beta**2))
    exponential = np.exp(-2 * np.cumsum(beta**2))
    slack = 1e-9
    return bool((model.error_curve_ > product + slack).any() or (product > exponential + slack).any())


_N_MARGIN_ROUNDS = 20_000


def _margin_is_maximised(rng: np.random.Generator) -> bool:
    """Theorem 9: on eight examples and eight hypotheses, whether the least margin stays below 99% of the largest one.

    The examples have right and wrong votes at random, and the weak learner is exact. Instances whose largest least
    margin is not positive are drawn again: boosting ends there. Margins are taken over the last half of the rounds.
    """
    while True:
        votes = rng.choice([-1.0, 1.0], size=(8, 8))  # hypotheses by examples
        largest = largest_margin(votes)
        if largest > 1e-9 and not (votes.min(axis=1) > 0).any():
            break
    total, margins, best = 0.0, np.zeros(8), -1.0
    for t in range(_N_MARGIN_ROUNDS):
        weights = np.exp(margins.min() - margins)
        edges = votes @ (weights / weights.sum())
        chosen = int(np.argmax(edges))
        step = math.atanh(edges[chosen])
        total += step
        margins = margins + step * votes[chosen]
        if t >= _N_MARGIN_ROUNDS // 2:
            best = max(best, margins.min() / total)
    return bool(best < 0.99 * largest)


def largest_margin(votes: np.ndarray) -> float:
    """The largest least margin of a convex combination of hypotheses (rows), by linear programming."""
    n_hypotheses, n_samples = votes.shape
    found = linprog(
        np.append(np.zeros(n_hypotheses), -1.0),
        A_ub=np.column_stack([-votes.T, np.ones(n_samples)]),
        b_ub=np.zeros(n_samples),
        A_eq=np.append(np.ones(n_hypotheses), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * n_hypotheses + [(None, None)],
    )
    return -float(found.fun)


def _bound_falls_with_p(rng: np.random.Generator) -> bool:
    """Theorem 12: the confidence interval falls with p, c(p) being constant, as the text assumes."""
    quantities = {
        "margins": rng.uniform(-1, 1, int(rng.integers(10, 1000))),
        "gamma": rng.uniform(0.01, 0.49),
        "dimension": rng.uniform(1, 100),
        "failure": rng.uniform(0.001, 0.5),
    }
    p_values = np.sort(rng.uniform(0.05, 1.95, 20))
    widths = [generalization_bound("p_convex_hull", p=p, **quantities).confidence_interval for p in p_values]
    return bool((np.diff(widths) <= 0).any())


def _stumps_shatter_too_much(rng: np.random.Generator) -> bool:
    """Theorem 13: whether stumps shatter d + 2 points in d dimensions (1 to 6), ties among them or not."""
    d = int(rng.integers(1, 7))
    points = rng.normal(size=(d + 2, d)) if rng.random() < 0.5 else rng.integers(0, 4, size=(d + 2, d))
    return stump_dichotomies(points) == 2 ** (d + 2)


_THEOREMS = {
    7: _training_error_is_bounded,
    9: _margin_is_maximised,
    12: _bound_falls_with_p,
    13: _stumps_shatter_too_much,
}
