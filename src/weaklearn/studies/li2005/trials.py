"""Trials of li2005 that the lab's own protocols do not cover, and its soft-margin SVM. Errors are in percent."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

import weaklearn.datasets
from weaklearn.lab import Trial, protocol, seed_from
from weaklearn.lab.protocols import cpu_seconds, percent_wrong
from weaklearn.linear import AveragedPerceptron, PocketPerceptron, RCDPerceptron


def soft_svm():
    """Linear soft-margin SVM; C from the coarse grid of Hsu et al. (2003) by 5-fold cross-validation.

    Their grid extends to 2^15; on these sets nothing changes beyond 2^5 except the time.
    """
    return GridSearchCV(SVC(kernel="linear"), {"C": [2.0**k for k in range(-5, 7, 2)]}, cv=5)


@protocol("weaklearn.studies.li2005.trials:along_the_path", version=1)
def along_the_path(trial: Trial, early: int, last: int) -> dict[str, float]:
    """The errors of a linear learner at the beginning and at the end.

    Records `train_error` and `test_error` at the end, `early_error`, the training error after ``early`` epochs, `drop`,
    how much it falls from then on, and `swing`, its standard deviation over the ``last`` epochs.
    """
    X_train, X_test, y_train, y_test = trial.split()
    with warnings.catch_warnings():
        # That ROMMA does not converge is what is measured.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = trial.build(keep_path=True).fit(X_train, y_train)
    path = np.asarray(model.path_)

    def errors(weights: np.ndarray) -> np.ndarray:
        positive = X_train @ weights[:, :-1].T + weights[:, -1] > 0
        return 100.0 * np.mean(positive != (y_train == model.classes_[1])[:, None], axis=0)

    # A path that ends early, with nothing left to improve, stays where it ended.
    first = float(errors(path[[min(early, len(path) - 1)]])[0])
    train_error = percent_wrong(y_train, model.predict(X_train))
    return {
        "train_error": train_error,
        "test_error": percent_wrong(y_test, model.predict(X_test)),
        "early_error": first,
        "drop": first - train_error,
        "swing": float(np.std(errors(path[-last:]))),
    }


@protocol("weaklearn.studies.li2005.trials:new_draw", version=1)
def new_draw(trial: Trial, n_splits: int) -> dict[str, float]:
    """Means over some splits of an artificial set that is drawn anew in each trial.

    Records `train_error`, `test_error` and, for ensembles, `n_rounds`. Columns share draws and splits.
    """
    data = trial.data
    assert data is not None
    rng = np.random.default_rng(seed_from(purpose="new draw", data=data, index=trial.index))
    make = getattr(weaklearn.datasets, f"make_{data['name']}")
    X, y = make(**data["params"], random_state=int(rng.integers(2**31)))[:2]
    found: list[dict[str, float]] = []
    for _ in range(n_splits):
        order = rng.permutation(len(y))
        train, test = order[: data["split"]["train_size"]], order[data["split"]["train_size"] :]
        scale = MinMaxScaler((-1, 1)).fit(X[train])
        model = trial.build().fit(scale.transform(X[train]), y[train])
        found.append(
            {
                "train_error": percent_wrong(y[train], model.predict(scale.transform(X[train]))),
                "test_error": percent_wrong(y[test], model.predict(scale.transform(X[test]))),
            }
        )
        if hasattr(model, "estimators_"):
            found[-1]["n_rounds"] = float(len(model.estimators_))
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


@protocol("weaklearn.studies.li2005.trials:cost_of_epochs", version=1, timed=True)
def cost_of_epochs(trial: Trial) -> dict[str, float]:
    """CPU seconds of three learners on the same examples: each is fitted twice, the smaller time counts.

    The row sets the number of ``epochs`` and the start, ``init``; its data are split, or if it has none the examples
    are ``n_samples`` of two overlapping normal classes with ``n_features``. Records `RCD`, `averaged` and `pocket` in
    microseconds per epoch, and `operation`: nanoseconds of an RCD update over m N + N log2 N.
    """
    epochs = trial.setting["epochs"]
    if trial.data is None:
        rng = np.random.default_rng(trial.data_seed)
        y = np.where(rng.random(trial.setting["n_samples"]) < 0.5, 1, -1)
        X = np.clip(rng.normal(size=(len(y), trial.setting["n_features"])) + 0.1 * y[:, None], -3, 3) / 3
    else:
        X, _, y, _ = trial.split()
    n, m = X.shape
    kinds = {"RCD": RCDPerceptron, "averaged": AveragedPerceptron, "pocket": PocketPerceptron}
    found = {}
    for name, kind in kinds.items():
        learner = kind(init=trial.setting["init"], max_iter=epochs, random_state=trial.index)
        found[name] = 1e6 * min(cpu_seconds(learner.fit, X, y) for _ in range(2)) / epochs
    found["operation"] = 1e3 * found["RCD"] / (m * n + n * np.log2(n))
    return found
