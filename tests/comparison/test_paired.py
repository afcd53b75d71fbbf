"""Intervals of paired differences: the formula by hand, and their coverage in a simulation."""

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from weaklearn._holm import holm
from weaklearn.comparison._paired import estimate
from weaklearn.datasets import make_twonorm


def test_one_repeat_is_the_paired_t_test():
    values = np.random.default_rng(0).normal(0.3, 1, 30)
    found = estimate(values)
    expected = stats.ttest_1samp(values, 0)
    assert found.p_value == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_equal_repeats_change_nothing():
    values = np.random.default_rng(0).normal(size=20)
    np.testing.assert_allclose(estimate(np.tile(values, (4, 1))), estimate(values))


@pytest.mark.parametrize(("value", "p_value"), [(0.0, 1.0), (0.5, 0.0)])
def test_no_spread(value, p_value):
    found = estimate(np.full((2, 10), value))
    assert (found.mean, found.low, found.high, found.p_value) == (value, value, value, p_value)


def test_holm():
    assert holm([0.01, 0.04, 0.03]) == [pytest.approx(0.03), 0.06, 0.06]


@pytest.mark.slow
def test_coverage_of_differences():
    """Known truth: mean test errors of classifiers of the same training size on a large fresh sample."""
    models = [LinearDiscriminantAnalysis(), GaussianNB(), KNeighborsClassifier(9)]
    X_test, y_test = make_twonorm(3000, random_state=10**6)
    losses, errors = [], []
    for seed in range(60):
        X, y = make_twonorm(80, random_state=seed)
        loss = np.empty((3, 2, 80))
        splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=seed).split(X, y)
        for j, (train, test) in enumerate(splits):
            for m, model in enumerate(models):
                model.fit(X[train], y[train])
                loss[m, j // 5, test] = model.predict(X[test]) != y[test]
                if j == 0:
                    errors.append(np.mean(model.predict(X_test) != y_test))
        losses.append(loss)
    truth = np.reshape(errors, (60, 3)).mean(axis=0)
    covered = []
    for loss in losses:
        for a, b in ((1, 0), (2, 0), (2, 1)):
            found = estimate(loss[a] - loss[b])
            covered.append(found.low - 1e-12 <= truth[a] - truth[b] <= found.high + 1e-12)
    # 95% with a standard error of 1.6% for 180 intervals, more because three share a table.
    assert 0.90 <= np.mean(covered) <= 0.995
