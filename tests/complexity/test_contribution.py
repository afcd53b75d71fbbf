"""Contributions against brute force over all orders and subsets of eight examples."""

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from weaklearn.complexity import LookupComplexity, SVMComplexity, complexity_contribution, greedy_pruning
from weaklearn.complexity._estimators import Average, LeastSquares, Surprise
from weaklearn.complexity._problem import problem
from weaklearn.datasets import make_yinyang
from weaklearn.kernel import perceptron_kernel

N = 8


def libsvm_complexity(X, y):
    if len(np.unique(y)) < 2:
        return 0
    return len(SVC(kernel="precomputed", C=1e9, tol=1e-9).fit(perceptron_kernel(X), y).support_)


@pytest.fixture(scope="module")
def eight():
    X, y = make_yinyang(N, random_state=5)
    y[0] *= -1
    subsets = itertools.chain.from_iterable(itertools.combinations(range(N), size) for size in range(N + 1))
    return X, y, {frozenset(s): libsvm_complexity(X[list(s)], y[list(s)]) for s in subsets}


def exact_average(table, start, stop):
    """The mean over all N! orders, from the complexities of all subsets."""
    values = np.zeros(N)
    for i in range(N):
        others = [j for j in range(N) if j != i]
        for size in range(start, stop):
            sets = list(itertools.combinations(others, size))
            values[i] += sum(table[frozenset((*s, i))] - table[frozenset(s)] for s in sets) / len(sets)
    return values / (stop - start)


@pytest.mark.parametrize(("start", "stop"), [(0, 8), (3, 8), (2, 6)])
def test_average_over_all_orders_is_exact(eight, start, stop):
    X, y, table = eight
    given = problem(X, y, SVMComplexity())
    orders = np.array(list(itertools.permutations(range(N))), dtype=np.int64)
    assert len(orders) == math.factorial(N)
    sums = Average(given, start, stop)
    sums.add(0, sums.block(given, orders))
    np.testing.assert_allclose(sums.estimate()[0], exact_average(table, start, stop), atol=1e-12)


def test_random_orders_come_within_their_standard_errors(eight):
    X, y, table = eight
    found = complexity_contribution(X, y, start=0, n_permutations=4000, tol=None, random_state=0)
    deviation = (found.contribution - exact_average(table, 0, N)) / found.standard_error
    assert np.abs(deviation).max() < 4
    assert found.n_permutations == 4000


def test_least_squares_solves_the_equations(eight):
    X, y, table = eight
    given = problem(X, y, SVMComplexity())
    rng = np.random.default_rng(0)
    orders = np.array([rng.permutation(N) for _ in range(60)], dtype=np.int64)
    sums = LeastSquares(given, 2, N)
    for k in range(15):
        sums.add(k, sums.block(given, orders[4 * k : 4 * k + 4]))
    rows, sides = [], []
    for order in orders:
        base = table[frozenset(order[:2].tolist())]
        for m in range(3, N + 1):
            rows.append(np.isin(np.arange(N), order[2:m]).astype(float))
            sides.append(table[frozenset(order[:m].tolist())] - base)
    expected = np.linalg.lstsq(np.array(rows), np.array(sides), rcond=None)[0]
    value, error = sums.estimate()
    np.testing.assert_allclose(value, expected, atol=1e-9)
    assert (error > 0).all()


def test_least_squares_errors_are_honest():
    X, y = make_yinyang(30, flip=0.1, random_state=1)
    settings = {"start": 5, "estimator": "least_squares", "tol": None}
    runs = [complexity_contribution(X, y, n_permutations=80, random_state=s, **settings) for s in range(12)]
    spread = np.std([run.contribution for run in runs], axis=0, ddof=1)
    stated = np.sqrt(np.mean([run.standard_error**2 for run in runs], axis=0))
    assert 0.75 < np.sqrt(np.mean(stated**2) / np.mean(spread**2)) < 1.4


def test_surprise_is_the_mean_margin_of_machines_that_have_not_seen_the_example():
    X, y = make_yinyang(24, flip=0.1, random_state=2)
    given = problem(X, y, SVMComplexity())
    sums = Surprise(given, 6, 10)
    order = np.random.default_rng(3).permutation(24)
    total, _, count = sums.block(given, order[None])
    expected = np.zeros(24)
    for i in range(24):
        margins = []
        for size in sums.sizes:
            seen = order[:size]
            if i in seen:
                continue
            if len(np.unique(y[seen])) == 1:
                margins.append(y[i] * y[seen[0]])
                continue
            machine = SVC(kernel="precomputed", C=1e9, tol=1e-10).fit(perceptron_kernel(X[seen]), y[seen])
            output = machine.decision_function(perceptron_kernel(X[[i]], X[seen]))[0]
            margins.append(np.clip(y[i] * output, -1, 1))
        expected[i] = -np.mean(margins) if margins else 0.0
    np.testing.assert_allclose(total, expected, atol=1e-3)
    assert count.sum() == 24 - sums.sizes[0]


def test_surprise_without_a_gram_matrix_is_the_same():
    X, y = make_yinyang(60, random_state=4)
    y = np.digitize(X[:, 0] + X[:, 1], [-0.3, 0.4])
    order = np.random.default_rng(0).permutation(60)
    kept, free = problem(X, y, SVMComplexity()), problem(X, y, SVMComplexity(), gram=False)
    assert free.gram is None
    sums = Surprise(kept, 10, 25)
    np.testing.assert_allclose(
        kept.margins_along(order, sums.sizes), free.margins_along(order, sums.sizes), atol=1e-9
    )


@pytest.mark.parametrize("estimator", ["average", "least_squares", "surprise"])
def test_threads_change_nothing(estimator):
    X, y = make_yinyang(50, flip=0.1, random_state=6)
    settings = {"estimator": estimator, "tol": None, "n_permutations": 40, "random_state": 7}
    one, two = (complexity_contribution(X, y, n_jobs=n_jobs, **settings) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.contribution, two.contribution)
    np.testing.assert_array_equal(one.standard_error, two.standard_error)


def test_stops_when_two_halves_agree():
    X, y = make_yinyang(60, flip=0.1, random_state=8)
    found = complexity_contribution(X, y, n_permutations=10_000, tol=0.9, random_state=0)
    assert found.converged
    assert found.n_permutations < 10_000
    assert found.reliability >= 0.9


def test_ctrl_c_keeps_what_was_computed():
    X, y = make_yinyang(40, random_state=9)

    calls = itertools.count(1)

    def measure(X, y):
        if next(calls) > 12 * 36:  # sets of 5 to 40 examples in each permutation
            raise KeyboardInterrupt
        return SVMComplexity()(X, y)

    found = complexity_contribution(X, y, measure=measure, n_permutations=400, random_state=1, n_jobs=1)
    assert found.interrupted
    assert found.n_permutations == 12
    same = complexity_contribution(X, y, n_permutations=12, random_state=1)
    np.testing.assert_array_equal(found.contribution, same.contribution)


def test_any_measure_will_do(eight):
    X, y, _ = eight

    def measure(X, y):
        return SVMComplexity()(X, y)

    slow = complexity_contribution(X, y, measure=measure, n_permutations=20, random_state=0)
    fast = complexity_contribution(X, y, n_permutations=20, random_state=0)
    np.testing.assert_allclose(slow.contribution, fast.contribution)
    lookup = complexity_contribution(X, y, measure=LookupComplexity(), n_permutations=4, random_state=0)
    assert np.isfinite(lookup.contribution).all()


def test_flipped_labels_stand_out():
    X, y = make_yinyang(200, flip=0.1, random_state=10)
    flipped = np.arange(200) >= 180
    for estimator, least in (("average", 0.88), ("surprise", 0.93)):
        found = complexity_contribution(X, y, estimator=estimator, n_permutations=60, random_state=0)
        assert roc_auc_score(flipped, found.contribution) > least


@pytest.mark.slow
def test_yinyang_as_published():
    pooled = []
    for seed in range(10):
        X, y = make_yinyang(400, flip=0.1, random_state=seed)
        found = complexity_contribution(X, y, start=50, tol=None, random_state=0)
        flipped = np.arange(400) >= 360
        auc = roc_auc_score(flipped, found.contribution)
        assert auc >= 0.90
        pooled.append((auc, found.contribution[flipped].mean(), found.contribution[~flipped].mean()))
    auc, noisy, clean = np.mean(pooled, axis=0)
    assert auc >= 0.95
    assert 2.3 <= noisy <= 2.9
    assert 0.25 <= clean <= 0.40


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"estimator": "median"}, "estimator must be one of"),
        ({"n_permutations": 0}, "n_permutations"),
        ({"start": 30, "stop": 20}, "start and stop"),
        ({"start": 0, "stop": 99}, "start and stop"),
        ({"tol": 1.5}, "tol must be"),
        ({"measure": 3}, "measure must be callable"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"estimator": "surprise", "measure": LookupComplexity()}, "SVMComplexity"),
    ],
)
def test_wrong_settings_are_refused_before_any_work(settings, match):
    X, y = make_yinyang(40, random_state=0)
    with pytest.raises(ValueError, match=match):
        complexity_contribution(X, y, **settings)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="only one class"):
        complexity_contribution([[0.0], [1.0], [2.0]], [1, 1, 1])


def test_greedy_pruning_removes_the_most_expensive_example(eight):
    X, y, table = eight
    present = frozenset(range(N))
    found = greedy_pruning(X, y, lam=1.0)
    values = [table[present]]
    for removed, contribution in zip(found.removed, found.contribution, strict=True):
        best = max(table[present] - table[present - {i}] for i in present)
        assert contribution == best >= 1
        present = present - {int(removed)}
        assert table[present] == values[-1] - contribution
        values.append(table[present])
    np.testing.assert_array_equal(found.complexity, values)
    assert max((table[present] - table[present - {i}] for i in present), default=0) < 1
