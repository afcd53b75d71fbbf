"""PosteriorMinEnt: Bayes' rule by plain loops, invariances, and what must never be answered wrongly without a word."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from weaklearn.adaptive import PosteriorMinEnt, simulate
from weaklearn.adaptive._belief import expected_variance, normalised, quantiles
from weaklearn.adaptive._curve_model import suggested_scale
from weaklearn.adaptive._hypotheses import Hypotheses
from weaklearn.adaptive._posterior_interval import calibrated, tail_mass
from weaklearn.adaptive._shapes import NAMED, shape_library
from weaklearn.monotone import Crossing, MonotoneFit, TradeOff

LEVELS = np.linspace(0.05, 0.95, 10)


def answered(sampler, curve, n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        level = sampler.ask()
        sampler.tell(level, rng.random() < curve(level))
    return sampler


def logistic(x, place=0.4, width=0.1):
    return 1 / (1 + np.exp(-(x - place) / width))


# --- the model ------------------------------------------------------------------------------------------


def test_shapes_are_distribution_functions():
    shapes = shape_library(0.05)
    z = np.linspace(-400, 400, 4001)[:, None] * np.ones(len(shapes.family))
    values = shapes.values(z)
    assert (np.diff(values, axis=0) >= -1e-12).all()
    assert (values[0] < 0.02).all()
    assert (values[-1] > 0.98).all()
    assert shapes.prior.sum() == pytest.approx(1)
    for level in (0.03, 0.5, 0.9):
        place = shapes.inverse(level)
        np.testing.assert_allclose(shapes.values(place), level, atol=1e-9)
    # The widths of the named families are interquartile ranges.
    width = shapes.inverse(0.75) - shapes.inverse(0.25)
    for index, name in enumerate(NAMED):
        first = {"logistic": 0.005}.get(name, 0.05)
        assert width[shapes.family == index][0] == pytest.approx(first, rel=1e-6)


def test_every_hypothesis_has_its_threshold_where_it_says():
    grid = Hypotheses(shape_library(0.1), 0.7, (0.5,), (0.0, 0.04))
    for cell in (10, 30, 50):
        p = grid.probabilities(grid.tau[cell])[cell]
        np.testing.assert_allclose(p, 0.7, atol=2e-4)  # single precision, at steps
    far = grid.probabilities(1e4)
    assert far.max() == pytest.approx(1 - 1e-5, abs=1e-6)
    assert grid.probabilities(-1e4).min() == pytest.approx(0.5, abs=1e-3)
    assert np.exp(grid.log_prior).sum() == pytest.approx(1)


def brute_force(sampler):
    """Weights by one product per answer and hypothesis, in double precision."""
    grid = sampler._model().hypotheses()
    weights = np.exp(grid.log_prior)
    for level, outcome in sampler.history:
        u = float(sampler._model().unit.to_unit(level))
        z = grid.anchor + (u - grid.tau)[:, None]
        p = np.clip(grid.floor + grid.span * grid.shapes.values(z), 1e-5, 1 - 1e-5)
        weights = weights * (p if outcome else 1 - p)
    return grid, weights / weights.sum()


@pytest.mark.parametrize(
    "params", [{}, {"guess_rate": 0.25, "functional": Crossing(0.6)}, {"increasing": False}]
)
def test_posterior_is_bayes_rule(params):
    sampler = answered(PosteriorMinEnt(LEVELS, random_state=1, **params), logistic, 9)
    grid, weights = brute_force(sampler)
    mass = weights.sum(axis=1)
    inside = grid.inside
    mean = mass[inside] @ grid.tau[inside] / mass[inside].sum()
    assert sampler.outside_ is None
    assert sampler.estimate() == pytest.approx(float(sampler._model().unit.from_unit(mean)), abs=1e-5)
    sides = mass[grid.tau < 0].sum(), mass[grid.tau > 1].sum()
    sides = sides if sampler.increasing else sides[::-1]
    np.testing.assert_allclose(sampler.outside(), sides, atol=1e-6)
    scores = []
    for level in LEVELS:
        p = grid.probabilities(float(sampler._model().unit.to_unit(level))).astype(float)[inside]
        w, tau = weights[inside], grid.tau[inside]
        total = 0.0
        for part in (w * p, w * (1 - p)):
            cells = part.sum(axis=1)
            centre = cells @ tau / cells.sum()
            total += cells @ (tau - centre) ** 2
        scores.append(total)
    assert scores[int(np.searchsorted(LEVELS, sampler.ask()))] <= min(scores) * (1 + 1e-5)


def test_expected_doubt_by_plain_loops():
    rng = np.random.default_rng(0)
    weights = normalised(rng.normal(size=(2, 5, 4)).astype(np.float32))
    p = rng.uniform(0.05, 0.95, (5, 4, 3)).astype(np.float32)
    tau = np.linspace(0.1, 0.9, 5)
    inside = np.array([True, True, True, True, False])
    both = np.broadcast_to(tau[:, None], (5, 4))
    found = expected_variance(weights, p, tau, inside)
    np.testing.assert_allclose(
        found, expected_variance(weights, p, both, np.broadcast_to(inside[:, None], (5, 4))), rtol=1e-4
    )
    for row in range(2):
        for level in range(3):
            variance = 0.0
            for share in (p[:, :, level], 1 - p[:, :, level]):
                cells = (weights[row] * share).sum(axis=1).astype(float)
                kept = cells[inside]
                centre = kept @ tau[inside] / kept.sum()
                variance += kept @ (tau[inside] - centre) ** 2 / weights[row][inside].sum()
            assert found[row, level] == pytest.approx(variance, rel=1e-4)


def test_quantiles_are_interpolated_in_cells():
    edges = np.array([0.0, 1.0, 2.0])
    weights = np.array([[0.5], [0.5]])
    np.testing.assert_allclose(quantiles(weights, None, [0.25, 0.5, 0.95], edges), [0.5, 1.0, 1.9])


def test_incremental_is_replay_is_counts():
    sampler = answered(PosteriorMinEnt(LEVELS, random_state=2), logistic, 25)
    replayed = PosteriorMinEnt(LEVELS, random_state=2)
    for level, outcome in sampler.history:
        replayed.tell(level, outcome)
    assert replayed.estimate() == sampler.estimate()
    assert replayed.interval() == sampler.interval()
    assert replayed.ask() == sampler.ask()
    counts = sampler.counts()
    by_counts = sampler._estimates(counts.levels, counts.yes[None], counts.asked[None], Crossing(0.5))[0]
    assert by_counts == pytest.approx(sampler.estimate(), abs=1e-5)
    ends = sampler._intervals(counts.levels, counts.yes[None], counts.asked[None], Crossing(0.5), 0.9)[0]
    np.testing.assert_allclose(ends, sampler.interval(), atol=1e-5)


@settings(max_examples=30, deadline=None)
@given(
    history=st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=25),
    taken_back=st.integers(1, 5),
)
def test_undo_is_as_if_it_never_happened(history, taken_back):
    sampler, never = (PosteriorMinEnt(LEVELS, random_state=4) for _ in range(2))
    for place, outcome in history:
        sampler.tell(LEVELS[place], outcome)
        never.tell(LEVELS[place], outcome)
    before = sampler.ask(), sampler.estimate(), sampler.interval()
    for _ in range(taken_back):
        sampler.tell(sampler.ask(), True)
    sampler.undo(taken_back)
    assert (sampler.ask(), sampler.estimate(), sampler.interval()) == before
    assert (never.ask(), never.estimate(), never.interval()) == before
    low, high = before[2]
    assert low < high
    assert LEVELS[0] <= before[1] <= LEVELS[-1]


@pytest.mark.parametrize("increasing", [True, False])
def test_affine_and_log_levels_are_the_same_problem(increasing):
    plain = PosteriorMinEnt(LEVELS, increasing=increasing, random_state=5)
    moved = PosteriorMinEnt(30 * LEVELS - 7, increasing=increasing, random_state=5)
    powers = PosteriorMinEnt(10.0 ** (2 * LEVELS), scale="log", increasing=increasing, random_state=5)
    rng = np.random.default_rng(3)
    for _ in range(20):
        level = plain.ask()
        assert moved.ask() == pytest.approx(30 * level - 7)
        assert powers.ask() == pytest.approx(10 ** (2 * level))
        outcome = rng.random() < (logistic(level) if increasing else 1 - logistic(level))
        plain.tell(level, outcome)
        moved.tell(moved.ask(), outcome)
        powers.tell(powers.ask(), outcome)
    assert moved.estimate() == pytest.approx(30 * plain.estimate() - 7, rel=1e-5)
    assert np.log10(powers.estimate()) / 2 == pytest.approx(plain.estimate(), abs=1e-6)
    np.testing.assert_allclose(np.log10(powers.interval()) / 2, plain.interval(), atol=1e-6)


def test_a_falling_curve_is_a_rising_one_seen_in_a_mirror():
    rising = PosteriorMinEnt(LEVELS, random_state=5)
    falling = PosteriorMinEnt(1 - LEVELS, increasing=False, random_state=5)
    for level, outcome in answered(clone(rising), logistic, 20).history:
        rising.tell(level, outcome)
        falling.tell(1 - level, outcome)
    assert falling.estimate() == pytest.approx(1 - rising.estimate(), abs=1e-6)
    np.testing.assert_allclose(falling.interval(), 1 - np.array(rising.interval())[::-1], atol=1e-6)


# --- no silent wrong answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_log_spaced_levels(scale):
    """1, 2, 4, ..., 1024 with the truth at 8: even on the wrong scale the interval must hold it."""
    levels = 2.0 ** np.arange(11)
    found, held = [], 0
    for seed in range(12):
        sampler = PosteriorMinEnt(levels, scale=scale, random_state=seed)
        answered(sampler, lambda x: logistic(np.log2(x), 3, 0.7), 40, seed)
        low, high = sampler.interval()
        held += low <= 8 <= high
        found.append(sampler.estimate())
    assert held >= 9
    assert 6.5 < np.median(found) < 9.5


def test_which_scale_levels_suggest():
    assert suggested_scale(2.0 ** np.arange(11)) == "log"
    assert suggested_scale([1, 2, 5, 10, 20, 50, 100]) == "log"
    assert suggested_scale(np.linspace(1, 100, 20)) == "linear"
    assert suggested_scale([-4, -2, -1, 1, 2, 4]) == "linear"
    with pytest.raises(ValueError, match="positive"):
        PosteriorMinEnt([0, 1, 2], scale="log").ask()
    with pytest.raises(ValueError, match="scale"):
        PosteriorMinEnt([0, 1, 2], scale="cubic").ask()


@pytest.mark.parametrize(("outcome", "side"), [(0, "above"), (1, "below")])
@pytest.mark.parametrize("increasing", [True, False])
def test_a_threshold_outside_the_levels_is_said(outcome, side, increasing):
    sampler = PosteriorMinEnt(LEVELS, increasing=increasing, random_state=0)
    for _ in range(30):
        sampler.tell(sampler.ask(), outcome)
    side = side if increasing else {"above": "below", "below": "above"}[side]
    assert sampler.outside_ == side
    assert getattr(sampler.outside(), side) > 0.95
    assert sampler.estimate() == (LEVELS[-1] if side == "above" else LEVELS[0])
    low, high = sampler.interval()
    assert (high > LEVELS[-1]) if side == "above" else (low < LEVELS[0])
    assert high - low > 0.05
    assert PosteriorMinEnt(LEVELS).outside_ is None


@pytest.mark.parametrize("place", [0.26, 0.3, 0.34])
def test_a_step_between_two_levels_is_in_the_interval(place):
    for seed in range(5):
        sampler = PosteriorMinEnt(LEVELS, random_state=seed)
        answered(sampler, lambda x: float(x > place), 30, seed)
        low, high = sampler.interval()
        assert low <= place <= high
        assert 0.05 < high - low <= 0.15


def test_targets_that_guessing_reaches_are_refused():
    with pytest.raises(ValueError, match=r"guessing alone gives 0\.5.*0\.75"):
        PosteriorMinEnt(LEVELS, Crossing(0.5), guess_rate=0.5).ask()
    with pytest.raises(ValueError, match="guessing alone"):
        PosteriorMinEnt(LEVELS, [Crossing(0.75), Crossing(0.3)], guess_rate=1 / 3).ask()
    with pytest.raises(ValueError, match="the curve ends at"):
        PosteriorMinEnt(LEVELS, Crossing(0.99), lapse_rate=0.02).ask()
    for params in ({"guess_rate": 1.5}, {"guess_rate": "none"}, {"lapse_rate": []}, {"lapse_rate": -0.1}):
        with pytest.raises(ValueError, match=next(iter(params))):
            PosteriorMinEnt(LEVELS, **params).ask()
    with pytest.raises(ValueError, match="confidence"):
        PosteriorMinEnt(LEVELS).interval(confidence=1.2)
    assert PosteriorMinEnt(LEVELS, Crossing(0.75), guess_rate=(0.4, 0.5)).ask() in LEVELS


def test_a_plateau_is_noticed():
    def plateau(x):
        return 0.02 + 0.48 * logistic(x, 0.2, 0.01) + 0.48 * logistic(x, 0.8, 0.01)

    rng = np.random.default_rng(0)
    odd, plain = (PosteriorMinEnt(LEVELS, random_state=0) for _ in range(2))
    for level in LEVELS:
        odd.tell(level, rng.random(40) < plateau(level))
        plain.tell(level, rng.random(40) < logistic(level))
    assert odd.misfit_.found
    assert "do not look like" in odd.misfit_.message
    assert not plain.misfit_.found
    assert PosteriorMinEnt(LEVELS).misfit_.p_value == 1


@pytest.mark.parametrize("increasing", [True, False])
def test_the_interval_holds_a_plateau_at_the_target(increasing):
    """Any place on it may be the threshold, whatever smooth curves say."""
    sampler = PosteriorMinEnt(LEVELS, increasing=increasing, random_state=0)
    for level in LEVELS:
        yes = 12 if 0.3 < level < 0.7 else 24 * (level > 0.5)
        yes = yes if increasing else 24 - yes
        sampler.tell(level, [1] * yes + [0] * (24 - yes))
    low, high = sampler.interval()
    assert low <= 0.35
    assert high >= 0.65
    narrow = sampler.interval(confidence=0.5)
    assert low <= narrow.low <= narrow.high <= high


def test_the_mass_of_an_interval_as_documented():
    assert 1 - 2 * tail_mass(0.9, 30) == pytest.approx(0.82, abs=0.005)
    assert 1 - 2 * tail_mass(0.9, 120) == pytest.approx(0.87, abs=0.005)
    assert tail_mass(0.9, 90, guess_rate=0.5) == tail_mass(0.9, 30)
    assert tail_mass(0.9, 10**6) == pytest.approx(0.05, rel=1e-3)


def test_a_session_that_looks_after_every_answer_hears_few_false_alarms():
    """At the usual 5% a third of the sessions did."""
    alarms = 0
    for seed in range(10):
        sampler, found = PosteriorMinEnt(LEVELS, random_state=seed), False
        for n in range(1, 41):
            answered(sampler, logistic, 1, 1000 * seed + n)
            found |= sampler.misfit_.found
        alarms += found
    assert alarms <= 1


@pytest.mark.slow
def test_the_misfit_test_keeps_its_level():
    found = []
    for seed in range(150):
        sampler = answered(PosteriorMinEnt(LEVELS, random_state=seed), logistic, 60, seed)
        found.append(sampler.misfit_.found)
    print(f"\nfalse alarms on a logistic curve: {np.mean(found):.3f}")
    assert np.mean(found) < 0.03


# --- several thresholds, other questions -------------------------------------------------------------------


def test_several_thresholds_come_in_order():
    sampler = PosteriorMinEnt(LEVELS, [Crossing(0.25), Crossing(0.5), Crossing(0.75)], random_state=0)
    low, middle, high = answered(sampler, logistic, 90).estimate()
    assert low < middle < high
    # Thirty answers for each threshold: a root mean squared error of about 0.04.
    np.testing.assert_allclose([low, middle, high], [0.29, 0.4, 0.51], atol=0.12)


def test_trade_off_from_the_posterior():
    price = TradeOff(([0, 1], [1, 0]))
    sampler = answered(PosteriorMinEnt(LEVELS, price, random_state=0), logistic, 80, 2)
    truth = price(logistic, 0.05, 0.95)
    low, high = sampler.interval()
    assert low - 0.02 <= truth <= high + 0.02
    assert sampler.outside_ is None


def test_questions_between_the_levels():
    sampler = PosteriorMinEnt([0, 1], between=True, random_state=0)
    answered(sampler, logistic, 60, 3)
    told = {answer.level for answer in sampler.history}
    assert len(told) > 5
    assert all(0 <= level <= 1 for level in told)
    assert sampler.estimate() == pytest.approx(0.4, abs=0.1)


def test_the_curve_of_a_forced_choice_starts_at_the_guess_rate():
    sampler = PosteriorMinEnt(LEVELS, Crossing(0.75), guess_rate=0.5, random_state=0)
    with pytest.raises(ValueError, match="no answers recorded"):
        sampler.fitted()
    answered(sampler, lambda x: 0.5 + 0.5 * logistic(x), 60, 3)
    x = np.linspace(0.05, 0.95, 19)
    curve = sampler.fitted()
    low, high = curve.predict_interval(x, 0.9, n_resamples=500, random_state=0)
    assert curve.predict(x).min() > 0.49
    assert (np.diff(curve.predict(x)) >= -1e-6).all()
    assert ((low <= curve.predict(x) + 0.02) & (curve.predict(x) <= high + 0.02)).all()
    assert isinstance(clone(sampler).set_params(fit=MonotoneFit()).tell(0.55, 1).fitted(), MonotoneFit)


def test_the_grid_refines_itself():
    sampler = PosteriorMinEnt(np.linspace(0, 1, 1000), random_state=0)
    answered(sampler, lambda x: logistic(x, 0.4, 0.005), 100, 4)
    assert sampler.interval().width < 0.02
    assert sampler.estimate() == pytest.approx(0.4, abs=0.01)
    window = sampler._own()[0].window
    assert window[1] - window[0] <= 0.25


@pytest.mark.slow
@pytest.mark.parametrize("width", [0.02, 0.06])
@pytest.mark.parametrize("n_levels", [20, 100, 1000])
def test_every_question_of_a_long_session_is_quick(n_levels, width):
    """500 answers: the slowest ask and tell by processor time, the first one, which makes the hypotheses, included."""
    PosteriorMinEnt(np.linspace(0, 1, 7), random_state=0).ask()  # what NumPy and SciPy do once per process
    sampler = PosteriorMinEnt(np.linspace(0, 1, n_levels), random_state=0)
    rng, spent = np.random.default_rng(4), []
    for _ in range(500):
        start = time.process_time()
        level = sampler.ask()
        sampler.tell(level, rng.random() < logistic(level, 0.4, width))
        spent.append(time.process_time() - start)
    print(
        f"\n{n_levels} levels, ms: median {1e3 * np.median(spent):.1f}, first {1e3 * spent[0]:.1f}, "
        f"slowest other {1e3 * max(spent[1:]):.1f}"
    )
    assert max(spent) < 0.05


# --- quality, small -----------------------------------------------------------------------------------------


def test_coverage_and_error_on_a_small_study():
    levels = (np.arange(20) + 0.5) / 20
    study = simulate(
        PosteriorMinEnt(levels, Crossing(0.6), guess_rate=0.5),
        lambda x: 0.5 + 0.48 * logistic(x, 0.5, 0.08),
        30,
        budget=40,
        confidence=0.9,
        random_state=0,
    )
    assert study.coverage[0, -1] >= 0.8
    assert abs(study.bias[0, -1]) < 0.05
    with pytest.raises(ValueError, match="confidence"):
        simulate(PosteriorMinEnt(levels), logistic, 3, budget=2).coverage  # noqa: B018


def test_a_difference_from_the_first_level():
    from weaklearn.monotone import Difference

    sampler = PosteriorMinEnt(LEVELS, Difference(0.5), random_state=0)
    answered(sampler, logistic, 80, 5)
    truth = Difference(0.5)(logistic, 0.05, 0.95)
    low, high = sampler.interval()
    assert low <= truth <= high
    assert sampler.estimate() == pytest.approx(truth, abs=0.12)


@pytest.mark.parametrize(
    ("functional", "increasing"),
    [(Crossing(0.4), True), (TradeOff(([0, 1], [1, 0])), True), (TradeOff(([0, 1], [0, 1])), False)],
)
def test_the_density_is_that_of_the_estimate(functional, increasing):
    """Mean and quantiles of the plotted density are the estimate and the interval."""
    sampler = PosteriorMinEnt(LEVELS, functional, increasing=increasing, random_state=0)
    answered(sampler, logistic if increasing else lambda x: 1 - logistic(x), 25, 3)
    edges, heights = sampler.density()
    assert (np.diff(edges) > 0).all()
    mass = heights * np.diff(edges)
    middles = 0.5 * (edges[1:] + edges[:-1])
    assert mass @ middles / mass.sum() == pytest.approx(sampler.estimate(), abs=0.02)
    cumulative = np.concatenate([[0.0], np.cumsum(mass) / mass.sum()])
    for confidence in (0.5, 0.9, 0.98):
        parts = sampler.interval_parts(confidence=confidence)
        assert parts.whole == sampler.interval(confidence=confidence)
        if isinstance(functional, Crossing):
            # The cell that holds an end of the posterior's part holds the same quantile of what is drawn.
            for end, share in zip(parts.posterior, (0.5 - confidence / 2, 0.5 + confidence / 2), strict=True):
                right = np.searchsorted(edges, end)
                assert cumulative[right - 1] - 1e-6 <= share <= cumulative[right] + 1e-6


def test_the_corrected_distribution_has_the_tails_of_the_interval():
    for n, guess in ((1, 0.0), (30, 0.0), (60, 0.5)):
        for confidence in (0.5, 0.9, 0.99):
            tail = tail_mass(confidence, n, guess)
            found = calibrated(np.array([tail, 0.5, 1 - tail]), n, guess)
            np.testing.assert_allclose(found, [(1 - confidence) / 2, 0.5, (1 + confidence) / 2], atol=1e-12)


def test_one_answer_does_not_move_an_end_to_the_end_of_the_range():
    """One yes at the highest level asked does not exclude any rising curve; the posterior has something to say."""
    sampler = PosteriorMinEnt(np.linspace(0, 1, 21), random_state=0)
    sampler.tell(0.2, [0] * 5).tell(0.3, [0, 1, 0, 1, 1]).tell(0.4, [1, 1, 1]).tell(0.5, [1])
    before = sampler.interval().high
    sampler.tell(0.6, [1])
    assert abs(sampler.interval().high - before) < 0.1
    assert sampler.interval().high < 0.9


def test_a_threshold_that_no_answer_can_change():
    """The gain and the curve both fall: the first level is best whatever is answered."""
    sampler = PosteriorMinEnt(LEVELS, TradeOff(([0, 1], [1, 0])), increasing=False, random_state=0)
    answered(sampler, lambda x: 1 - logistic(x), 5, 3)
    assert sampler.estimate() == pytest.approx(LEVELS[0], abs=1e-6)
    assert sampler.ask() in LEVELS
