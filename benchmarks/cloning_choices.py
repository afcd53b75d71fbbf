"""Who chooses better among 20 machines: what each way of choosing knows, for `benchmarks.cloning`.

Machines are on standardised inputs, blocks of the same width; of equals the first is taken. (The study of Tables 4.1
and 4.2 has the machines that the published numbers point to; see `weaklearn.studies.pratap2008.cloning`.)
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn import clone, config_context
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from weaklearn import datasets
from weaklearn.cloning import AdaBoostCloner, RhoCloner
from weaklearn.lab import seed_from

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


class Cloning(NamedTuple):
    """A way to make clones: the cloner, and whether training and test sets of clones are selected by value."""

    cloner: Any
    select_training: bool = True
    select_test: bool = False


#: The defaults come first; the others were candidates for a new default.
CLONINGS = {
    "rho": Cloning(RhoCloner()),
    "adaboost": Cloning(AdaBoostCloner()),
    "rho, test sets selected": Cloning(RhoCloner(), select_test=True),
    "rho, nothing selected": Cloning(RhoCloner(), select_training=False),
    "AdaBoost, 500 rounds, nothing selected": Cloning(
        AdaBoostCloner(n_estimators=500), select_training=False
    ),
    "AdaBoost, matched, test sets selected": Cloning(AdaBoostCloner(n_estimators="match"), select_test=True),
    "AdaBoost, matched, nothing selected": Cloning(
        AdaBoostCloner(n_estimators="match"), select_training=False
    ),
}


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


def selection_errors(
    problem: str,
    n_samples: int,
    index: int,
    flip: float = 0.0,
    inputs: str = "free",
    n_clones: int = 3,
    clonings=("rho", "adaboost"),
) -> dict[str, np.ndarray]:
    """What each way of choosing knows about each of the 20 candidates, on one data set; see `candidate_errors`."""
    seed = seed_from(purpose="selection", problem=problem, n_samples=n_samples, index=index, flip=flip)
    X, y = _draw(problem, n_samples, seed, flip)
    X_test, y_test = _draw(problem, N_TEST, (seed + 1) % 2**32)
    source = (lambda n, rng: _draw(problem, n, rng)[0]) if inputs == "free" else None
    return candidate_errors(X, y, X_test, y_test, source, seed, n_clones, clonings)


def candidate_errors(
    X, y, X_test, y_test, inputs, seed, n_clones=3, clonings=("rho", "adaboost")
) -> dict[str, np.ndarray]:
    """Errors of each of the 20 candidates as each way of choosing sees them.

    Returns
    -------
    dict
        `in`, `out` (in-sample and out-of-sample errors of the fits to the data), `cv` and `cv_error` (5 folds, with
        the standard error over folds), `cv_repeated` (three times 5 folds), and each of ``clonings`` (mean errors on
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
    for name in clonings:
        found[name] = _errors_on_clones(CLONINGS[name], X, y, inputs, seed, n_clones)
    return found


def _errors_on_clones(cloning, X, y, inputs, seed, n_clones):
    """Mean errors of the candidates over clones."""
    cloner = clone(cloning.cloner).set_params(inputs=inputs, random_state=seed).fit(X, y)
    rng = np.random.RandomState(seed)
    found = []
    for _ in range(n_clones):
        copy = cloner.sample(selection=cloning.select_training, random_state=rng)
        test = cloner.sample(N_CLONED_TEST, selection=cloning.select_test, random_state=rng)
        found.append(machine_errors(*copy, test)[1])
    return np.mean(found, axis=0)


def chosen(found: dict[str, np.ndarray], n_choices: int) -> dict[str, int]:
    """Which of the first candidates each way of choosing takes; of equals the first, which is the simpler one."""
    first = {name: errors[:n_choices] for name, errors in found.items()}
    picks = {name: int(errors.argmin()) for name, errors in first.items() if name != "cv_error"}
    best = picks["cv"]
    picks["one_se"] = int(np.flatnonzero(first["cv"] <= first["cv"][best] + first["cv_error"][best])[0])
    return picks
