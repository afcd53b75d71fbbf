"""Trials of pratap2008, Table 2.2: minimum margins over runs."""

import numpy as np

from weaklearn.lab import Trial, protocol, seed_from


@protocol("weaklearn.lab.studies.pratap2008.minima_trials:least_margin", version=1)
def least_margin(trial: Trial, n_splits: int) -> dict[str, float]:
    """One repetition of ``n_splits`` runs: the least normalised training margin of any run (`least`), and the mean of
    the runs' least margins (`mean`)."""
    found = []
    for k in range(n_splits):
        X, _, y, _ = trial.split(seed_from(seed=trial.data_seed, split=k))
        model = trial.build().fit(X, y)
        signs = np.where(y == model.classes_[1], 1, -1)
        found.append((signs * model.decision_function(X)).min() / np.abs(model.estimator_weights_).sum())
    return {"least": min(found), "mean": float(np.mean(found))}
