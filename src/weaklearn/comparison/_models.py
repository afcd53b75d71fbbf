"""The classifiers that `compare` enters when none are given: ours, and the ones that people would use instead."""

from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from weaklearn.boosting import NoiseTolerantBoostClassifier
from weaklearn.comparison._result import MAJORITY
from weaklearn.linear import ZeroOneClassifier
from weaklearn.multiclass import AdaBoostECCClassifier
from weaklearn.robust import CalibratedClassifier, RobustClassifier


def default_models(n_classes, seed=0):
    """The classifiers that are compared: (name, whether it is ours, estimator)."""
    if n_classes == 2:
        name, booster = "noise-tolerant boosting", NoiseTolerantBoostClassifier(random_state=seed)
    else:
        name, booster = "AdaBoost.ECC of stumps", AdaBoostECCClassifier(n_estimators=200, random_state=seed)
    # Its own probabilities are too extreme to be compared.
    boosted = (name, True, CalibratedClassifier(booster, random_state=seed))
    grid = {"C": [0.1, 1, 10], "gamma": ["scale", 0.01]}
    return [
        ("robust classifier", True, RobustClassifier(random_state=seed)),
        ("0/1 loss, linear", True, ZeroOneClassifier("auto", random_state=seed)),
        boosted,
        ("logistic regression", False, LogisticRegression(max_iter=1000)),
        ("SVM, Gaussian kernel", False, GridSearchCV(SVC(), grid, cv=3)),
        ("random forest", False, RandomForestClassifier(n_estimators=200, random_state=seed)),
        ("boosted trees", False, HistGradientBoostingClassifier(max_depth=2, random_state=seed)),
        (MAJORITY, False, DummyClassifier(strategy="prior")),
    ]
