"""The claims of pratap2008, chapter 3, counted on simulated experiments. Run with ``-m slow -s`` to see the tables.

The numbers in docs/thresholds.md are what these tests print.
"""

import numpy as np
import pytest

from weaklearn.adaptive import BestPEST, EqualAllocation, MinEnt, PosteriorMinEnt, simulate
from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit
from weaklearn.studies.pratap2008.monotone_targets import TARGETS, grid, target_curve
from weaklearn.studies.pratap2008.monotone_trials import allocation, drawn_deviations

LEVELS = grid(10)
THRESHOLDS = (0.5, 0.612)


def studies(samplers, n_runs, level, target, seed=0):
    """The squared errors (n_runs,) of each sampler after 30 answers, all with the same luck."""
    errors = {}
    for name, sampler in samplers.items():
        sampler.set_params(functional=Crossing(level))
        study = simulate(sampler, target_curve(target), n_runs, budget=30, random_state=seed)
        errors[name] = (study.estimates[0, :, -1] - study.truth[0]) ** 2
    return errors


def show(title, names, rows):
    print(f"\n{title}\n{'':22}" + "".join(f"{name:>18}" for name in names))
    for label, values in rows:
        print(f"{label:22}" + "".join(f"{value:18.5f}" for value in values))


@pytest.mark.slow
def test_hybrid_fit_deviates_less_than_monotone_fit():
    """8 targets x 2 allocations x 3 sizes, 2,000 paired runs each."""
    fits = {"MonFit": MonotoneFit(), "HybridFit": HybridFit(), "LogFit": LogisticFit()}
    rows, better, logistic_best = [], 0, 0
    for allocated in ("one", "centre"):
        for size in (10, 20, 50):
            counts = allocation(allocated, size)
            for position, target in enumerate(TARGETS):
                uniform = np.random.default_rng([position, size]).random((2000, int(counts.sum())))
                found = {name: drawn_deviations(fit, target, counts, uniform) for name, fit in fits.items()}
                gain = found["MonFit"] - found["HybridFit"]
                mean = [found[name].mean() for name in fits]
                rows.append(
                    (f"{target} {allocated} {size}", [*mean, gain.mean() / (gain.std() / np.sqrt(2000))])
                )
                better += mean[1] < mean[0]
                logistic_best += mean[2] < min(mean[:2])
    show(
        "mean deviation (last: how many standard errors HybridFit is below MonFit)", [*fits, "paired t"], rows
    )
    print(f"HybridFit below MonFit in {better} of {len(rows)}; LogFit below both in {logistic_best}")
    assert better == len(rows)


@pytest.mark.slow
def test_equal_columns_of_table_3_4():
    """Variances within 30% in nine of twelve cells, with 10 locations and 3 answers each."""
    from weaklearn.lab import load_published

    printed = {(c.row, c.column): c.value for c in load_published("pratap2008") if c.table == "3.4"}
    rows, outside = [], set()
    for target in ("linear", "weibull", "normcdf", "tr", "exponential", "exponential2"):
        for name, fit in (("Equal-Logfit", LogisticFit()), ("Equal-MonFit", MonotoneFit())):
            sampler = EqualAllocation(LEVELS, Crossing(0.612), fit=fit)
            study = simulate(sampler, target_curve(target), 10_000, budget=30, random_state=0)
            ours, theirs = study.variance[0, -1], printed[target, f"{name} variance"]
            rows.append((f"{target} {name}", [ours, theirs, ours / theirs]))
            if abs(ours / theirs - 1) > 0.3:
                outside.add((target, name))
    show("variance of the 61.2% threshold", ["ours", "published", "ratio"], rows)
    print(f"within 30%: {len(rows) - len(outside)} of {len(rows)}")
    # These three are not reproduced (ratios 0.62, 0.69, 1.34), whatever grid was tried.
    assert outside <= {
        ("linear", "Equal-Logfit"),
        ("normcdf", "Equal-MonFit"),
        ("exponential2", "Equal-MonFit"),
    }


@pytest.mark.slow
def test_minent_against_equal_allocation_and_past_the_thesis():
    n_runs = 1000
    samplers = {
        "Equal-MonFit": EqualAllocation(LEVELS, fit=MonotoneFit()),
        "MinEnt-MonFit": MinEnt(LEVELS, fit=MonotoneFit(), smooth=False),
        "Equal-LogFit": EqualAllocation(LEVELS, fit=LogisticFit()),
        "BestPEST": BestPEST(LEVELS),
        "MinEnt-posterior": PosteriorMinEnt(LEVELS),
    }
    rows, over_equal, past = [], 0, 0
    for level in THRESHOLDS:
        for target in TARGETS:
            errors = studies(samplers, n_runs, level, target)
            mean = {name: one.mean() for name, one in errors.items()}
            rows.append((f"{target} {level}", list(mean.values())))
            over_equal += mean["MinEnt-MonFit"] < mean["Equal-MonFit"]
            past += mean["MinEnt-posterior"] < min(mean["Equal-LogFit"], mean["BestPEST"])
    show(f"mean squared error after 30 answers, {n_runs} runs", list(samplers), rows)
    print(f"MinEnt-MonFit below Equal-MonFit in {over_equal} of 16")
    print(f"MinEnt-posterior below Equal-LogFit and BestPEST in {past} of 16")
    assert over_equal >= 14
    assert past >= 12


@pytest.mark.slow
def test_minent_with_other_fits_inside():
    """The resampling MinEnt with other fits inside, against the same baselines: the logistic one beats them too."""
    n_runs = 200
    samplers = {
        "Equal-LogFit": EqualAllocation(LEVELS, fit=LogisticFit()),
        "BestPEST": BestPEST(LEVELS),
        "MinEnt-HybridFit": MinEnt(LEVELS, fit=HybridFit(), n_resamples=20),
        "MinEnt-LogFit": MinEnt(LEVELS, fit=LogisticFit(), n_resamples=20),
    }
    rows, wins = [], dict.fromkeys(list(samplers)[2:], 0)
    for level in THRESHOLDS:
        for target in TARGETS:
            mean = {name: one.mean() for name, one in studies(samplers, n_runs, level, target).items()}
            rows.append((f"{target} {level}", list(mean.values())))
            for name in wins:
                wins[name] += mean[name] < min(mean["Equal-LogFit"], mean["BestPEST"])
    show(f"mean squared error after 30 answers, {n_runs} runs", list(samplers), rows)
    print("below both baselines, of 16:", wins)
    assert wins["MinEnt-LogFit"] >= 12


@pytest.mark.parametrize("target", TARGETS)
def test_targets_are_probabilities_that_rise(target):
    x = np.linspace(0, 1, 101)
    p = target_curve(target)(x)
    assert ((p >= 0) & (p <= 1)).all()
    assert (np.diff(p) > 0).all()
    assert p[-1] > 0.612
