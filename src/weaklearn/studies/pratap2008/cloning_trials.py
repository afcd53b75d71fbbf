"""Trials of pratap2008, chapter 4: complexities of clones, and choices between two learning algorithms.

The protocols draw their own examples, a fresh data set in each trial. `selection_trials` has the choices between
machines.
"""

import functools
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from weaklearn.cloning import AdaBoostCloner, RhoCloner
from weaklearn.complexity import LookupComplexity
from weaklearn.datasets import DataEngine
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.protocols import percent_wrong
from weaklearn.studies.pratap2008.selection_trials import N_CLONED_TEST, N_FOLDS, N_TEST, make_problem

CLONERS = {"adaboost": AdaBoostCloner, "rho": RhoCloner}


def make_engine_target(target: int, n_samples: int, random_state: int | None = None):
    """A data set of target number ``target`` of the data engine."""
    return engine_target(target).sample(n_samples, random_state=random_state)


def engine_target(target: int):
    """The families take turns; complexities run from 2 to 5."""
    families = ("network", "svm", "rbf", "tree", "polynomial", "prototypes")
    family = families[target % len(families)]
    return DataEngine(2, family=family, complexity=2 + target // len(families) % 4, seed=target)


@functools.lru_cache(maxsize=64)
def _fitted_cloner(name: str, problem: str, n_samples: int):
    """The cloner of the one source data set of a problem."""
    seed = seed_from(purpose="source", problem=problem, n_samples=n_samples)
    cloner = CLONERS[name](inputs=_inputs(problem), random_state=seed)
    return cloner.fit(*make_problem(problem, n_samples, seed))


def _inputs(problem: str):
    """New inputs of a problem, for a cloner."""
    return lambda n, rng: make_problem(problem, n, rng)[0]


def _params(trial: Trial) -> Mapping[str, Any]:
    """The parameters of the problem that the trial draws its examples from."""
    return trial.parts["data"]["params"]


@protocol("clone_complexity", version=1)
def clone_complexity(trial: Trial, cloner: str, selection: bool = True) -> Mapping[str, float]:
    """Complexities (support vectors plus errors of a Gaussian SVM, per example) of one fresh set and one clone.

    Records `original` (a fresh set of the same problem), `source` (the set that is cloned, the same in every
    trial), `clone`, and `distance`, the absolute difference of clone and source.
    """
    fitted = _fitted_cloner(cloner, **_params(trial))
    X, y = make_problem(**_params(trial), random_state=trial.data_seed)
    X_clone, y_clone = fitted.sample(selection=selection, random_state=trial.algorithm_seed)
    clone = gaussian_complexity(fitted._encoded(X_clone), y_clone)
    return {
        "original": gaussian_complexity(fitted._encoded(X), y),
        "source": fitted.complexity_,
        "clone": clone,
        "distance": abs(clone - fitted.complexity_),
    }


@protocol("clones_of_originals", version=1)
def clones_of_originals(trial: Trial, n_clones: int) -> dict[str, float]:
    """The complexity of ``n_clones`` clones of a fresh original minus that of the original, on average.

    The column is the cloner. Records `change` and `unselected` (clones without data selection), measured by the machine
    of Figures 4.1 to 4.8 (inputs as they are, C = 20), which no cloner has seen; and `matched_change` and
    `matched_unselected`, by the one that the cloners match complexities with; and `original` and `matched_original`.
    """
    rng = np.random.RandomState(trial.data_seed)
    X, y = make_problem(**_params(trial), random_state=rng)
    cloner = trial.build().set_params(inputs=_inputs(_params(trial)["problem"])).fit(X, y)
    scaler = StandardScaler().fit(X)

    def measured(X, y):
        return np.array([raw_complexity(X, y), gaussian_complexity(scaler.transform(X), y)])

    original = measured(X, y)
    result = dict(zip(("original", "matched_original"), original, strict=True))
    for name, selection in (("change", True), ("unselected", False)):
        clones = [cloner.sample(selection=selection, random_state=rng) for _ in range(n_clones)]
        change = np.mean([measured(*clone) for clone in clones], axis=0) - original
        result[name], result[f"matched_{name}"] = change
    return result


@protocol("weaklearn.lab.studies.pratap2008.cloning_trials:set_complexity", version=1)
def set_complexity(trial: Trial) -> Mapping[str, float]:
    """Complexity per example of one fresh set, measured in two ways; no cloner is involved.

    Records `raw` (inputs as they are, C = 20, width 1 in the plane and 2^-6 in 20 dimensions) and `standardised`
    (standardised inputs, C = 1, width from their variance).
    """
    X, y = make_problem(**_params(trial), random_state=trial.data_seed)
    standardised = StandardScaler().fit_transform(X)
    return {"raw": raw_complexity(X, y), "standardised": gaussian_complexity(standardised, y)}


def raw_complexity(X, y):
    """As `gaussian_complexity`, with the machine that fits the source complexities of Figures 4.1 to 4.8."""
    return LookupComplexity(SVC(C=20.0, gamma=1.0 if X.shape[1] == 2 else 2.0**-6))(X, y) / len(y)


def gaussian_complexity(X, y):
    """Support vectors plus errors of a Gaussian SVM per example: the measure of section 4.7.2 and of the cloners."""
    return LookupComplexity(SVC(C=1.0, gamma="scale"))(X, y) / len(y)


def _fitted_errors(seed, X, y, *tests):
    """Errors of a 2-5-1 network and of a support vector machine, in percent: a row for each, a column for each test."""
    network = MLPClassifier((5,), activation="tanh", solver="lbfgs", max_iter=300, random_state=seed)
    with warnings.catch_warnings():
        # A fixed budget of steps is part of the algorithm here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = network.fit(X, y), SVC(C=1.0, gamma="scale").fit(X, y)
    return np.array([[percent_wrong(some, model.predict(T)) for T, some in tests] for model in models])


@protocol("algorithm_choice", version=1)
def algorithm_choice(trial: Trial, n_clones: int = 3) -> Mapping[str, float]:
    """A 2-5-1 network or a support vector machine? Chosen in-sample, by cross-validation, on clones, by the oracle.

    Records `hit_...` (percent, per trial 0 or 100), the agreement with the oracle, and `error_...`, the out-of-sample
    error of the choice, for `in`, `cv`, `rho`, `adaboost`; and `error_oracle`.
    """
    params, seed = _params(trial), trial.data_seed
    engine = engine_target(params["target"])
    X, y = engine.sample(params["n_samples"], random_state=seed)
    X_test = engine.inputs(N_TEST, random_state=(seed + 1) % 2**32)
    whole = _fitted_errors(seed, X, y, (X, y), (X_test, engine.target(X_test)))
    known = {"in": whole[:, 0]}
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    folds = [_fitted_errors(seed, X[a], y[a], (X[b], y[b]))[:, 0] for a, b in splitter.split(X, y)]
    known["cv"] = np.mean(folds, axis=0)
    for name, kind in CLONERS.items():
        cloner = kind(inputs=lambda m, rng: engine.inputs(m, random_state=rng), random_state=seed).fit(X, y)
        rng = np.random.RandomState(seed)
        tests = [
            (
                *cloner.sample(random_state=rng),
                cloner.sample(N_CLONED_TEST, selection=False, random_state=rng),
            )
            for _ in range(n_clones)
        ]
        known[name] = np.mean([_fitted_errors(seed, *test)[:, 0] for test in tests], axis=0)
    truth = whole[:, 1]
    result = {"error_oracle": truth.min()}
    for name, errors in known.items():
        # The definition: the first algorithm where its error is strictly lower.
        result[f"hit_{name}"] = 100.0 * ((errors[0] < errors[1]) == (truth[0] < truth[1]))
        result[f"error_{name}"] = truth[0] if errors[0] < errors[1] else truth[1]
    return result
