"""A trial of the study of small noisy tables: wrong labels in training, clean ones in the test."""

from zlib import crc32

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from weaklearn.lab import protocol
from weaklearn.lab.protocols import percent_wrong

# More test rows than this add little to what the choice of training rows leaves uncertain.
_TEST_ROWS = 2000
# A probability of 0 for what happened would make every mean infinite.
_LEAST_PROBABILITY = 1e-6


def wrong_labels(X, codes, noise, rng):
    """Labels with mistakes.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    codes : ndarray of int
        The true classes, from 0.
    noise : str
        "clean"; "20%", this share of all rows, exactly, each to a random other class; "one class 30%", this share of
        the rows of one random class to the next one; "near 20%", this share of all rows, those near the boundary of
        logistic regression being likelier.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int
    """
    given = codes.copy()
    if noise == "clean":
        return given
    n, n_classes = len(codes), int(codes.max()) + 1
    share = float(noise.rpartition(" ")[2].rstrip("%")) / 100
    if noise.startswith("one class"):
        source = rng.integers(n_classes)
        rows = np.flatnonzero(codes == source)
        rows = rng.permutation(rows)[: round(share * len(rows))]
        given[rows] = (source + 1) % n_classes
        return given
    chance = np.ones(n)
    if noise.startswith("near"):
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, codes)
        chance = np.exp(-3 * model.predict_proba(X)[np.arange(n), codes])
    rows = rng.choice(n, round(share * n), replace=False, p=chance / chance.sum())
    given[rows] = (given[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    return given


@protocol("weaklearn.lab.studies.own.noisy_tables_trials:noisy_holdout", version=1)
def noisy_holdout(trial):
    """Fit with wrong labels; error, log loss and AUC on rows with true labels.

    The row's setting ``noise`` says which labels are wrong; all algorithms see the same ones. Records `test_error` in
    percent, `auc` in percent (the mean over classes against the rest) and, for classifiers with probabilities,
    `log_loss`, in which a row counts at most -log(1e-6).
    """
    noise = trial.setting["noise"]
    X_train, X_test, y_train, y_test = trial.split()
    X_test, y_test = X_test[:_TEST_ROWS], y_test[:_TEST_ROWS]
    classes, codes = np.unique(y_train, return_inverse=True)
    known = np.isin(y_test, classes)
    X_test, true = X_test[known], np.searchsorted(classes, y_test[known])
    rng = np.random.default_rng([trial.data_seed, crc32(noise.encode())])
    given = wrong_labels(X_train, codes, noise, rng)
    model = trial.build().fit(X_train, given)
    result = {"test_error": percent_wrong(true, model.predict(X_test))}
    if hasattr(model, "predict_proba"):
        # A class that noise has emptied is not known to the model.
        P = np.zeros((len(true), len(classes)))
        P[:, model.classes_] = model.predict_proba(X_test)
        result["log_loss"] = float(
            -np.log(np.maximum(P[np.arange(len(true)), true], _LEAST_PROBABILITY)).mean()
        )
        scores = P
    else:
        scores = model.decision_function(X_test)
        if scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
    areas = [
        roc_auc_score(true == k, scores[:, k])
        for k in range(len(classes))
        if 0 < np.sum(true == k) < len(true)
    ]
    result["auc"] = 100 * float(np.mean(areas))
    return result


def standardised(estimator):
    """An estimator on columns of mean 0 and variance 1."""
    return make_pipeline(StandardScaler(), estimator)


def stack(random_state=0):
    """Logistic regression, a forest and a support vector machine, stacked by logistic regression."""
    # The list of studies must not wait for what one column needs.
    from sklearn.ensemble import RandomForestClassifier, StackingClassifier
    from sklearn.svm import SVC

    return StackingClassifier(
        [
            ("logistic", standardised(LogisticRegression(max_iter=2000))),
            ("forest", RandomForestClassifier(200, random_state=random_state)),
            ("svc", standardised(SVC(random_state=random_state))),
        ]
    )


def svc_grid():
    """A support vector machine with a Gaussian kernel, its parameters from a small grid by three folds."""
    # Only this baseline needs them.
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    return standardised(GridSearchCV(SVC(), {"C": [0.1, 1, 10], "gamma": ["scale", 0.01]}, cv=3))
