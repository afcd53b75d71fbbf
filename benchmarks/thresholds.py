"""Speed of monotone fits and adaptive questions; how good the answers are: `weaklearn reproduce thresholds`.

An isotonic fit of length 20 is a few dozen comparisons; a call from Python costs more than that whatever is behind it.
Many fits go into one call, as resampling needs.
"""

import importlib.util

import numpy as np
from scipy.optimize import isotonic_regression

from benchmarks.timing import Row, best_time
from weaklearn.adaptive import MinEnt, PosteriorMinEnt
from weaklearn.monotone import HybridFit, MonotoneFit


def batch_row():
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 20)
    m = rng.integers(1, 6, (5000, 20))
    y = rng.binomial(m, x) / m
    weights = m.astype(float)
    fit = MonotoneFit()
    ours = best_time(lambda: fit.fit_many(x, y, weights)) / len(y)
    some = list(zip(y[:500], weights[:500], strict=True))
    peer = best_time(lambda: [isotonic_regression(row, weights=w) for row, w in some]) / len(some)
    return Row(
        "isotonic fit of length 20, in a batch, against scipy's call", ours, peer, peer / ours, ">= 30"
    )


def answered(sampler, n=40):
    rng = np.random.default_rng(1)
    for _ in range(n):
        level = sampler.ask()
        sampler.tell(level, rng.random() < 1 / (1 + np.exp(-(level - 0.4) / 0.1)))
    return sampler


def question_rows():
    levels = np.linspace(0, 1, 20)
    samplers = {
        "MinEnt question, 20 levels, 200 resamples, MonotoneFit": MinEnt(
            levels, fit=MonotoneFit(), n_resamples=200
        ),
        "MinEnt question, 20 levels, 200 resamples, HybridFit": MinEnt(
            levels, fit=HybridFit(), n_resamples=200
        ),
        "MinEnt question, 20 levels, defaults": MinEnt(levels),
        "PosteriorMinEnt question, 20 levels, 20,000 hypotheses": PosteriorMinEnt(levels),
    }
    peer = np.nan
    if importlib.util.find_spec("questplus"):
        import questplus

        quest = questplus.QuestPlus(
            stim_domain={"intensity": levels},
            func="norm_cdf",
            stim_scale="linear",
            param_domain={
                "mean": np.linspace(0, 1, 41),
                "sd": np.geomspace(0.035, 1.0, 12),
                "lower_asymptote": [0.0],
                "lapse_rate": [0.0],
            },
            outcome_domain={"response": ["yes", "no"]},
            stim_selection_method="min_entropy",
            param_estimation_method="mean",
        )

        def step():
            quest.update(stim={"intensity": levels[8]}, outcome={"response": "yes"})
            return quest.next_stim

        peer = best_time(step, repeats=15)
    rows = []
    for what, sampler in samplers.items():
        answered(sampler.set_params(random_state=0))
        ours = best_time(sampler.ask, repeats=15)
        rows.append(
            Row(
                f"{what}, against a step of questplus (492 hypotheses)",
                ours,
                peer,
                peer / ours,
                "ours < 20 ms",
            )
        )
    return rows


def run():
    return [batch_row(), *question_rows()]
