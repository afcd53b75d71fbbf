"""A labelled set and a measure, ready for many evaluations on subsets.

A measure is any callable ``measure(X, y) -> float``. Two kinds can be evaluated faster:

- an *incremental* measure has ``push(x, y)``, ``pop()`` (takes the last example back) and ``value``, a number. It is
  given empty, and copied (``copy.deepcopy``) wherever several subsets grow at the same time; it need not be callable;
- a measure that *prepares* a whole set offers ``prepare(X, y, gram=True)``, which returns a `Problem` of its own, as
  `SVMComplexity` does.
"""

import copy
from functools import partial

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from weaklearn._docstrings import documented
from weaklearn._training import check_X_y

# What the docstrings of functions of a labelled set and a measure have in common.
SET_FUNCTION = partial(
    documented,
    shared="""
Parameters
----------
X : array-like of shape (n_samples, n_features)
    One row for each example.
y : array-like of shape (n_samples,)
    Labels of any kind.
measure : callable or incremental measure, default=None
    ``measure(X, y) -> float``, or an object with ``push(x, y)``, ``pop()`` and ``value``, which is updated from subset
    to subset; None means `SVMComplexity()`.
random_state : int, RandomState or None, default=None
    An int makes the result repeatable.
""",
)


class Problem:
    """What the algorithms of this package ask of a set and a measure; here the measure is called on each subset."""

    def __init__(self, X, y, measure):
        self.X, self.y, self.measure = X, y, measure
        self.classes, self.codes = np.unique(y, return_inverse=True)

    @property
    def n_examples(self):
        """How many examples there are."""
        return len(self.codes)

    def of(self, members):
        """The complexity of some of the examples."""
        members = np.asarray(members)
        return float(self.measure(self.X[members], self.y[members])) if len(members) else 0.0

    def path_complexities(self, orders, start, stop):
        """Complexities of the first start, ..., stop examples of each order, (n_orders, stop - start + 1)."""
        values = np.empty((len(orders), stop - start + 1))
        for line, order in zip(values, orders, strict=True):
            for m in range(start, stop + 1):
                line[m - start] = self.of(order[:m])
        return values

    def removals(self, present):
        """C(S) - C(S - z) for each z of S, 0 elsewhere; S is a mask."""
        members = np.flatnonzero(present)
        alone = np.arange(len(members) + 1)  # every example is a cluster of its own
        around = self.unions_around(members, alone, np.ones(len(members), dtype=bool))
        decreases = np.zeros(self.n_examples)
        decreases[members] = around[-1] - around[:-1]
        return decreases

    def every_union(self, members, bounds, n_threads):
        """Complexities of all unions of clusters ``members[bounds[j]:bounds[j + 1]]``, numbered by their bits j."""
        codes = np.arange(2 ** (len(bounds) - 1))
        chosen = (codes[:, None] >> np.arange(len(bounds) - 1) & 1).astype(bool)
        return np.array([self.of(_union(row, members, bounds)) for row in chosen])

    def unions_around(self, members, bounds, chosen):
        """Complexities of the unions that differ from the chosen one by one cluster, and of that one (last)."""
        clusters = np.arange(len(bounds) - 1)
        flips = [chosen ^ (clusters == j) for j in clusters]
        return np.array([self.of(_union(row, members, bounds)) for row in [*flips, chosen]])


class IncrementalProblem(Problem):
    """A set and a measure that is updated by one example at a time."""

    def of(self, members):
        return float(self._grown(members).value)

    def path_complexities(self, orders, start, stop):
        values = np.empty((len(orders), stop - start + 1))
        for line, order in zip(values, orders, strict=True):
            state = self._grown(order[:start])
            line[0] = state.value
            for m in range(start, stop):
                self._push(state, order[m : m + 1])
                line[m + 1 - start] = state.value
        return values

    def removals(self, present):
        # Leave out halves, then quarters, and so on: n log n pushes instead of n^2.
        decreases = np.zeros(self.n_examples)
        members = np.flatnonzero(present)
        whole = self.of(members)
        state = copy.deepcopy(self.measure)

        def leave_out(part):
            if len(part) == 1:
                decreases[part[0]] = whole - state.value
                return
            halves = np.array_split(part, 2)
            for half, other in (halves, halves[::-1]):
                self._push(state, other)
                leave_out(half)
                self._pop(state, len(other))

        if len(members):
            leave_out(members)
        return decreases

    def every_union(self, members, bounds, n_threads):
        n_clusters = len(bounds) - 1
        values = np.empty(2**n_clusters)
        state = copy.deepcopy(self.measure)

        def visit(j, code):
            if j < 0:
                values[code] = state.value
                return
            visit(j - 1, code)
            cluster = members[bounds[j] : bounds[j + 1]]
            self._push(state, cluster)
            visit(j - 1, code | 1 << j)
            self._pop(state, len(cluster))

        visit(n_clusters - 1, 0)
        return values

    def _grown(self, members):
        state = copy.deepcopy(self.measure)
        self._push(state, members)
        return state

    def _push(self, state, members):
        for i in members:
            state.push(self.X[i], self.y[i])

    def _pop(self, state, count):
        for _ in range(count):
            state.pop()


def is_incremental(measure):
    """Whether a measure can be updated by one example at a time."""
    if isinstance(measure, type):
        return False
    # Looked up, not read: the value of an empty set may not exist yet.
    names = {name for kind in type(measure).__mro__ for name in vars(kind)} | set(
        getattr(measure, "__dict__", ())
    )
    return {"push", "pop", "value"} <= names


def problem(X, y, measure, *, gram=True):
    """Check a labelled set and prepare it; ``gram=False`` keeps no matrix of all pairs, for small subsets only."""
    X, y = check_X_y(X, y, dtype=np.float64, order="C")
    check_classification_targets(y)
    _check_measure(measure)
    if (y == y[0]).all():
        raise ValueError(
            f"y has only one class: {y[0]}. Its complexity is 0, and there is nothing to decompose."
        )
    if hasattr(measure, "prepare"):
        return measure.prepare(X, y, gram=gram)
    return (IncrementalProblem if is_incremental(measure) else Problem)(X, y, measure)


def evaluate(measure, X, y):
    """The complexity of one set, by a measure of any kind."""
    _check_measure(measure)
    X, y = check_X_y(X, y, dtype=np.float64, order="C")
    check_classification_targets(y)
    if callable(measure):
        return float(measure(X, y))
    return IncrementalProblem(X, y, measure).of(np.arange(len(y)))


def _check_measure(measure):
    if not (callable(measure) or is_incremental(measure)):
        raise ValueError(
            "measure must be callable, measure(X, y) -> float, or have push(x, y), pop() and value; "
            f"got {measure!r}."
        )


def _union(chosen, members, bounds):
    parts = [members[bounds[j] : bounds[j + 1]] for j in np.flatnonzero(chosen)]
    return np.concatenate(parts) if parts else members[:0]
