"""A labelled set and a measure, ready for many evaluations on subsets."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y

from weaklearn._fast.complexity_paths import leave_one_out, paths
from weaklearn.complexity._measures import SVMComplexity, locations, one_vs_rest
from weaklearn.kernel._incremental import NotSeparableError, kernel_scale

__all__ = ["Problem", "problem"]

# A Gram matrix of doubles for more rows than this would need more than 800 MB.
GRAM_LIMIT = 10_000


@dataclass(frozen=True)
class Problem:
    """What the algorithms of this package share.

    ``gram`` is None for measures that are not incremental; they are called with the examples themselves.
    """

    X: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    classes: np.ndarray
    labels: np.ndarray
    location: np.ndarray
    measure: Any
    gram: np.ndarray | None
    scale: float

    @property
    def n_examples(self):
        """How many examples there are."""
        return len(self.codes)

    @property
    def times_counted(self):
        """How many one-against-the-rest problems count each boundary: 2 with more than two classes, else 1."""
        return 2.0 if len(self.labels) > 1 else 1.0

    def path_complexities(self, orders, start, stop):
        """Complexities of the first start, ..., stop examples of each order, (n_orders, stop - start + 1)."""
        if self.gram is not None:
            counts, separable = paths(self.gram, self.labels, self.location, orders, start, stop, self.scale)
            self.check(separable)
            return counts / self.times_counted
        values = np.empty((len(orders), stop - start + 1))
        for line, order in zip(values, orders, strict=True):
            for m in range(start, stop + 1):
                line[m - start] = self.of(order[:m])
        return values

    def of(self, members):
        """The complexity of some of the examples."""
        members = np.asarray(members)
        if self.gram is not None:
            return float(self.path_complexities(members[None], len(members), len(members))[0, 0])
        return float(self.measure(self.X[members], self.y[members])) if len(members) else 0.0

    def removals(self, present):
        """C(S) - C(S - z) for each z of S, 0 elsewhere; S is a mask."""
        decreases = np.zeros(self.n_examples)
        if self.gram is not None:
            self.check(leave_one_out(self.gram, self.labels, self.location, present, self.scale, decreases))
            return decreases / self.times_counted
        members = np.flatnonzero(present)
        whole = self.of(members)
        for k, i in enumerate(members):
            decreases[i] = whole - self.of(np.delete(members, k))
        return decreases

    def check(self, separable):
        """Complain if it was not."""
        if not separable:
            raise NotSeparableError(self.measure.not_separable_message())


def problem(X, y, measure=None, *, gram=True):
    """Check a labelled set and prepare it; ``gram=False`` leaves the Gram matrix out."""
    X, y = check_X_y(X, y, dtype=np.float64, order="C")
    check_classification_targets(y)
    measure = SVMComplexity() if measure is None else measure
    if not callable(measure):
        raise ValueError(f"measure must be callable, measure(X, y) -> float; got {measure!r}.")
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y has only one class: {classes[0]}. Its complexity is 0, and there is nothing to decompose."
        )
    labels = one_vs_rest(codes, len(classes))
    matrix, scale = None, 1.0
    if isinstance(measure, SVMComplexity) and gram:
        if len(y) > GRAM_LIMIT:
            raise ValueError(
                f"{len(y)} examples need a Gram matrix of {8e-9 * len(y) ** 2:.0f} GB: take at most {GRAM_LIMIT}, or "
                'estimator="surprise", which only looks at small subsets.'
            )
        matrix = np.ascontiguousarray(measure.kernel_function()(X, X))
        scale = kernel_scale(matrix)
    return Problem(X, y, codes, classes, labels, locations(X), measure, matrix, scale)
