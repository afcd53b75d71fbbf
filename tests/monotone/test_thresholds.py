"""Functionals and intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit, ProbitFit, SplineFit, TradeOff


def test_crossing_of_a_broken_line():
    fit = MonotoneFit().fit([0, 1, 2, 3, 4], [0, 0.5, 0.5, 1, 1])
    assert fit.threshold(Crossing(0.5)) == 1.5  # the middle of the flat stretch
    assert fit.threshold(Crossing(0.25)) == 0.5
    assert fit.threshold(Crossing(0.75)) == 2.5
    high = MonotoneFit().fit([0, 1], [0.6, 0.9])
    assert high.threshold(Crossing(0.5)) == 0
    assert high.threshold(Crossing(0.5), bounds=(-2, 2)) == -2
    assert high.threshold(Crossing(0.95)) == 1
    falling = MonotoneFit(increasing=False).fit([0, 1, 2], [1, 0.5, 0])
    assert falling.threshold(Crossing(0.75)) == 0.5
    assert falling.threshold(Crossing(0.25)) == 1.5


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 0.95), increasing=st.booleans())
def test_the_formula_and_bisection_agree(seed, level, increasing):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(8)) * 10
    values = np.sort(rng.integers(0, 6, 8) / 5)[:: 1 if increasing else -1]
    fit = MonotoneFit(increasing=increasing).fit(x, values)
    by_bisection = Crossing(level)(fit.predict, x[0], x[-1])
    assert fit.threshold(Crossing(level)) == pytest.approx(by_bisection, abs=1e-9 * (x[-1] - x[0]) + 1e-9)


def test_cubic_thresholds_lie_on_the_cubic():
    fit = MonotoneFit(interpolation="cubic").fit([0, 1, 2, 3], [0.1, 0.2, 0.7, 1.0])
    at = fit.threshold(Crossing(0.4))
    assert fit.predict([at])[0] == pytest.approx(0.4)
    many = fit.threshold_many(
        np.arange(4.0), np.array([[0.1, 0.2, 0.7, 1.0]]), np.ones((1, 4)), Crossing(0.4)
    )
    assert many[0] == pytest.approx(at)


def test_trade_off_finds_the_best_price():
    x = np.linspace(0, 1, 21)
    p = x**2  # (1 - x) x^2 is largest at 2/3
    fit = MonotoneFit(interpolation="cubic").fit(x, p)
    assert fit.threshold(TradeOff(lambda at: 1 - at)) == pytest.approx(2 / 3, abs=2e-3)
    points = TradeOff(([0, 1], [1, 0]))
    many = MonotoneFit().threshold_many(x, p[None], np.ones((1, 21)), points)
    line = MonotoneFit().fit(x, p)
    assert many[0] == pytest.approx(line.threshold(points), abs=3e-3)
    brute = np.linspace(0, 1, 100_001)
    assert line.threshold(points) == pytest.approx(
        brute[np.argmax((1 - brute) * line.predict(brute))], abs=1e-4
    )


@pytest.mark.parametrize("gain", [5, ([0, 1], [1]), ([1, 0], [1, 2]), ([0, 1], [1, np.nan])])
def test_trade_off_refuses(gain):
    with pytest.raises(ValueError, match="gain"):
        TradeOff(gain)


@pytest.mark.parametrize("level", [0, 1, -0.5, 2])
def test_crossing_refuses(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        Crossing(level)


def test_functionals_of_the_user():
    def steepest(curve, low, high):
        x = np.linspace(low, high, 101)
        return float(x[np.argmax(np.diff(curve(x)))])

    fit = MonotoneFit().fit([0, 1, 2, 3], [0, 0.1, 0.9, 1])
    assert 0.9 < fit.threshold(steepest) < 2
    many = fit.threshold_many(np.arange(4.0), np.array([[0, 0.1, 0.9, 1]]), np.ones((1, 4)), steepest)
    assert many[0] == fit.threshold(steepest)


def brute_force_interval(x, y, m, level, confidence, low, high):
    """Every p on a grid, monotone, by dynamic programming: the largest likelihood with and without the crossing."""
    grid = np.union1d(np.linspace(0, 1, 401), [level])
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.array(
            [
                np.where(k > 0, n * k * np.log(grid), 0) + np.where(k < 1, n * (1 - k) * np.log1p(-grid), 0)
                for k, n in zip(y, m, strict=True)
            ]
        )

    def best(limits):
        reach = np.zeros(len(grid))
        for i in range(len(x)):
            allowed = (grid >= limits[i][0]) & (grid <= limits[i][1])
            reach = np.maximum.accumulate(np.where(allowed, reach + cost[i], -np.inf))
        return reach[-1]

    top = best([(0, 1)] * len(x))
    edges = [low, *x, high]
    good = [
        j
        for j in range(len(x) + 1)
        if top - best([(0, level) if i < j else (level, 1) for i in range(len(x))])
        <= chi2.ppf(confidence, 1) / 2
    ]
    return edges[good[0]], edges[good[-1] + 1]


@pytest.mark.parametrize("seed", range(12))
def test_likelihood_interval_of_a_monotone_curve_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    x, m = np.arange(7.0), rng.integers(1, 6, 7).astype(float)
    y = rng.binomial(m.astype(int), np.sort(rng.random(7))) / m
    found = MonotoneFit().fit(x, y, m).threshold_interval(Crossing(0.6), 0.9, method="likelihood")
    assert tuple(found) == brute_force_interval(x, y, m, 0.6, 0.9, 0, 6)
    mirrored = (
        MonotoneFit(increasing=False)
        .fit(-x, y, m)
        .threshold_interval(Crossing(0.6), 0.9, method="likelihood")
    )
    assert tuple(mirrored) == (-found.high, -found.low)


@pytest.mark.parametrize("seed", range(8))
def test_likelihood_interval_of_a_logistic_curve_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    x, m = np.arange(8.0), np.full(8, 4.0)
    y = rng.binomial(4, 1 / (1 + np.exp(-(x - 3.2)))) / 4
    fit = LogisticFit().fit(x, y, m)
    low, high = fit.threshold_interval(Crossing(0.5), 0.9, method="likelihood")
    assert low < fit.threshold() < high

    def likelihood(centre, slope):
        odds = centre[..., None] + slope[..., None] * x
        return (m * (y * odds - np.logaddexp(0, odds))).sum(axis=-1)

    places, slopes = np.linspace(0, 7, 701), np.linspace(0, 16, 3201)
    profile = np.array([likelihood(-slopes * place, slopes).max() for place in places])
    inside = places[profile >= profile.max() - chi2.ppf(0.9, 1) / 2]
    assert low == pytest.approx(inside[0], abs=0.03)
    assert high == pytest.approx(inside[-1], abs=0.03)
    mirrored = (
        LogisticFit(increasing=False)
        .fit(-x, y, m)
        .threshold_interval(Crossing(0.5), 0.9, method="likelihood")
    )
    assert tuple(mirrored) == pytest.approx((-high, -low))


@pytest.mark.parametrize(
    ("increasing", "share", "end"), [(True, 0, 2), (True, 1, 0), (False, 0, 0), (False, 1, 2)]
)
def test_likelihood_interval_when_the_level_is_never_reached(increasing, share, end):
    fit = LogisticFit(increasing=increasing).fit([0, 1, 2], [share] * 3, [90] * 3)
    assert fit.threshold_interval(method="likelihood") == (end, end)


@pytest.mark.parametrize(
    "fit", [MonotoneFit(), LogisticFit(), ProbitFit(), HybridFit()], ids=lambda fit: type(fit).__name__
)
@pytest.mark.parametrize("method", ["likelihood", "bootstrap"])
def test_intervals_cover(fit, method):
    """A 90% interval holds the truth in most of 150 experiments; 0.80 is four standard errors below 0.90."""
    rng = np.random.default_rng(0)
    x, m = np.linspace(0, 1, 10), np.full(10, 6)
    p = 1 / (1 + np.exp(-(x - 0.45) / 0.12))
    held = 0
    for _ in range(150):
        fit.fit(x, rng.binomial(m, p) / m, m)
        low, high = fit.threshold_interval(
            Crossing(0.5), 0.9, method=method, n_resamples=300, random_state=rng
        )
        held += low <= 0.45 <= high
    assert held / 150 >= 0.80


def test_intervals_do_not_collapse_on_separated_answers():
    for fit in (MonotoneFit(), LogisticFit(), ProbitFit(), SplineFit(), HybridFit()):
        fit.fit([0, 1, 2, 3], [0, 0, 1, 1], [3, 3, 3, 3])
        for method in ("likelihood", "bootstrap"):
            interval = fit.threshold_interval(method=method, random_state=0)
            assert interval.low < 1.5 < interval.high
            assert interval.width >= 0.4


def test_bands_hold_the_curve():
    x = np.linspace(0, 1, 30)
    for fit in (
        MonotoneFit(),
        LogisticFit(),
        ProbitFit(),
        SplineFit(),
        HybridFit(),
        MonotoneFit(interpolation="cubic"),
    ):
        fit.fit([0.1, 0.4, 0.6, 0.9], [0.1, 0.4, 0.5, 0.9], [10, 10, 10, 10])
        low, high = fit.predict_interval(x, random_state=0)
        assert (low <= fit.predict(x) + 0.05).all()
        assert (fit.predict(x) <= high + 0.05).all()
        assert (high - low > 0.02).all()


def test_interval_arguments():
    fit = MonotoneFit().fit([0, 1], [0, 1])
    with pytest.raises(ValueError, match="method"):
        fit.threshold_interval(method="magic")
    with pytest.raises(ValueError, match="Crossing"):
        fit.threshold_interval(TradeOff(([0, 1], [1, 0])), method="likelihood")
    with pytest.raises(ValueError, match="confidence"):
        fit.threshold_interval(confidence=90)
    with pytest.raises(ValueError, match="between 0 and 1"):
        MonotoneFit().fit([0, 1], [0, 7]).threshold_interval()
    with pytest.raises(ValueError, match="low <= high"):
        fit.threshold(bounds=(2, 1))


def test_difference_of_one_curve_and_of_many_lines():
    from weaklearn.monotone import Difference

    x = np.linspace(0, 1, 11)
    rng = np.random.default_rng(0)
    rows = np.sort(rng.random((30, 11)), axis=1)
    for increasing in (True, False):
        values = rows if increasing else rows[:, ::-1]
        many = Difference(0.4).of_lines(x, values, 0.0, 1.0, increasing)
        one = [Difference(0.4)(lambda at, row=row: np.interp(at, x, row), 0.0, 1.0) for row in values]
        np.testing.assert_allclose(many, one, atol=1e-9)
    assert Difference(0.9)(lambda at: 0.5 * at, 0.0, 1.0) == 1.0
    with pytest.raises(ValueError, match="amount"):
        Difference(0)
