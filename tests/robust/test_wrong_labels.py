"""Counts, intervals and lists from held-out log-odds."""

import numpy as np
import pytest
from scipy.special import expit

from weaklearn.robust._wrong_labels import _hidden_shares
from weaklearn.robust.machine import wrong_labels


def test_interval_covers_the_count():
    """Rates from the prior, scores from the model: a 90% interval must cover about nine times in ten."""
    covered = []
    for seed in range(24):
        random = np.random.RandomState(seed)
        rate = random.beta(2, 14)
        x = 6 * random.randn(200)
        true = (random.rand(200) < expit(x)).astype(int)
        wrong = random.rand(200) < rate
        S = np.column_stack([-x / 2, x / 2])
        low, high = wrong_labels(S, np.where(wrong, 1 - true, true)).interval
        covered.append(low <= wrong.sum() <= high)
    # Two standard errors below 90%; the prior on hidden mistakes only makes it wider.
    assert np.mean(covered) >= 0.8


def test_reviewed_rows_sharpen_the_count():
    errors, widths = np.zeros((2, 6)), np.zeros((2, 6))
    for seed in range(6):
        random = np.random.RandomState(seed)
        x = 1.2 * random.randn(300)
        true = (random.rand(300) < expit(2 * x)).astype(int)
        wrong = random.rand(300) < 0.2
        given = np.where(wrong, 1 - true, true)
        S = np.column_stack([-x, x])
        known = np.full(300, -1)
        known[:150] = true[:150]
        found = wrong_labels(S, given), wrong_labels(S, given, known)
        np.testing.assert_array_equal(found[1].label_probability[:150].argmax(axis=1), true[:150])
        errors[:, seed] = [e.n_wrong - wrong.sum() for e in found]
        widths[:, seed] = [e.interval[1] - e.interval[0] for e in found]
    before, after = widths.mean(axis=1)
    assert after < 0.6 * before
    before, after = (errors**2).mean(axis=1)
    assert after < before


@pytest.mark.parametrize("one_way", [False, True])
def test_noise_on_separated_classes_is_not_taken_for_overlap(one_way):
    """Scores as learners give them: log-odds of the given label, which noise keeps small everywhere."""
    biases = []
    for seed in range(4):
        random = np.random.RandomState(seed)
        true = random.randint(0, 2, 240)
        wrong = random.rand(240) < (np.where(true == 1, 0.3, 0.0) if one_way else 0.2)
        margin = np.where(true == 1, 1, -1) * (1 + 0.3 * random.randn(240))
        level = np.where(margin > 0, np.log(0.7 / 0.3), 5.0) if one_way else np.log(0.8 / 0.2)
        S = np.outer(level * margin / 2, [-1, 1])
        given = np.where(wrong, 1 - true, true)
        found = wrong_labels(S, given)
        biases.append((found.n_wrong - wrong.sum()) / wrong.sum())
        listed = found.label_probability[np.arange(240), given] < 0.5
        assert wrong[listed].mean() > 0.9
    assert abs(np.mean(biases)) < 0.15


def test_overlap_is_not_taken_for_mistakes():
    """The interval of clean tables contains 0, though every tenth label contradicts its prediction or more."""
    lows = []
    for seed in range(10):
        random = np.random.RandomState(seed)
        x = 2 * random.randn(250)
        true = (random.rand(250) < expit(x)).astype(int)
        lows.append(wrong_labels(np.outer(x / 2, [-1, 1]), true).interval[0])
    assert np.mean(np.array(lows) < 0.5) >= 0.8


def test_a_certain_class_speaks_against_mistakes_everywhere():
    """Two classes of three overlap: with mistakes in all classes, the third would show them."""
    random = np.random.RandomState(0)
    true = random.randint(0, 3, 300)
    S = 8 * np.eye(3)[true]
    shared = true < 2
    x = 1.5 * random.randn(shared.sum())
    S[shared] = np.column_stack([-x / 2, x / 2, np.full(len(x), -8.0)])
    true[shared] = random.rand(len(x)) < expit(x)
    found = wrong_labels(S, true)
    assert found.interval[0] < 0.5
    assert found.n_wrong < 0.06 * 300


def test_hidden_mistakes_are_at_most_the_overlap():
    """Quantiles of a point mass at 0 and an exponential distribution, cut at 95% of the overlap."""
    small, large = _hidden_shares(0.0, 0.02), _hidden_shares(0.0, 1.0)
    assert np.mean(small == 0) == np.mean(large == 0) == pytest.approx(0.6)
    assert large.mean() == pytest.approx(0.4 * 0.055, rel=0.05)
    np.testing.assert_allclose(small, np.minimum(large, 0.95 * 0.02))
    np.testing.assert_allclose(_hidden_shares(0.02, 1.0), large / 2)


def test_reviewed_rows_tell_how_many_mistakes_are_hidden():
    """Rows near the boundary that were looked at: all right, or one in four wrong, which the labels cannot show."""
    random = np.random.RandomState(0)
    x = 4 * random.randn(600)
    S = np.outer(x / 2, [-1, 1])
    given = (random.rand(600) < expit(x)).astype(int)
    near = np.flatnonzero(np.abs(x) < 1.5)
    looked_at = near[: len(near) // 2]
    ends = []
    for wrong in (np.zeros(len(looked_at), dtype=bool), np.arange(len(looked_at)) % 4 == 0):
        known = np.full(600, -1)
        known[looked_at] = np.where(wrong, 1 - given[looked_at], given[looked_at])
        ends.append(wrong_labels(S, given, known).interval[1] - wrong.sum())
    before = wrong_labels(S, given).interval[1]
    assert ends[0] < 0.7 * before
    assert ends[1] > 1.5 * ends[0]


def test_count_is_the_sum_of_probabilities():
    """With more rows than the model is fitted to, and hidden mistakes by a sample of them."""
    random = np.random.RandomState(0)
    x = 3 * random.randn(4000)
    true = (random.rand(4000) < expit(x)).astype(int)
    given = np.where(random.rand(4000) < 0.1, 1 - true, true)
    found = wrong_labels(np.outer(x / 2, [-1, 1]), given)
    np.testing.assert_allclose(found.label_probability.sum(axis=1), 1)
    assert (found.label_probability >= 0).all()
    assert found.n_wrong == pytest.approx(4000 - found.label_probability[np.arange(4000), given].sum())
    assert found.interval[0] < found.n_wrong < found.interval[1]
