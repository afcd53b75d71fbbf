"""Bad input to every classifier: an error that names what is wrong, before any work."""

import inspect

import numpy as np
import pytest
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError

import weaklearn.boosting
import weaklearn.linear
from weaklearn.stumps import DecisionStump


def is_classifier(value):
    """A classifier that can be made without arguments (searches over other classifiers cannot)."""
    if not (inspect.isclass(value) and issubclass(value, ClassifierMixin)):
        return False
    return all(p.default is not p.empty for p in inspect.signature(value).parameters.values())


CLASSIFIERS = [DecisionStump] + [
    value
    for module in (weaklearn.linear, weaklearn.boosting)
    for value in (getattr(module, name) for name in module.__all__)
    if is_classifier(value)
]
X = np.random.default_rng(0).normal(size=(20, 3))
Y = np.arange(20) % 2


def with_value(value):
    changed = X.copy()
    changed[3, 1] = value
    return changed


CASES = {
    "NaN": (with_value(np.nan), Y, None, "contains NaN"),
    "infinity": (with_value(np.inf), Y, None, "contains infinity"),
    "text in a column": (np.array([["a", "b"]] * 20), Y, None, "could not convert string to float"),
    "one class": (X, np.zeros(20, int), None, "at least two classes; y has only one class: 0"),
    "no rows": (X[:0], Y[:0], None, "0 sample"),
    "no columns": (X[:, :0], Y, None, "0 feature"),
    "one column too flat": (X[:, 0], Y, None, "Expected 2D array"),
    "labels too few": (X, Y[:-1], None, "inconsistent numbers of samples"),
    "labels continuous": (X, np.linspace(0, 1, 20), None, "Unknown label type: continuous"),
    "missing labels": (X, np.where(Y == 0, np.nan, 1.0), None, "y contains NaN"),
    "negative weight": (X, Y, np.where(Y == 0, -1.0, 1.0), "[Nn]egative"),
    "weights too few": (X, Y, np.ones(3), "sample_weight.shape"),
    "NaN weight": (X, Y, np.where(Y == 0, np.nan, 1.0), "sample_weight contains NaN"),
    "one class of positive weight": (X, Y, Y.astype(float), "weight zero leaves only one class: 1"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: c.__name__)
def test_fit_names_what_is_wrong(classifier, case):
    features, labels, weights, message = CASES[case]
    with pytest.raises(ValueError, match=message):
        classifier().fit(features, labels, sample_weight=weights)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: c.__name__)
def test_predict_names_what_is_wrong(classifier):
    with pytest.raises(NotFittedError):
        classifier().predict(X)
    model = classifier()
    if "max_iter" in model.get_params():
        model.set_params(max_iter=5)
    model.fit(X, Y)
    with pytest.raises(ValueError, match=r"2 features, but .* is expecting 3 features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(with_value(np.nan))
