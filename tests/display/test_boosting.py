"""Displays are tested by the data in their artists."""

import inspect

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier as TreeAdaBoost
from sklearn.linear_model import LogisticRegression

from weaklearn import boosting, display
from weaklearn.boosting import AdaBoostClassifier, margin_distribution, margins
from weaklearn.datasets import make_ring
from weaklearn.display import BoostingCurveDisplay, BoundaryDisplay, MarginDisplay

X, SIGNS = make_ring(90, noise=0.1, random_state=0)
Y = np.where(SIGNS > 0, "inside", "outside")  # sorted: "inside" is the negative class
MODEL = AdaBoostClassifier(n_estimators=60).fit(X, Y)


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# ------------------------------------------------------------------------------------------- margins


def test_margin_curve_is_the_distribution():
    shown = MarginDisplay.from_estimator(MODEL, X, Y)
    np.testing.assert_allclose(shown.margins, np.sort(margins(MODEL, X, Y)))
    x, height = shown.line_.get_data()
    distribution = margin_distribution(MODEL, X, Y)
    assert (x[0], height[0]) == (distribution.minimum, 0)
    # Equal margins are several points at one x; the last of them is the height of the step.
    last = np.append(x[1:] != x[:-1], True)
    np.testing.assert_allclose(height[last], distribution(x[last]))
    assert shown.line_.get_drawstyle() == "steps-post"
    assert shown.figure_ is shown.ax_.figure
    assert labels(shown.ax_) == ["AdaBoost"]


def test_margins_of_two_ensembles_share_axes():
    first = MarginDisplay.from_estimator(MODEL.truncated(5), X, Y, name="5")
    second = MarginDisplay.from_estimator(MODEL, X, Y, name="60", normalize=False, ax=first.ax_)
    assert second.ax_ is first.ax_
    assert labels(first.ax_) == ["5", "60"]
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    assert (first.zero_line_ is not None, second.zero_line_) == (True, None)
    np.testing.assert_allclose(second.margins, np.sort(margins(MODEL, X, Y, normalize=False)))


def test_margins_from_predictions_and_another_package():
    shown = MarginDisplay.from_predictions([1, 0, 1], [1.0, 0.5, -0.25], color="red", label="given")
    np.testing.assert_allclose(shown.margins, [-0.5, -0.25, 1.0])
    assert shown.line_.get_color() == "red"
    trees = TreeAdaBoost(n_estimators=10).fit(X, Y)
    other = MarginDisplay.from_estimator(trees, X, Y, normalize=False)
    np.testing.assert_allclose(other.margins, np.sort(-SIGNS * trees.decision_function(X)))


# -------------------------------------------------------------------------------------------- rounds


def test_error_curves():
    X_test, s_test = make_ring(300, random_state=1)
    y_test = np.where(s_test > 0, "inside", "outside")
    shown = BoostingCurveDisplay.from_estimator(MODEL, X_test, y_test, name="ada")
    assert list(shown.lines_) == ["ada, training", "ada, test"]
    rounds, errors = shown.lines_["ada, training"].get_data()
    np.testing.assert_array_equal(rounds, np.arange(1, 61))
    np.testing.assert_allclose(errors, 100 * MODEL.error_curve_)
    expected = [100 * np.mean(labels != y_test) for labels in MODEL.staged_predict(X_test)]
    np.testing.assert_allclose(shown.lines_["ada, test"].get_ydata(), expected)
    assert (shown.ax_.get_xscale(), shown.ax_.get_yscale()) == ("log", "linear")


def test_cost_curves():
    shown = BoostingCurveDisplay.from_estimator(MODEL, quantity="cost")
    np.testing.assert_allclose(shown.lines_["training"].get_ydata(), MODEL.cost_curve_)
    assert shown.ax_.get_yscale() == "log"
    linear = BoostingCurveDisplay({"a": [1.0, 0.5, -0.1]}, quantity="cost").plot()
    assert linear.ax_.get_yscale() == "linear"
    with pytest.raises(ValueError, match="quantity"):
        BoostingCurveDisplay({}, quantity="loss")
    with pytest.raises(ValueError, match="only"):
        BoostingCurveDisplay.from_estimator(MODEL, X, Y, quantity="cost")


# --------------------------------------------------------------------------------------------- plane


def test_boundary_shows_the_scores_and_the_errors():
    shown = BoundaryDisplay.from_estimator(MODEL, X, Y, resolution=30)
    i, j = 7, 19
    assert shown.scores[i, j] == pytest.approx(MODEL.decision_function([[shown.x0[j], shown.x1[i]]])[0])
    np.testing.assert_allclose(np.ravel(shown.mesh_.get_array()), shown.scores.ravel())
    wrong = MODEL.predict(X) != Y
    np.testing.assert_array_equal(shown.errors_.get_offsets(), X[wrong])
    for label in ("inside", "outside"):
        np.testing.assert_array_equal(shown.points_[label].get_offsets(), X[label == Y])
    assert (shown.x0[0], shown.x1[-1]) < (X[:, 0].min(), np.inf)
    assert shown.boundary_ is not None


def test_boundary_without_labels_and_of_a_linear_model():
    bare = BoundaryDisplay.from_estimator(MODEL, X, resolution=10)
    points = np.stack(np.meshgrid(bare.x0, bare.x1), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(bare.scores.ravel(), MODEL.decision_function(points))
    assert bare.points_ == {}
    linear = LogisticRegression().fit(X, X[:, 0] + X[:, 1] > 1)
    shown = BoundaryDisplay.from_estimator(linear, X, resolution=60)
    (line,) = shown.boundary_.get_paths()
    cell = np.diff(shown.x0)[0] + np.diff(shown.x1)[0]
    assert np.abs(linear.decision_function(line.vertices)).max() <= np.abs(linear.coef_).max() * cell
    assert BoundaryDisplay([0, 1, 2], [0, 1], np.ones((2, 3))).plot().boundary_ is None
    with pytest.raises(ValueError, match=r"\(2, 3\); got \(3, 2\)"):
        BoundaryDisplay([0, 1, 2], [0, 1], np.ones((3, 2)))
    with pytest.raises(ValueError, match="two features"):
        BoundaryDisplay.from_estimator(linear, np.ones((5, 3)))


# ---------------------------------------------------------------------------------------------- all


@pytest.mark.parametrize(
    "preset",
    [
        boosting.AnyBoostClassifier(cost="logistic", n_estimators=12),
        boosting.CGBoostClassifier(n_estimators=12),
        boosting.AlphaBoostClassifier(n_estimators=12, n_descent=5),
        boosting.DLPBoostClassifier(n_estimators=12),
        boosting.PBoostClassifier(p=0.9, n_estimators=12),
    ],
    ids=lambda preset: type(preset).__name__,
)
def test_every_kind_of_ensemble_can_be_shown(preset):
    model = preset.fit(X, Y)
    curves = BoostingCurveDisplay.from_estimator(model, X, Y).lines_
    np.testing.assert_allclose(curves["training"].get_ydata(), curves["test"].get_ydata())
    shown = MarginDisplay.from_estimator(model, X, Y)
    assert np.abs(shown.margins).max() <= 1 + 1e-12


@pytest.mark.parametrize(
    "name", [name for name in display.__all__ if inspect.isclass(getattr(display, name))]
)
def test_displays_follow_scikit_learn(name):
    cls = getattr(display, name)
    parameters = inspect.signature(cls.plot).parameters
    assert list(parameters)[1] == "ax"
    assert parameters["ax"].default is None
    for maker in ("from_estimator", "from_predictions"):
        if hasattr(cls, maker):
            assert inspect.signature(getattr(cls, maker)).parameters["ax"].default is None


def test_plot_draws_on_given_axes_and_opens_no_other_figure():
    figure, ax = plt.subplots()
    for shown in (
        MarginDisplay([0.1, 0.2]),
        BoostingCurveDisplay({"a": [0.1, 0.2]}),
        BoundaryDisplay([0, 1, 2], [0, 1], [[-1, 0, 1], [1, 1, 1]]),
    ):
        ax.clear()
        assert shown.plot(ax) is shown
        assert (shown.ax_, shown.figure_) == (ax, figure)
    assert plt.get_fignums() == [figure.number]


def test_unknown_and_too_many_labels():
    with pytest.raises(ValueError, match="labels other than"):
        MarginDisplay.from_estimator(MODEL, X, np.full(90, "elsewhere"))
    with pytest.raises(ValueError, match="two classes; got 3"):
        MarginDisplay.from_predictions([0, 1, 2], [0.1, 0.2, 0.3])
