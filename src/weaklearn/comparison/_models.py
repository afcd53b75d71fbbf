"""The classifiers that `compare` enters when none are given: ours, and the ones that people would use instead.

`save_choice` fits one of them to all rows and saves it, with what it needs to read a data frame.
"""

import numpy as np
import pandas
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from weaklearn.boosting import NoiseTolerantBoostClassifier
from weaklearn.comparison._result import MAJORITY
from weaklearn.linear import ZeroOneClassifier
from weaklearn.multiclass import AdaBoostECCClassifier
from weaklearn.persistence import save
from weaklearn.robust import CalibratedClassifier, RobustClassifier
from weaklearn.tables import TableEncoder


def default_models(n_classes, seed=0):
    """The classifiers that are compared: (name, whether it is ours, estimator)."""
    if n_classes == 2:
        name, booster = "noise-tolerant boosting", NoiseTolerantBoostClassifier(random_state=seed)
    else:
        name, booster = "AdaBoost.ECC of stumps", AdaBoostECCClassifier(n_estimators=200, random_state=seed)
    # Its own probabilities are too extreme to be compared.
    boosted = (name, True, CalibratedClassifier(booster, random_state=seed))
    logistic, forest = LogisticRegression(max_iter=1000), RandomForestClassifier(random_state=seed)
    grid = {"C": [0.1, 1, 10], "gamma": ["scale", 0.01]}
    stacked = [("logistic", logistic), ("forest", forest), ("SVC", SVC())]
    return [
        ("robust classifier", True, RobustClassifier(random_state=seed)),
        ("linear 0/1 loss", True, ZeroOneClassifier("auto", random_state=seed)),
        boosted,
        ("logistic regression", False, logistic),
        ("Gaussian-kernel SVM", False, GridSearchCV(SVC(), grid, cv=3)),
        ("random forest", False, forest),
        ("boosted trees", False, HistGradientBoostingClassifier(max_depth=2, random_state=seed)),
        ("stacked ensemble", False, StackingClassifier(stacked)),
        (MAJORITY, False, DummyClassifier(strategy="prior")),
    ]


def save_choice(found, data, models, path):
    """Fit the recommended classifier to all rows of a labelled table and save it; the card of the file.

    The pipeline takes data frames: it finds its columns by their names, whatever else there is.
    """
    chosen, names = found.recommended, [column.name for column in data.used]
    frame = pandas.DataFrame({name: _as_read(data.cells[name].texts()) for name in names})
    encoder = ColumnTransformer([("columns", TableEncoder(columns=data.used), names)])
    model = make_pipeline(encoder, clone({name: model for name, _, model in models}[chosen.name]))
    description = (
        f"{chosen.name}, fitted on {len(data)} rows to tell {data.label}; error in cross-validation "
        f"{100 * chosen.error:.1f}% (95% interval {100 * chosen.low:.1f} to {100 * chosen.high:.1f}%)"
    )
    return save(model.fit(frame, data.y), path, description=description)


def _as_read(texts):
    """Texts as pandas reads them from a file: numbers, where all of them are."""
    try:
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array([text or None for text in texts], dtype=object)
