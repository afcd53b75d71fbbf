"""The pruner as an estimator."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.complexity import ComplexityPruner
from weaklearn.datasets import make_yinyang


@parametrize_with_checks([ComplexityPruner(n_permutations=8, n_jobs=1)])
def test_common_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def noisy():
    X, y = make_yinyang(150, flip=0.1, random_state=0)
    return X, y, np.arange(150) >= 135


@pytest.mark.parametrize("method", ["surprise", "average", "least_squares", "greedy"])
def test_what_it_leaves_has_fewer_flipped_labels(noisy, method):
    X, y, flipped = noisy
    pruner = ComplexityPruner(method, n_permutations=100, random_state=0)
    X_kept, y_kept = pruner.fit_resample(X, y)
    kept = pruner.sample_indices_
    np.testing.assert_array_equal(X_kept, X[kept])
    np.testing.assert_array_equal(y_kept, y[kept])
    assert flipped[kept].mean() < 0.8 * flipped.mean()
    assert len(kept) > 90
    assert (pruner.sample_weight_[pruner.category_ == "noisy"] == 0).all()
    assert (pruner.sample_weight_[pruner.category_ == "typical"] == 1).all()


def test_thresholds(noisy):
    X, y, _ = noisy
    given = ComplexityPruner("average", thresholds=(0.5, 2.0), n_permutations=20, random_state=0).fit(X, y)
    assert given.thresholds_ == (0.5, 2.0)
    np.testing.assert_array_equal(given.category_ == "noisy", given.contribution_ > 2.0)
    np.testing.assert_array_equal(given.category_ == "typical", given.contribution_ < 0.5)
    published = ComplexityPruner("average", n_permutations=20, random_state=0).fit(X, y)
    assert published.thresholds_ == (2 / 3, 1.0)
    with pytest.raises(ValueError, match="smaller one first"):
        ComplexityPruner(thresholds=(2, 1)).fit(X, y)


def test_tables_keep_their_kind(noisy):
    X, y, _ = noisy
    frame = pd.DataFrame(X, columns=["a", "b"])
    labels = pd.Series(np.where(y > 0, "yes", "no"))
    X_kept, y_kept = ComplexityPruner(n_permutations=20, random_state=0).fit_resample(frame, labels)
    assert list(X_kept.columns) == ["a", "b"]
    assert len(X_kept) == len(y_kept)
    assert set(y_kept) == {"no", "yes"}


def test_never_prunes_a_class_away():
    X, y = make_yinyang(20, random_state=1)
    pruner = ComplexityPruner(thresholds=(-2, -2), n_permutations=8, random_state=0)
    _, kept = pruner.fit_resample(X, y)
    assert sorted(kept) == [-1, 1]
    for row in pruner.sample_indices_:
        assert pruner.contribution_[row] == pruner.contribution_[y == y[row]].min()


def test_three_classes():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], 30)
    X = rng.normal(size=(90, 2)) * 0.4 + 3 * np.column_stack([y == 1, y == 2])
    y[:2] = [1, 2]
    for method in ("surprise", "average"):
        pruner = ComplexityPruner(method, n_permutations=60, random_state=0).fit(X, y)
        assert set(np.argsort(-pruner.contribution_)[:2]) == {0, 1}
