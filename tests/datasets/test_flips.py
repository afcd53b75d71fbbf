"""Wrong labels on purpose: how many, which, and by what."""

import numpy as np
import pytest

from weaklearn.datasets import flip_labels, make_twonorm


def test_uniform_flips_are_as_many_as_asked_and_go_everywhere():
    y = np.repeat(["a", "b", "c"], 1000)
    noisy, flipped = flip_labels(y, 0.3, random_state=0)
    assert flipped.sum() == 900
    np.testing.assert_array_equal(noisy != y, flipped)
    for one in "abc":
        for other in set("abc") - {one}:
            count = np.sum((y == one) & (noisy == other))
            assert abs(count - 150) < 5 * np.sqrt(150)


def test_each_label_with_a_probability():
    y = np.tile([-1, 1], 5000)
    noisy, flipped = flip_labels(y, 0.2, exact=False, random_state=np.random.RandomState(0))
    expected = np.random.RandomState(0).uniform(size=10_000) < 0.2
    np.testing.assert_array_equal(flipped, expected)
    np.testing.assert_array_equal(noisy, np.where(expected, -y, y))


def test_the_exact_number_with_both_kinds_of_generators():
    y = np.tile([0, 1], 50)
    for make in (np.random.default_rng, np.random.RandomState):
        expected = np.sort(make(3).permutation(100)[:25])
        _, flipped = flip_labels(y, 0.25, random_state=make(3))
        np.testing.assert_array_equal(np.flatnonzero(flipped), expected)


def test_asymmetric_flips_go_to_the_next_class():
    y = np.repeat([0, 1, 2], 100)
    noisy, flipped = flip_labels(y, 0.2, kind="asymmetric", random_state=0)
    assert flipped.sum() == 60
    np.testing.assert_array_equal(noisy[flipped], y[flipped] + 1)
    assert (noisy[y == 2] == 2).all()
    with pytest.raises(ValueError, match="only 200 are not of the last class"):
        flip_labels(y, 0.9, kind="asymmetric", random_state=0)


def test_boundary_flips_are_near_the_boundary():
    X, y = make_twonorm(600, n_features=2, random_state=0)
    margin = np.abs(X.sum(axis=1))
    noisy, flipped = flip_labels(y, 0.1, kind="boundary", X=X, random_state=0)
    assert flipped.sum() == 60
    np.testing.assert_array_equal(noisy[flipped], -y[flipped])
    assert np.median(margin[flipped]) < 0.5 * np.median(margin[~flipped])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"share": 1.5}, "share must be"),
        ({"kind": "odd"}, "kind must be one of"),
        ({"kind": "boundary"}, "needs X"),
        ({"kind": "boundary", "X": np.zeros((3, 1))}, "one row for each of the 20 labels"),
        ({"kind": "asymmetric", "exact": False}, "exact=False is for"),
        ({"y": np.ones(5)}, "at least two classes"),
    ],
)
def test_wrong_calls(options, message):
    given = {"y": np.tile([0, 1], 10), "share": 0.1, **options}
    with pytest.raises(ValueError, match=message):
        flip_labels(given.pop("y"), given.pop("share"), **given)
