"""What every generator owes: shapes, seeds, clear errors. One list drives all tests."""

import math

import numpy as np
import pytest

from weaklearn import datasets

BINARY = {-1, 1}
GENERATORS = [
    (datasets.make_yinyang, 2, BINARY),
    (datasets.make_leftsin, 2, BINARY),
    (datasets.make_ring, 2, BINARY),
    (datasets.make_concentric_disks, 2, BINARY),
    (datasets.make_tangram, 2, {1, 2, 3, 4, 5, 6, 7}),
    (datasets.make_twonorm, 20, BINARY),
    (datasets.make_threenorm, 20, BINARY),
    (datasets.make_ringnorm, 20, BINARY),
    (datasets.make_little_bit, 10, BINARY),
]
every_generator = pytest.mark.parametrize(("make", "n_features", "classes"), GENERATORS)


@every_generator
def test_shapes_and_classes(make, n_features, classes):
    X, y = make(500, random_state=0)
    assert X.shape == (500, n_features)
    assert X.dtype == np.float64
    assert y.shape == (500,)
    assert np.issubdtype(y.dtype, np.integer)
    assert set(y.tolist()) == classes
    assert make(random_state=0)[0].shape[1] == n_features
    assert make(1)[0].shape == (1, n_features)


@every_generator
def test_the_seed_decides(make, n_features, classes):
    X, y = make(50, random_state=7)
    X_again, y_again = make(50, random_state=np.random.RandomState(7))
    np.testing.assert_array_equal(X, X_again)
    np.testing.assert_array_equal(y, y_again)
    assert (make(50, random_state=8)[0] != X).any()


@every_generator
@pytest.mark.parametrize(
    ("n_samples", "error"), [(0, ValueError), (-3, ValueError), (10.0, TypeError), (True, TypeError)]
)
def test_bad_number_of_samples(make, n_features, classes, n_samples, error):
    with pytest.raises(error, match=f"n_samples must be an integer of at least 1; got {n_samples}"):
        make(n_samples)


def test_every_public_generator_is_in_the_list():
    assert {make.__name__ for make, *_ in GENERATORS} == {
        n for n in datasets.__all__ if n.startswith("make_") and n != "make_noisy_table"
    }


@pytest.mark.parametrize(
    ("make", "parameter"),
    [(datasets.make_yinyang, "flip"), (datasets.make_ring, "noise")],
)
@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_bad_shares(make, parameter, value):
    with pytest.raises(ValueError, match=rf"{parameter} must be .* in \[0, 1\]; got {value}"):
        make(10, **{parameter: value})


@pytest.mark.parametrize("value", [0, -1.0, math.inf, math.nan])
def test_bad_input_radius(value):
    with pytest.raises(ValueError, match=f"input_radius must be a finite number.*; got {value}"):
        datasets.make_yinyang(10, input_radius=value)


@pytest.mark.parametrize("make", [datasets.make_twonorm, datasets.make_threenorm, datasets.make_ringnorm])
def test_bad_mean_and_dimension(make):
    with pytest.raises(TypeError, match=r"a must be a finite number.*; got 'one'"):
        make(10, a="one")
    with pytest.raises(ValueError, match=r"a must be a finite number.*; got inf"):
        make(10, a=math.inf)
    with pytest.raises(ValueError, match="n_features must be an integer of at least 1; got 0"):
        make(10, n_features=0)


def test_little_bit_label_is_the_first_feature_and_corners_are_uniform():
    X, y = datasets.make_little_bit(40_000, n_features=3, random_state=0)
    assert set(np.unique(X)) == {-1.0, 1.0}
    np.testing.assert_array_equal(X[:, 0], y)
    corners = ((X > 0) @ (4, 2, 1)).astype(int)
    # Each count is binomial with mean 5000 and standard deviation 66.
    assert np.abs(np.bincount(corners, minlength=8) - 5000).max() < 330
    with pytest.raises(ValueError, match="n_features must be an integer of at least 1; got 0"):
        datasets.make_little_bit(5, n_features=0)
