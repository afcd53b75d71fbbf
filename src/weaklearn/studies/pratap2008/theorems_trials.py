"""Trials of pratap2008, section 4.4: theorems 5 and 6 on random finite worlds, where everything is counted."""

import numpy as np

from weaklearn.lab import Trial, protocol

DELTA = 0.1


@protocol("cloning_theorems", version=1)
def cloning_theorems(trial: Trial, n_instances: int) -> dict[str, float]:
    """How many of ``n_instances`` random worlds violate the theorems.

    Records `bound`: worlds in which some hypothesis is wrong on the target more often than theorem 5 allows with
    probability 0.9; the cloner is the best of a finite class on a sample, and the complexity of the class is
    sqrt(log(size / 0.1) / (2 n)). `printed`: worlds in which equation of theorem 6 is wrong by more than 1e-9; and
    `corrected`: the same with the standard deviation of the sum in the denominator, not the square of the size.
    """
    rng = np.random.default_rng(trial.data_seed)
    found = {"bound": 0, "printed": 0, "corrected": 0}
    for _ in range(n_instances):
        found["bound"] += _bound_fails(rng)
        printed, corrected = _correlation_gaps(rng)
        found["printed"] += printed > 1e-9
        found["corrected"] += corrected > 1e-9
    return {name: float(count) for name, count in found.items()}


def _bound_fails(rng) -> bool:
    """All 64 functions on six inputs are hypotheses; the cloner is one of 16 of them, the target any."""
    functions = np.array(np.meshgrid(*[[0, 1]] * 6)).reshape(6, -1).T
    probabilities = rng.dirichlet(np.ones(6))
    target = functions[rng.integers(64)]
    cloners = functions[rng.choice(64, 16, replace=False)]
    n = int(rng.integers(10, 101))
    sample = rng.choice(6, n, p=probabilities)
    on_sample = (cloners != target)[:, sample].mean(axis=1)
    best = int(on_sample.argmin())
    complexity = np.sqrt(np.log(16 / DELTA) / (2 * n))
    wrong, apart = ((functions != some) @ probabilities for some in (target, cloners[best]))
    return bool((wrong > apart + on_sample[best] + complexity + 1e-12).any())


def _correlation_gaps(rng) -> tuple[float, float]:
    """How far the correlation of the errors on two sets is from theorem 6, as printed and corrected."""
    half = rng.choice([-1, 1], (40, 8))
    votes = np.concatenate([half, -half])  # with every hypothesis its negation, all equally likely
    first, second = (rng.choice(8, int(rng.integers(2, 6)), replace=False) for _ in range(2))
    wrong = votes != rng.choice([-1, 1], 8)
    of_first, of_second = wrong[:, first].mean(axis=1), wrong[:, second].mean(axis=1)
    if min(of_first.std(), of_second.std()) == 0:
        return 0.0, 0.0
    left = np.corrcoef(of_first, of_second)[0, 1]
    single = sum(np.corrcoef(wrong[:, i], of_second)[0, 1] for i in first)
    printed = single / len(first) ** 2
    corrected = 0.5 * single / (len(first) * of_first.std())
    return abs(left - printed), abs(left - corrected)
