"""Trials of pratap2008, chapter 3: monotone curves and their thresholds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.adaptive import EqualAllocation, simulate
from weaklearn.lab import Trial, protocol
from weaklearn.monotone import Crossing, MonotoneFit
from weaklearn.studies.pratap2008.monotone_targets import grid, target_curve


def make_target(target: str, n_levels: int, level: float = 0.5, random_state: int | None = None):
    """The levels (as a column) and the true probabilities there; nothing is random. ``level`` is for the protocols."""
    x = grid(n_levels)
    return x[:, None], target_curve(target)(x)


@protocol("threshold_study", version=1)
def threshold_study(
    trial: Trial, n_runs: int, budget: int, after: Sequence[int] = (), equal: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """A study of ``n_runs`` simulated experiments, as many as a published cell rests on; all samplers have equal luck.

    The parameter ``level`` of the data is the target probability of "yes"; with the setting ``answers`` "upper ends"
    the answers at a level are those at the upper end of its bin. ``equal`` is another design of equal allocation:
    `per_level` answers, and `bounds` between which the threshold is read.

    Records of the estimates after the whole budget: `signed_bias` (mean minus truth), `bias` (its size, which is what a
    study publishes), `variance` and `squared_error`. With ``after``: `error_after_...`, the mean squared error after so
    many answers, `reduction`, the last of these over the first, and `curve`, the mean squared error when every level
    has been asked once on average and from then on.
    """
    levels, params = trial.load()[0][:, 0], trial.parts["data"]["params"]
    functional, curve = Crossing(params["level"]), target_curve(params["target"])
    sampler = trial.build().set_params(functional=functional, levels=levels)
    step = 0.5 / len(levels) if trial.setting.get("answers") == "upper ends" else 0.0
    truth = functional(curve, 0.0, 1.0)
    result: dict[str, Any] = {}
    if equal is not None and isinstance(sampler, EqualAllocation):
        m, rng = equal["per_level"], np.random.default_rng(trial.data_seed)
        shares = rng.binomial(m, curve(levels + step), (n_runs, len(levels))) / m
        counts = np.full(shares.shape, float(m))
        final = sampler.fit.threshold_many(levels, shares, counts, functional, tuple(equal["bounds"]))
    else:
        study = simulate(
            sampler,
            lambda x: curve(np.asarray(x) + step),
            n_runs,
            budget=budget,
            random_state=trial.data_seed,
        )
        final = study.estimates[0, :, -1]
        if after:
            errors = ((study.estimates[0] - truth) ** 2).mean(axis=0)
            result = {f"error_after_{n}": errors[n - 1] for n in after}
            result["reduction"] = errors[after[-1] - 1] / errors[after[0] - 1]
            result["curve"] = errors[len(levels) - 1 :]
    return {
        "signed_bias": final.mean() - truth,
        "bias": abs(final.mean() - truth),
        "variance": final.var(ddof=1),
        "squared_error": ((final - truth) ** 2).mean(),
        **result,
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


@protocol("fit_deviations", version=1)
def fit_deviations(trial: Trial, allocated: str, sizes: Sequence[int], n_runs: int) -> Mapping[str, Any]:
    """The mean deviation of a fit from the truth at the levels, for several numbers of levels.

    Records `deviation`, a list as long as ``sizes``, and the same as `deviation_...`. All fits see the same answers.
    """
    fit = trial.build()
    rng = np.random.default_rng(trial.data_seed)
    target = trial.parts["data"]["params"]["target"]
    found = {}
    for size in sizes:
        counts = allocation(allocated, size)
        uniform = rng.random((n_runs, int(counts.sum())))
        found[f"deviation_{size}"] = float(drawn_deviations(fit, target, counts, uniform).mean())
    return {"deviation": list(found.values()), **found}


@protocol("isotonic_theorem", version=1)
def isotonic_theorem(trial: Trial, n_instances: int) -> dict[str, float]:
    """Theorem 1 of chapter 3 on random instances: probabilities that rise, counts, and answers drawn from them.

    Records how often sum m (fitted - p)^2 is larger than with the shares of yes themselves (`violations`), and how
    often the shares inside a pool do not fall from one level to the next, as the published proof says (`unordered`).
    """
    rng = np.random.default_rng(trial.data_seed)
    violations = unordered = 0
    for _ in range(n_instances):
        size = int(rng.integers(2, 13))
        p = np.sort(rng.random(size))
        m = rng.integers(1, 6, size)
        y = rng.binomial(m, p) / m
        fitted = MonotoneFit().fit_many(np.arange(size, dtype=float), y[None], m[None].astype(float))[0]
        violations += bool(m @ (fitted - p) ** 2 > m @ (y - p) ** 2 + 1e-12)
        pooled = np.diff(fitted) < 1e-12
        unordered += bool((pooled & (np.diff(y) > 1e-12)).any())
    return {"violations": float(violations), "unordered": float(unordered)}
