"""Principal points and subsets against brute force; clusters; paths."""

import itertools

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from weaklearn.complexity import (
    SVMComplexity,
    class_clusters,
    complexity,
    complexity_error_path,
    principal_points,
    principal_subsets,
)
from weaklearn.datasets import make_concentric_disks, make_yinyang
from weaklearn.kernel import perceptron_kernel


def libsvm_complexity(X, y):
    if len(np.unique(y)) < 2:
        return 0
    return len(SVC(kernel="precomputed", C=1e9, tol=1e-9).fit(perceptron_kernel(X), y).support_)


def brute_force(X, y, units):
    """Definition 1.4 literally: all (point, subset) pairs that no other point dominates."""
    n = len(y)
    found = {}
    for size in range(len(units) + 1):
        for chosen in itertools.combinations(units, size):
            members = sorted(itertools.chain.from_iterable(chosen))
            point = (libsvm_complexity(X[members], y[members]), n - len(members))
            found.setdefault(point, []).append(tuple(members))
    points = list(found)
    principal = [
        (c, e) for c, e in points if all(c2 > c or e2 > e for c2, e2 in points if (c2, e2) != (c, e))
    ]
    return {point: sorted(found[point]) for point in sorted(principal)}, found


@pytest.mark.parametrize("seed", range(4))
def test_eight_examples_one_by_one(seed):
    X, y = make_yinyang(8, random_state=seed)
    y[seed] *= -1
    expected, everything = brute_force(X, y, [[i] for i in range(8)])
    found = principal_subsets(X, y, clusters=None)
    assert found.exact
    assert found.n_evaluated == 256
    assert [tuple(map(int, point)) for point in found.points] == list(expected)
    for masks, subsets in zip(found.subsets, expected.values(), strict=True):
        assert sorted(tuple(np.flatnonzero(mask)) for mask in masks) == subsets
    assert {(int(c), int(e)): int(n) for c, e, n in found.plot} == {p: len(s) for p, s in everything.items()}
    np.testing.assert_array_equal(principal_points(X, y, clusters=None), found.points)


def test_unions_of_given_clusters():
    X, y = make_concentric_disks(20, random_state=1)
    ids = class_clusters(X, y, 8)
    expected, _ = brute_force(X, y, [np.flatnonzero(ids == k).tolist() for k in range(8)])
    found = principal_subsets(X, y, clusters=ids, n_jobs=2)
    assert [tuple(map(int, point)) for point in found.points] == list(expected)
    assert [len(masks) for masks in found.subsets] == [len(subsets) for subsets in expected.values()]


def test_local_search_finds_the_front_of_the_exhaustive_search():
    X, y = make_concentric_disks(31, random_state=0)
    exact = principal_subsets(X, y, clusters=12)
    near = principal_subsets(X, y, clusters=12, max_subsets=2000, random_state=0)
    assert exact.exact
    assert not near.exact
    assert near.n_evaluated < 4096
    np.testing.assert_array_equal(near.points, exact.points)


def test_any_measure_and_more_classes():
    X, _ = make_yinyang(12, random_state=2)
    y = np.digitize(X[:, 0], [-0.3, 0.3])
    ids = class_clusters(X, y, 6)
    fast = principal_subsets(X, y, clusters=ids)
    slow = principal_subsets(X, y, clusters=ids, measure=lambda X, y: SVMComplexity()(X, y))
    np.testing.assert_array_equal(fast.plot, slow.plot)
    searched = principal_subsets(
        X, y, clusters=ids, measure=lambda X, y: SVMComplexity()(X, y), max_subsets=40
    )
    assert not searched.exact


def test_contradicting_examples_can_be_left_out():
    X = np.array([[0.0], [1.0], [1.0], [4.0], [5.0]])
    y = np.array([0, 0, 1, 1, 1])
    points = principal_points(X, y, clusters=None)
    assert points[-1].tolist() == [4.0, 0.0]
    assert [2.0, 1.0] in points.tolist()


def test_clusters_are_pure_tight_and_as_many_as_asked():
    X, y = make_yinyang(100, random_state=3)
    ids = class_clusters(X, y, 32)
    assert sorted(set(ids.tolist())) == list(range(32))
    assert all(len(np.unique(y[ids == k])) == 1 for k in range(32))
    assert len(np.unique(class_clusters(X, y, 100))) == 100
    # As few as there are classes: everything of a class is one cluster.
    np.testing.assert_array_equal(class_clusters(X, y, 2) == class_clusters(X, y, 2)[0], y == y[0])
    with pytest.raises(ValueError, match="n_clusters"):
        class_clusters(X, y, 1)


def test_wrong_clusters_are_refused():
    X, y = make_yinyang(10, random_state=0)
    with pytest.raises(ValueError, match="one class each"):
        principal_subsets(X, y, clusters=np.zeros(10))
    with pytest.raises(ValueError, match="each of the 10"):
        principal_subsets(X, y, clusters=[0, 1])
    with pytest.raises(ValueError, match="clusters must be"):
        principal_subsets(X, y, clusters="some")


def test_paths_hold_the_complexity_of_every_prefix():
    X, y = make_yinyang(40, flip=0.1, random_state=4)
    path = complexity_error_path(X, y, random_state=0)
    assert path.complexity[0] == 0
    for m in (1, 5, 17, 40):
        members = path.order[:m]
        assert path.complexity[m] == complexity(X[members], y[members])
        assert path.error[m] == 40 - m
    with pytest.raises(ValueError, match="permutation"):
        complexity_error_path(X, y, order=[0, 0])


def test_contradictory_rows_are_merged_into_as_many_clusters_as_asked():
    X, y = np.repeat(np.arange(10.0)[:, None], 2, axis=0), np.tile([0, 1], 10)
    assert len(np.unique(class_clusters(X, y, 5))) == 5
    assert principal_subsets(X, y).n_evaluated == 2**15


def test_many_classes_have_bounded_work_and_a_message():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(ConvergenceWarning, match=r"20 clusters have 2\*\*20 unions"):
        found = principal_subsets(
            X, np.arange(40) % 20, measure=lambda X, y: float(len(np.unique(y))), random_state=0
        )
    assert not found.exact
    assert found.n_evaluated < 2**15 + 20


def test_what_has_no_complexity_is_refused():
    X = np.arange(6.0)[:, None]
    for rows, labels, message in (
        (X[:0], [], "0 sample"),
        (X, [None] * 6, "no label in row 0"),
        (X, X[:, 0] + 0.5, "continuous"),
    ):
        with pytest.raises(ValueError, match=message):
            complexity(rows, labels)
