"""Audits of labels that were made wrong on purpose, and cleanlab in the same clothes as `LabelAuditor`."""

import copy
from typing import Any

import numpy as np
from scipy.stats import beta
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from weaklearn.datasets import flip_labels
from weaklearn.lab import Trial, protocol
from weaklearn.labels import LabelAuditor
from weaklearn.tables import labelled


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


def trainee(X, y, random):
    """Codes of labels, those of 40% of the rows by a trainee: of the nearest three of 60 explained examples."""
    y, Z = y.copy(), StandardScaler().fit_transform(X)
    shown = random.permutation(len(y))[:60]
    rows = np.flatnonzero(random.rand(len(y)) < 0.4)
    y[rows] = KNeighborsClassifier(3).fit(Z[shown], y[shown]).predict(Z[rows])
    return y


def human(X, y, random):
    """Codes of labels, 10% wrong where a forest that knows the true ones doubts: its second choice is written down."""
    P = RandomForestClassifier(100, oob_score=True, random_state=random).fit(X, y).oob_decision_function_
    P = np.nan_to_num(P)
    own = np.arange(len(y)), y
    doubt = 0.02 + 1 - P[own]
    rows = random.choice(len(y), round(0.1 * len(y)), replace=False, p=doubt / doubt.sum())
    P[own] = -1
    y = y.copy()
    y[rows] = P.argmax(axis=1)[rows]
    return y


def spelled(names, random):
    """Labels as texts, 30% of them in another spelling: half of these in capitals, half with two spaces inside."""
    names = np.char.add("class ", names.astype(str)).astype("U40")
    rows = np.flatnonzero(random.rand(len(names)) < 0.3)
    names[rows[::2]] = np.char.upper(names[rows[::2]])
    names[rows[1::2]] = np.char.replace(names[rows[1::2]], " ", "  ")
    return names


_PEOPLE = {"trainee": trainee, "human": human}


def _noisy(trial: Trial) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, given labels and the true ones; all auditors see the same."""
    X, _, y, _ = trial.split()
    share, kind, seed = trial.setting["share"], trial.setting["kind"], trial.data_seed % 2**32
    if kind in _PEOPLE:
        names, codes = np.unique(y, return_inverse=True)
        random, given = np.random.RandomState(seed), codes
        while (given == codes).all():  # a trainee without a mistake is followed by another one
            given = _PEOPLE[kind](X, codes, random)
        return X, names[given], y
    if not share:
        return X, y, y
    return X, flip_labels(y, share, kind=kind, X=X, random_state=seed)[0], y


@protocol("weaklearn.lab.studies.own.label_audit_trials:audited", version=1)
def audited(trial: Trial) -> dict[str, Any]:
    """What an auditor finds among labels of which a known part is wrong.

    The row's setting is the ``share`` of wrong labels and their ``kind`` (see `flip_labels`; or "trainee", "human"),
    and whether labels are ``spelled`` in three ways, which `audit` merges and other auditors take for classes. Records,
    in percent of the rows, `count` (the estimated number of wrong labels), `count_error` (its absolute error) and
    `listed`; `brier` of the probabilities; with wrong labels the average precision `ap` and the list's `f1`,
    `precision` and, where the auditor states it, `said` (its expected precision); where it has an interval, `covered`
    and `width`.
    """
    X, given, y = _noisy(trial)
    wrong = given != y
    auditor = trial.build()
    if trial.setting.get("spelled"):
        given = spelled(given, np.random.RandomState(trial.data_seed % 2**32))
        if isinstance(auditor, LabelAuditor):  # what `weaklearn.labels.audit` does first
            given = labelled({"row": np.arange(len(y)) / 7, "label": given}, "label", merge_spellings=True).y
    auditor.fit(X, given)
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
        # As the precision: 0 where nothing is listed.
        found["said"] = 100 * auditor.expected_precision_ if len(listed) else 0.0
    if hasattr(auditor, "n_wrong_interval_"):
        low, high = auditor.n_wrong_interval_
        # The count is a whole number: an end that rounds to it contains it.
        found |= {"covered": 100.0 * (round(low) <= n_wrong <= round(high)), "width": 100 * (high - low) / n}
    return found


@protocol("weaklearn.lab.studies.own.label_audit_trials:reviewed", version=1)
def reviewed(trial: Trial) -> dict[str, Any]:
    """What a review of 20, 50 and 100 rows does to the count of wrong labels, by the order of the rows.

    Orders: ``sample`` (the proposed random sample), ``random`` (rows drawn evenly, of which the auditor does not know
    that they are), ``top`` (the most suspicious rows first) and ``alone`` (the same random rows without any model: the
    share found, and the interval of Clopper and Pearson). Records for each ``ORDER NUMBER error`` and ``width`` in
    percent of the rows, and whether the 90% interval has ``covered`` the count.
    """
    X, given, y = _noisy(trial)
    n, n_wrong, known = len(y), int(np.sum(given != y)), set(given.tolist())
    fitted = trial.build().fit(X, given)
    # Not the seed of the flips, which are the first rows of a permutation themselves.
    random = np.random.RandomState([trial.data_seed % 2**32, 1]).permutation(n)
    found = {}

    def record(name, count, low, high):
        found[f"{name} error"] = 100 * abs(count - n_wrong) / n
        found[f"{name} width"] = 100 * (high - low) / n
        found[f"{name} covered"] = 100.0 * (np.floor(low) <= n_wrong <= np.ceil(high))

    for size in (20, 50, 100):
        for order in ("sample", "random", "top"):
            auditor = copy.deepcopy(fitted)
            rows = auditor.review_sample(size) if order == "sample" else random[:size]
            rows = auditor.list_for(budget=size) if order == "top" else rows
            # A label that no row has any more cannot be given back: such a row is unclear.
            auditor.update({int(row): y[row] if y[row] in known else "unclear" for row in rows})
            record(f"{order} {size}", auditor.n_wrong_, *auditor.n_wrong_interval_)
        some = random[:size]
        k, m = int(np.sum(given[some] != y[some])), len(some)
        low = beta.ppf(0.05, k, m - k + 1) if k else 0.0
        high = beta.ppf(0.95, k + 1, m - k) if k < m else 1.0
        record(f"alone {size}", n * k / m, n * low, n * high)
    return found


@protocol("weaklearn.lab.studies.own.label_audit_trials:trained", version=2)
def trained(trial: Trial) -> dict[str, Any]:
    """What training with the auditor's weights buys, and what leaving out the wrong rows would buy who knew them.

    Records `change`, the mean over logistic regression, a forest and boosted trees of the test error with weights minus
    that without, in points, and `known`, the same of training without the rows that are wrong.
    """
    X, given, y = _noisy(trial)
    wrong = given != y
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
