"""A user's own incremental measure gives the numbers of the same measure called on every subset."""

import copy
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from weaklearn.complexity import (
    ComplexityPruner,
    LookupComplexity,
    SVMComplexity,
    complexity,
    complexity_contribution,
    complexity_error_path,
    greedy_pruning,
    principal_subsets,
)
from weaklearn.datasets import make_yinyang
from weaklearn.kernel import IncrementalSVC


class LabelChanges:
    """How often the label changes along the first feature; counts its updates."""

    def __init__(self):
        self.examples = []
        self.updates = Counter()

    def __deepcopy__(self, memo):
        twin = LabelChanges()
        twin.examples, twin.updates = list(self.examples), self.updates  # counted together
        return twin

    def push(self, x, y):
        self.updates["push"] += 1
        self.examples.append((x[0], y))

    def pop(self):
        self.updates["pop"] += 1
        self.examples.pop()

    @property
    def value(self):
        labels = [y for _, y in sorted(self.examples)]
        return sum(a != b for a, b in pairwise(labels))


def label_changes(X, y):
    """The same, from scratch."""
    labels = y[np.argsort(X[:, 0])]
    return float(np.sum(labels[1:] != labels[:-1]))


@pytest.fixture(params=[2, 3])
def data(request):
    X, y = make_yinyang(24, flip=0.1, random_state=3)
    return X, (y if request.param == 2 else np.digitize(X[:, 1], [-0.2, 0.3]))


@pytest.mark.parametrize("estimator", ["average", "least_squares"])
def test_contributions(data, estimator):
    settings = {"estimator": estimator, "n_permutations": 12, "tol": None, "random_state": 0}
    measure = LabelChanges()
    ours = complexity_contribution(*data, measure=measure, **settings)
    called = complexity_contribution(*data, measure=label_changes, **settings)
    np.testing.assert_array_equal(ours.contribution, called.contribution)
    np.testing.assert_array_equal(ours.standard_error, called.standard_error)
    assert measure.updates["push"] == 12 * 24  # one for each step, not one for each member of each subset
    assert measure.examples == []  # the user's own object stays empty


@pytest.mark.parametrize("method", ["average", "least_squares", "greedy"])
def test_pruner(data, method):
    settings = {"lam": 1.0, "n_permutations": 12, "thresholds": (0.5, 1.0), "random_state": 0}
    ours = ComplexityPruner(method, measure=LabelChanges(), **settings).fit(*data)
    called = ComplexityPruner(method, measure=label_changes, **settings).fit(*data)
    np.testing.assert_array_equal(ours.contribution_, called.contribution_)
    np.testing.assert_array_equal(ours.category_, called.category_)
    assert np.ptp(ours.contribution_) > 0


def test_greedy_pruning_needs_n_log_n_updates(data):
    measure = LabelChanges()
    greedy_pruning(*data, measure=measure, max_removals=1, lam=1e-9)
    assert measure.updates["push"] < 2.5 * 24 * np.log2(24)  # 24 * 24 from scratch, for each of the removals


def test_paths_subsets_and_single_values(data):
    X, y = data
    order = np.random.default_rng(0).permutation(24)
    ours = complexity_error_path(X, y, order=order, measure=LabelChanges())
    np.testing.assert_array_equal(
        ours.complexity, complexity_error_path(X, y, order=order, measure=label_changes).complexity
    )
    for settings in ({"clusters": 6}, {"clusters": 8, "max_subsets": 60}):
        one = principal_subsets(X, y, measure=LabelChanges(), random_state=0, **settings)
        other = principal_subsets(X, y, measure=label_changes, random_state=0, **settings)
        np.testing.assert_array_equal(one.plot, other.plot)
        np.testing.assert_array_equal(one.points, other.points)
    assert complexity(X, y, measure=LabelChanges()) == label_changes(X, y)
    with pytest.raises(ValueError, match="0 sample"):
        complexity(X[:0], y[:0], measure=LabelChanges())


class IncrementalMachine:
    """Support vectors of our own incremental machine, pushed example by example."""

    def __init__(self):
        self.machine = IncrementalSVC()

    def __deepcopy__(self, memo):
        return IncrementalMachine()

    def push(self, x, y):
        self.machine.push(x, y)

    def pop(self):
        self.machine.pop()

    @property
    def value(self):
        return getattr(self.machine, "n_support_", 0)


def test_the_default_measure_pushed_by_hand():
    X, y = make_yinyang(20, random_state=1)
    settings = {"n_permutations": 4, "tol": None, "random_state": 0}
    ours = complexity_contribution(X, y, measure=IncrementalMachine(), **settings)
    default = complexity_contribution(X, y, measure=SVMComplexity(), **settings)
    np.testing.assert_array_equal(ours.contribution, default.contribution)


@pytest.mark.parametrize("measure", [LabelChanges(), label_changes, LookupComplexity()])
def test_the_surprise_says_what_it_needs(data, measure):
    with pytest.raises(ValueError, match='Use "average" or "least_squares" with this measure'):
        ComplexityPruner(measure=measure).fit(*data)


@pytest.mark.parametrize("measure", [3, "svm", LabelChanges])
def test_what_is_no_measure(data, measure):
    if measure is LabelChanges:  # the class in place of an instance: callable, but not with X and y
        with pytest.raises(TypeError):
            complexity_contribution(*data, measure=measure)
        return
    with pytest.raises(ValueError, match=r"measure must be callable.*push\(x, y\)"):
        complexity_contribution(*data, measure=measure)


def test_copies_are_independent():
    measure = LabelChanges()
    twin = copy.deepcopy(measure)
    twin.push([0.0], 1)
    assert measure.examples == []
