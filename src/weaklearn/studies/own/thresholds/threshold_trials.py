"""A trial of the threshold study: many simulated experiments on one curve, by one method."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from weaklearn.adaptive import IntervalWidth, PosteriorMinEnt, simulate
from weaklearn.lab import Trial, protocol
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS, UNUSUAL
from weaklearn.studies.own.thresholds.curve_fit import NormalFit


class DefaultSampler(BaseEstimator):
    """`PosteriorMinEnt` as a user would set it up for a case."""

    def sampler(self, case):
        """Without answers."""
        levels, scale = (10 ** (case.decades * LEVELS), "log") if case.decades else (LEVELS, "linear")
        return PosteriorMinEnt(levels, Crossing(case.target), guess_rate=case.guess_rate, scale=scale)

    def simulation(self, case, luck, seed):
        """Simulated experiments with 90% intervals; ``luck`` is what ``seed`` gives first."""
        return simulate(
            self.sampler(case), case.curve, len(luck), budget=luck.shape[1], confidence=0.9, random_state=seed
        )


def at_the_stop(held, widths, width):
    """Whether the interval held the truth when `IntervalWidth` stopped each run (or at its end), and the answers."""
    narrow = widths <= width
    narrow[:, : IntervalWidth(width).min_answers - 1] = False
    narrow[:, -1] = True
    stop = narrow.argmax(axis=1)
    return held[np.arange(len(stop)), stop], stop + 1


@protocol("weaklearn.lab.studies.own.thresholds.threshold_trials:sought", version=1)
def sought(trial: Trial, n_runs: int, points: Sequence[int], widths: Sequence[float]) -> Mapping[str, Any]:
    """Experiments on the curve that the row's setting ``case`` names; all methods meet the same luck.

    Records for every number of answers in ``points`` the mean squared error `error_30` (times 1000) and `bias_30`.
    Where the method has intervals, also, in percent, `covered_30` (how often they held the truth), and for every width
    in ``widths`` `covered_at_0.15` (the same at the moment `IntervalWidth` stops) and `answers_at_0.15`. In an unusual
    case the truth is the threshold at that answer (for errors the level nearest to it), and what `followed` says is
    recorded too.
    """
    case = (CASES | UNUSUAL)[trial.setting["case"]]
    luck = np.random.default_rng(trial.data_seed).random((n_runs, max(points)))
    method, found = trial.build(), dict[str, Any]()
    unusual = case.name in UNUSUAL
    truth = case.thresholds(luck.shape[1]) if unusual else np.full(luck.shape[1], case.truth)
    if not hasattr(method, "simulation"):
        return _errors(method.estimates(case, luck), truth, points)
    if unusual:
        estimates, intervals, more = followed(method.sampler(case), case, luck, trial.data_seed, points)
        found |= more
    else:
        done = method.simulation(case, luck, trial.data_seed)
        estimates, intervals = done.estimates[0], done.intervals[0]
    low, high = np.moveaxis(intervals, -1, 0)
    held = (low <= truth) & (truth <= high)
    for n in points:
        found[f"covered_{n}"] = 100 * held[:, n - 1].mean()
    for width in widths:
        stopped, answers = at_the_stop(held, high - low, width)
        found |= {f"covered_at_{width:g}": 100 * stopped.mean(), f"answers_at_{width:g}": answers.mean()}
    return found | _errors(estimates, truth, points)


def _errors(estimates, truth, points, name=""):
    """Errors on [0, 1]; a threshold beyond the levels is estimated best by the last of them."""
    outside = (truth < LEVELS[0]) | (truth > LEVELS[-1])
    errors = np.where(
        outside,
        np.clip(estimates, LEVELS[0], LEVELS[-1]) - np.clip(truth, LEVELS[0], LEVELS[-1]),
        estimates - truth,
    )
    found = {f"{name}error_{n}": 1000 * np.mean(errors[:, n - 1] ** 2) for n in points}
    return found | {f"{name}bias_{n}": errors[:, n - 1].mean() for n in points}


def followed(sampler, case, luck, seed, points):
    """Estimates and intervals after every answer, on [0, 1], and what else is known about the runs.

    That is how often, in percent, ``points`` answers led to a note (`drift_60`, `misfit_60`, `outside_60`), how good
    the estimate of now is (`now_error_60`; where no drift is said, the estimate), and how good `NormalFit` is on the
    same answers (`fit_error_60`, `fit_bias_60`, `fit_covered_60`).
    """

    def to_unit(levels):
        return np.log10(levels) / case.decades if case.decades else np.asarray(levels)

    n_runs, n_answers = luck.shape
    seen, fits = np.empty((n_runs, n_answers, 3)), np.full((n_runs, n_answers, 3), np.nan)
    now, notes = np.full((n_runs, n_answers), np.nan), {n: np.empty((n_runs, 3)) for n in points}
    for run, chances in enumerate(luck):
        one = clone(sampler).set_params(random_state=(seed + run) % 2**31)
        asked, said = [], []
        for n, chance in enumerate(chances, start=1):
            level = one.ask()
            asked.append(float(to_unit(level)))
            said.append(bool(chance < case.rates(np.array(asked[-1:]), n)[0]))
            one.tell(level, said[-1])
            seen[run, n - 1] = to_unit([one.estimate(), *one.interval()])
            if n in points:
                drift = one.drift()
                now[run, n - 1] = seen[run, n - 1, 0] if drift is None else to_unit(drift.now)
                notes[n][run] = drift is not None, one.misfit_.found, one.outside_ is not None
                fits[run, n - 1] = NormalFit(case.target, case.guess_rate).fit(asked, said)
    truth = case.thresholds(n_answers)
    found = _errors(fits[..., 0], truth, points, "fit_")
    for n in points:
        found[f"now_error_{n}"] = _errors(now, truth, [n])[f"error_{n}"]
        low, high = fits[:, n - 1, 1], fits[:, n - 1, 2]
        found[f"fit_covered_{n}"] = 100 * np.mean((low <= truth[n - 1]) & (truth[n - 1] <= high))
        for name, share in zip(("drift", "misfit", "outside"), notes[n].mean(axis=0), strict=True):
            found[f"{name}_{n}"] = 100 * share
    return seen[..., 0], seen[..., 1:], found
