"""Displays are tested by the data in their artists."""

import inspect

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier as TreeAdaBoost
from sklearn.linear_model import LogisticRegression

from weaklearn import boosting, display
from weaklearn.boosting import AdaBoostClassifier, margin_distribution, margins
from weaklearn.costs import get_cost
from weaklearn.datasets import make_ring
from weaklearn.display import (
    BoostingCurveDisplay,
    BoundaryDisplay,
    CoefficientDisplay,
    LineSearchDisplay,
    MarginDisplay,
    PConvexHullDisplay,
    SampleWeightDisplay,
)
from weaklearn.display._hulls import line_cost, lowest_local_minimum

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
    shown = MarginDisplay.from_predictions([1, 0, 1], [2.0, 1.0, -0.5], scale=2, color="red", label="given")
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
    by_scores = BoostingCurveDisplay.from_predictions(y_test, MODEL.staged_decision_function(X_test))
    np.testing.assert_allclose(by_scores.lines_["error"].get_ydata(), expected)


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


def test_coefficients():
    shown = CoefficientDisplay.from_estimator(MODEL)
    np.testing.assert_allclose(shown.points_.get_ydata().sum(), 1)
    raw = CoefficientDisplay.from_estimator(MODEL, normalize=False)
    np.testing.assert_allclose(raw.points_.get_ydata(), MODEL.estimator_weights_)
    np.testing.assert_array_equal(raw.points_.get_xdata(), np.arange(1, 61))
    assert (raw.ax_.get_xscale(), raw.ax_.get_yscale()) == ("log", "log")
    assert raw.zero_ticks_ is None


def test_zero_and_negative_coefficients_have_a_place():
    shown = CoefficientDisplay([0.5, 0.0, -0.25, 0.125, 0.0], name="ours").plot()
    np.testing.assert_array_equal(shown.points_.get_xydata(), [[1, 0.5], [4, 0.125]])
    np.testing.assert_array_equal(shown.negative_points_.get_xydata(), [[3, 0.25]])
    np.testing.assert_array_equal(shown.zero_ticks_.get_xdata(), [2, 5])
    assert labels(shown.ax_) == ["ours", "ours, negative", "ours, zero (2)"]
    again = CoefficientDisplay([0.1, 0.2]).plot(shown.ax_)
    assert again.points_.get_color() != shown.points_.get_color()
    shown.figure_.canvas.draw()


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


def test_boundary_after_some_rounds_and_of_a_linear_model():
    early = BoundaryDisplay.from_estimator(MODEL, X, n_rounds=3, resolution=10)
    points = np.stack(np.meshgrid(early.x0, early.x1), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(early.scores.ravel(), MODEL.truncated(3).decision_function(points))
    assert early.points_ == {}
    linear = LogisticRegression().fit(X, X[:, 0] + X[:, 1] > 1)
    shown = BoundaryDisplay.from_estimator(linear, X, resolution=60)
    (line,) = shown.boundary_.get_paths()
    cell = np.diff(shown.x0)[0] + np.diff(shown.x1)[0]
    assert np.abs(linear.decision_function(line.vertices)).max() <= np.abs(linear.coef_).max() * cell
    assert BoundaryDisplay.from_predictions([0, 1, 2], [0, 1], np.ones((2, 3))).boundary_ is None
    with pytest.raises(ValueError, match=r"\(2, 3\); got \(3, 2\)"):
        BoundaryDisplay([0, 1, 2], [0, 1], np.ones((3, 2)))
    with pytest.raises(ValueError, match="two features"):
        BoundaryDisplay.from_estimator(linear, np.ones((5, 3)))


@pytest.mark.parametrize("n_rounds", [0, 1, 10, None])
def test_areas_are_the_weights_of_boosting(n_rounds):
    shown = SampleWeightDisplay.from_estimator(MODEL, X, Y, n_rounds=n_rounds, resolution=20)
    model = MODEL if n_rounds is None else MODEL.truncated(max(n_rounds, 1))
    weights = np.exp(SIGNS * model.decision_function(X)) if n_rounds != 0 else np.ones(90)
    expected = 90 * weights / weights.sum()
    np.testing.assert_allclose(shown.relative_weights, expected)
    areas = np.concatenate([points.get_sizes() for points in shown.points_.values()])
    where = np.concatenate([points.get_offsets() for points in shown.points_.values()])
    assert areas.sum() == pytest.approx(90 * shown._dot_area)
    rows = [int(np.flatnonzero((point == X).all(axis=1))[0]) for point in where]
    np.testing.assert_allclose(areas / shown._dot_area, expected[rows])
    if n_rounds == 1:  # theorem: the last hypothesis has error 1/2 under the new weights
        wrong = model.predict(X) != Y
        assert shown.relative_weights[wrong].sum() == pytest.approx(45)


def test_sample_weights_of_other_costs():
    shown = SampleWeightDisplay.from_estimator(
        MODEL, X, Y, cost="logistic", sample_weight=np.arange(1, 91), boundary=False
    )
    weights = get_cost("logistic").weights(-SIGNS * MODEL.decision_function(X)) * np.arange(1, 91)
    np.testing.assert_allclose(shown.relative_weights, 90 * weights / weights.sum())
    assert shown.boundary_ is None
    with pytest.raises(ValueError, match="n_rounds"):
        SampleWeightDisplay.from_estimator(MODEL, X, Y, n_rounds=61)
    with pytest.raises(ValueError, match="not all 0"):
        SampleWeightDisplay(X, Y, np.zeros(90))


# --------------------------------------------------------------------------------------------- hulls

EXAMPLE = {"margins": [1, 1, -1], "votes": [1, -1, 1], "sample_weight": [7, 2, 1]}


def test_line_cost_by_hand():
    shown = LineSearchDisplay(**EXAMPLE, p=[0.5, 1, 2], alpha=[0, 0.25, 1.0]).plot()
    for p, root in (
        (0.5, lambda a: (1 + a**0.5) ** 2),
        (1, lambda a: 1 + a),
        (2, lambda a: (1 + a**2) ** 0.5),
    ):
        expected = [
            7 * np.exp(-(1 + a) / root(a)) + 2 * np.exp(-(1 - a) / root(a)) + np.exp((1 - a) / root(a))
            for a in (0, 0.25, 1)
        ]
        np.testing.assert_allclose(shown.lines_[p].get_ydata(), expected)
    # As alpha grows only the new hypothesis is left, whatever p.
    alone = 8 / np.e + 2 * np.e
    far = line_cost([1, 1, -1], np.array([1, -1, 1]), np.array([1e30]), 0.5, np.array([7, 2, 1]))
    assert far[0] == pytest.approx(alone)


def test_minimum_exists_above_the_published_threshold_only():
    def has_minimum(p):
        alpha = np.linspace(0, 0.6, 20_001)
        return lowest_local_minimum(LineSearchDisplay(**EXAMPLE, p=[p], alpha=alpha).costs[p]) is not None

    low, high = 0.5, 1.0
    assert (has_minimum(low), has_minimum(high)) == (False, True)
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if has_minimum(middle) else (middle, high)
    assert high == pytest.approx(0.66974, abs=1e-5)


def test_minima_are_marked():
    shown = LineSearchDisplay(**EXAMPLE).plot()
    assert list(shown.minima_) == [1.0, 2.0]
    # p = 1: with u = (1 - a)/(1 + a) the cost is 7/e + 2 e^-u + e^u, least at u = log(2)/2.
    u = np.log(2) / 2
    (x,), (cost,) = shown.minima_[1.0].get_data()
    assert x == pytest.approx((1 - u) / (1 + u), abs=5e-3)
    assert cost == pytest.approx(7 / np.e + 2 * np.sqrt(2), abs=1e-4)
    # Examples that stay on their side give a flat cost for p = 1: rounding makes no minimum.
    assert LineSearchDisplay([-1], [-1], p=[1]).plot().minima_ == {}
    assert lowest_local_minimum(np.array([3.0, 1, 2, 0.5, 4])) == 3
    assert lowest_local_minimum(np.array([3.0, 2, 1])) is None
    # A minimum that costs more than standing still is hollow.
    bump = LineSearchDisplay(**EXAMPLE, p=[0.67]).plot()
    assert (bump.costs[0.67][0] < bump.minima_[0.67].get_ydata()[0]) == (
        bump.minima_[0.67].get_markerfacecolor() == "white"
    )


def test_line_search_of_an_ensemble():
    shown = LineSearchDisplay.from_estimator(MODEL, X, Y, n_rounds=4, p=[1, 2], alpha=[0.0, 0.3])
    b = MODEL.estimator_weights_[:4]
    votes = -SIGNS * np.array([stump.predict(X) for stump in MODEL.estimators_[:5]])
    for p in (1, 2):
        start = (b / (b**p).sum() ** (1 / p)) @ votes[:4]
        step = (start + 0.3 * votes[4]) / (1 + 0.3**p) ** (1 / p)
        np.testing.assert_allclose(shown.costs[p], [np.exp(-start).sum(), np.exp(-step).sum()])
    with pytest.raises(ValueError, match="between 1 and 59"):
        LineSearchDisplay.from_estimator(MODEL, X, Y, n_rounds=60)
    with pytest.raises(ValueError, match="p must be positive"):
        LineSearchDisplay([1], [1], p=[0])


@pytest.mark.parametrize("p", [0.3, 0.5, 1, 1.5, 2, 10])
def test_hulls_satisfy_their_equation(p):
    shown = PConvexHullDisplay(p=[p]).plot()
    points = shown.lines_[p].get_xydata()
    np.testing.assert_allclose((np.abs(points) ** p).sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(points[0], points[-1], atol=1e-12)
    for corner in ([1, 0], [0, 1], [-1, 0], [0, -1]):
        assert np.abs(points - corner).sum(axis=1).min() == 0


def test_hulls_are_nested_and_follow_the_vectors():
    hulls = PConvexHullDisplay(p=[0.5, 1, 2, np.inf]).hulls
    # All hulls are sampled in the same directions, so lengths compare.
    lengths = np.array([np.linalg.norm(hull, axis=1) for hull in hulls.values()])
    assert (np.diff(lengths, axis=0) >= -1e-12).all()
    assert np.abs(hulls[np.inf]).max(axis=1) == pytest.approx(1)
    vectors = np.array([[2.0, 1.0], [0.0, 3.0]])
    shown = PConvexHullDisplay(p=[0.7], vectors=vectors).plot()
    u, v = np.linalg.solve(vectors.T, shown.hulls[0.7].T)
    np.testing.assert_allclose(np.abs(u) ** 0.7 + np.abs(v) ** 0.7, 1, rtol=1e-6)
    np.testing.assert_array_equal(shown.points_.get_xydata(), np.concatenate([vectors, -vectors]))
    with pytest.raises(ValueError, match="two points"):
        PConvexHullDisplay(vectors=np.ones((3, 2)))
    with pytest.raises(ValueError, match="p must be positive"):
        PConvexHullDisplay(p=[-1])


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
    assert CoefficientDisplay.from_estimator(model).points_.get_ydata().sum() <= 1 + 1e-12
    after = SampleWeightDisplay.from_estimator(model, X, Y, n_rounds=3, resolution=10)
    stage = list(model.staged_decision_function(X))[2]
    expected = model.cost_.weights(-SIGNS * stage)
    np.testing.assert_allclose(after.relative_weights, 90 * expected / expected.sum())


@pytest.mark.parametrize(
    ("preset", "name"),
    [
        (boosting.LogitBoostClassifier(n_estimators=12), "logistic"),
        (boosting.CGBoostClassifier(cost="bisigmoid", n_estimators=12), "bisigmoid"),
        (AdaBoostClassifier(n_estimators=12), "exponential"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_weights_come_from_the_cost_that_was_minimised(preset, name):
    model = preset.fit(X, Y)
    shown = SampleWeightDisplay.from_estimator(model, X, Y, n_rounds=9, boundary=False)
    stage = list(model.staged_decision_function(X))[8]
    weights = get_cost(name).weights(-SIGNS * stage)
    np.testing.assert_allclose(shown.relative_weights, 90 * weights / weights.sum())
    # They are the weights of round 10: the error of its hypothesis under them is the recorded one.
    wrong = model.estimators_[9].predict(X) != -SIGNS
    assert shown.relative_weights[wrong].sum() / 90 == pytest.approx(model.estimator_errors_[9])


def test_weights_of_votes_and_of_linear_programs():
    votes = boosting.ArcX4Classifier(n_estimators=12).fit(X, Y)
    shown = SampleWeightDisplay.from_estimator(votes, X, Y, n_rounds=7, boundary=False)
    mistakes = sum(stump.predict(X) != -SIGNS for stump in votes.estimators_[:7])
    np.testing.assert_allclose(shown.relative_weights, 90 * mistakes**4 / (mistakes**4).sum(), atol=1e-12)
    program = boosting.LPBoostClassifier(n_estimators=12, nu=0.3).fit(X, Y)
    with pytest.raises(ValueError, match="LPBoost minimises no margin cost"):
        SampleWeightDisplay.from_estimator(program, X, Y)
    SampleWeightDisplay.from_estimator(program, X, Y, cost="hinge", boundary=False)


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
        PConvexHullDisplay(),
        LineSearchDisplay(**EXAMPLE),
        SampleWeightDisplay(X, Y, np.ones(90)),
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
