"""The numbers of support vectors of many subsets of one set, updated in compiled code."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from weaklearn._fast.active_set import kernel_scale
from weaklearn._fast.complexity_paths import locations, machines_along, paths
from weaklearn._fast.complexity_subsets import all_subsets, neighbours
from weaklearn._training import one_vs_rest
from weaklearn.complexity._problem import Problem
from weaklearn.kernel import NotSeparableError, kernel_function

# Kernel values at a time when the Gram matrix is not kept.
_CHUNK = 1 << 21


class SVMProblem(Problem):
    """A set and an `SVMComplexity`: one Gram matrix serves all subsets.

    ``gram=False`` keeps no matrix: then only `margins_along` works, which needs small subsets only.
    """

    def __init__(self, X, y, measure, *, gram=True):
        super().__init__(X, y, measure)
        self.kernel = kernel_function(measure.kernel)
        self.labels = one_vs_rest(self.codes, len(self.classes))
        self.location = locations(X)
        self.gram, self.scale = None, 1.0
        if gram:
            self.gram = np.ascontiguousarray(self.kernel(X, X))
            self.scale = kernel_scale(self.gram)

    @property
    def times_counted(self):
        """How many one-against-the-rest problems count each boundary: 2 with more than two classes, else 1."""
        return 2.0 if len(self.labels) > 1 else 1.0

    def of(self, members):
        members = np.asarray(members)
        return float(self.path_complexities(members[None], len(members), len(members))[0, 0])

    def path_complexities(self, orders, start, stop):
        counts, separable = paths(self.gram, self.labels, self.location, orders, start, stop, self.scale)
        self._check(separable)
        return counts / self.times_counted

    def every_union(self, members, bounds, n_threads):
        n_subsets = 2 ** (len(bounds) - 1)
        edges = np.linspace(0, n_subsets, min(8 * n_threads, n_subsets) + 1).astype(int)

        def part(first, last):
            total = np.zeros(last - first)
            for labels in self.labels:
                counts = np.empty(last - first, dtype=np.int64)
                self._check(
                    all_subsets(
                        self.gram, labels, self.location, members, bounds, first, last, self.scale, counts
                    )
                )
                total += counts
            return total

        with ThreadPoolExecutor(n_threads) as pool:
            parts = pool.map(part, edges[:-1], edges[1:])
            return np.concatenate(list(parts)) / self.times_counted

    def unions_around(self, members, bounds, chosen):
        every = np.arange(len(chosen))
        counts, separable = neighbours(
            self.gram, self.labels, self.location, members, bounds, chosen, every, self.scale
        )
        self._check(separable)
        return counts / self.times_counted

    def margins_along(self, order, sizes):
        """Margins of all examples under the machines of the first ``sizes`` of the order, (n_sizes, n_examples)."""
        subset = order[: sizes[-1]]
        if self.gram is not None:
            K = np.ascontiguousarray(self.gram[np.ix_(subset, subset)])
        else:
            K = np.ascontiguousarray(self.kernel(self.X[subset], self.X[subset]))
        labels = np.ascontiguousarray(self.labels[:, subset])
        coef, bias, separable = machines_along(K, labels, locations(self.X[subset]), sizes, kernel_scale(K))
        self._check(separable)
        flat = coef.reshape(-1, len(subset))
        used = np.flatnonzero(flat.any(axis=0))
        columns = subset[used]
        outputs = np.empty((len(flat), self.n_examples))
        if self.gram is not None:
            np.matmul(flat[:, used], self.gram[columns], out=outputs)
        else:
            rows = max(1, _CHUNK // max(1, len(used)))
            for first in range(0, self.n_examples, rows):
                part = slice(first, first + rows)
                outputs[:, part] = flat[:, used] @ self.kernel(self.X[part], self.X[columns]).T
        outputs += bias.reshape(-1, 1)
        return self._own_margins(outputs.reshape(len(sizes), len(self.labels), -1))

    def _own_margins(self, outputs):
        """Half the difference between the output for the own class and the largest other one."""
        if len(self.labels) == 1:
            return outputs[:, 0] * self.labels[0]
        rows = np.arange(self.n_examples)
        own = outputs[:, self.codes, rows]
        others = outputs.copy()
        others[:, self.codes, rows] = -np.inf
        return (own - others.max(axis=1)) / 2

    def _check(self, separable):
        if not separable:
            raise NotSeparableError(
                f"the {self.measure.kernel} kernel cannot separate the classes (or not in double precision), so the "
                "hard-margin machine that SVMComplexity counts does not exist; with the perceptron kernel it does."
            )
