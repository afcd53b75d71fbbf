"""From subset paths to a number for each example: three estimators behind one small interface.

An estimator turns a block of permutations into parts (`block`, called from any thread), adds the parts up in the order
of the blocks (`add`), and can estimate from all of them or from every second block (`estimate`, `half`). Sums are
taken in a fixed order, so the result does not depend on the number of threads.
"""

from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from weaklearn._fast.complexity_paths import add_normal_equations

# Groups of the delete-one-group jackknife.
_N_GROUPS = 10
# The surprise never learns from more examples than this: beyond it, machines grow slower and find flips no better.
_LARGEST_SUBSET = 420


class _Means:
    """Sums, squares and counts for each example, of even and odd blocks."""

    def __init__(self, n):
        self.total = np.zeros((2, n))
        self.squares = np.zeros((2, n))
        self.count = np.zeros((2, n))

    def add(self, index, parts):
        total, squares, count = parts
        self.total[index % 2] += total
        self.squares[index % 2] += squares
        self.count[index % 2] += count

    def estimate(self):
        """Means and their standard errors; NaN for examples that were never measured, or once."""
        count = self.count.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.total.sum(axis=0) / count
            variance = np.maximum(self.squares.sum(axis=0) / count - mean**2, 0.0) * count / (count - 1)
            return mean, np.sqrt(variance / count)

    def half(self, parity):
        """The means of every second block."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.total[parity] / self.count[parity]


class Average(_Means):
    """Equation (1.13): the mean increase of complexity when the example joins a set of start <= size < stop."""

    def __init__(self, problem, start, stop):
        super().__init__(problem.n_examples)
        self.start, self.stop = start, stop

    def block(self, problem, orders):
        """Sums over some permutations."""
        increases = np.diff(problem.path_complexities(orders, self.start, self.stop), axis=1).ravel()
        joined = orders[:, self.start : self.stop].ravel()
        n = problem.n_examples
        return (
            np.bincount(joined, increases, n),
            np.bincount(joined, increases**2, n),
            np.bincount(joined, minlength=n),
        )


class LeastSquares:
    """Equation (1.12) with equal, independent noise: ordinary least squares on the equations (1.11)."""

    def __init__(self, problem, start, stop):
        n = problem.n_examples
        self.start, self.stop = start, stop
        # Entries of P'P are whole numbers well below 2^24, which single precision holds exactly.
        self.gram = np.zeros((_N_GROUPS, n, n), dtype=np.float32)
        self.moment = np.zeros((_N_GROUPS, n))

    def block(self, problem, orders):
        """Normal equations of some permutations."""
        n = problem.n_examples
        gram, moment = np.zeros((n, n), dtype=np.float32), np.zeros(n)
        complexities = problem.path_complexities(orders, self.start, self.stop)
        add_normal_equations(orders, self.start, complexities, gram, moment)
        return gram, moment

    def add(self, index, parts):
        """Add one block to its group."""
        self.gram[index % _N_GROUPS] += parts[0]
        self.moment[index % _N_GROUPS] += parts[1]

    def estimate(self):
        """Solution, and standard errors by the jackknife over groups of blocks."""
        gram, moment = self.gram.sum(axis=0, dtype=np.float64), self.moment.sum(axis=0)
        value = _solve(gram, moment)
        used = [g for g in range(_N_GROUPS) if self.gram[g].any()]
        if len(used) < 3:
            return value, np.full(len(value), np.nan)
        left_out = np.array([_solve(gram - self.gram[g], moment - self.moment[g]) for g in used])
        spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return value, np.sqrt(spread * (len(used) - 1) / len(used))

    def half(self, parity):
        """The solution from every second group."""
        return _solve(self.gram[parity::2].sum(axis=0, dtype=np.float64), self.moment[parity::2].sum(axis=0))


def _solve(gram, moment):
    try:
        return cho_solve(cho_factor(gram, lower=True), moment)
    except LinAlgError:
        # Some examples were never in the window yet: the solution of least norm says 0 for them.
        return np.linalg.lstsq(gram, moment, rcond=None)[0]


class Surprise(_Means):
    """How firmly the simplest explanations of small random subsets contradict the label: in [-1, 1].

    Minus the margin, clipped to [-1, 1], that the hard-margin machine of a subset gives to an example *outside* of it,
    averaged over subsets. +1: the label is always contradicted; -1: it always follows from the others.
    """

    def __init__(self, problem, start, stop):
        if not hasattr(problem, "margins_along"):
            raise ValueError(
                f"The surprise needs the margins of machines, which {type(problem.measure).__name__} does not have. "
                'Use "average" or "least_squares" with this measure (or "greedy" in ComplexityPruner), or '
                "SVMComplexity, the default measure."
            )
        super().__init__(problem.n_examples)
        # Five sizes, evenly spaced; fewer if start and stop are near.
        self.sizes = np.unique(np.linspace(start, stop, 5).round().astype(np.int64))

    def block(self, problem, orders):
        """Sums over some permutations of the mean over subset sizes."""
        n = problem.n_examples
        total, squares, count = np.zeros(n), np.zeros(n), np.zeros(n)
        for order in orders:
            margins = np.clip(problem.margins_along(order, self.sizes), -1.0, 1.0)
            held_out = np.ones((len(self.sizes), n), dtype=bool)
            for line, size in zip(held_out, self.sizes, strict=True):
                line[order[:size]] = False
            measured = held_out.any(axis=0)
            value = -(margins * held_out).sum(axis=0)[measured] / held_out.sum(axis=0)[measured]
            total[measured] += value
            squares[measured] += value**2
            count[measured] += 1
        return total, squares, count


ESTIMATORS: dict[str, Any] = {"average": Average, "least_squares": LeastSquares, "surprise": Surprise}


def default_window(estimator, n):
    """The default subset sizes (start, stop) of an estimator."""
    if estimator == "surprise":
        stop = max(2, min(round(0.35 * n), _LARGEST_SUBSET, n - 1))
        return max(1, min(round(0.1 * n), stop * 2 // 7)), stop
    return n // 8, n
