"""Audits of labels that were made wrong on purpose, and cleanlab in the same clothes as `LabelAuditor`."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from weaklearn.datasets import flip_labels
from weaklearn.lab import Trial, protocol


class CleanlabAuditor(BaseEstimator):
    """cleanlab's list and count, from out-of-fold probabilities (5 folds) of one learner or the mean of several.

    Parameters
    ----------
    learners : tuple of {"logistic", "lightgbm", "forest"}
    random_state : int, default=None
    """

    def __init__(self, learners=("logistic", "lightgbm", "forest"), random_state=None):
        self.learners = learners
        self.random_state = random_state

    def _learner(self, name):
        if name == "logistic":
            return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        if name == "forest":
            return RandomForestClassifier(200, random_state=self.random_state)
        from lightgbm import LGBMClassifier  # an optional extra

        return LGBMClassifier(random_state=self.random_state, verbose=-1, n_jobs=1)

    def fit(self, X, y):
        """Find ``wrong_probability_`` (1 - the probability of the given label), ``flagged_`` and ``n_wrong_``."""
        import cleanlab.count
        import cleanlab.filter

        codes = np.unique(y, return_inverse=True)[1]
        # A class of fewer than five rows cannot be in every fold.
        kind = StratifiedKFold if np.bincount(codes).min() >= 5 else KFold
        folds = kind(5, shuffle=True, random_state=self.random_state)
        P = np.mean(
            [
                cross_val_predict(self._learner(name), X, codes, cv=folds, method="predict_proba")
                for name in self.learners
            ],
            axis=0,
        )
        self.wrong_probability_ = 1 - P[np.arange(len(codes)), codes]
        self.flagged_ = cleanlab.filter.find_label_issues(
            codes, P, return_indices_ranked_by="self_confidence", n_jobs=1
        )
        self.n_wrong_ = float(cleanlab.count.num_label_issues(codes, P))
        self.sample_weight_ = np.ones(len(codes))
        self.sample_weight_[self.flagged_] = 0.0  # what cleanlab's CleanLearning does: it leaves them out
        return self


def _noisy(trial: Trial) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, given labels and which of them are wrong; all auditors see the same."""
    X, _, y, _ = trial.split()
    setting = trial.setting
    if not setting["share"]:
        return X, y, np.zeros(len(y), dtype=bool)
    given, wrong = flip_labels(
        y, setting["share"], kind=setting["kind"], X=X, random_state=trial.data_seed % 2**32
    )
    return X, given, wrong


@protocol("weaklearn.lab.studies.own.label_audit_trials:audited", version=1)
def audited(trial: Trial) -> dict[str, Any]:
    """What an auditor finds among labels of which a known part is wrong.

    The row's setting is the ``share`` of wrong labels and their ``kind`` (see `flip_labels`). Records, in percent of
    the rows, `count` (the estimated number of wrong labels), `count_error` (its absolute error) and `listed`; `brier`
    of the probabilities; with wrong labels the average precision `ap` and the list's `f1`, `precision` and, where the
    auditor states it, `said` (its expected precision); where it has an interval, `covered` and `width`.
    """
    X, given, wrong = _noisy(trial)
    auditor = trial.build().fit(X, given)
    P, listed = auditor.wrong_probability_, auditor.flagged_
    n, n_wrong = len(given), wrong.sum()
    hits = wrong[listed].sum()
    found = {
        "count": 100 * auditor.n_wrong_ / n,
        "count_error": 100 * abs(auditor.n_wrong_ - n_wrong) / n,
        "listed": 100 * len(listed) / n,
        "brier": np.mean((P - wrong) ** 2),
    }
    if n_wrong:
        found |= {
            "ap": 100 * average_precision_score(wrong, P),
            "f1": 200 * hits / (len(listed) + n_wrong),
            "precision": 100 * hits / max(len(listed), 1),
        }
    if hasattr(auditor, "expected_precision_"):
        found["said"] = 100 * auditor.expected_precision_
    if hasattr(auditor, "n_wrong_interval_"):
        low, high = auditor.n_wrong_interval_
        # The count is a whole number: an end that rounds to it contains it.
        found |= {"covered": 100.0 * (round(low) <= n_wrong <= round(high)), "width": 100 * (high - low) / n}
    return found


@protocol("weaklearn.lab.studies.own.label_audit_trials:trained", version=2)
def trained(trial: Trial) -> dict[str, Any]:
    """What training with the auditor's weights buys, and what leaving out the wrong rows would buy who knew them.

    Records `change`, the mean over logistic regression, a forest and boosted trees of the test error with weights minus
    that without, in points, and `known`, the same of training without the rows that are wrong.
    """
    X, given, wrong = _noisy(trial)
    _, X_test, _, y_test = trial.split()
    weight = trial.build().fit(X, given).sample_weight_
    scaler = StandardScaler().fit(X)
    X, X_test = scaler.transform(X), scaler.transform(X_test)
    seed = trial.data_seed % 2**32
    kept = weight > 0
    changes: dict[str, list[float]] = {"change": [], "known": []}
    for model in (
        LogisticRegression(max_iter=1000),
        RandomForestClassifier(100, random_state=seed),
        HistGradientBoostingClassifier(max_iter=50, random_state=seed),
    ):
        plain = model.fit(X, given).score(X_test, y_test)
        weighted = model.fit(X[kept], given[kept], sample_weight=weight[kept]).score(X_test, y_test)
        right = model.fit(X[~wrong], given[~wrong]).score(X_test, y_test)
        changes["change"].append(100 * (plain - weighted))
        changes["known"].append(100 * (plain - right))
    return {name: np.mean(found) for name, found in changes.items()}
