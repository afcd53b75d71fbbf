"""The printed program of barnes1999, appendix B, line by line, against the step rule."""

import math

import numpy as np
import pytest

from weaklearn.boosting import PBoostClassifier
from weaklearn.boosting.p_hull._pnorm import newton_step
from weaklearn.datasets import make_ring
from weaklearn.stumps import DecisionStump


def program(X, y, p, n_rounds):
    """`trainagain.m` with the sloppy cost, translated as literally as Python allows."""
    n = len(y)
    w = np.ones(n) / n
    b, marg, stumps = np.array([]), None, []
    while len(b) < n_rounds:
        stump = DecisionStump().fit(X, y, sample_weight=w)
        u = y * stump.predict(X)
        error = w[u < 0].sum()
        if error == 0 or error >= 0.5:
            break
        iterations = len(b)
        if iterations == 0:
            alpha, marg, new_b = 1.0, u.astype(float), np.array([1.0])
        else:
            new_alpha, d, min_d, max_d, last_c, iteration = 0.5 / iterations, 1.0, math.inf, -math.inf, 1e6, 0
            while abs(d) >= 0.001 and iteration < 1000:
                alpha = new_alpha
                e = np.exp(-(marg + alpha * u))
                c, d, d2 = e.sum(), -(u * e).sum(), (u * u * e).sum()
                min_d, max_d = min(d, min_d), max(d, max_d)
                if d2 < np.finfo(float).eps:
                    d2 = 0.01
                new_alpha = max(alpha / 2, alpha - d / d2)
                if abs(c - last_c) < 0.001 and min_d * max_d > 0:
                    break
                last_c = c
                iteration += 1
            marg = marg + alpha * u
            new_b = np.append(b, alpha)
            new_b = new_b / (new_b**p).sum() ** (1 / p)
        b = new_b
        stumps.append((stump.feature_, stump.threshold_))
        logs = -(marg - marg.min())
        w = np.exp(logs) / np.exp(logs).sum()
    return b, stumps


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5])
def test_the_rule_is_the_printed_program(p):
    X, y = make_ring(40, noise=0.2, random_state=3)
    y = np.where(y == np.unique(y)[1], 1, -1)
    model = PBoostClassifier(n_estimators=120, variant="sloppy_newton", p=p).fit(X, y)
    b, stumps = program(X, y, p, 120)
    assert [(h.feature_, h.threshold_) for h in model.estimators_] == stumps
    assert model.estimator_weights_ == pytest.approx(b, rel=1e-6)
    assert (model.estimator_weights_**p).sum() == pytest.approx(1.0)


def test_a_search_with_room_finds_the_minimum():
    """With a cost far above the tolerance, Newton's method ends near AdaBoost's step."""
    rng = np.random.default_rng(0)
    margins = rng.normal(size=200) - 3
    u = np.where(rng.random(200) < 0.7, 1.0, -1.0)
    weights = np.exp(-margins)
    right, wrong = weights[u > 0].sum(), weights[u < 0].sum()
    step = newton_step(margins, u, np.ones(200), 0.5)
    assert step == pytest.approx(0.5 * math.log(right / wrong), abs=1e-5)


def test_a_tiny_cost_ends_the_search_at_its_start():
    margins = np.full(10, 20.0)
    u = np.array([1.0] * 9 + [-1.0])
    assert newton_step(margins, u, np.ones(10), 0.01) == 0.01


def test_a_hypothesis_without_errors_ends_training_and_is_dropped():
    X = np.arange(6.0)[:, None]
    model = PBoostClassifier(variant="sloppy_newton").fit(X, X[:, 0] > 2)
    assert (model.stop_reason_, model.n_iter_) == ("perfect", 0)


def test_the_kink_of_figure_65_appears():
    """ring30, 50 examples: at some round the tolerance takes over for good, and the training error then falls."""
    X, y = make_ring(50, noise=0.3, random_state=2)
    model = PBoostClassifier(n_estimators=4000, variant="sloppy_newton", p=1.0).fit(X, y)
    steps = np.array([stage[0] for stage in model._stages])
    unsearched = np.isclose(steps[1:], 0.5 / np.arange(1, 4000), rtol=1e-12)
    kink = np.flatnonzero(~unsearched).max() + 1
    assert 100 < kink < 3000
    assert not unsearched[50:kink].any()
    assert model.error_curve_[3000:].mean() < 0.5 * model.error_curve_[300:kink].mean()
    default = PBoostClassifier(n_estimators=4000, p=1.0).fit(X, y)
    assert default.error_curve_[3000:].mean() > 2 * model.error_curve_[3000:].mean()
