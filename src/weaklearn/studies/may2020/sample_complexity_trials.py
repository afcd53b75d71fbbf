"""Trials of may2020, part II: sample complexities."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from weaklearn.engines import import_function
from weaklearn.kernel import fit_growth, sample_complexity
from weaklearn.lab import Trial, protocol


@protocol("growth", version=1)
def growth_trial(trial: Trial) -> dict[str, Any]:
    """Sample complexities of a `LearnerOnProblem` over dimensions, and the curve fitted to them (may2020, part II).

    Records the list `samples`, its last value as `last`, the coefficients `a` and `b` of the curve of the wanted kind,
    and 1 in `best_kind` if that is the kind of least AIC. A linear learner adds `weight k`, the first ten coefficients
    of a machine trained on as many examples as the estimate at the last dimension says.
    """
    task = trial.build()
    make_data = import_function(task.problem)
    rng = np.random.default_rng(trial.data_seed)
    samples = _samples(task, make_data, rng)
    growth = fit_growth(task.dimensions, samples)
    a, b = growth.coefficients[task.kind]
    result: dict[str, Any] = {"samples": samples, "last": float(samples[-1]), "a": a, "b": b}
    result["best_kind"] = float(growth.best == task.kind)
    X, y = make_data(samples[-1], n_features=task.dimensions[-1], random_state=int(rng.integers(2**31)))
    machine = task.estimator.fit(X, y)
    for k, value in enumerate(getattr(machine, "coef_", np.zeros((1, 0)))[0][:10]):
        result[f"weight {k + 1}"] = task.weight_scale * float(value)
    return result


@protocol("growth-line", version=1)
def growth_line(trial: Trial) -> dict[str, float]:
    """`intercept` and `slope` of the line through the logarithms of the sample complexities of a `LearnerOnProblem`."""
    task = trial.build()
    samples = _samples(task, import_function(task.problem), np.random.default_rng(trial.data_seed))
    slope, intercept = np.polyfit(task.dimensions, np.log(samples), 1)
    return {"intercept": float(intercept), "slope": float(slope)}


def _samples(task: Any, make_data: Any, rng: np.random.Generator) -> list[int]:
    samples: list[int] = []
    for n in task.dimensions:
        estimate = sample_complexity(
            task.estimator,
            make_data,
            n,
            method=task.method,
            n_test=task.n_test,
            # The document's own suggestion, with a margin: complexities do not fall as the dimension grows.
            start=max(1, int(0.6 * samples[-1])) if samples else 1,
            random_state=int(rng.integers(2**31)),
        )
        samples.append(estimate.n_samples)
    return samples


class LearnerOnProblem(BaseEstimator):
    """A learner, the generator of its data, and how its sample complexities are to be found and fitted."""

    def __init__(
        self, estimator=None, problem="", kind="linear", dimensions=(), method="increase", n_test=10_000,
        weight_scale=1.0,
    ):  # fmt: skip
        self.estimator = estimator
        self.problem = problem
        self.kind = kind
        self.dimensions = dimensions
        self.method = method
        self.n_test = n_test
        self.weight_scale = weight_scale
