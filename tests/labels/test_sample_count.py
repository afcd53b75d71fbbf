"""Counts from a random sample: unbiased, covering, and corrected by it where the model is systematically wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import hypergeom

from weaklearn.datasets import make_twonorm
from weaklearn.labels import LabelAuditor
from weaklearn.labels._sample_count import (
    CountEstimate,
    combined_count,
    draw,
    sample_count,
    shifted,
    surprise,
    with_systematic,
)

N = 207  # not a multiple of the strata


def world(systematic, seed=0):
    """Probabilities of a model and the truth; systematic mistakes are where the model is sure of the label."""
    random = np.random.default_rng(seed)
    P = random.beta(0.3, 4, N)
    wrong = random.uniform(size=N) < P
    if systematic:
        wrong |= (np.quantile(P, 0.5) > P) & (random.uniform(size=N) < 0.25)
    return P, wrong


@pytest.mark.parametrize("systematic", [False, True])
@pytest.mark.parametrize("n", [7, 40, 63])
def test_the_count_of_the_sample_is_unbiased_and_covered(systematic, n):
    P, wrong = world(systematic)
    found = []
    for seed in range(1500):
        rows, factor = draw(P, np.random.RandomState(seed))
        found.append(sample_count(wrong[rows[:n]], factor[:n], 0, N))
    counts = np.array([one.n_wrong for one in found])
    assert abs(counts.mean() - wrong.sum()) < 4 * counts.std() / np.sqrt(len(counts))
    covered = np.mean([one.low <= wrong.sum() <= one.high for one in found])
    assert covered > 0.9 - 2 * np.sqrt(0.09 / len(found))


def test_every_row_is_drawn_as_often_as_its_factor_says():
    P, _ = world(False)
    drawn, expected = np.zeros(N), np.zeros(N)
    for seed in range(4000):
        rows, factor = draw(P, np.random.RandomState(seed))
        drawn[rows[:33]] += 1
        expected[rows] += 33 / factor
    z = (drawn - expected) / np.sqrt(expected)
    assert np.abs(z).max() < 4.5
    assert sorted(rows) == list(range(N))


def test_strata_make_the_count_less_variable():
    P, wrong = world(False)
    order = [draw(P, np.random.RandomState(seed))[0][:40] for seed in range(500)]
    stratified = np.var([wrong[rows].sum() for rows in order])
    assert stratified < 40 * wrong.mean() * (1 - wrong.mean()) * 0.9


@pytest.mark.parametrize(("found", "n"), [(0, 40), (3, 40), (40, 40), (30, 600), (7, 1000)])
def test_the_exact_interval_of_a_part_of_a_finite_table(found, n):
    """Ends are the last counts that the sample does not contradict at 5% each; a full review leaves one."""
    wrong = np.arange(n) < found
    _, low, high = sample_count(wrong, np.full(n, 1000.0), 0, 1000)
    assert found <= low <= high <= 1000 - n + found
    assert hypergeom.sf(found - 1, 1000, low, n) > 0.05
    assert hypergeom.cdf(found, 1000, high, n) > 0.05
    assert low == found or hypergeom.sf(found - 1, 1000, low - 1, n) <= 0.05
    assert high == 1000 - n + found or hypergeom.cdf(found, 1000, high + 1, n) <= 0.05


def test_unclear_answers_count_both_ways():
    wrong = np.arange(36) < 3
    factor = np.full(36, 1000.0)
    found = sample_count(wrong, factor, 4, 1000)
    as_right = sample_count(np.r_[wrong, np.zeros(4, bool)], np.full(40, 1000.0), 0, 1000)
    as_wrong = sample_count(np.r_[wrong, np.ones(4, bool)], np.full(40, 1000.0), 0, 1000)
    assert found.low == pytest.approx(as_right.low)
    assert found.high == pytest.approx(as_wrong.high)
    assert as_right.n_wrong < found.n_wrong < as_wrong.n_wrong


def test_shifted_probabilities_have_the_sum():
    P, _ = world(False)
    counts = np.array([0.5, 3.0, P.sum(), 40.0, 150.0])
    np.testing.assert_allclose(shifted(P, np.arange(N), counts).sum(axis=1), counts, atol=1e-5)


SIZES = (20, 50, 100, 200)
# What the model's probabilities P are, and what is true.
WORLDS = {
    "right": lambda P, random: P,
    "5% more anywhere": lambda P, random: P + 0.05 * (1 - P),
    "odds a third": lambda P, random: expit(logit(P) - np.log(3)),
    "order of the rows unknown": lambda P, random: random.permutation(P),
}


@pytest.fixture(scope="module")
def reviews():
    """Of each world and size, for 60 tables of 300 rows: error, coverage, width and whether both disagree."""
    found: dict = {}
    for seed in range(60):
        random = np.random.default_rng(seed)
        P = np.clip(random.beta(0.3, 4, 300), 1e-9, 1 - 1e-9)
        model = CountEstimate(P.sum(), 0.5 * P.sum(), 1.5 * P.sum())
        rows, factor = draw(P, np.random.RandomState(seed))
        for name, truth in WORLDS.items():
            wrong = random.uniform(size=300) < truth(P, random)
            for n in SIZES:
                some, answers = rows[:n], wrong[rows[:n]]
                both = combined_count(P, model, some, answers, 0.1)
                alone = sample_count(answers, factor[:n], 0, 300)
                disagrees = surprise(P, model, some, answers) < 0.05
                answer = alone if disagrees else both
                found.setdefault((name, n), []).append(
                    (
                        abs(answer.n_wrong - wrong.sum()),
                        answer.low <= wrong.sum() <= answer.high,
                        answer.high - answer.low,
                        abs(alone.n_wrong - wrong.sum()),
                        alone.high - alone.low,
                        disagrees,
                    )
                )
    return {key: np.mean(values, axis=0) for key, values in found.items()}


@pytest.mark.parametrize("name", WORLDS)
def test_the_interval_of_both_covers_at_every_size_whatever_is_wrong_with_the_model(reviews, name):
    assert all(reviews[name, n][1] >= 0.85 for n in SIZES)


@pytest.mark.parametrize("name", WORLDS)
def test_the_error_of_both_falls_as_that_of_a_sample(reviews, name):
    """At least like 1 / sqrt(n) from what a sample of 20 alone gives, and never clearly behind the sample alone."""
    for n in SIZES:
        error, alone = reviews[name, n][[0, 3]]
        assert error < 1.15 * reviews[name, 20][3] * np.sqrt(20 / n)
        assert error < 1.1 * alone + 1  # a row


def test_both_are_narrower_than_the_sample_alone_and_seldom_disagree_if_the_model_is_right(reviews):
    for n, most in zip(SIZES, (0.6, 0.75, 0.85, 1.0), strict=True):
        _, _, width, _, alone, disagrees = reviews["right", n]
        assert width < most * alone
        assert disagrees < 0.08
    assert reviews["5% more anywhere", 200][5] > 0.2


def test_a_full_review_leaves_the_exact_count():
    P, wrong = world(True)
    rows, factor = draw(P, np.random.RandomState(0))
    model = CountEstimate(P.sum(), 0.6 * P.sum(), 1.4 * P.sum())
    exact = (wrong.sum(),) * 3
    assert combined_count(P, model, rows, wrong[rows], 0.1) == exact
    assert sample_count(wrong[rows], factor, 0, N) == pytest.approx(exact)


def test_systematic_mistakes_widen_the_interval_upwards():
    P, _ = world(False)
    model = CountEstimate(P.sum(), 0.6 * P.sum(), 1.4 * P.sum())
    ends = [with_systematic(P, model, s).high for s in (0, 0.1, 0.3)]
    assert ends[0] < ends[1] < ends[2]
    assert with_systematic(P, model, 0.3).low == model.low


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000), st.floats(0, 4), st.floats(0, 0.5), st.integers(2, 4), st.integers(0, 30),
    st.sampled_from([None, 0.3]),
)  # fmt: skip
def test_the_estimate_is_inside_its_interval(seed, strength, flips, n_classes, n_reviewed, systematic):
    """Whatever the table: separated or not, clean or noisy, reviewed by list or by sample, unclear or not."""
    random = np.random.default_rng(seed)
    true = random.integers(0, n_classes, 60)
    true[:n_classes] = np.arange(n_classes)
    P = np.exp(strength * (np.eye(n_classes)[true] + 0.7 * random.normal(size=(60, n_classes))))
    P /= P.sum(axis=1, keepdims=True)
    labels = np.where(random.uniform(size=60) < flips, random.integers(0, n_classes, 60), true)
    labels[:n_classes] = np.arange(n_classes)
    auditor = LabelAuditor(systematic=systematic, random_state=seed).fit(None, labels, pred_probs=P)
    rows = (
        auditor.review_sample(n_reviewed) if n_reviewed and seed % 2 else random.permutation(60)[:n_reviewed]
    )
    answers = {int(row): "unclear" if row % 7 == 0 else true[row] for row in rows}
    for step in ({}, answers):
        auditor.update(step)
        low, high = auditor.n_wrong_interval_
        assert 0 <= low <= auditor.n_wrong_ <= high <= 60
        assert auditor.wrong_probability_.sum() == pytest.approx(auditor.n_wrong_, abs=0.01)
        known = [row for row, label in answers.items() if label != "unclear"] if step else []
        assert np.sum(labels[known] != true[known]) <= low + 1e-9


def audited():
    X, y = make_twonorm(200, random_state=1)
    given = np.where(y > 0, "a", "b")
    true = given.copy()
    given[:20] = np.where(given[:20] == "a", "b", "a")
    return LabelAuditor(n_trees=0, random_state=0).fit(X, given), X, given, true


def test_the_sample_is_drawn_once_and_grows_at_its_end():
    auditor, X, given, true = audited()
    first = auditor.review_sample(20)
    auditor.update({int(row): true[row] for row in first})
    np.testing.assert_array_equal(auditor.review_sample(40)[:20], first)
    again = LabelAuditor(n_trees=0, random_state=0).fit(X, given, reviewed={int(first[0]): true[first[0]]})
    np.testing.assert_array_equal(again.review_sample(40), auditor.review_sample(40))
    with pytest.raises(ValueError, match="n must be at least 1"):
        auditor.review_sample(0)


def test_who_speaks():
    auditor, _, _, true = audited()
    assert auditor.n_wrong_source_ == "model"
    rows = auditor.review_sample(40)
    # Answers from the list are facts, and no random sample.
    listed = auditor.flagged_[:10]
    auditor.update({int(row): true[row] for row in listed if row not in rows[:5]})
    assert (auditor.n_wrong_source_, auditor.n_sampled_) == ("model", 0)
    auditor.update({int(row): true[row] for row in rows})
    assert (auditor.n_wrong_source_, auditor.n_sampled_, auditor.disagrees_) == ("both", 40, False)
    assert set(auditor.n_wrong_estimates_) == {"model", "sample", "both"}
    low, high = auditor.n_wrong_interval_
    assert low <= 20 <= high
    auditor.update(dict(enumerate(true)))
    assert auditor.n_wrong_interval_ == (20, 20)


def test_a_sample_that_contradicts_the_model_speaks_alone():
    auditor, _, given, _ = audited()
    rows = auditor.review_sample(40)
    other = np.where(given == "a", "b", "a")
    auditor.update({int(row): other[row] if k % 2 else given[row] for k, row in enumerate(rows)})
    assert auditor.disagrees_
    assert auditor.n_wrong_source_ == "sample"
    assert auditor.n_wrong_ == pytest.approx(100, abs=12)
    assert auditor.n_wrong_estimates_["sample"][0] == auditor.n_wrong_


def test_unclear_is_an_answer():
    auditor, _, _, true = audited()
    rows = auditor.review_sample(30)
    auditor.update({int(row): "unclear" if k < 4 else true[row] for k, row in enumerate(rows)})
    assert (auditor.n_sampled_, auditor.n_unclear_) == (30, 4)
    wide = np.diff(auditor.n_wrong_interval_)
    auditor.update({int(row): true[row] for row in rows[:4]})
    assert auditor.n_unclear_ == 0
    assert np.diff(auditor.n_wrong_interval_) < wide


def test_own_probabilities():
    _, X, given, _ = audited()
    score = X.sum(axis=1)
    P = 1 / (1 + np.exp(-np.column_stack([score, -score])))
    own = LabelAuditor(random_state=0).fit(None, given, pred_probs=P)
    assert abs(own.n_wrong_ - 20) < 8
    assert np.mean(own.flagged_ < 20) > 0.7
    order = np.random.RandomState(0).permutation(len(given))
    moved = LabelAuditor(random_state=0).fit(None, given[order], pred_probs=P[order])
    np.testing.assert_allclose(moved.wrong_probability_, own.wrong_probability_[order], atol=1e-8)


@pytest.mark.parametrize(
    ("P", "said"),
    [
        (np.full((10, 3), 1 / 3), r"shape \(10, 2\)"),
        (np.full((9, 2), 0.5), r"shape \(10, 2\)"),
        (np.full((10, 2), 0.6), "add up to 1 in each row; row 0"),
        (np.tile([1.5, -0.5], (10, 1)), "must be probabilities"),
        (np.full((10, 2), np.nan), "must be probabilities"),
    ],
)
def test_own_probabilities_are_checked(P, said):
    with pytest.raises(ValueError, match=said):
        LabelAuditor().fit(None, [0, 1] * 5, pred_probs=P)


def test_what_to_review_next():
    """Reviewed rows are never proposed again; those by interval are the random sample in its order."""
    auditor, _, _, true = audited()
    first = auditor.list_for(budget=5)
    np.testing.assert_array_equal(auditor.list_for(budget=5, by="wrong"), first)
    auditor.update({int(row): true[row] for row in first})
    assert not set(first) & set(auditor.list_for(budget=50))
    assert not set(first) & set(auditor.list_for())
    sample = auditor.review_sample(60)
    assert len(auditor.list_for(by="interval")) == 20
    for _ in range(3):
        rows = auditor.list_for(budget=10, by="interval")
        assert set(rows) <= set(sample)
        auditor.update({int(row): true[row] for row in rows})
    known = [row for row in sample if auditor._known[row] >= 0]
    np.testing.assert_array_equal(known, sample[: len(known)])  # without gaps
    assert auditor.n_wrong_source_ == "both"
    auditor.update(dict(enumerate(true)))
    assert len(auditor.list_for(by="interval")) == len(auditor.list_for(budget=3)) == 0
    with pytest.raises(ValueError, match="by must be"):
        auditor.list_for(by="chance")
