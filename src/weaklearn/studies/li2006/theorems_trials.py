"""Theorems of li2006, chapter 1, on random instances: violations are counted by brute force.

An instance has `N_EXAMPLES` examples, and a learning model of random Boolean functions with random lengths; an error
costs lambda (Definition 1.3). Sets of examples are bit masks, so that C(S) is a table over all of them. Theorems 1.1
and 1.2 and Lemmas 1.1 and 1.2 are about quantities that no program computes.
"""

import numpy as np

from weaklearn.lab import Trial, protocol

N_EXAMPLES = 6
N_HYPOTHESES = 10
ALL = 2**N_EXAMPLES - 1
SIZES = np.array([mask.bit_count() for mask in range(ALL + 1)])
# Of rounding; lengths and lambda are multiples of 1/2.
TOLERANCE = 1e-9


class Instance:
    """Lengths of hypotheses, the sets of examples that they get wrong, and the complexity of every subset."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.lengths = rng.integers(1, 9, N_HYPOTHESES).astype(float)
        self.wrong = rng.integers(0, ALL + 1, N_HYPOTHESES)
        self.cost = float(rng.integers(1, 7)) / 2
        errors = SIZES[np.arange(ALL + 1)[:, None] & self.wrong]
        self.totals = self.lengths + self.cost * errors  # subsets by hypotheses
        self.complexity = self.totals.min(axis=1)
        # Definition 1.2, without lookup tables: some sets cannot be replicated.
        self.consistent = np.where(errors == 0, self.lengths, np.inf).min(axis=1)


def subsets(mask: int) -> list[int]:
    """All subsets of a set, the empty one included."""
    return [part for part in range(mask + 1) if part & mask == part]


def monotone(one: Instance) -> int:
    """Theorem 1.3: C(D) <= C(D and D') <= C(D) + lambda |D'|."""
    violations = 0
    for union in range(ALL + 1):
        for part in subsets(union):
            rise = one.complexity[union] - one.complexity[part]
            violations += not -TOLERANCE <= rise <= one.cost * SIZES[union & ~part] + TOLERANCE
    return violations


def _principal(points: np.ndarray) -> set[tuple[float, float]]:
    """The points that no other one equals or beats in both coordinates."""
    distinct = np.unique(points[np.isfinite(points[:, 0])], axis=0)
    beaten = (distinct[:, None] >= distinct[None]).all(axis=2).sum(axis=1) > 1
    return set(map(tuple, distinct[~beaten].tolist()))


def same_principal_points(one: Instance) -> int:
    """Theorem 1.4, without and with lookup tables."""
    left_out = N_EXAMPLES - SIZES
    errors = SIZES[one.wrong]
    plain = np.stack([one.lengths, errors], axis=1)
    entries = [
        (length + one.cost * k, count - k)
        for length, count in zip(one.lengths, errors, strict=True)
        for k in range(count + 1)
    ]
    return sum(
        _principal(np.stack([complexity, left_out], axis=1)) != _principal(np.asarray(hypotheses, float))
        for complexity, hypotheses in ((one.consistent, plain), (one.complexity, entries))
    )


def rightmost(one: Instance) -> int:
    """Lemma 1.3: if the bad examples cost lambda each together, any subset of them does."""
    violations = 0
    for good in range(ALL + 1):
        for bad in subsets(ALL & ~good):
            if one.complexity[good | bad] >= one.complexity[good] + one.cost * SIZES[bad] - TOLERANCE:
                violations += not _each_costs(one, good, bad)
    return violations


def _each_costs(one: Instance, good: int, bad: int) -> bool:
    return all(
        abs(one.complexity[good | part] - one.complexity[good] - one.cost * SIZES[part]) <= TOLERANCE
        for part in subsets(bad)
    )


def equivalent(one: Instance) -> int:
    """Theorem 1.5: the bad examples are in the lookup table of a shortest hypothesis; they cost lambda each."""
    shortest = one.wrong[one.totals[ALL] <= one.complexity[ALL] + TOLERANCE]
    violations = 0
    for bad in range(ALL + 1):
        good = ALL & ~bad
        in_table = bool(np.any(shortest & bad == bad))
        together = abs(one.complexity[ALL] - one.complexity[good] - one.cost * SIZES[bad]) <= TOLERANCE
        violations += not in_table == together == _each_costs(one, good, bad)
    return violations


def best_unbiased(rng: np.random.Generator, start: int = 1, n_permutations: int = 12) -> int:
    """Theorem 1.6: with the noise of a random walk along each path the best estimator is the average increase."""
    n, width = N_EXAMPLES, N_EXAMPLES - start
    # Both orders of one permutation put every example behind `start`.
    orders = [rng.permutation(n) for _ in range(n_permutations)]
    orders.append(orders[0][::-1])
    increases = rng.normal(size=(len(orders), width))
    rows = np.zeros((len(orders), width, n))
    for k, order in enumerate(orders):
        for m in range(width):
            rows[k, m:, order[start + m]] = 1.0
    positions = np.arange(1, width + 1)
    inverse = np.linalg.inv(np.minimum.outer(positions, positions).astype(float))
    gram = np.einsum("kmi,mp,kpj->ij", rows, inverse, rows)
    moment = np.einsum("kmi,mp,kp->i", rows, inverse, increases.cumsum(axis=1))
    joined = np.array([order[start:] for order in orders])
    average = [increases[joined == example].mean() for example in range(n)]
    return int(not np.allclose(np.linalg.solve(gram, moment), average, atol=1e-8))


@protocol("li2006_theorems", version=1)
def theorems(trial: Trial, n_instances: int) -> dict[str, float]:
    """Violations of Theorems 1.3 to 1.6 and of Lemma 1.3 in random instances, by the name of each."""
    rng = np.random.default_rng(trial.algorithm_seed)
    instances = [Instance(rng) for _ in range(n_instances)]
    checks = {
        "Theorem 1.3": monotone,
        "Theorem 1.4": same_principal_points,
        "Lemma 1.3": rightmost,
        "Theorem 1.5": equivalent,
    }
    found = {name: float(sum(map(check, instances))) for name, check in checks.items()}
    return found | {"Theorem 1.6": float(sum(best_unbiased(rng) for _ in instances))}
