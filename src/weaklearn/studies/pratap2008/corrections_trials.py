"""Trials of pratap2008, section 2.6: what DLPBoost changes of the ensemble of AdaBoost that it starts from."""

import numpy as np

from weaklearn import datasets
from weaklearn.boosting import AdaBoostClassifier
from weaklearn.lab import Trial, protocol

N_TEST = 5000


def _sets(trial: Trial):
    """X_train, X_test, y_train, y_test: a split of a real set, new draws of an artificial problem."""
    data = trial.data or {}
    if data["kind"] == "real":
        return trial.split()
    size = data["split"]["train_size"]
    params = {name: value for name, value in data["params"].items() if name != "n_samples"}
    make = getattr(datasets, f"make_{data['name']}")
    X, y = make(size + N_TEST, random_state=trial.data_seed % 2**32, **params)
    return X[:size], X[size:], y[:size], y[size:]


@protocol("margin_correction", version=1)
def margin_correction(trial: Trial) -> dict[str, float]:
    """A corrected ensemble minus AdaBoost's: test error and normalised training margins.

    Records `error_change` (percentage points), `mean_change`, `max_change` and `least_change` of the margins; `size`
    and `rounds_size`, the distinct stumps of both; and `hypotheses` and `rounds_hypotheses`: rounds of AdaBoost whose
    hypothesis has a weight that is not zero, equal stumps counted once for each round that found them.
    """
    X_train, X_test, y_train, y_test = _sets(trial)
    model = trial.build().fit(X_train, y_train)
    plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
    signs = np.where(y_train == model.classes_[1], 1, -1)
    margins, before = (
        signs * some.decision_function(X_train) / np.abs(some.estimator_weights_).sum()
        for some in (model, plain)
    )
    kept, found = (
        [(stump.feature_, stump.threshold_, stump.polarity_) for stump in some.estimators_]
        for some in (model, plain)
    )
    change = margins - before
    error, error_before = (100 * float(np.mean(some.predict(X_test) != y_test)) for some in (model, plain))
    return {
        "error_change": error - error_before,
        "mean_change": change.mean(),
        "max_change": change.max(),
        "least_change": change.min(),
        "size": float(len(set(kept))),
        "rounds_size": float(len(set(found))),
        "hypotheses": float(sum(stump in set(kept) for stump in found)),
        "rounds_hypotheses": float(len(found)),
    }
