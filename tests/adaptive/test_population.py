"""Mean and spread of several observers."""

import csv
import io

import numpy as np
import pytest
from scipy.stats import norm

from weaklearn.adaptive import MinEnt, PosteriorMinEnt, Session, population
from weaklearn.adaptive._population import _fitted, _likelihood
from weaklearn.adaptive.sessions import long_csv
from weaklearn.monotone import Crossing

LEVELS = np.linspace(0, 1, 21)


def observers(thresholds, n=8, levels=LEVELS, **params):
    """Observers without doubt: they answer without error, so their thresholds are known to half a level."""
    found = []
    for seed, place in enumerate(thresholds):
        one = PosteriorMinEnt(levels, random_state=seed, **params)
        for _ in range(n):
            level = one.ask()
            one.tell(level, (level > place) == one.increasing)
        found.append(one)
    return found


def test_observers_who_are_certain_are_averaged():
    thresholds = np.random.default_rng(0).normal(0.45, 0.1, 40)
    found = population(observers(thresholds, 20))
    assert found.mean == pytest.approx(thresholds.mean(), abs=0.01)
    assert found.spread == pytest.approx(thresholds.std(ddof=1), rel=0.1)
    assert found.averaged == pytest.approx((found.mean, found.spread), rel=0.1)
    assert found.mean_interval.low < found.mean < found.mean_interval.high
    assert found.mean_interval.width == pytest.approx(2 * 1.645 * thresholds.std() / np.sqrt(40), rel=0.15)
    for one, place in zip(found.observers, thresholds, strict=True):
        assert one.shrunk == pytest.approx(place, abs=0.05)
        assert one.interval.low <= one.shrunk <= one.interval.high


def test_the_likelihood_of_the_population_is_a_sum_over_thresholds():
    """One round, flat shapes: against a numerical integral for every mean and spread of the grid."""
    sampler = PosteriorMinEnt(LEVELS).tell(0.4, [0, 1]).tell(0.6, 1)
    edges, likelihood, prior = _likelihood(sampler, Crossing(0.5), False)
    grid = sampler._model().hypotheses()
    p = {u: grid.column(u)[0].astype(float) for u in (0.4, 0.6)}
    direct = p[0.4] * (1 - p[0.4]) * p[0.6]
    np.testing.assert_allclose(likelihood, direct / direct.max(), rtol=1e-4)
    np.testing.assert_allclose(prior.sum(), 1)
    places = np.linspace(-4, 5, 180_001)
    at = likelihood @ prior
    step = at[np.clip(np.searchsorted(edges, places) - 1, 0, len(at) - 1)]
    means, spreads = np.linspace(-0.2, 1.2, 121), np.geomspace(0.02, 0.5, 60)
    chances = np.diff(norm.cdf((edges - means[:, None, None]) / spreads[:, None]), axis=-1)
    weights, (found,) = _fitted([(edges, likelihood, prior)], [chances], spreads, rounds=1)
    np.testing.assert_allclose(found, at)
    for m, s in ((30, 10), (60, 40), (100, 59)):
        expected = [
            np.trapezoid(norm.pdf(places, means[i], spreads[j]) * step, places) * spreads[j]
            for i, j in ((m, s), (50, 50))
        ]
        assert weights[m, s] / weights[50, 50] == pytest.approx(expected[0] / expected[1], rel=1e-3)


def test_error_of_measurement_is_taken_out():
    """All observers have the same threshold: what spread there is, is error."""
    rng = np.random.default_rng(1)
    found = []
    for seed in range(20):
        one = PosteriorMinEnt(LEVELS, random_state=seed)
        for _ in range(15):
            level = one.ask()
            one.tell(level, bool(rng.random() < norm.cdf((level - 0.4) / 0.12)))
        found.append(one)
    result = population(found)
    assert result.spread < 0.8 * result.averaged[1]
    assert result.mean == pytest.approx(0.4, abs=0.04)
    shrunk = [one.shrunk for one in result.observers]
    assert np.std(shrunk) < np.std([one.estimate for one in result.observers])


def test_falling_curves_and_log_levels():
    down = population(observers([0.3, 0.4, 0.5], increasing=False))
    assert down.mean == pytest.approx(0.4, abs=0.05)
    levels = 2.0 ** np.arange(0, 10.5, 0.5)
    places = 2.0 ** np.array([3.1, 4.1, 5.1, 6.1])
    log = population(observers(places, levels=levels, scale="log"))
    assert log.scale == "log"
    assert log.mean == pytest.approx(2**4.6, rel=0.15)
    assert 2 < log.spread < 4.5  # one octave and 0.29 more between observers, as a factor
    assert log.averaged[1] == pytest.approx(2**1.29, rel=0.15)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ([PosteriorMinEnt(LEVELS)], "at least two observers, got 1"),
        ([PosteriorMinEnt(LEVELS), MinEnt(LEVELS)], "sessions of PosteriorMinEnt"),
        ([PosteriorMinEnt(LEVELS), PosteriorMinEnt(LEVELS, Crossing(0.7))], "same target"),
        ([PosteriorMinEnt(LEVELS), PosteriorMinEnt(LEVELS, increasing=False)], "same target"),
    ],
)
def test_what_is_no_population(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        population(given)
    with pytest.raises(ValueError, match="confidence"):
        population([PosteriorMinEnt(LEVELS)] * 2, confidence=2)


def test_the_long_table(tmp_path):
    sessions = []
    for subject in ("anna", "=ben"):
        session = Session.create(
            tmp_path / f"{subject[-3:]}.json", [1, 2, 3], about={"subject": subject}, seed=1
        )
        session.answer(2, True)
        session.answer(1, False)
        sessions.append(session)
    rows = list(csv.DictReader(io.StringIO(long_csv(sessions))))
    assert [row["subject"] for row in rows] == ["anna", "anna", "'=ben", "'=ben"]
    counts = np.array([[float(row[name]) for name in ("level", "outcome", "answers")] for row in rows])
    np.testing.assert_array_equal(counts, [[2, 1, 1], [1, 0, 1]] * 2)
