"""Trials behind sentences of may2020: facts about the digits, hardest digits, the mistake bound, times of solvers."""

import math
from itertools import product

import numpy as np

from weaklearn.datasets import make_little_bit
from weaklearn.kernel import KernelSVC, gaussian_kernel
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.protocols import cpu_seconds
from weaklearn.linear import Perceptron
from weaklearn.studies.may2020.digits_trials import clarabel_dual


@protocol("weaklearn.lab.studies.may2020.text_trials:digit_facts", version=1)
def digit_facts(trial: Trial) -> dict[str, float]:
    """`examples`, pixels on each `side`, and the examples of each digit (`digit 0`, ...)."""
    X, y = trial.load()
    labels, counts = np.unique(y, return_counts=True)
    result = {"examples": float(len(y)), "side": math.sqrt(X.shape[1])}
    return result | {f"digit {label:g}": float(n) for label, n in zip(labels, counts, strict=True)}


@protocol("may2020-hardest-digits", version=1)
def hardest_digits(trial: Trial, n_runs: int = 20, n_hardest: int = 5) -> dict[str, float]:
    """How often each digit is wrong over the machines of ``n_runs`` splits, each machine asked about all digits.

    Records `distinct`, the digits that are wrong at least once, `fewest_of_hardest`, how often the least wrong of the
    ``n_hardest`` hardest is wrong, `most_of_others`, the most for any other, and `most`, for the hardest of all.
    """
    X, y = trial.load()
    wrong = np.zeros(len(y), dtype=int)
    for k in range(n_runs):
        X_train, _, y_train, _ = trial.split(seed_from(seed=trial.data_seed, run=k))
        wrong += trial.build().fit(X_train, y_train).predict(X) != y
    often = np.sort(wrong)[::-1]
    return {
        "distinct": float(np.count_nonzero(wrong)),
        "fewest_of_hardest": float(often[n_hardest - 1]),
        "most_of_others": float(often[n_hardest]),
        "most": float(often[0]),
    }


@protocol("may2020-mistake-bound", version=1)
def mistake_bound(trial: Trial, n_sequences: int = 200, most_searched: int = 4) -> dict[str, float]:
    """Mistakes of an online perceptron, without bias, on sequences of the 'just a little bit' problem.

    The margin is 1 and the norm of examples sqrt(n), so there are at most n mistakes; a share n/m of m examples
    at most. Records `largest`, the most mistakes on any of ``n_sequences`` random sequences of 4 n examples, and
    `worst`, the most on any sequence at all, found by search up to ``most_searched`` features (else `largest`
    again); both as shares of n.
    """
    n = trial.setting["n_features"]
    rng = np.random.default_rng(trial.data_seed)
    largest = 0
    for _ in range(n_sequences):
        X, y = make_little_bit(4 * n, n_features=n, random_state=int(rng.integers(2**31)))
        if len(np.unique(y)) == 2:
            machine = Perceptron(fit_intercept=False, order="cyclic", max_iter=1).fit(X, y)
            largest = max(largest, int(machine.mistakes_[0]))
    worst = most_mistakes(n) if n <= most_searched else largest
    return {"largest": largest / n, "worst": worst / n}


def most_mistakes(n_features: int) -> int:
    """The longest run of mistakes of a perceptron on any sequence of examples whose label is the first feature.

    >>> [most_mistakes(n) for n in (1, 2, 3, 4)]
    [1, 2, 2, 4]
    """
    # A mistake on (x, y) adds y x, whose first feature is 1: these are the only steps there are.
    steps = np.array([(1, *rest) for rest in product((-1, 1), repeat=n_features - 1)])
    known: dict[tuple[int, ...], int] = {}

    def longest(weights: tuple[int, ...]) -> int:
        if weights not in known:
            wrong = steps[steps @ weights <= 0]
            known[weights] = max((1 + longest(tuple(weights + step)) for step in wrong), default=0)
        return known[weights]

    return longest((0,) * n_features)


@protocol("may2020-solver-seconds", version=1, timed=True)
def solver_seconds(
    trial: Trial, digit: float = 8.0, C: float = 4.0, gamma: float = 2.0**-6
) -> dict[str, float]:
    """CPU seconds of two solvers on one digit against as many others: a general QP solver and the simplified SMO.

    Both get the same Gram matrix. Records both, and the `ratio` of the first to the second.
    """
    X, _, y, _ = trial.split()
    rng = np.random.default_rng(trial.data_seed)
    own = np.flatnonzero(y.astype(float) == digit)
    rest = rng.choice(np.flatnonzero(y.astype(float) != digit), size=len(own), replace=False)
    rows = np.concatenate([own, rest])
    sign = np.repeat([1.0, -1.0], len(own))
    gram = gaussian_kernel(X[rows], gamma=gamma)
    machine = KernelSVC(C, kernel="precomputed", solver="simplified", random_state=0)
    machine.fit(gram, sign)  # compiled before it is measured
    qp = cpu_seconds(clarabel_dual, gram, sign, C)
    smo = cpu_seconds(machine.fit, gram, sign)
    return {"qp": qp, "smo": smo, "ratio": qp / smo}
