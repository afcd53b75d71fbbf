"""The view of li2006 on a whole table: surprise, kinds of rows, complexity against shuffled labels."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn._fast.active_set import kernel_scale
from weaklearn._fast.complexity_paths import locations
from weaklearn._fast.complexity_subsets import neighbours
from weaklearn._training import one_vs_rest
from weaklearn.complexity._contribution import complexity_contribution
from weaklearn.complexity._paths import complexity_error_path
from weaklearn.kernel import perceptron_kernel

# Complexity against shuffled labels is measured on at most this many rows, and this many shuffles.
_SAMPLE = 400
_N_SHUFFLES = 10
# Subsets against which the contribution of the listed rows is measured.
_N_SUBSETS = 30


@dataclass(frozen=True)
class SetComplexity:
    """The complexity of (a sample of) the table, and of copies with shuffled labels.

    ``ordered`` is the complexity-error path that takes the least surprising rows first, ``shuffled_path`` one of a
    shuffled copy.
    """

    n_rows: int
    value: float
    shuffled: np.ndarray
    ordered: Any
    shuffled_path: Any

    @property
    def share(self):
        """Complexity as a share of what shuffled labels need."""
        return self.value / float(self.shuffled.mean())


@dataclass(frozen=True)
class ComplexityView:
    """How far random subsets of the other rows contradict each label, and how complex the labels are.

    Attributes
    ----------
    surprise, standard_error : ndarray
        How firmly machines of small random subsets of the other rows contradict the label, in [-1, 1].
    category : ndarray of str
        "noisy" (surprise above 0), "critical" (above -0.4) or "typical".
    contribution, contribution_error : ndarray
        Of the rows that the page shows: by how much each raises the complexity of random subsets of the others.
    complexity : SetComplexity or None
        None if the run was interrupted before, or if a sample has one class only.
    n_permutations : int
    reliability : float
    window : (int, int)
        Sizes of the subsets.
    interrupted : bool
    """

    surprise: np.ndarray
    standard_error: np.ndarray
    category: np.ndarray
    contribution: np.ndarray
    contribution_error: np.ndarray
    complexity: SetComplexity | None
    n_permutations: int
    reliability: float
    window: tuple
    interrupted: bool


def complexity_view(X, y, shown, *, n_permutations, rng, n_jobs, verbose):
    """How far the rows of a table contradict each other's labels, and how complex the labels are: a `ComplexityView`.

    ``shown`` are the rows whose contribution is measured, too; there are at most ``n_permutations`` random orders.
    """
    result = complexity_contribution(
        X,
        y,
        estimator="surprise",
        n_permutations=n_permutations,
        tol=0.99,
        random_state=int(rng.integers(2**31)),
        n_jobs=n_jobs,
        verbose=verbose,
    )
    surprise = np.nan_to_num(result.contribution, nan=-1.0)
    contribution, error = np.full((2, len(shown)), np.nan)
    measured, interrupted = None, result.interrupted
    if not interrupted:
        try:
            contribution, error = _contributions_of(X, y, shown, result.stop, rng)
            measured = _complexity(X, y, surprise, rng)
        except KeyboardInterrupt:
            interrupted = True
    return ComplexityView(
        surprise,
        result.standard_error,
        np.select([surprise > 0, surprise >= -0.4], ["noisy", "critical"], "typical"),
        contribution,
        error,
        measured,
        result.n_permutations,
        result.reliability,
        (result.start, result.stop),
        interrupted,
    )


def _contributions_of(X, y, rows, size, rng):
    """Mean increase of complexity, and its standard error, when a row joins random subsets of the others."""
    if len(rows) == 0:
        return np.empty(0), np.empty(0)
    classes, codes = np.unique(y, return_inverse=True)
    increases = np.full((_N_SUBSETS, len(rows)), np.nan)
    for line in increases:
        subset = rng.permutation(len(codes))[:size]
        used = np.concatenate([rows, np.setdiff1d(subset, rows)])
        member = np.isin(used, subset)
        joining = np.flatnonzero(~member)  # those of the rows that are not in the subset
        K = np.ascontiguousarray(perceptron_kernel(X[used], X[used]))
        labels = one_vs_rest(codes[used], len(classes))
        # Cluster 0 is the subset, each row that joins it another one.
        members = np.concatenate([np.flatnonzero(member), joining])
        bounds = np.append(0, np.arange(size, size + len(joining) + 1))
        clusters = np.arange(len(joining) + 1)
        counts, separable = neighbours(
            K, labels, locations(X[used]), members, bounds, clusters == 0, clusters[1:], kernel_scale(K)
        )
        if separable:
            line[joining] = (counts[:-1] - counts[-1]) / (2.0 if len(labels) > 1 else 1.0)
    count = np.sum(np.isfinite(increases), axis=0)
    mean = np.nansum(increases, axis=0) / np.maximum(count, 1)
    spread = np.nansum((increases - mean) ** 2, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(spread / (count - 1) / count)
    return np.where(count > 0, mean, np.nan), np.where(count > 1, error, np.nan)


def _complexity(X, y, surprise, rng):
    kept = np.sort(rng.permutation(len(y))[:_SAMPLE])
    if len(np.unique(y[kept])) < 2:
        kept = np.arange(len(y))[:_SAMPLE]
    X, y = X[kept], y[kept]
    if len(np.unique(y)) < 2:
        return None
    ordered = complexity_error_path(X, y, order=np.argsort(surprise[kept], kind="stable"))
    shuffled, path = [], None
    for _ in range(_N_SHUFFLES):
        path = complexity_error_path(X, rng.permutation(y), order=rng.permutation(len(y)))
        shuffled.append(path.complexity[-1])
    return SetComplexity(len(y), float(ordered.complexity[-1]), np.array(shuffled), ordered, path)
