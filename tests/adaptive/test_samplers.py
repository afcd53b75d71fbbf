"""The samplers: a history is all they are."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from weaklearn.adaptive import (
    BestPEST,
    Budget,
    DoseEscalation,
    EntropyBelow,
    EqualAllocation,
    IntervalWidth,
    MinEnt,
    OutsideLevels,
    PosteriorMinEnt,
    Reversals,
    Staircase,
    simulate,
)
from weaklearn.adaptive._stopping import rule_from
from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit, TradeOff

LEVELS = np.linspace(0.05, 0.95, 10)
SAMPLERS = [
    MinEnt(LEVELS, random_state=3),
    MinEnt(LEVELS, fit=MonotoneFit(), criterion="variance", smooth=False, random_state=3),
    MinEnt(LEVELS, fit=LogisticFit(), random_state=3),
    MinEnt(LEVELS, [Crossing(0.3), Crossing(0.8)], n_first=2, random_state=3),
    PosteriorMinEnt(LEVELS, random_state=3),
    PosteriorMinEnt(LEVELS, Crossing(0.7), random_state=3),
    PosteriorMinEnt(LEVELS, [Crossing(0.6), Crossing(0.8)], guess_rate=0.5, random_state=3),
    PosteriorMinEnt(LEVELS, Crossing(0.6), guess_rate="auto", scale="log", between=True, random_state=3),
    DoseEscalation(LEVELS, cohort=2, random_state=3),
    BestPEST(LEVELS, random_state=3),
    BestPEST(LEVELS, [Crossing(0.3), Crossing(0.8)], ties="lower", n_first=1, random_state=3),
    Staircase(LEVELS, random_state=3),
    Staircase(LEVELS, up=1, down=2, steps=(3, 1), first=0.9, random_state=3),
    EqualAllocation(LEVELS, random_state=3),
]
IDS = [f"{type(sampler).__name__}{i}" for i, sampler in enumerate(SAMPLERS)]


def run(sampler, n, truth=0.4, width=0.1, seed=0, sign=1):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        level = sampler.ask()
        p = 1 / (1 + np.exp(-sign * (level - truth) / width))
        sampler.tell(level, rng.random() < p)
    return sampler


@pytest.mark.parametrize("sampler", SAMPLERS, ids=IDS)
def test_the_history_decides_the_next_question(sampler):
    first = run(clone(sampler), 17)
    again = clone(sampler)
    for level, outcome in first.history:
        assert again.ask() == level  # ask before every answer, or never: it makes no difference
        again.tell(level, outcome)
    silent = clone(sampler)
    for level, outcome in first.history:
        silent.tell(level, outcome)
    assert first.ask() == first.ask() == again.ask() == silent.ask()
    assert first.estimate() == again.estimate() == silent.estimate()
    question = first.ask()
    first.tell(0.55, [1, 0, 1])
    assert len(first.history) == 20
    first.undo(3)
    assert first.ask() == question
    assert first.history == again.history


@pytest.mark.parametrize("sampler", SAMPLERS, ids=IDS)
def test_questions_and_estimates_stay_in_range(sampler):
    sampler = run(clone(sampler), 30)
    told = np.array([answer.level for answer in sampler.history])
    assert told.min() >= LEVELS[0]
    assert told.max() <= LEVELS[-1]
    if not getattr(sampler, "between", False):
        assert np.isin(told, LEVELS).all()
    estimates = np.atleast_1d(sampler.estimate())
    assert ((estimates >= LEVELS[0]) & (estimates <= LEVELS[-1])).all()
    for functional in sampler._functionals():
        low, high = sampler.interval(functional)
        assert low < high
        # An end may lie beyond the levels only where the threshold may.
        outside = sampler.outside(functional)
        assert low >= LEVELS[0] or outside.below > 0.05
        assert high <= LEVELS[-1] or outside.above > 0.05
        assert 0 <= sampler.entropy(functional) <= np.log2(len(LEVELS)) + 1e-9


@pytest.mark.parametrize("sampler", SAMPLERS, ids=IDS)
def test_before_any_answer(sampler):
    sampler = clone(sampler)
    assert LEVELS[0] <= sampler.ask() <= LEVELS[-1]
    assert np.isfinite(sampler.estimate()).all()
    assert sampler.history == ()
    with pytest.raises(ValueError, match="cannot undo"):
        sampler.undo()


@pytest.mark.parametrize("sampler", SAMPLERS, ids=IDS)
def test_other_levels_and_falling_curves(sampler):
    sampler = clone(sampler).tell(0.123, 0, off_grid=True).tell(0.777, [1, 1], off_grid=True)
    assert LEVELS[0] <= sampler.ask() <= LEVELS[-1]
    if isinstance(sampler, DoseEscalation):
        with pytest.raises(ValueError, match="increasing"):
            clone(sampler).set_params(increasing=False).ask()
        return
    falling = run(clone(sampler).set_params(increasing=False), 40, sign=-1, seed=1)
    assert abs(np.mean(falling.estimate()) - 0.4) < 0.25


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), sampler=st.sampled_from(SAMPLERS))
def test_any_history_is_accepted(seed, sampler):
    rng = np.random.default_rng(seed)
    sampler = clone(sampler)
    for _ in range(rng.integers(0, 12)):
        sampler.tell(
            rng.choice([rng.uniform(LEVELS[0], LEVELS[-1]), LEVELS[rng.integers(10)]]),
            rng.integers(0, 2, rng.integers(1, 4)),
            off_grid=True,
        )
    assert LEVELS[0] <= sampler.ask() <= LEVELS[-1]
    assert np.isfinite(sampler.estimate()).all()


def test_what_cannot_be_told():
    sampler = EqualAllocation(LEVELS)
    for outcome in (2, "yes", [0, 0.5], [[0, 1]]):
        with pytest.raises(ValueError, match="outcome"):
            sampler.tell(0.55, outcome)
    with pytest.raises(ValueError, match="finite"):
        sampler.tell(np.nan, 1)
    with pytest.raises(ValueError, match="levels"):
        EqualAllocation([1]).ask()
    with pytest.raises(ValueError, match="criterion"):
        MinEnt([0, 1], criterion="luck").tell(0, 0).tell(1, 1).ask()
    with pytest.raises(ValueError, match="n_first"):
        MinEnt(LEVELS, n_first=0).ask()
    with pytest.raises(ValueError, match="ties"):
        BestPEST(LEVELS, ties="luck", n_first=0).tell(0.55, 1).ask()
    with pytest.raises(ValueError, match="at least 1"):
        Staircase(LEVELS, up=0).ask()
    with pytest.raises(ValueError, match="no answers recorded"):
        EqualAllocation(LEVELS).fitted()
    for level in (LEVELS[-1] + 1, -1e300):
        with pytest.raises(ValueError, match=r"outside the levels, which go from 0\.05 to 0\.95"):
            sampler.tell(level, 1)
    with pytest.raises(ValueError, match=r"level 0\.5 is none of the levels; the nearest is 0\.[45]5"):
        sampler.tell(0.5, 1)
    with pytest.raises(ValueError, match="finite"):
        sampler.tell(pd.NA, 1)
    with pytest.raises(ValueError, match="outcome"):
        sampler.tell(0.55, pd.NA)
    assert sampler.history == ()
    # Rounding is forgiven, and what was really tried is taken if that is said.
    assert sampler.tell(0.15 + 1e-12, 1).history == ((LEVELS[1], True),)
    assert sampler.tell(0.5, 0, off_grid=True).history[-1] == (0.5, False)
    assert PosteriorMinEnt(LEVELS, between=True).tell(0.5, 0).history == ((0.5, False),)


@pytest.mark.parametrize(
    ("kind", "given_settings"),
    [
        (Staircase, {"first": np.nan}),
        (Staircase, {"steps": 2}),
        (Staircase, {"steps": (1.5,)}),
        (Staircase, {"down": 1.5}),
        (MinEnt, {"n_first": -1}),
        (MinEnt, {"n_resamples": 0}),
        (MinEnt, {"smooth": "yes"}),
        (BestPEST, {"n_first": -1}),
        (PosteriorMinEnt, {"between": "no"}),
        (PosteriorMinEnt, {"fit": 3}),
        (PosteriorMinEnt, {"functional": 0.5}),
        (EqualAllocation, {"increasing": "no"}),
        (EqualAllocation, {"random_state": "luck"}),
    ],
)
def test_parameters_are_refused_by_name_before_anybody_is_asked(kind, given_settings):
    ((name, value),) = given_settings.items()
    for use in (kind.ask, kind.estimate, lambda sampler: sampler.tell(0.5, 1)):
        with pytest.raises(ValueError, match=rf"{name} must be .*{re.escape(repr(value))}"):
            use(kind(LEVELS, **given_settings))


def test_minent_matches_its_definition():
    """One question computed with plain loops: draw, add one answer, fit, bin, take the least entropy."""
    sampler = MinEnt(LEVELS, fit=MonotoneFit(), n_resamples=25, smooth=False, random_state=8)
    run(sampler, 14, seed=2)
    counts = sampler.counts()
    m = counts.asked.astype(int)
    fit = MonotoneFit().fit(LEVELS, counts.yes / m, m)
    rng = np.random.default_rng([8, 14, 0])
    rng.random((1, 10))  # the shuffling of levels that wait for their first answer
    drawn = rng.binomial(m, fit.values_, (1, 25, 10))[0]
    further = rng.random((1, 25, 10))[0] < fit.values_
    scores = []
    for c in range(10):
        one = np.eye(10, dtype=int)[c]
        found = [
            MonotoneFit().fit(LEVELS, (k + one * f) / (m + one), m + one).threshold(Crossing(0.5))
            for k, f in zip(drawn, further, strict=True)
        ]
        share = np.histogram(found, bins=10, range=(LEVELS[0], LEVELS[-1]))[0] / 25
        scores.append(-np.sum(share[share > 0] * np.log2(share[share > 0])))
    assert sampler.ask() in LEVELS[np.array(scores) <= np.min(scores) + 1e-9]


def test_pest_ties():
    answers = [(0.05, 0), (0.15, 0), (0.25, 1), (0.35, 1)]
    asked = {}
    for ties in ("lower", "upper", "random"):
        found = set()
        for seed in range(20):
            sampler = BestPEST(LEVELS[:4], ties=ties, random_state=seed)
            for level, outcome in answers:
                sampler.tell(round(level, 2), outcome)
            found.add(round(sampler.ask(), 2))
        asked[ties] = found, round(sampler.estimate(), 3)
    assert asked == {"lower": ({0.15}, 0.15), "upper": ({0.25}, 0.25), "random": ({0.15, 0.25}, 0.2)}


@pytest.mark.parametrize(
    ("up", "down", "target"), [(1, 1, 0.5), (1, 2, 0.7071), (2, 1, 0.2929), (1, 3, 0.7937)]
)
def test_staircases_settle_where_they_say(up, down, target):
    sampler = Staircase(np.linspace(0, 1, 41), up=up, down=down, steps=(4, 2, 1))
    assert sampler.target == pytest.approx(target, abs=1e-4)
    run(sampler, 400, truth=0.5, width=0.08, seed=4)
    place = 0.5 + 0.08 * np.log(target / (1 - target))
    assert sampler.estimate() == pytest.approx(place, abs=0.04)


def test_trade_off_inside_the_samplers():
    price = TradeOff(([0, 1], [1, 0]))
    best = Crossing(0.5)  # only to compare shapes
    for sampler in (
        MinEnt(LEVELS, price, random_state=0),
        PosteriorMinEnt(LEVELS, price),
        MinEnt(LEVELS, [price, best]),
    ):
        run(sampler, 15)
        assert LEVELS[0] <= np.min(sampler.estimate()) <= np.max(sampler.estimate()) <= LEVELS[-1]
    guess = simulate(
        PosteriorMinEnt(LEVELS, price), lambda x: 1 / (1 + np.exp(-(x - 0.4) / 0.1)), 25, random_state=0
    )
    assert np.sqrt(guess.mean_squared_error[0, -1]) < 0.1


def test_stopping_rules_combine():
    rule = Budget(50) | (IntervalWidth(0.3) & EntropyBelow(2.5)) | Reversals(30)
    assert rule_from(rule.describe()) == rule
    sampler = PosteriorMinEnt(LEVELS)
    assert rule(sampler) is None
    while rule(sampler) is None:
        run(sampler, 1, width=0.02)
    assert "interval" in rule(sampler)
    assert "bits" in rule(sampler)
    assert len(sampler.history) < 50
    assert Reversals(3)(run(Staircase(LEVELS), 40)) is not None
    for wrong in (
        {},
        {"budget": 0},
        {"budget": "7"},
        {"any": []},
        {"budget": 3, "more": 1},
        5,
        {"reversals": True},
    ):
        with pytest.raises(ValueError, match=r"."):
            rule_from(wrong)
    for make in (lambda: Budget(0), lambda: Budget(2.5), lambda: IntervalWidth(0), lambda: EntropyBelow(-1)):
        with pytest.raises(ValueError, match=r"."):
            make()


def test_simulate_in_step_is_the_same_experiment():
    """Runs in step and runs by ask and tell differ in their random numbers only."""
    curve = HybridFit().fit([0, 0.3, 0.6, 1], [0, 0.2, 0.9, 1], [5, 5, 5, 5])
    sampler = MinEnt(LEVELS, fit=MonotoneFit(), n_resamples=15)
    fast = simulate(sampler, curve, 300, budget=20, random_state=1)
    assert fast.estimates.shape == (1, 300, 20)
    assert sampler.history == ()
    rng = np.random.default_rng(2)
    slow = []
    for seed in range(30):
        one = clone(sampler).set_params(random_state=seed)
        for _ in range(20):
            level = one.ask()
            one.tell(level, rng.random() < curve.predict([level])[0])
        slow.append(one.estimate())
    error = np.std(fast.estimates[0, :, -1])
    assert abs(np.mean(slow) - fast.estimates[0, :, -1].mean()) < 4 * error / np.sqrt(30)
    assert 0.6 < np.std(slow) / error < 1.5


def test_simulate_results():
    study = simulate(EqualAllocation(LEVELS), lambda x: x, 400, budget=30, random_state=0)
    np.testing.assert_allclose(study.mean_squared_error, study.bias**2 + study.variance)
    assert study.truth[0] == pytest.approx(0.5)
    assert study.answers_needed(1.0) == 1
    assert study.answers_needed(1e-6) is None
    assert study.mean_squared_error[0, -1] < study.mean_squared_error[0, 9]
    same = simulate(EqualAllocation(LEVELS), lambda x: x, 400, budget=30, random_state=0)
    np.testing.assert_array_equal(study.estimates, same.estimates)
    walk = simulate(Staircase(LEVELS), lambda x: x, 10, budget=12, random_state=0)
    assert walk.estimates.shape == (1, 10, 12)
    with pytest.raises(ValueError, match="probability"):
        simulate(EqualAllocation(LEVELS), lambda x: 2 * x, 10)
    with pytest.raises(ValueError, match="at least 1"):
        simulate(EqualAllocation(LEVELS), lambda x: x, 0)


# --- first phases, staircases, thresholds outside the levels ---------------------------------------------------


@pytest.mark.parametrize("budget", [6, 8, 15])
def test_a_budget_below_the_number_of_levels_leaves_adaptive_questions(budget):
    levels = np.linspace(0, 1, 20)
    first = levels[MinEnt(levels, budget=budget)._first_places(np.arange(20))]
    assert len(first) <= budget / 2
    assert first[0] == 0
    assert first[-1] == 1
    sampler = run(MinEnt(levels, budget=budget, random_state=0), budget, width=0.02)
    assert {answer.level for answer in sampler.history[: len(first)]} == set(first)
    # The rest depends on the answers.
    other = run(MinEnt(levels, budget=budget, random_state=0), budget, width=0.02, truth=0.8)
    assert [answer.level for answer in other.history] != [answer.level for answer in sampler.history]


@pytest.mark.slow
def test_minent_beats_blind_questions_with_fewer_answers_than_levels():
    levels = np.linspace(0, 1, 20)

    def steep(x):
        return 1 / (1 + np.exp(-(x - 0.4) / 0.02))

    error = [
        simulate(sampler, steep, 300, budget=15, random_state=0).mean_squared_error[0, -1]
        for sampler in (MinEnt(levels), EqualAllocation(levels))
    ]
    assert error[0] < error[1]


def test_minent_keeps_its_first_phase_where_the_budget_allows_it():
    ten = np.arange(10)
    for sampler in (MinEnt(LEVELS), MinEnt(LEVELS, budget=30), MinEnt(LEVELS, budget=20)):
        np.testing.assert_array_equal(sampler._first_places(ten), ten)


@pytest.mark.slow
def test_minent_at_a_thousand_levels_is_quick():
    import time

    sampler = MinEnt(np.linspace(0, 1, 1000), random_state=0)
    run(sampler, 60)
    spent = []
    for _ in range(20):
        start = time.process_time()
        level = sampler.ask()
        spent.append(time.process_time() - start)
        sampler.tell(level, level > 0.4)
    assert np.median(spent) < 0.05
    assert sampler.estimate() == pytest.approx(0.4, abs=0.1)


def test_minent_at_hundreds_of_levels():
    sampler = run(MinEnt(np.linspace(0, 1, 300), budget=30, random_state=0), 30, width=0.05)
    assert sampler.estimate() == pytest.approx(0.4, abs=0.1)


def test_a_staircase_estimates_the_target_that_is_asked_for():
    levels = np.linspace(0, 1, 41)
    sampler = run(Staircase(levels, Crossing(0.8), steps=(4, 2, 1)), 500, seed=3)
    truth = 0.4 + 0.1 * np.log(4)
    assert sampler.estimate() == pytest.approx(truth, abs=0.05)  # not the 50% point
    assert sampler.estimate(Crossing(0.5)) == pytest.approx(0.4, abs=0.03)
    own = Staircase(levels, down=2)
    assert own._functionals() == [Crossing(own.target)]
    run(own, 200, seed=3)
    assert own.estimate() == own.estimate(Crossing(0.7071))


@pytest.mark.parametrize("cls", [MinEnt, BestPEST, Staircase, EqualAllocation])
@pytest.mark.parametrize("increasing", [True, False])
def test_every_sampler_says_that_a_threshold_lies_outside(cls, increasing):
    sampler = cls(LEVELS, increasing=increasing, random_state=0)
    assert sampler.outside_ is None
    for _ in range(40):
        sampler.tell(sampler.ask(), 0)
    assert sampler.outside_ == ("above" if increasing else "below")
    assert sampler.interval().width > 0.05
    assert IntervalWidth(0.3)(sampler) is None
    # MinEnt asks the end three times only, which makes a probability of 0.61.
    assert "every level" in OutsideLevels(0.6)(sampler)
    run(sampler.undo(40), 40, sign=1 if increasing else -1)
    assert sampler.outside_ is None


def test_interval_width_waits_for_answers():
    sampler = PosteriorMinEnt(LEVELS, random_state=0)
    for _ in range(9):
        level = sampler.ask()
        sampler.tell(level, level > 0.42)
    wide = IntervalWidth(0.89, min_answers=9)
    assert wide(sampler) is not None
    assert IntervalWidth(0.89)(sampler) is None
    for rule in (wide, IntervalWidth(0.5), OutsideLevels(0.9, 5)):
        assert rule_from(rule.describe()) == rule
    assert rule_from({"interval_width": 0.5, "confidence": 0.9}) == IntervalWidth(0.5)
    assert (Budget(9) | (IntervalWidth(0.1) | Budget(7))).most_answers() == 7
    assert (Budget(9) & IntervalWidth(0.1)).most_answers() is None
    with pytest.raises(ValueError, match="min_answers"):
        IntervalWidth(0.5, min_answers=0)
    with pytest.raises(ValueError, match="probability"):
        OutsideLevels(0.3)


def test_a_level_that_was_never_asked_is_no_certainty():
    """One answer at each end says nothing about the middle: the drawn probability there is not 0 or 1."""
    sampler = MinEnt(LEVELS)
    yes, asked = np.zeros((2, 1, 10))
    asked[0, [0, 9]], yes[0, 9] = 1, 1
    curve = sampler._resampling_curve(sampler._fit(), LEVELS, yes, asked)[0]
    assert (np.diff(curve) >= -1e-9).all()
    assert 0.2 < curve[4] < 0.8


@pytest.mark.parametrize(
    "levels",
    ["red", 3.0, None, [[1.0, 2.0]], [1, None], np.array([1, 2], "datetime64[D]"), [1j, 2], [1, 10**400]],
)
def test_levels_that_are_no_list_of_numbers_are_refused(levels):
    with pytest.raises(ValueError, match="levels must be"):
        Staircase(levels).ask()


@pytest.mark.parametrize("levels", [[-1.7e308, 1.7e308], [0.0, 5e-324]])
def test_levels_near_the_limits_of_floats_are_refused(levels):
    with pytest.raises(ValueError, match="use another unit"):
        EqualAllocation(levels).ask()
