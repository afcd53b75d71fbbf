"""Trials of pratap2008, section 4.7.3: which of 20 support vector machines do clones choose, and what does it cost?

The 20 Gaussian machines on inputs as they are come in four blocks of five: blocks by C, widths inside a block. One
trial fits all of them once for every way of choosing, and gives the choices among the first 5, 10, 15 and 20.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from weaklearn import datasets
from weaklearn.cloning import AdaBoostCloner, RhoCloner
from weaklearn.lab import Trial, protocol
from weaklearn.lab.protocols import percent_wrong

N_TEST = 2000
N_CLONED_TEST = 1000
N_FOLDS = 5
# Section 4.7.1 has its own mean of ringnorm's narrow class.
PROBLEM_PARAMS: dict[str, dict[str, float]] = {"ringnorm": {"a": 2 / 20**0.5}}


def make_problem(problem: str, n_samples: int, random_state: int | np.random.RandomState | None = None):
    """Examples of a problem with the labels of its target."""
    params = PROBLEM_PARAMS.get(problem, {})
    return getattr(datasets, f"make_{problem}")(n_samples, random_state=random_state, **params)


def flipped(y, share: float, rng: np.random.RandomState):
    """Labels -1 and +1, each turned round with probability ``share``."""
    return np.where(rng.random_sample(len(y)) < share, -y, y)


def _squared_distances(A, B):
    return np.maximum((A**2).sum(axis=1)[:, None] - 2 * A @ B.T + (B**2).sum(axis=1), 0.0)


def machine_errors(X, y, tests, widths: Sequence[float], prices: Sequence[float]):
    """Errors in percent of every machine fitted to (X, y).

    Parameters
    ----------
    X, y : ndarray
        The training set, labels -1 and +1.
    tests : sequence of (X, labels, ...)
        Inputs, and one or more arrays of labels for them.
    widths, prices : sequence of float
        The machines: for each C (`prices`) in turn all widths (gamma).

    Returns
    -------
    ndarray of shape (n_label_arrays, n_machines)
        One row for each array of labels, in the order given.
    """
    known = [labels for _, *some in tests for labels in some]
    if len(np.unique(y)) < 2:
        constant = [[100.0 * np.mean(labels != y[0])] for labels in known]
        return np.repeat(constant, len(widths) * len(prices), axis=1)
    distances = [_squared_distances(X, X), *(_squared_distances(T, X) for T, *_ in tests)]
    errors = np.empty((len(known), len(prices), len(widths)))
    for j, width in enumerate(widths):
        own, *grams = (np.exp(-width * d) for d in distances)
        for i, C in enumerate(prices):
            # The checks of one fit cost as much as the fit, and these arrays are ours.
            with config_context(assume_finite=True, skip_parameter_validation=True):
                machine = SVC(C=C, kernel="precomputed").fit(own, y)
            row = 0
            for gram, (_, *some) in zip(grams, tests, strict=True):
                # What predict does, by one product: its own loop over a given Gram matrix is slow.
                scores = gram[:, machine.support_] @ machine.dual_coef_[0] + machine.intercept_[0]
                for labels in some:
                    errors[row, i, j] = 100 * np.mean(np.where(scores > 0, 1, -1) != labels)
                    row += 1
    return errors.reshape(len(known), -1)


def chosen(errors) -> int:
    """The place of the lowest error; of equals the last."""
    return len(errors) - 1 - int(errors[::-1].argmin())


@protocol("machine_choice", version=1)
def machine_choice(
    trial: Trial,
    widths: Sequence[float],
    prices: Sequence[float],
    choices: Sequence[int],
    rho: Mapping[str, Any],
    adaboost: Mapping[str, Any],
    n_clones: int,
    flip: float = 0.0,
) -> dict[str, float]:
    """The machine that each way of choosing takes, judged out of sample.

    Ways: `in` (training error), `cv` (5 folds), `rho` and `adaboost` (``n_clones`` clones as training sets, and new
    inputs with the cloner's labels as test sets), `oracle` (as many new training sets of the problem, and new inputs
    with its labels), `first` (the first machine, whatever the data).

    ``adaboost`` may say ``selection: False``: its clones are then taken as they come. The share ``flip`` of the labels
    is wrong in training sets and, for the gap, in the test set.

    Records for each way and each number of ``choices``, in percent: `gap_...`, the document's measure (out-of-sample
    minus in-sample error of the machine taken); `distance_...`, how far that is from the oracle's; `error_...`, the
    machine's error against the target; and `regret_...`, how much more that is than the oracle's. And
    `error_of_..._cloner`, that of the cloner functions.
    """
    params = trial.parts["data"]["params"]
    draw = partial(make_problem, params["problem"])
    rng = np.random.RandomState(trial.data_seed)
    X, target = draw(params["n_samples"], rng)
    X_test, truth = draw(N_TEST, rng)
    # The draws of labels come from a stream of their own, so that all shares of wrong labels see the same inputs.
    label_rng = np.random.RandomState((trial.data_seed + 1) % 2**32)
    y, noisy_truth = flipped(target, flip, label_rng), flipped(truth, flip, label_rng)

    def errors(X, y, *tests):
        return machine_errors(X, y, tests, widths, prices)

    inside, outside, error = errors(X, y, (X, y), (X_test, noisy_truth, truth))
    known = {"in": inside, "first": np.arange(len(inside), dtype=np.float64)}
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=trial.data_seed).split(X, y)
    known["cv"] = np.mean([errors(X[a], y[a], (X[b], y[b]))[0] for a, b in folds], axis=0)
    clone_rng = np.random.RandomState((trial.data_seed + 2) % 2**32)
    result = {}
    for name, kind, options in (("rho", RhoCloner, dict(rho)), ("adaboost", AdaBoostCloner, dict(adaboost))):
        selection = options.pop("selection", True)
        cloner = kind(inputs=lambda m, rng: draw(m, rng)[0], random_state=clone_rng, **options).fit(X, y)
        tests = [
            errors(
                *cloner.sample(selection=selection, random_state=clone_rng),
                cloner.sample(N_CLONED_TEST, selection=False, random_state=clone_rng),
            )[0]
            for _ in range(n_clones)
        ]
        known[name] = np.mean(tests, axis=0)
        result[f"error_of_{name}_cloner"] = percent_wrong(truth, cloner.predict(X_test))
    extra = []
    for _ in range(n_clones):
        X_more, y_more = draw(params["n_samples"], clone_rng)
        extra.append(errors(X_more, flipped(y_more, flip, clone_rng), draw(N_CLONED_TEST, clone_rng))[0])
    known["oracle"] = np.mean(extra, axis=0)
    for n_choices in choices:
        oracle = chosen(known["oracle"][:n_choices])
        for name, seen in known.items():
            pick = chosen(seen[:n_choices])
            result[f"gap_{name}_{n_choices}"] = outside[pick] - inside[pick]
            result[f"distance_{name}_{n_choices}"] = abs(
                outside[pick] - inside[pick] - outside[oracle] + inside[oracle]
            )
            result[f"error_{name}_{n_choices}"] = error[pick]
            result[f"regret_{name}_{n_choices}"] = error[pick] - error[oracle]
    return result
