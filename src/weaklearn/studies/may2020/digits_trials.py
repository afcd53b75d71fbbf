"""Trials of may2020, part I: kernel machines on the digits.

The published tables have one data set and a row for every setting of an algorithm: the row's setting replaces
parameters of the column's algorithm. All settings see the same splits.
"""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import confusion_matrix

from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC, gaussian_kernel, polynomial_kernel
from weaklearn.lab import Trial, build, protocol, seed_from
from weaklearn.lab.protocols import percent_wrong

# Descriptions of trials name the Gaussian kernel by its first name.
_KERNELS = {"gaussian": "rbf"}


def perceptron(kernel: str = "polynomial", **params: Any) -> KernelPerceptronClassifier:
    """A kernel perceptron; the polynomial is homogeneous, as in the document."""
    return KernelPerceptronClassifier(_KERNELS.get(kernel, kernel), **params)


def svc(kernel: str = "gaussian", **params: Any) -> KernelSVC:
    """A support vector machine."""
    return KernelSVC(kernel=_KERNELS.get(kernel, kernel), **params)


def _predicted(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Predictions as in the document: one-versus-one gives tied votes to the first class."""
    if getattr(estimator, "multi_class", "") != "ovo":
        return estimator.predict(X)
    votes = np.round(estimator.decision_function(X))
    return estimator.classes_[votes.argmax(axis=1)]


@protocol("setting", version=1)
def setting_holdout(trial: Trial) -> dict[str, float]:
    """Fit a kernel machine with the row's parameters.

    Records `test_error` as the document counts it and `own_test_error` as the estimator predicts (they differ for
    one-versus-one, where votes tie), `train_error` (of a perceptron the share of mistakes in the last epoch, each
    counted when it was made), `support k` for each machine k, their sum `support`, and `n_iter`.
    """
    X_train, X_test, y_train, y_test = trial.split()
    estimator = trial.build(**trial.setting).fit(X_train, y_train)
    if hasattr(estimator, "mistakes_"):
        train_error = 100.0 * estimator.mistakes_[-1] / len(y_train)
    else:
        train_error = percent_wrong(y_train, estimator.predict(X_train))
    return {
        "train_error": train_error,
        "test_error": percent_wrong(y_test, _predicted(estimator, X_test)),
        "own_test_error": percent_wrong(y_test, estimator.predict(X_test)),
        "n_iter": float(estimator.n_iter_),
        "support": float(np.sum(estimator.n_support_)),
        **{f"support {machine}": float(count) for machine, count in enumerate(estimator.n_support_)},
    }


@protocol("kernel-selection", version=2)
def kernel_selection(trial: Trial, n_folds: int = 5) -> dict[str, Any]:
    """The best of a `Selection` by cross-validation on the training part, learned again on all of it.

    The Gram matrix of each kernel is computed once for all folds. Records `test_error`, `last_test_error` of a machine
    with the last parameters of the grid if that is wanted too, the chosen value of every parameter of the grid under
    its name, and `chosen k`, 1 for the place k of the choice in the grid and 0 for all
    others, whose means are the shares of runs. If the selection records mistakes, also the confusion of the test
    part (`confusion i j`: of the examples of class i that are wrong, the share that is taken for j), and `wrong` and
    `taken`, the numbers of the examples of the whole set that the final machine has wrong and the places among the
    classes of what it takes them for.
    """
    X_train, X_test, y_train, y_test = trial.split()
    selection = trial.algorithm["params"]
    learner, grid = selection["estimator"], selection["grid"]
    rng = np.random.default_rng(seed_from(purpose="folds", data=trial.data, index=trial.index))
    fold = rng.permutation(np.arange(len(y_train)) % n_folds)
    errors = np.zeros(len(grid))
    gram_of: dict[str, np.ndarray] = {}
    for place, candidate in enumerate(grid):
        params = {**learner["params"], **candidate}
        gram = _gram(X_train, params, gram_of)
        for k in range(n_folds):
            inside, outside = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            machine = build({**learner, "params": params}, seed_from(seed=trial.algorithm_seed, fold=k))
            machine.set_params(kernel="precomputed").fit(gram[np.ix_(inside, inside)], y_train[inside])
            predicted = _predicted(machine, gram[np.ix_(outside, inside)])
            errors[place] += np.count_nonzero(predicted != y_train[outside])
    gram_of.clear()
    best = int(errors.argmin())
    chosen = grid[best]

    def learned(candidate: Mapping[str, Any]) -> Any:
        machine = build({**learner, "params": {**learner["params"], **candidate}}, trial.algorithm_seed)
        return machine.fit(X_train, y_train)

    final = learned(chosen)
    predicted = _predicted(final, X_test)
    result: dict[str, Any] = {"test_error": percent_wrong(y_test, predicted)}
    if selection.get("final", "chosen") == "both":
        result["last_test_error"] = percent_wrong(y_test, _predicted(learned(grid[-1]), X_test))
    result |= {name: float(value) for name, value in chosen.items()}
    result |= {f"chosen {place}": float(place == best) for place in range(len(grid))}
    if selection.get("everything", False):
        result |= _confusion(y_test, predicted, final.classes_)
        X, y = trial.load()
        answers = final.predict(X)
        result["wrong"] = wrong = np.flatnonzero(answers != y)
        result["taken"] = np.searchsorted(final.classes_, answers[wrong])
    return result


def _gram(X: np.ndarray, params: Mapping[str, Any], known: dict[str, np.ndarray]) -> np.ndarray:
    """The Gram matrix that a machine with these parameters would compute; only the last one is kept."""
    kernel, used = {
        "gaussian": (gaussian_kernel, ("gamma",)),
        "polynomial": (polynomial_kernel, ("gamma", "degree")),
    }[params["kernel"]]
    arguments = {name: params[name] for name in used}
    key = f"{params['kernel']} {arguments}"
    if key not in known:
        known.clear()
        dtype = np.dtype(params.get("dtype", "float64")).type
        known[key] = kernel(X, dtype=dtype, **arguments)
    return known[key]


class Selection(BaseEstimator):
    """A learner and the parameters to choose from, as the algorithm of the "kernel-selection" protocol.

    With ``everything`` the trial also records which digits are taken for which. With ``final="both"`` it also tests a
    machine with the last parameters of the grid, whatever was chosen.
    """

    def __init__(self, estimator=None, grid=(), everything=False, final="chosen"):
        self.estimator = estimator
        self.grid = grid
        self.everything = everything
        self.final = final


def _confusion(y: np.ndarray, predicted: np.ndarray, classes: np.ndarray) -> dict[str, float]:
    """Shares of the wrong examples of each class; 0 where a class has none, as in may2020, section 2 (iii)."""
    wrong = confusion_matrix(y, predicted, labels=classes)
    np.fill_diagonal(wrong, 0)
    shares = wrong / np.maximum(wrong.sum(axis=1, keepdims=True), 1)
    return {f"confusion {i} {j}": shares[i, j] for i, j in permutations(range(len(classes)), 2)}


@protocol("digits-overview", version=1)
def digits_overview(trial: Trial) -> dict[str, Any]:
    """Number of examples of each class, and the pixels of one example of each."""
    X, y = trial.load()
    rng = np.random.default_rng(trial.data_seed)
    classes, counts = np.unique(y, return_counts=True)
    examples = [X[rng.choice(np.flatnonzero(y == label))] for label in classes]
    return {"classes": classes.astype(float), "counts": counts, "pixels": np.concatenate(examples)}


class BalancedRestSVC(ClassifierMixin, BaseEstimator):
    """The first approach of may2020, section 5 (i): each machine sees a sample of the rest as large as its own class.

    The document solves the dual with a general QP solver (``solver="clarabel"`` here). ``"smo"`` finds the same
    optimum in a fraction of the time and is what the tables use. Coefficients below 1e-5 do not count as support.
    """

    def __init__(self, C=1.0, *, kernel="gaussian", gamma=1.0, solver="smo", random_state=None):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.solver = solver
        self.random_state = random_state

    def fit(self, X, y):
        """Learn one machine for each class."""
        self.classes_ = np.unique(y)
        rng = np.random.default_rng(self.random_state)
        self._X = None if self.kernel == "precomputed" else X
        self._machines = []
        steps = []
        for label in self.classes_:
            own, rest = np.flatnonzero(y == label), np.flatnonzero(y != label)
            rows = np.concatenate([own, rng.choice(rest, size=min(len(own), len(rest)), replace=False)])
            sign = np.where(y[rows] == label, 1.0, -1.0)
            if self.kernel == "precomputed":
                gram = np.ascontiguousarray(X[np.ix_(rows, rows)], dtype=np.float64)
            else:
                gram = gaussian_kernel(X[rows], gamma=self.gamma)
            beta, bias, n_steps = self._solve(gram, sign)
            kept = np.abs(beta) > 1e-5
            self._machines.append((rows[kept], beta[kept], bias))
            steps.append(n_steps)
        self.n_support_ = np.array([len(rows) for rows, _, _ in self._machines])
        self.n_iter_ = max(steps)
        return self

    def _solve(self, gram, sign):
        if self.solver == "smo":
            machine = KernelSVC(self.C, kernel="precomputed").fit(gram, sign)
            beta = np.zeros(len(sign))
            beta[machine.support_] = machine.dual_coef_[0]
            return beta, machine.intercept_[0], machine.n_iter_
        return clarabel_dual(gram, sign, self.C)

    def decision_function(self, X):
        """Scores of the machines."""
        scores = np.empty((len(X), len(self.classes_)))
        for k, (rows, beta, bias) in enumerate(self._machines):
            values = X[:, rows] if self._X is None else gaussian_kernel(X, self._X[rows], gamma=self.gamma)
            scores[:, k] = values @ beta + bias
        return scores

    def predict(self, X):
        """The class of the largest score."""
        return self.classes_[self.decision_function(X).argmax(axis=1)]


def clarabel_dual(gram, sign, C):
    """The dual by a general interior-point solver: coefficients, bias, iterations."""
    import clarabel  # an optional extra: only solver="clarabel" needs it

    n = len(sign)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    upper, lower = np.where(sign > 0, C, 0.0), np.where(sign > 0, 0.0, -C)
    A = sparse.vstack([sparse.csc_matrix(np.ones((1, n))), sparse.eye(n), -sparse.eye(n)]).tocsc()
    b = np.concatenate([[0.0], upper, -lower])
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(2 * n)]
    solution = clarabel.DefaultSolver(sparse.csc_matrix(np.triu(gram)), -sign, A, b, cones, settings).solve()
    beta = np.asarray(solution.x)
    free = (np.abs(beta) > 1e-5 * C) & (np.abs(beta) < C * (1 - 1e-5))
    residual = sign - gram @ beta
    bias = float(residual[free].mean()) if free.any() else float(np.median(residual))
    return beta, bias, int(solution.iterations)
