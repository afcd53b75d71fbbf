"""A trial of the threshold study: many simulated experiments on one curve, by one method."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from weaklearn.adaptive import IntervalWidth, PosteriorMinEnt, simulate
from weaklearn.lab import Trial, protocol
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS


class DefaultSampler(BaseEstimator):
    """`PosteriorMinEnt` as a user would set it up for a case."""

    def simulation(self, case, luck, seed):
        """Simulated experiments with 90% intervals; ``luck`` is what ``seed`` gives first."""
        sampler = PosteriorMinEnt(LEVELS, Crossing(case.target), guess_rate=case.guess_rate)
        return simulate(
            sampler, case.curve, len(luck), budget=luck.shape[1], confidence=0.9, random_state=seed
        )


def at_the_stop(done, width):
    """Whether the interval held the truth when `IntervalWidth` stopped each run (or at its end), and the answers."""
    narrow = done.widths[0] <= width
    narrow[:, : IntervalWidth(width).min_answers - 1] = False
    narrow[:, -1] = True
    stop = narrow.argmax(axis=1)
    return done.held[0][np.arange(len(stop)), stop], stop + 1


@protocol("weaklearn.lab.studies.own.thresholds.threshold_trials:sought", version=1)
def sought(trial: Trial, n_runs: int, points: Sequence[int], widths: Sequence[float]) -> Mapping[str, Any]:
    """Experiments on the curve that the row's setting ``case`` names; all methods meet the same luck.

    Records for every number of answers in ``points`` the mean squared error `error_30` (times 1000) and `bias_30`.
    Where the method has intervals, also, in percent, `covered_30` (how often they held the truth), and for every width
    in ``widths`` `covered_at_0.15` (the same at the moment `IntervalWidth` stops) and `answers_at_0.15`.
    """
    case = CASES[trial.setting["case"]]
    luck = np.random.default_rng(trial.data_seed).random((n_runs, max(points)))
    method = trial.build()
    found: dict[str, Any] = {}
    if hasattr(method, "simulation"):
        done = method.simulation(case, luck, trial.data_seed)
        estimates = done.estimates[0]
        for n in points:
            found[f"covered_{n}"] = 100 * done.coverage[0, n - 1]
        for width in widths:
            held, answers = at_the_stop(done, width)
            found |= {f"covered_at_{width:g}": 100 * held.mean(), f"answers_at_{width:g}": answers.mean()}
    else:
        estimates = method.estimates(case, luck)
    for n in points:
        errors = estimates[:, n - 1] - case.truth
        found |= {f"error_{n}": 1000 * np.mean(errors**2), f"bias_{n}": errors.mean()}
    return found
