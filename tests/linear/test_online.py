"""The compiled loops against literal transcriptions of the published listings, trial by trial."""

import numpy as np
import pytest

from weaklearn._fast.online import (
    gradient_epochs,
    perceptron_epochs,
    pocket_epochs,
    rows_in_blocks,
    winnow_epochs,
)
from weaklearn.linear._online import order_of_trials, perceptron_blocks, weighted_trials

N_ROWS, N_COLUMNS, N_EPOCHS = 70, 5, 30


@pytest.fixture(params=[0, 1], ids=["equal weights", "weights"])
def problem(request):
    """Signed rows that no hyperplane separates, weights, and trials."""
    rng = np.random.default_rng(request.param)
    X = np.column_stack([rng.uniform(-1, 1, (N_ROWS, N_COLUMNS - 1)), np.ones(N_ROWS)])
    y = np.where(X @ rng.normal(size=N_COLUMNS) + rng.normal(size=N_ROWS) > 0, 1.0, -1.0)
    weight = rng.integers(1, 6, N_ROWS) / 7 if request.param else np.ones(N_ROWS)
    trials = rng.integers(0, N_ROWS, (N_EPOCHS, N_ROWS), dtype=np.int32)
    return X * y[:, None], weight, trials


def vectors_after_trials(rows, strength, trials, w):
    vectors, mistakes = [], []
    for k in trials.ravel():
        mistakes.append(rows[k] @ w <= 0)
        if mistakes[-1]:
            w = w + strength[k] * rows[k]
        vectors.append(w)
    return np.array(vectors), np.array(mistakes)


@pytest.mark.parametrize("start", [0.0, 0.3])
def test_rosenblatt_and_average_follow_the_listing(problem, start):
    rows, weight, trials = problem
    strength = weight / weight.mean()
    first = np.full(N_COLUMNS, start)
    vectors, mistakes = vectors_after_trials(rows, strength, trials, first)
    # Blocks of unequal length: a run must not depend on how it is cut.
    blocks = list(perceptron_blocks(rows, strength, first, np.split(trials, [1, 11])))
    np.testing.assert_allclose(
        np.concatenate([block.weights for block in blocks]), vectors[N_ROWS - 1 :: N_ROWS], atol=1e-12
    )
    offsets = np.array([0, 1, 11]) * N_ROWS
    missed = np.concatenate([block.missed + at for block, at in zip(blocks, offsets, strict=True)])
    np.testing.assert_array_equal(missed, np.flatnonzero(mistakes))
    shares = strength[trials.ravel()]
    means = (np.cumsum(shares[:, None] * vectors, axis=0) / np.cumsum(shares)[:, None])[N_ROWS - 1 :: N_ROWS]
    np.testing.assert_allclose(np.concatenate([block.means for block in blocks]), means, atol=1e-11)


def test_kernel_leaves_first_vector_alone_and_stops_only_when_all_rows_are_right():
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    state = np.zeros(5)
    path, missed = np.empty((4, 5)), np.empty(8, dtype=np.int64)
    # The first two epochs never present the second row.
    trials = np.array([[0, 0], [0, 0], [1, 1], [0, 1]], dtype=np.int32)
    done, n_missed, settled = perceptron_epochs(rows, np.ones(2), trials, state, path, missed, True)
    assert (done, n_missed, settled) == (4, 2, True)
    np.testing.assert_array_equal(missed[:2], [0, 4])


def literal_pocket(rows, weight, strength, trials, w):
    """li2006, Algorithm 2.1, with the first vector's own error; also counts the errors computed."""

    def error(v):
        return weight @ (rows @ v <= 0)

    pocket, pocket_error, pocket_run, run = w, error(w), 0.0, 0.0
    n_counts, counted = 1, True
    path, errors = [], []
    for epoch in trials:
        for k in epoch:
            if rows[k] @ w > 0:
                run += strength[k]
                if run > pocket_run and not counted:
                    n_counts, counted = n_counts + 1, True
                    e = error(w)
                    if e < pocket_error:
                        pocket, pocket_error, pocket_run = w, e, run
            else:
                w = w + strength[k] * rows[k]
                run, counted = 0.0, False
        path.append(pocket)
        errors.append(pocket_error)
    return np.array(path), np.array(errors), n_counts


@pytest.mark.parametrize("start", [0.0, 0.3])
def test_pocket_follows_the_listing(problem, start):
    rows, weight, trials = problem
    strength = weight / weight.mean()
    w = np.full(N_COLUMNS, start)
    path, errors, n_counts = literal_pocket(rows, weight, strength, trials, w)
    state = np.array([0.0, 0.0, weight @ (rows @ w <= 0), 1.0, 1.0])
    pocket, got_path, got_errors = w.copy(), np.empty_like(path), np.empty_like(errors)
    blocks, weights = rows_in_blocks(rows, weight)
    for part in (slice(0, 7), slice(7, N_EPOCHS)):
        done = pocket_epochs(
            rows, strength, trials[part], blocks, weights, w, pocket, state, got_path[part], got_errors[part]
        )
        assert done == len(trials[part])
    np.testing.assert_allclose(got_path, path, atol=1e-12)
    np.testing.assert_allclose(got_errors, errors, atol=1e-12)
    assert state[3] == n_counts


def test_blocks_hold_every_row_once():
    rows = np.random.default_rng(0).normal(size=(130, 3))
    weight = np.arange(1.0, 131.0)
    blocks, weights = rows_in_blocks(rows, weight)
    assert blocks.shape == (3, 3, 64)
    assert weights.sum() == weight.sum()
    np.testing.assert_array_equal(blocks.transpose(0, 2, 1).reshape(-1, 3)[:130], rows)


def test_gradient_descends_by_the_slope(problem):
    rows, weight, trials = problem
    w, path = np.zeros(N_COLUMNS), np.empty((N_EPOCHS, N_COLUMNS))
    gradient_epochs(rows, 0.1 * weight, trials, 0, 1.0, -2.0, 2.0, w, path)
    v = np.zeros(N_COLUMNS)
    for k in trials.ravel():
        v = v + 0.1 * weight[k] * 2 * max(0.0, 1 - rows[k] @ v) * rows[k]
    np.testing.assert_allclose(w, v, atol=1e-12)
    np.testing.assert_array_equal(path[-1], w)


def test_winnow_follows_the_rule(problem):
    rows, weight, trials = problem
    y = np.sign(rows[:, -1])
    features = (rows * y[:, None] + 1) / 2
    exponent = weight / weight.mean()
    weights, path = np.ones(N_COLUMNS), np.empty((N_EPOCHS, N_COLUMNS))
    counts = np.empty(N_EPOCHS, dtype=np.int64)
    done, settled = winnow_epochs(features, y, exponent, trials, 2.5, 1e150, weights, path, counts)
    assert (done, settled) == (N_EPOCHS, False)
    v, n_mistakes = np.ones(N_COLUMNS), 0
    for k in trials.ravel():
        if y[k] * (v @ features[k] - 2.5) <= 0:
            v = v * 2.0 ** (y[k] * exponent[k] * features[k])
            n_mistakes += 1
    np.testing.assert_allclose(weights, v, rtol=1e-12)
    assert counts.sum() == n_mistakes


class TestOrderOfTrials:
    def test_cyclic_and_permuted_epochs_present_every_row_once(self):
        rng = np.random.default_rng(0)
        (cyclic,) = order_of_trials("cyclic", 3, 7, rng)
        np.testing.assert_array_equal(cyclic, np.tile(np.arange(7), (3, 1)))
        (permuted,) = order_of_trials("permute", 50, 7, rng)
        np.testing.assert_array_equal(np.sort(permuted, axis=1), np.tile(np.arange(7), (50, 1)))
        assert len(np.unique(permuted, axis=0)) > 40

    def test_random_trials_follow_the_weights(self):
        weight = np.array([1.0, 2.0, 5.0])
        trials = np.concatenate(list(order_of_trials("random", 20_000, 3, np.random.default_rng(0), weight)))
        shares = np.bincount(trials.ravel(), minlength=3) / trials.size
        np.testing.assert_allclose(shares, weight / 8, atol=0.01)

    @pytest.mark.parametrize("order", ["permute", "random"])
    def test_blocks_are_bounded_and_a_short_run_begins_a_long_one(self, order):
        n_samples = 50_001
        long = list(order_of_trials(order, 12, n_samples, np.random.default_rng(0)))
        assert max(block.size for block in long) <= 1 << 18
        assert all(block.dtype == np.int32 for block in long)
        short = np.concatenate(list(order_of_trials(order, 7, n_samples, np.random.default_rng(0))))
        np.testing.assert_array_equal(np.concatenate(long)[:7], short)

    def test_resampling_needs_random_order(self):
        with pytest.raises(ValueError, match="needs order=\"random\"; got order='cyclic'"):
            weighted_trials("cyclic", "resample", 1, np.ones(3), np.random.default_rng(0))
