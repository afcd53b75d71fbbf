"""DOOM: its cost, its exchanges against a dense search, and what it does to AdaBoost's combination."""

import numpy as np
import pytest

from weaklearn.boosting import AdaBoostClassifier, DoomClassifier
from weaklearn.boosting._doom import Ramp, recombine
from weaklearn.datasets import flip_labels, make_ring
from weaklearn.stumps import DecisionStump


def test_the_cost_is_continuous_falling_and_has_its_slopes():
    ramp = Ramp(0.3)
    np.testing.assert_allclose(ramp.value([-1, 0, 0.3, 1]), [1.2, 1.1, 0.1, 0], atol=1e-12)
    margins = np.linspace(-1, 1, 2001)[:-1] + 1e-4  # no kink among them
    numeric = (ramp.value(margins + 1e-7) - ramp.value(margins - 1e-7)) / 2e-7
    np.testing.assert_allclose(ramp.slope(margins), numeric, rtol=1e-5)
    assert (ramp.slope(margins) < 0).all()


def test_an_exchange_goes_as_far_as_lowers_the_cost_most():
    rng = np.random.default_rng(0)
    for _ in range(20):
        votes = rng.choice([-1.0, 1.0], size=(2, 9))
        start, weight = np.array([0.7, 0.3]), rng.random(9)
        ramp = Ramp(rng.uniform(0.05, 0.6))

        def total(share, votes=votes, weight=weight, ramp=ramp):
            return weight @ ramp.value(np.array([share, 1 - share]) @ votes)

        path = recombine(ramp, votes, start, weight, 1)
        best = min(total(share) for share in np.linspace(0, 1, 5001))
        found = total(path[-1][0]) if path else total(0.7)
        # One direction of the two: the least cost on its side of the start.
        side = np.linspace(0, 0.7, 3501) if path and path[-1][0] < 0.7 else np.linspace(0.7, 1, 1501)
        if path:
            assert found <= min(total(share) for share in side) + 1e-9
        assert best - 1e-9 <= found <= total(0.7)


def test_exchanges_stay_in_the_simplex_and_lower_the_cost():
    rng = np.random.default_rng(1)
    votes = np.where(rng.random((30, 60)) < 0.6, 1.0, -1.0)
    start, ramp = np.full(30, 1 / 30), Ramp(0.2)
    path = recombine(ramp, votes, start, np.ones(60), 100)
    costs = [ramp.value(row @ votes).sum() for row in (start, *path)]
    assert len(path) > 5
    assert (np.diff(costs) < 0).all()
    for row in path:
        assert row.min() >= 0
        assert row.sum() == pytest.approx(1)


def test_it_recombines_the_hypotheses_of_adaboost():
    X, y = make_ring(150, random_state=0)
    y, _ = flip_labels(y, 0.2, random_state=0)
    plain = AdaBoostClassifier(DecisionStump(), 60).fit(X, y)
    doom = DoomClassifier(n_estimators=60, theta=0.3).fit(X, y)
    start = DoomClassifier(n_estimators=60, theta=0.3, n_descent=0).fit(X, y)
    np.testing.assert_allclose(
        start.decision_function(X), plain.decision_function(X) / plain.estimator_weights_.sum(), atol=1e-12
    )
    assert doom.cost_curve_[-1] < doom.cost_curve_[60] == start.cost_curve_[-1]
    margins = np.where(y == doom.classes_[1], 1, -1) * doom.decision_function(X)
    assert doom.cost_curve_[-1] == pytest.approx(Ramp(0.3).value(margins).mean())
    assert len(list(doom.staged_decision_function(X))) == len(doom.cost_curve_)
    np.testing.assert_array_equal(
        doom.truncated(20).predict(X), DoomClassifier(n_estimators=20, theta=0.3).fit(X, y).predict(X)
    )
