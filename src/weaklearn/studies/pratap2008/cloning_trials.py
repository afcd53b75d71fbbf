"""Trials of pratap2008, chapter 4: complexities of clones, choices between machines and between algorithms.

The protocols draw their own examples: a fresh data set in each trial, from a seed that leaves out the number of
candidates, so that nested choices are made on the same data.

Errors are in percent and out-of-sample errors are against the target without noise.
"""

import functools
import warnings
from collections.abc import Mapping

import numpy as np
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from weaklearn import datasets
from weaklearn.cloning import AdaBoostCloner, RhoCloner
from weaklearn.complexity import LookupComplexity
from weaklearn.datasets import DataEngine
from weaklearn.lab import Trial, protocol, seed_from

# Gaussian machines on standardised inputs, in blocks of five of the same width: each block is more powerful than
# the one before it. The width is a multiple of 1 / n_features; C is the price of a margin error.
CANDIDATES = tuple((width, C) for width in (0.1, 1.0, 5.0, 25.0) for C in (0.1, 0.5, 2.0, 10.0, 50.0))
N_TEST = 2000
N_CLONED_TEST = 1000
N_FOLDS = 5
# Section 4.7.1 has its own mean of ringnorm's narrow class.
PROBLEM_PARAMS: dict[str, dict[str, float]] = {"ringnorm": {"a": 2 / 20**0.5}}


def _draw(problem: str, n: int, seed, flip: float = 0.0):
    """Examples of a problem; ``flip`` turns each label round with that probability."""
    rng = np.random.RandomState(seed) if isinstance(seed, int) else seed
    X, y = getattr(datasets, f"make_{problem}")(n, random_state=rng, **PROBLEM_PARAMS.get(problem, {}))
    if flip:
        y, _ = datasets.flip_labels(y, flip, exact=False, classes=(-1, 1), random_state=rng)
    return X, y


def make_problem(problem: str, n_samples: int, n_choices: int = 0, random_state: int | None = None):
    """A data set of one of the four problems; ``n_choices`` is for `clone_selection`."""
    return _draw(problem, n_samples, random_state)


def make_engine_target(target: int, n_samples: int, random_state: int | None = None):
    """A data set of target number ``target`` of the data engine."""
    return engine_target(target).sample(n_samples, random_state=random_state)


def engine_target(target: int):
    """The families take turns; complexities run from 2 to 5."""
    families = ("network", "svm", "rbf", "tree", "polynomial", "prototypes")
    family = families[target % len(families)]
    return DataEngine(2, family=family, complexity=2 + target // len(families) % 4, seed=target)


def _cloner(name: str, inputs, seed: int):
    kind = {"adaboost": AdaBoostCloner, "rho": RhoCloner}[name]
    return kind(inputs=inputs, random_state=seed)


@functools.lru_cache(maxsize=64)
def _fitted_cloner(name: str, problem: str, n_samples: int):
    """The cloner of the one source data set of a problem."""
    seed = seed_from(purpose="source", problem=problem, n_samples=n_samples)
    X, y = _draw(problem, n_samples, seed)
    return _cloner(name, lambda n, rng: _draw(problem, n, rng)[0], seed).fit(X, y)


def _params(trial: Trial) -> Mapping:
    """The parameters of the problem that the trial draws its examples from."""
    assert trial.data is not None
    return trial.data["params"]


@protocol("clone_complexity", version=1)
def clone_complexity(trial: Trial, cloner: str, selection: bool = True) -> Mapping[str, float]:
    """Complexities (support vectors plus errors of a Gaussian SVM, per example) of one fresh set and one clone.

    Records `original` (a fresh set of the same problem), `source` (the set that is cloned, the same in every
    trial), `clone`, and `distance`, the absolute difference of clone and source.
    """
    params = _params(trial)
    problem, n = params["problem"], params["n_samples"]
    fitted = _fitted_cloner(cloner, problem, n)
    X, y = _draw(problem, n, trial.data_seed)
    X_clone, y_clone = fitted.sample(selection=selection, random_state=trial.algorithm_seed % 2**32)
    clone = gaussian_complexity(fitted._encoded(X_clone), y_clone)
    return {
        "original": gaussian_complexity(fitted._encoded(X), y),
        "source": fitted.complexity_,
        "clone": clone,
        "distance": abs(clone - fitted.complexity_),
    }


@protocol("weaklearn.lab.studies.pratap2008.cloning_trials:set_complexity", version=1)
def set_complexity(trial: Trial) -> Mapping[str, float]:
    """Complexity per example of one fresh set, measured in two ways; no cloner is involved.

    Records `raw` (inputs as they are, C = 20, width 1 in the plane and 2^-6 in 20 dimensions) and `standardised`
    (standardised inputs, C = 1, width from their variance).
    """
    params = _params(trial)
    X, y = _draw(params["problem"], params["n_samples"], trial.data_seed)
    gamma = 1.0 if X.shape[1] == 2 else 2.0**-6
    raw = LookupComplexity(SVC(C=20.0, gamma=gamma))(X, y) / len(y)
    return {"raw": raw, "standardised": gaussian_complexity(StandardScaler().fit_transform(X), y)}


def gaussian_complexity(X, y):
    """Support vectors plus errors of a Gaussian SVM per example: the measure of section 4.7.2 and of the cloners."""
    return LookupComplexity(SVC(C=1.0, gamma="scale"))(X, y) / len(y)


def _squared_distances(A, B):
    return np.maximum((A**2).sum(axis=1)[:, None] - 2 * A @ B.T + (B**2).sum(axis=1), 0.0)


def machine_errors(X, y, *tests):
    """Errors of every candidate fitted to (X, y): one row for the training set and one for each test set (X, y).

    Inputs are standardised on the training set.
    """
    centre, scale = X.mean(axis=0), X.std(axis=0)
    scale[scale == 0] = 1.0
    X = (X - centre) / scale
    distances = [_squared_distances(X, X)]
    distances += [_squared_distances((T - centre) / scale, X) for T, _ in tests]
    labels = [y, *(labels for _, labels in tests)]
    errors = np.empty((len(labels), len(CANDIDATES)))
    if len(np.unique(y)) < 2:
        return np.repeat([[100.0 * np.mean(known != y[0])] for known in labels], len(CANDIDATES), axis=1)
    for width in dict.fromkeys(width for width, _ in CANDIDATES):
        grams = [np.exp(-width / X.shape[1] * d) for d in distances]
        for i, (candidate_width, C) in enumerate(CANDIDATES):
            if candidate_width == width:
                # The checks of one fit cost as much as the fit, and these arrays are ours.
                with config_context(assume_finite=True, skip_parameter_validation=True):
                    machine = SVC(C=C, kernel="precomputed").fit(grams[0], y)
                for row, gram, known in zip(errors, grams, labels, strict=True):
                    # What predict does, by one product: its own loop over a given Gram matrix is slow.
                    scores = gram[:, machine.support_] @ machine.dual_coef_[0] + machine.intercept_[0]
                    row[i] = 100 * np.mean(machine.classes_[(scores > 0).astype(int)] != known)
    return errors


@functools.lru_cache(maxsize=256)
def selection_errors(
    problem: str, n_samples: int, index: int, flip: float = 0.0, inputs: str = "free", n_clones: int = 3
) -> dict[str, np.ndarray]:
    """What each way of choosing knows about each of the 20 candidates, on one data set; see `candidate_errors`."""
    seed = seed_from(purpose="selection", problem=problem, n_samples=n_samples, index=index, flip=flip)
    X, y = _draw(problem, n_samples, seed, flip)
    X_test, y_test = _draw(problem, N_TEST, (seed + 1) % 2**32)
    source = (lambda n, rng: _draw(problem, n, rng)[0]) if inputs == "free" else None
    return candidate_errors(X, y, X_test, y_test, source, seed, n_clones)


def candidate_errors(X, y, X_test, y_test, inputs, seed, n_clones=3) -> dict[str, np.ndarray]:
    """Errors of each of the 20 candidates as each way of choosing sees them.

    Returns
    -------
    dict
        `in`, `out` (in-sample and out-of-sample errors of the fits to the data), `cv` and `cv_error` (5 folds, with
        the standard error over folds), `cv_repeated` (three times 5 folds), `rho` and `adaboost` (mean errors on
        clones).
    """
    found = dict(zip(("in", "out"), machine_errors(X, y, (X_test, y_test)), strict=True))
    folds = []
    for repeat in range(3):
        splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=(seed + repeat) % 2**32)
        for train, test in splitter.split(X, y):
            folds.append(machine_errors(X[train], y[train], (X[test], y[test]))[1])
    found["cv"], found["cv_repeated"] = np.mean(folds[:N_FOLDS], axis=0), np.mean(folds, axis=0)
    found["cv_error"] = np.std(folds[:N_FOLDS], axis=0, ddof=1) / np.sqrt(N_FOLDS)
    for name in ("rho", "adaboost"):
        cloner = _cloner(name, inputs, seed).fit(X, y)
        found[name] = _errors_on_clones(cloner, lambda *sets: machine_errors(*sets)[1], seed, n_clones)
    return found


def _errors_on_clones(cloner, errors, seed, n_clones):
    """Mean over clones of ``errors(X, y, test_set)``."""
    rng = np.random.RandomState(seed)
    found = []
    for _ in range(n_clones):
        clone = cloner.sample(random_state=rng)
        found.append(errors(*clone, cloner.sample(N_CLONED_TEST, selection=False, random_state=rng)))
    return np.mean(found, axis=0)


def chosen(found: Mapping[str, np.ndarray], n_choices: int) -> dict[str, int]:
    """Which of the first candidates each way of choosing takes; of equals the first, which is the simpler one."""
    first = {name: errors[:n_choices] for name, errors in found.items()}
    picks = {
        name: int(first[name].argmin()) for name in ("in", "cv", "cv_repeated", "rho", "adaboost", "out")
    }
    best = picks["cv"]
    picks["one_se"] = int(np.flatnonzero(first["cv"] <= first["cv"][best] + first["cv_error"][best])[0])
    return picks


@protocol("clone_selection", version=1)
def clone_selection(trial: Trial, flip: float = 0.0, inputs: str = "free") -> Mapping[str, float]:
    """The machine that each way of choosing takes among the first ``n_choices``, judged out of sample.

    ``n_choices`` is a parameter of the data.

    Records for each of `in`, `cv`, `cv_repeated`, `one_se`, `rho`, `adaboost` and `out` (the oracle): `gap_...`, the
    thesis's measure (out-of-sample minus in-sample error of the choice), `error_...`, its out-of-sample error, and
    `regret_...`, how much more that is than the oracle's.
    """
    params = _params(trial)
    found = selection_errors(params["problem"], params["n_samples"], trial.index, flip, inputs)
    picks = chosen(found, params["n_choices"])
    least = found["out"][picks["out"]]
    result = {}
    for name, pick in picks.items():
        result[f"gap_{name}"] = found["out"][pick] - found["in"][pick]
        result[f"error_{name}"] = found["out"][pick]
        result[f"regret_{name}"] = found["out"][pick] - least
    return result


def _algorithms(seed: int):
    network = MLPClassifier(
        (5,), activation="tanh", solver="lbfgs", max_iter=300, alpha=1e-4, random_state=seed
    )
    return network, SVC(C=1.0, gamma="scale")


def _fitted_errors(seed, X, y, *tests):
    rows = []
    for model in _algorithms(seed):
        with warnings.catch_warnings():
            # A fixed budget of steps is part of the algorithm here.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)
        rows.append([100 * np.mean(model.predict(T) != labels) for T, labels in tests])
    return np.array(rows)


@protocol("algorithm_choice", version=1)
def algorithm_choice(trial: Trial, n_clones: int = 3) -> Mapping[str, float]:
    """A 2-5-1 network or a support vector machine? Chosen in-sample, by cross-validation, on clones, by the oracle.

    Records `hit_...` (percent, per trial 0 or 100), the agreement with the oracle, and `error_...`, the out-of-sample
    error of the choice, for `in`, `cv`, `rho`, `adaboost`; and `error_oracle`.
    """
    params = _params(trial)
    return _algorithm_choice(params["target"], params["n_samples"], trial.data_seed % 2**32, n_clones)


@protocol("weaklearn.lab.studies.pratap2008.cloning_trials:algorithm_choice_in_turn", version=1)
def algorithm_choice_in_turn(trial: Trial, n_targets: int, n_samples: int) -> Mapping[str, float]:
    """The same with the targets taking turns: trial k is on target k mod ``n_targets``."""
    seed = seed_from(purpose="in turn", index=trial.index) % 2**32
    return _algorithm_choice(trial.index % n_targets, n_samples, seed, n_clones=3)


def _algorithm_choice(target: int, n: int, seed: int, n_clones: int) -> dict[str, float]:
    engine = engine_target(target)
    X, y = engine.sample(n, random_state=seed)
    X_test = engine.inputs(N_TEST, random_state=(seed + 1) % 2**32)
    whole = _fitted_errors(seed, X, y, (X, y), (X_test, engine.target(X_test)))
    known = {"in": whole[:, 0]}
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    folds = [_fitted_errors(seed, X[a], y[a], (X[b], y[b]))[:, 0] for a, b in splitter.split(X, y)]
    known["cv"] = np.mean(folds, axis=0)
    for name in ("rho", "adaboost"):
        cloner = _cloner(name, lambda m, rng: engine.inputs(m, random_state=rng), seed).fit(X, y)
        known[name] = _errors_on_clones(
            cloner, lambda *sets: _fitted_errors(seed, *sets)[:, 0], seed, n_clones
        )
    truth = whole[:, 1]
    result = {"error_oracle": truth.min()}
    for name, errors in known.items():
        # The definition: the first algorithm where its error is strictly lower.
        result[f"hit_{name}"] = 100.0 * ((errors[0] < errors[1]) == (truth[0] < truth[1]))
        result[f"error_{name}"] = truth[0] if errors[0] < errors[1] else truth[1]
    return result
