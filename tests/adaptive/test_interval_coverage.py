"""How often 90% intervals hold the truth. Run with ``-m slow -s`` to see the shares; docs/thresholds.md quotes them."""

import numpy as np
import pytest

from weaklearn.adaptive import BestPEST, MinEnt, PosteriorMinEnt, simulate
from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit
from weaklearn.studies.pratap2008.monotone_targets import grid, target_curve

LEVELS = grid(10)
HALF = Crossing(0.5)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["normcdf", "exponential2", "quadratic"])
@pytest.mark.parametrize("m", [3, 10])
def test_equal_allocation(target, m):
    p = target_curve(target)(LEVELS)
    truth = HALF(target_curve(target), 0, 1)
    for fit in (MonotoneFit(), LogisticFit(), HybridFit()):
        for method in ("likelihood", "bootstrap"):
            rng = np.random.default_rng(1)
            held, width = 0, 0.0
            for _ in range(300):
                fit.fit(LEVELS, rng.binomial(m, p) / m, np.full(10, m))
                found = fit.threshold_interval(HALF, 0.9, method=method, n_resamples=300, random_state=rng)
                held += found.low <= truth <= found.high
                width += found.width / 300
            print(
                f"\n{target}, {m} each, {type(fit).__name__}, {method}: held {held / 300:.3f}, width {width:.3f}"
            )
            assert held / 300 >= 0.82


@pytest.mark.slow
@pytest.mark.parametrize("target", ["normcdf", "exponential2"])
@pytest.mark.parametrize("cls", [MinEnt, PosteriorMinEnt])
def test_adaptive_questions(target, cls):
    curve = target_curve(target)
    truth = HALF(curve, 0, 1)
    held = 0
    for seed in range(120):
        params = {"n_resamples": 20} if cls is MinEnt else {}
        sampler, rng = cls(LEVELS, random_state=seed, **params), np.random.default_rng(seed)
        for _ in range(30):
            level = sampler.ask()
            sampler.tell(level, rng.random() < curve(np.array([level]))[0])
        low, high = sampler.interval()
        held += low <= truth <= high
    print(f"\n{target}, {cls.__name__}, 30 answers: held {held / 120:.3f}")
    assert held / 120 >= 0.80


@pytest.mark.slow
def test_the_bias_of_best_pest_is_its_tie_rule():
    curve = target_curve("exponential")
    bias = {}
    for ties in ("lower", "random", "upper"):
        sampler = BestPEST(LEVELS, Crossing(0.612), ties=ties)
        bias[ties] = float(simulate(sampler, curve, 2000, budget=30, random_state=0).bias[0, -1])
    print(f"\nbias of the 61.2% threshold, exponential: {bias}")
    assert bias["lower"] < bias["random"] < bias["upper"]
    assert abs(bias["random"]) < min(abs(bias["lower"]), abs(bias["upper"]))
