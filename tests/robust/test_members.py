"""Bins keep the order of a column, and its values where they are few."""

import numpy as np

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
