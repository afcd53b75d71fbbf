import hashlib
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from weaklearn.datasets._content import content_sha256, hashed_order

tables = hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(-2, 2))


def test_checksum_is_the_documented_one():
    X = np.array([[1.0, -2.5], [0.0, 1e300]])
    written = b"2 2\n" + struct.pack("<4d", 1.0, -2.5, 0.0, 1e300) + b"b\ng\n" + b"train\ntest\n"
    assert content_sha256(X, ["b", "g"], ["train", "test"]) == hashlib.sha256(written).hexdigest()


def test_checksum_does_not_depend_on_representation():
    X, y = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.array([1, 2, 1])
    expected = content_sha256(X, y)
    assert content_sha256(np.array([[-0.0, 1], [2, 3], [4, 5]]), ["1", "2", "1"]) == expected
    assert content_sha256(np.asfortranarray(X), y) == expected
    assert content_sha256(X.astype(np.int8), y) == expected


@pytest.mark.parametrize(
    "change",
    [
        lambda X, y, split: (X * (1, 1 + 2**-50), y, split),
        lambda X, y, split: (X, y[::-1], split),
        lambda X, y, split: (X, y, split[::-1]),
        lambda X, y, split: (X, y, None),
        lambda X, y, split: (X[::-1], y[::-1], split[::-1]),
        lambda X, y, split: (X.reshape(4, 1), y, split),
    ],
)
def test_checksum_sees_every_change(change):
    content = (np.array([[0.0, 1.0], [2.0, 3.0]]), np.array(["a", "b"]), np.array(["train", "test"]))
    assert content_sha256(*change(*content)) != content_sha256(*content)


@settings(deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_hashed_order_does_not_depend_on_the_order_of_the_rows(X, random):
    y = np.array([random.choice("ab") for _ in X])
    shuffle = np.array(random.sample(range(len(X)), len(X)))
    order, order_of_shuffled = hashed_order(X, y), hashed_order(X[shuffle], y[shuffle])
    assert sorted(order) == list(range(len(X)))
    np.testing.assert_array_equal(X[order], X[shuffle][order_of_shuffled])
    np.testing.assert_array_equal(y[order], y[shuffle][order_of_shuffled])
