"""Trials of pratap2008, chapter 3: monotone curves and their thresholds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.adaptive import simulate
from weaklearn.lab import Trial, protocol
from weaklearn.monotone import Crossing
from weaklearn.studies.pratap2008.monotone_targets import grid, target_curve


def make_target(target: str, n_levels: int, level: float = 0.5, random_state: int | None = None):
    """The levels (as a column) and the true probabilities there; nothing is random. ``level`` is for `threshold`."""
    x = grid(n_levels)
    return x[:, None], target_curve(target)(x)


def _params(trial: Trial) -> dict[str, Any]:
    assert trial.data is not None
    return trial.data["params"]


def level_below(levels, estimates):
    """The level at or below each estimate; the lowest level where there is none. Levels increase."""
    # An estimate at a level belongs to it, whatever its last bits.
    return levels[np.maximum(np.searchsorted(levels, estimates + 1e-9, side="right") - 1, 0)]


@protocol("threshold", version=2)
def threshold(trial: Trial, n_runs: int, budget: int) -> Mapping[str, Any]:
    """A study of ``n_runs`` simulated experiments; all samplers get the same random numbers.

    The parameter ``level`` of the data is the target probability of "yes"; with the setting ``answers`` "upper ends"
    the answers at a level are those at the upper end of its bin.

    Records `bias` (the distance of the mean estimate from the truth), `variance` and `squared_error` after the whole
    budget, `grid_bias` and `grid_variance` (those of the level at or below the estimate, or of the lowest), and
    `curve`: the mean squared error when every level has been asked once on average and from then on.
    """
    levels = trial.load()[0][:, 0]
    functional = Crossing(_params(trial)["level"])
    sampler = trial.build().set_params(functional=functional, levels=levels)
    curve = target_curve(_params(trial)["target"])
    step = 0.5 / len(levels) if trial.setting.get("answers") == "upper ends" else 0.0
    study = simulate(
        sampler, lambda x: curve(np.asarray(x) + step), n_runs, budget=budget, random_state=trial.data_seed
    )
    truth = functional(curve, 0.0, 1.0)
    final = study.estimates[0, :, -1]
    at_level = level_below(levels, final)
    errors = ((study.estimates[0] - truth) ** 2).mean(axis=0)
    return {
        "bias": abs(final.mean() - truth),
        "variance": final.var(),
        "squared_error": errors[-1],
        "grid_bias": abs(at_level.mean() - truth),
        "grid_variance": at_level.var(),
        "curve": errors[len(levels) - 1 :],
    }


def allocation(name: str, n_levels: int):
    """Samples per level: "one" each, or more in the middle ("centre"): min(i, N + 1 - i)."""
    i = np.arange(1, n_levels + 1)
    return {"one": np.ones(n_levels), "centre": np.minimum(i, n_levels + 1 - i) * 1.0}[name]


def drawn_deviations(fit, target, counts, uniform):
    """sum m (fitted - p)^2 / sum m for every row of answers: yes where the uniform number is below p."""
    n_levels = len(counts)
    x = grid(n_levels)
    p = target_curve(target)(x)
    owner = np.repeat(np.arange(n_levels), counts.astype(int))
    said = uniform < p[owner]
    first = np.concatenate([[0], np.cumsum(counts.astype(int))[:-1]])
    shares = np.add.reduceat(said, first, axis=1, dtype=float) / counts
    values = fit.fit_many(x, shares, np.broadcast_to(counts, shares.shape))
    return ((values - p) ** 2) @ counts / counts.sum()


@protocol("deviation", version=1)
def deviation(trial: Trial, allocated: str, sizes: Sequence[int], n_runs: int) -> Mapping[str, Any]:
    """The mean deviation of a fit from the truth at the levels, for several numbers of levels.

    Records `deviation`, a list as long as ``sizes``. All fits see the same answers.
    """
    fit = trial.build()
    rng = np.random.default_rng(trial.data_seed)
    target = _params(trial)["target"]
    found = []
    for size in sizes:
        counts = allocation(allocated, size)
        uniform = rng.random((n_runs, int(counts.sum())))
        found.append(float(drawn_deviations(fit, target, counts, uniform).mean()))
    return {"deviation": found}
