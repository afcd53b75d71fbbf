"""The incremental machine against LIBSVM, against itself in other orders, and against its own conditions."""

import pickle
from functools import partial

import numpy as np
import pytest
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn._fast.active_set import HIGH
from weaklearn.datasets import make_leftsin, make_ringnorm, make_yinyang
from weaklearn.kernel import IncrementalSVC, gaussian_kernel, perceptron_kernel, stump_kernel
from weaklearn.kernel._incremental import NotSeparableError


@parametrize_with_checks([IncrementalSVC()])
def test_common_checks(estimator, check):
    check(estimator)


def libsvm_count(K, y):
    if len(np.unique(y)) < 2:
        return 0
    return len(SVC(kernel="precomputed", C=1e9, tol=1e-8).fit(K, y).support_)


def sets(n):
    return {
        "yinyang": make_yinyang(n, flip=0.1, random_state=0),
        "leftsin": make_leftsin(n, random_state=1),
        "ringnorm": make_ringnorm(n, random_state=2),
    }


def kkt_residual(machine):
    """The largest violation of the optimality conditions: margins, signs of coefficients, their sum."""
    state = machine._state
    n = state.counts[HIGH] if machine.n_support_ else 0
    if n == 0:
        return 0.0
    coef, y = state.coef[:n], state.y[:n]
    margins = y * (state.K[:n, :n] @ coef + state.bias[0])
    violated = np.where(state.place[:n] >= 0, np.abs(margins - 1), np.maximum(0.0, 1 - margins))
    violated[~state.member[:n]] = 0.0
    return float(max(violated.max(), -(coef * y).min(), abs(coef.sum()) / np.abs(coef).sum()))


@pytest.mark.parametrize("name", ["yinyang", "leftsin", "ringnorm"])
@pytest.mark.parametrize(
    ("n", "n_orders"), [(80, 3), pytest.param(150, 20, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_counts_of_every_prefix_are_libsvms(name, n, n_orders):
    X, y = sets(n)[name]
    for seed in range(n_orders):
        order = np.random.default_rng(seed).permutation(n)
        K = perceptron_kernel(X[order])
        machine = IncrementalSVC()
        for size, i in enumerate(order, start=1):
            machine.push(X[i], y[i])
            assert machine.n_support_ == libsvm_count(K[:size, :size], y[order[:size]]), (seed, size)
            assert kkt_residual(machine) <= 1e-8


@pytest.mark.parametrize("kernel", ["perceptron", "stump", partial(gaussian_kernel, gamma=60.0)])
def test_pops_undo_pushes_exactly(kernel):
    X, y = make_yinyang(120, flip=0.1, random_state=3)
    machine = IncrementalSVC(kernel)
    supports = []
    for x, label in zip(X, y, strict=True):
        supports.append(machine.support_.tolist() if supports else [])
        machine.push(x, label)
    while machine.n_examples_:
        size = machine.n_examples_ - 1
        x, label = machine.pop()
        np.testing.assert_array_equal(x, X[size])
        assert label == y[size]
        assert machine.support_.tolist() == supports[size]
        assert kkt_residual(machine) <= 1e-8


def test_the_function_is_libsvms():
    X, y = make_yinyang(100, random_state=4)
    machine = IncrementalSVC("stump").fit(X, y)
    peer = SVC(kernel="precomputed", C=1e9, tol=1e-10).fit(stump_kernel(X), y)
    new = make_yinyang(50, random_state=5)[0]
    np.testing.assert_allclose(
        machine.decision_function(new), peer.decision_function(stump_kernel(new, X)), atol=1e-4
    )
    np.testing.assert_array_equal(machine.support_, np.sort(peer.support_))


def test_order_does_not_matter_even_with_contradictions():
    rng = np.random.default_rng(0)
    X = rng.integers(4, size=(60, 2)).astype(float)
    y = rng.integers(2, size=60)
    counts = set()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(60)
        machine = IncrementalSVC()
        for i in order:
            machine.push(X[i], y[i])
        counts.add((machine.n_support_, machine.n_contradictions_))
        assert kkt_residual(machine) <= 1e-8
        # Back down to half: the same as never having seen the other half.
        for _ in range(30):
            machine.pop()
        fresh = IncrementalSVC()
        for i in order[:30]:
            fresh.push(X[i], y[i])
        assert (machine.n_support_, machine.n_contradictions_) == (fresh.n_support_, fresh.n_contradictions_)
    assert len(counts) == 1
    assert counts.pop()[1] > 0


def test_labels_of_any_kind_in_any_order():
    machine = IncrementalSVC()
    machine.push([1.0], "yes")
    assert machine.n_support_ == 0
    machine.push([0.0], "no")
    assert machine.classes_.tolist() == ["no", "yes"]
    assert machine.predict([[2.0], [-1.0]]).tolist() == ["yes", "no"]
    assert machine.decision_function([[1.0]])[0] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="one of the two labels"):
        machine.push([2.0], "perhaps")
    with pytest.raises(ValueError, match="2 features"):
        machine.push([2.0, 1.0], "no")


def test_what_cannot_be_separated_is_said_and_undone():
    machine = IncrementalSVC("linear")
    for x, label in [([0.0, 0.0], 0), ([1.0, 1.0], 0), ([1.0, 0.0], 1)]:
        machine.push(x, label)
    before = machine.n_support_
    with pytest.raises(NotSeparableError, match="cannot separate"):
        machine.push([0.0, 1.0], 1)
    assert (machine.n_examples_, machine.n_support_) == (3, before)
    with pytest.raises(NotSeparableError):
        IncrementalSVC("linear").fit([[0, 0], [1, 1], [1, 0], [0, 1]], [0, 0, 1, 1])


def test_one_class_cannot_predict_and_empty_cannot_pop():
    machine = IncrementalSVC()
    machine.push([0.0], 1)
    with pytest.raises(ValueError, match="two classes"):
        machine.predict([[0.0]])
    machine.pop()
    with pytest.raises(ValueError, match="needs an example to remove"):
        machine.pop()


def test_pickled_machines_go_on():
    X, y = make_yinyang(60, random_state=6)
    machine = IncrementalSVC().fit(X[:40], y[:40])
    copy = pickle.loads(pickle.dumps(machine))
    for x, label in zip(X[40:], y[40:], strict=True):
        copy.push(x, label)
    assert copy.n_support_ == IncrementalSVC().fit(X, y).n_support_


def test_near_duplicates_of_opposite_labels_stay_exact():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(40, 3))
    X = np.concatenate([X, X + 1e-5 * rng.normal(size=X.shape)])
    y = np.repeat([0, 1], 40)
    machine = IncrementalSVC().fit(X, y)
    assert machine.n_support_ == 80
    assert kkt_residual(machine) <= 1e-8
