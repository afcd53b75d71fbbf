"""Hardest examples as images: which they are, what stands above them, and which shape they have."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from weaklearn.display import HardestExamplesDisplay
from weaklearn.kernel import KernelPerceptronClassifier

X, Y = load_digits(return_X_y=True)
X, Y = X[:400] / 16, Y[:400]
MODEL = KernelPerceptronClassifier("linear", max_iter=1, random_state=0).fit(X[:200], Y[:200])


def test_counts_over_runs():
    runs = np.array([[0, 1, 2, 3], [1, 1, 2, 0], [1, 1, 2, 1], [0, 1, 2, 1]])
    shown = HardestExamplesDisplay.from_predictions(np.eye(4), [0, 1, 2, 3], runs)
    assert shown.indices.tolist() == [3, 0]
    assert shown.titles == [
        "labelled 3\nwrong in 3 of 4\ntaken for 1 or 0",
        "labelled 0\nwrong in 2 of 4\ntaken for 1",
    ]
    assert [axes.get_title() for axes in shown.axes_] == shown.titles
    np.testing.assert_array_equal(shown.images_[0].get_array(), [[0, 0], [0, 1]])
    assert (
        len(HardestExamplesDisplay.from_predictions(np.eye(4), [0, 1, 2, 3], runs, n_examples=1).images) == 1
    )


def test_one_run():
    shown = HardestExamplesDisplay.from_predictions(np.eye(4), list("abca"), list("abcc"))
    assert shown.titles == ["labelled a\ntaken for c"]


def test_margins_of_many_classes():
    shown = HardestExamplesDisplay.from_estimator(MODEL, X[200:], Y[200:], n_examples=7)
    scores = MODEL.decision_function(X[200:])
    margins = []
    for row, label in zip(scores, Y[200:], strict=True):
        own = MODEL.classes_.tolist().index(label)
        margins.append(row[own] - np.delete(row, own).max())
    assert shown.indices.tolist() == np.argsort(margins, kind="stable")[:7].tolist()
    worst = shown.indices[0]
    taken = MODEL.predict(X[200:])[worst]
    assert shown.titles[0] == f"labelled {Y[200 + worst]}\ntaken for {taken}\nmargin {margins[worst]:.2g}"
    np.testing.assert_array_equal(shown.images[0].ravel(), X[200 + worst])


def test_margins_of_two_classes_and_of_probabilities():
    rows = Y < 2
    model = LogisticRegression().fit(X[rows], Y[rows])
    shown = HardestExamplesDisplay.from_estimator(model, X[rows], Y[rows], n_examples=2)
    margins = np.where(Y[rows] == 1, 1, -1) * model.decision_function(X[rows])
    assert shown.indices.tolist() == np.argsort(margins)[:2].tolist()
    # All of them are right: nothing is taken for anything else.
    assert shown.titles[0].startswith(f"labelled {Y[rows][shown.indices[0]]}\nmargin ")
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y)
    assert "taken for" in HardestExamplesDisplay.from_estimator(tree, X, Y).titles[0]


def test_shapes_of_images():
    wide = HardestExamplesDisplay.from_predictions(np.ones((2, 6)), [0, 1], [1, 1], image_shape=(2, 3))
    assert wide.images.shape == (1, 2, 3)
    with pytest.raises(
        ValueError, match=r"6 features, which is no square: give image_shape=\(height, width\)"
    ):
        HardestExamplesDisplay.from_predictions(np.ones((2, 6)), [0, 1], [1, 1])
    with pytest.raises(ValueError, match=r"image_shape=\(2, 4\) needs 8 features; X has 6"):
        HardestExamplesDisplay.from_predictions(np.ones((2, 6)), [0, 1], [1, 1], image_shape=(2, 4))


def test_nothing_to_show_and_wrong_arguments():
    with pytest.raises(ValueError, match="No example is wrong"):
        HardestExamplesDisplay.from_predictions(np.eye(4), [0, 1, 2, 3], [0, 1, 2, 3])
    with pytest.raises(ValueError, match=r"must have 4 answers in each run; got shape \(1, 3\)"):
        HardestExamplesDisplay.from_predictions(np.eye(4), [0, 1, 2, 3], [0, 1, 2])
    with pytest.raises(ValueError, match="labels other than"):
        HardestExamplesDisplay.from_estimator(MODEL, X, Y + 100)


def test_draws_inside_the_given_axes():
    figure, axes = plt.subplots(1, 2)
    shown = HardestExamplesDisplay.from_predictions(np.eye(4), [0, 1, 2, 3], [1, 0, 3, 2], ax=axes[1])
    assert shown.ax_ is axes[1]
    assert shown.axes_ == axes[1].child_axes
    assert plt.get_fignums() == [figure.number]
