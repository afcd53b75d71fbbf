"""Support counts: which machines there are, one run and several, several classifiers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from weaklearn.display import SupportCountDisplay
from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


def test_one_machine_per_class_or_pair():
    rest = KernelSVC().fit(X, NAMES)
    shown = SupportCountDisplay.from_estimator(rest)
    assert shown.machines == ["setosa", "versicolor", "virginica"]
    np.testing.assert_array_equal(shown.lines_["KernelSVC"].get_ydata(), rest.n_support_)
    pairs = KernelPerceptronClassifier(multi_class="ovo", random_state=0).fit(X, Y)
    assert SupportCountDisplay.from_estimator(pairs, name="pairs").machines == ["0-1", "0-2", "1-2"]
    two = KernelSVC().fit(X[:100], Y[:100])
    assert SupportCountDisplay.from_estimator(two).machines == ["0-1"]


def test_several_classifiers():
    models = {
        "perceptron": KernelPerceptronClassifier(random_state=0).fit(X, Y),
        "SVM": KernelSVC().fit(X, Y),
    }
    shown = SupportCountDisplay.from_estimator(models)
    assert list(shown.lines_) == ["perceptron", "SVM"]
    assert [text.get_text() for text in shown.ax_.get_legend().get_texts()] == ["perceptron", "SVM"]
    models["pairs"] = KernelPerceptronClassifier(multi_class="ovo", random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="different machines"):
        SupportCountDisplay.from_estimator(models)


def test_runs():
    shown = SupportCountDisplay({"runs": [[1, 10], [3, 30]], "one": [2, 200]}).plot()
    np.testing.assert_array_equal(shown.lines_["runs"].get_ydata(), [2, 20])
    assert shown.ax_.get_yscale() == "log"
    assert SupportCountDisplay({"one": [0, 200]}).plot().ax_.get_yscale() == "linear"


def test_wrong_arguments():
    with pytest.raises(ValueError, match="same machines"):
        SupportCountDisplay({"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(ValueError, match="1 names for 2 machines"):
        SupportCountDisplay({"a": [1, 2]}, machines=["x"])
    odd = KernelSVC().fit(X, Y)
    odd.n_support_ = np.array([1, 2])
    with pytest.raises(ValueError, match="2 counts for 3 classes"):
        SupportCountDisplay.from_estimator(odd)
