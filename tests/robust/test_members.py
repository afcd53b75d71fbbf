"""Bins keep the order of a column, and its values where they are few."""

import numpy as np

from weaklearn.robust import RobustClassifier
from weaklearn.robust._members import Bins


def test_bins_keep_order_and_are_about_equal():
    random = np.random.RandomState(0)
    X = random.standard_cauchy((3000, 1))
    codes = Bins(X, random).codes(X)[:, 0]
    order = np.argsort(X[:, 0])
    assert (np.diff(codes[order].astype(int)) >= 0).all()
    counts = np.bincount(codes)
    assert len(counts) == 255
    assert counts.max() <= 14  # 3000 / 255 = 11.8


def test_few_values_have_a_bin_each():
    random = np.random.RandomState(0)
    X = np.column_stack([random.randint(0, 5, 400), np.full(400, 7.0)])
    codes = Bins(X, random).codes(X)
    np.testing.assert_array_equal(codes[:, 0], X[:, 0])
    assert (codes[:, 1] == 0).all()
    new = Bins(X, random).codes(np.array([[-3.0, 7.0], [99.0, 8.0]]))
    np.testing.assert_array_equal(new[:, 0], [0, 4])


def test_boosted_trees_join_where_few_columns_matter():
    """From 700 rows on; a parity of two of twenty columns is lost on kernels and forests."""
    random = np.random.RandomState(0)
    X = random.randn(1900, 20)
    y = (X[:, 0] > 0) ^ (np.abs(X[:, 1]) > 0.7)
    model = RobustClassifier(n_trees=50, random_state=0).fit(X[:700], y[:700])
    assert "boosted trees" in model.member_weights_
    assert model.score(X[700:], y[700:]) > 0.8
    assert "boosted trees" not in RobustClassifier(n_trees=2).fit(X[:699], y[:699]).member_weights_
