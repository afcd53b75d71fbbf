"""Data selection keeps the mix of the original, exactly where it can."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.cloning._selection import apportioned, label_values, select, softened


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any), st.integers(1, 500))
@settings(deadline=None, max_examples=60)
def test_apportioned_adds_up_and_is_proportional(counts, total):
    counts = np.array(counts)
    found = apportioned(counts, total)
    assert found.sum() == total
    assert (np.abs(found - counts * total / counts.sum()) < 1).all()


def test_values_of_two_classes_are_margins():
    F = np.array([0.4, -0.1, 0.0])
    values = label_values(np.column_stack([-F, F]))
    np.testing.assert_allclose(values, np.column_stack([-F, F]))


def test_values_of_three_classes_are_half_the_lead():
    values = label_values(np.array([[0.5, 0.1, -0.3], [0.2, 0.2, 0.0]]))
    np.testing.assert_allclose(values, [[0.2, -0.2, -0.4], [0.0, 0.0, -0.1]])


def test_only_the_named_class_has_a_positive_value():
    scores = np.random.default_rng(0).normal(size=(200, 4))
    values = label_values(scores)
    np.testing.assert_array_equal((values > 0).sum(axis=1), 1)
    np.testing.assert_array_equal(values.argmax(axis=1), scores.argmax(axis=1))


@pytest.mark.parametrize("n_bins", [1, 3, 10])
@pytest.mark.parametrize("size", [100, 57])
def test_selection_keeps_classes_and_noise(n_bins, size):
    rng = np.random.RandomState(0)
    values, codes = rng.normal(0.3, 0.4, 100), rng.randint(2, size=100)
    F = rng.normal(0, 0.8, 5000)
    rows, labels = select(values, codes, np.column_stack([-F, F]), size, n_bins, rng)
    own = np.where(labels == 1, F[rows], -F[rows])
    assert len(rows) == size
    for k in (0, 1):
        # One rounding for each bin at most.
        assert abs(np.mean(labels == k) - np.mean(codes == k)) <= (n_bins + 1) / size
    assert abs(np.mean(own <= 0) - np.mean(values <= 0)) <= 2 * (n_bins + 1) / size
    if size == 100:
        assert np.sum(own <= 0) == np.sum(values <= 0)


def test_finer_bins_match_the_distribution_better():
    rng = np.random.RandomState(1)
    values, codes = rng.beta(2, 5, 400), np.zeros(400, dtype=int)
    F = rng.uniform(0, 1, 40_000)

    def gap(n_bins):
        rows, _ = select(values, codes, np.column_stack([F, -F]), 400, n_bins, np.random.RandomState(0))
        return np.abs(np.sort(F[rows]) - np.sort(values)).max()

    assert gap(40) < gap(2)


def test_an_empty_bin_takes_the_nearest():
    values, codes = np.array([0.9, 0.9, 0.1, 0.1]), np.zeros(4, dtype=int)
    F = np.array([0.1, 0.1, 0.1, 0.4, 0.5])
    rows, _ = select(values, codes, np.column_stack([F, -F]), 4, 2, np.random.RandomState(0))
    assert sorted(F[rows]) == [0.1, 0.1, 0.4, 0.5]


@pytest.mark.parametrize("noise", [0.0, 0.5, 1.0])
def test_softened_excuses_the_rest(noise):
    values, codes = np.array([-0.5, -0.2, -0.1, -0.4, 0.3]), np.array([0, 0, 1, 1, 1])
    predicted = np.array([1, 1, 0, 0, 1])
    new, labels = softened(values, codes, predicted, noise, np.random.RandomState(0))
    assert np.sum(new <= 0) == round(4 * noise)
    np.testing.assert_allclose(np.abs(new), np.abs(values))
    excused = new != values
    np.testing.assert_array_equal(labels[excused], predicted[excused])
    np.testing.assert_array_equal(labels[~excused], codes[~excused])
