import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.datasets import make_concentric_disks, make_leftsin, make_ring, make_tangram, make_yinyang
from weaklearn.datasets._plane import leftsin_target, tangram_target, yinyang_target

MANY = 40_000

# Corners of the tangram pieces on a 4 x 4 grid, by class code. Pieces 1 to 4 meet at the centre in this
# cyclic order, so that the statement of li2006 section 4.3 holds: {1, 2} against {3, 4} is separable by a
# line, {1, 3} against {2, 4} is an exclusive or.
TANGRAM_PIECES = {
    1: ((0, 0), (0, 4), (2, 2)),  # large triangle, left
    2: ((0, 0), (4, 0), (2, 2)),  # large triangle, bottom
    3: ((2, 2), (3, 1), (4, 2), (3, 3)),  # square
    4: ((2, 2), (3, 3), (1, 3)),  # small triangle, centre
    5: ((4, 0), (4, 2), (3, 1)),  # small triangle, right
    6: ((4, 4), (2, 4), (4, 2)),  # medium triangle, corner
    7: ((0, 4), (2, 4), (3, 3), (1, 3)),  # parallelogram
}


def assert_share(indicator, probability):
    """The share of True agrees with the probability within five standard errors."""
    standard_error = math.sqrt(probability * (1 - probability) / len(indicator))
    assert np.mean(indicator) == pytest.approx(probability, abs=5 * standard_error)


def painted_yinyang(x1, x2):
    """The figure as a painter would make it: each layer covers the ones before."""
    colour = 1 if x2 > 0 else -1
    if math.hypot(x1 + 0.5, x2) <= 0.5:
        colour = 1
    if math.hypot(x1 - 0.5, x2) <= 0.5:
        colour = -1
    if math.hypot(x1 + 0.5, x2) <= 0.18:
        colour = -1
    if math.hypot(x1 - 0.5, x2) <= 0.18:
        colour = 1
    return colour


@settings(deadline=None)
@given(st.floats(-1.1, 1.1), st.floats(-1.1, 1.1))
def test_yinyang_is_the_painted_figure(x1, x2):
    if x1 == x2 == 0:
        return  # both lobes touch here
    # Where the two distances straddle a circle by rounding, neither side is wrong.
    for centre in (-0.5, 0.5):
        for radius in (0.18, 0.5):
            if abs(math.hypot(x1 - centre, x2) - radius) < 1e-12:
                return
    assert yinyang_target(np.array([[x1, x2]]))[0] == painted_yinyang(x1, x2)


def test_yinyang_reflection_swaps_the_classes():
    X, y = make_yinyang(MANY, random_state=0)
    np.testing.assert_array_equal(yinyang_target(-X), -y)


def test_yinyang_classes_are_equally_likely():
    _, y = make_yinyang(MANY, random_state=1)
    assert_share(y > 0, 0.5)


@pytest.mark.parametrize("sign", [-1, 1])
def test_yinyang_small_discs_have_the_opposite_class_of_their_lobe(sign):
    X, y = make_yinyang(MANY, random_state=2)
    distance = np.hypot(X[:, 0] - sign * 0.5, X[:, 1])
    assert set(y[distance < 0.18]) == {sign}
    assert set(y[(distance > 0.18) & (distance < 0.5)]) == {-sign}
    assert_share(distance < 0.18, 0.18**2 / 1.1**2)


def test_yinyang_outside_the_plate_is_decided_by_the_half_plane():
    X, y = make_yinyang(MANY, input_radius=2.0, random_state=3)
    outside = np.hypot(X[:, 0], X[:, 1]) > 1
    np.testing.assert_array_equal(y[outside] > 0, X[outside, 1] > 0)
    assert_share(outside, 0.75)


def test_yinyang_flips_the_last_examples():
    X, clean = make_yinyang(400, random_state=4)
    X_flipped, flipped = make_yinyang(400, flip=0.1, random_state=4)
    np.testing.assert_array_equal(X, X_flipped)
    np.testing.assert_array_equal(np.flatnonzero(clean != flipped), np.arange(360, 400))


def test_leftsin_labels_and_share():
    X, y = make_leftsin(MANY, random_state=0)
    assert (np.abs(X) <= (10, 5)).all()
    right = X[:, 0] >= 0
    np.testing.assert_array_equal(y[right] > 0, X[right, 1] > 0)
    # On the left the boundary encloses an area of integral 2 sin(3x) over [-10, 0] with the axis.
    integral = -(2 / 3) * (1 - math.cos(30))
    assert_share((y > 0) & ~right, (50 - integral) / 200)


def test_leftsin_boundary_crosses_at_its_extremes():
    crest = -math.pi / 2  # sin(3x) = 1
    just_below_and_above = np.array([[crest, 1.999], [crest, 2.001], [0.0, -1e-9], [0.0, 1e-9]])
    np.testing.assert_array_equal(leftsin_target(just_below_and_above), [-1, 1, -1, 1])


def test_ring_is_a_disc_of_probability_pi_over_8():
    X, y = make_ring(MANY, random_state=0)
    squared = ((X - 0.5) ** 2).sum(axis=1)
    np.testing.assert_array_equal(y > 0, squared <= 1 / 8)
    assert_share(y > 0, math.pi / 8)


@settings(deadline=None)
@given(n_samples=st.integers(1, 300), noise=st.floats(0, 1), seed=st.integers(0, 2**32 - 1))
def test_ring_flips_an_exact_number_of_labels(n_samples, noise, seed):
    X, clean = make_ring(n_samples, random_state=seed)
    X_noisy, noisy = make_ring(n_samples, noise=noise, random_state=seed)
    np.testing.assert_array_equal(X, X_noisy)
    assert (clean != noisy).sum() == round(noise * n_samples)


def test_ring_flips_are_spread_over_the_examples():
    flipped = np.zeros(20)
    for seed in range(500):
        flipped += make_ring(20, random_state=seed)[1] != make_ring(20, noise=0.3, random_state=seed)[1]
    # Each is a binomial count of 500 draws with probability 0.3: standard deviation 10.
    assert np.abs(flipped - 150).max() < 50


def test_concentric_disks_alternate_and_fill_their_areas():
    X, y = make_concentric_disks(MANY, random_state=0)
    distance = np.hypot(X[:, 0], X[:, 1])
    assert distance.max() <= 1 + 1e-12
    np.testing.assert_array_equal(y > 0, (distance > 1 / 3) & (distance <= 2 / 3))
    assert_share(y > 0, 3 / 9)
    assert_share(distance <= 1 / 3, 1 / 9)


def test_concentric_disks_take_other_radii():
    X, y = make_concentric_disks(MANY, radii=(1.0, 2.0), random_state=0)
    np.testing.assert_array_equal(y > 0, np.hypot(X[:, 0], X[:, 1]) > 1)
    assert_share(y > 0, 3 / 4)


@pytest.mark.parametrize("radii", [(), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0), (1.0, math.inf)])
def test_concentric_disks_refuse_bad_radii(radii):
    with pytest.raises(ValueError, match="radii"):
        make_concentric_disks(10, radii=radii)


def polygon_area(corners):
    x, y = np.array(corners, dtype=float).T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_tangram_pieces_have_the_areas_of_the_puzzle():
    assert [polygon_area(TANGRAM_PIECES[piece]) for piece in range(1, 8)] == [4, 4, 2, 1, 1, 2, 2]


def strictly_inside(point, corners):
    """Whether the point is inside the convex polygon, by the side of each edge that it is on."""
    corners = np.array(corners, dtype=float)
    edges = np.roll(corners, -1, axis=0) - corners
    to_point = np.asarray(point) - corners
    sides = edges[:, 0] * to_point[:, 1] - edges[:, 1] * to_point[:, 0]
    return bool((sides > 1e-9).all() or (sides < -1e-9).all())


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_tangram_target_is_the_piece_that_holds_the_point(x1, x2):
    holders = [p for p, corners in TANGRAM_PIECES.items() if strictly_inside((4 * x1, 4 * x2), corners)]
    assert len(holders) <= 1
    piece = tangram_target(np.array([[x1, x2]]))[0]
    assert piece in TANGRAM_PIECES
    assert holders in ([], [piece])


def test_tangram_shares():
    _, y = make_tangram(MANY, random_state=0)
    for piece, sixteenths in enumerate((4, 4, 2, 1, 1, 2, 2), start=1):
        assert_share(y == piece, sixteenths / 16)


def test_tangram_numbering_makes_the_published_remark_true():
    X, y = make_tangram(MANY, random_state=1)
    above = X.sum(axis=1) > 1
    assert not above[np.isin(y, (1, 2))].any()
    assert above[np.isin(y, (3, 4))].all()
    # The segments between the centroids of 1 and 3 and of 2 and 4 cross, so no line separates the pairs.
    centroid = {piece: np.mean(TANGRAM_PIECES[piece], axis=0) for piece in (1, 2, 3, 4)}
    step_13, step_24 = centroid[3] - centroid[1], centroid[4] - centroid[2]
    weights = np.linalg.solve(np.column_stack((step_13, -step_24)), centroid[2] - centroid[1])
    assert ((weights > 0) & (weights < 1)).all()
