import numpy as np
import pytest
from problems import noisy_ring, ten_data_sets

from weaklearn.boosting import (
    AdaBoostClassifier,
    AnyBoostClassifier,
    ArcGVClassifier,
    ArcX4Classifier,
    DLPBoostClassifier,
    Doom2Classifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    PBoostClassifier,
)
from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import STEP_RULES
from weaklearn.costs import COSTS, Bisigmoid, get_cost
from weaklearn.stumps import DecisionStump

SETS = ten_data_sets()
DECREASING = [name for name, cost in COSTS.items() if cost.is_decreasing]


@pytest.mark.parametrize("name", SETS)
def test_with_the_exponential_cost_it_is_adaboost_round_by_round(name):
    X, y = SETS[name]
    closed = AdaBoostClassifier(DecisionStump(), 100).fit(X, y)
    searched = AnyBoostClassifier(cost="exponential", n_estimators=100).fit(X, y)
    assert searched.n_iter_ == closed.n_iter_
    for ours, theirs in zip(searched.estimators_, closed.estimators_, strict=True):
        assert (ours.feature_, ours.threshold_, ours.polarity_) == (
            theirs.feature_,
            theirs.threshold_,
            theirs.polarity_,
        )
    np.testing.assert_allclose(searched.estimator_weights_, closed.estimator_weights_, atol=1e-10, rtol=0)


@pytest.mark.parametrize("cost", [*DECREASING, Bisigmoid(1.0, 1.2)], ids=str)
def test_the_line_search_stops_where_the_slope_changes_sign(cost):
    cost = get_cost(cost)
    rng = np.random.default_rng(0)
    for _ in range(20):
        margins, weight = rng.normal(size=40) * 2, rng.exponential(size=40)
        direction = np.where(rng.random(40) < 0.7, 1.0, -1.0) * rng.choice([1.0, rng.random()])
        step = first_stationary_step(cost, margins, direction, weight)

        def slope(at, direction=direction, margins=margins, weight=weight):
            return (weight * direction * cost.slope(margins + at * direction)).sum()

        if slope(0.0) >= 0:
            assert step == 0
        elif step < 0.5 * np.log(1000) / np.abs(direction).max() * (1 - 1e-12):
            assert slope(step * (1 - 1e-6) - 1e-9) <= 1e-12
            assert slope(step * (1 + 1e-6) + 1e-9) >= -1e-12


def test_the_line_search_where_floats_cannot_hold_the_slopes():
    u = np.array([1.0] * 7 + [-1.0] * 3)
    for shift in (-2000.0, 2000.0):
        step = first_stationary_step(get_cost("exponential"), np.full(10, shift), u, np.ones(10))
        assert step == pytest.approx(0.5 * np.log(7 / 3), rel=1e-12)
    assert first_stationary_step(get_cost("logistic"), np.zeros(3), np.ones(3), np.ones(3)) == pytest.approx(
        0.5 * np.log(1000)
    )


@pytest.mark.parametrize("cost", ["exponential", "logistic", "bisigmoid", "modified_least_squares", "hinge"])
def test_every_round_of_a_line_search_lowers_the_cost(cost):
    X, y, weight = noisy_ring()
    model = AnyBoostClassifier(cost=cost, n_estimators=40).fit(X, y, weight)
    assert (np.diff(model.cost_curve_) <= 1e-12).all()
    share = weight / weight.sum()
    values = [share @ get_cost(cost).value(y * scores) for scores in model.staged_decision_function(X)]
    np.testing.assert_allclose(model.cost_curve_, values, rtol=1e-12)


def test_newton_steps_are_those_of_the_second_derivative():
    X, y, weight = noisy_ring()
    model = LogitBoostClassifier(n_estimators=15).fit(X, y, weight)
    scores = np.zeros(len(y))
    for alpha, hypothesis in zip(model.estimator_weights_, model.estimators_, strict=True):
        h = hypothesis.predict(X)

        def cost(step, h=h, scores=scores):
            return (weight * np.log1p(np.exp(-y * (scores + step * h)))).sum()

        d = 1e-4
        slope = (cost(d) - cost(-d)) / (2 * d)
        curvature = (cost(d) - 2 * cost(0.0) + cost(-d)) / d**2
        assert alpha == pytest.approx(-slope / curvature, rel=1e-4)
        scores = scores + alpha * h
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-model.decision_function(X))), rtol=1e-12
    )


def test_arc_x4_counts_mistakes():
    X, y, weight = noisy_ring()
    model = ArcX4Classifier(n_estimators=25).fit(X, y, weight)
    mistakes = np.zeros(len(y))
    for error, hypothesis in zip(model.estimator_errors_, model.estimators_, strict=True):
        weights = weight * (1 + mistakes**4)
        wrong = hypothesis.predict(X) != y
        assert error == pytest.approx(weights[wrong].sum() / weights.sum(), rel=1e-10)
        mistakes += wrong
    np.testing.assert_array_equal(y * model.decision_function(X), 25 - 2 * mistakes)
    expected = (weight * (2 * mistakes / 25) ** 5).sum() / weight.sum()
    assert model.cost_curve_[-1] == pytest.approx(expected, rel=1e-12)


def test_arc_gv_steps_and_limit():
    X, y = SETS["ring0"]
    model = ArcGVClassifier(n_estimators=1500).fit(X, y)
    scores, total = np.zeros(len(y)), 0.0
    for error, alpha, hypothesis in zip(
        model.estimator_errors_[:200], model.estimator_weights_, model.estimators_, strict=False
    ):
        smallest = max(0.0, (y * scores).min() / total) if total else 0.0
        expected = 0.5 * np.log((1 - error) / error) - 0.5 * np.log((1 + smallest) / (1 - smallest))
        assert alpha == pytest.approx(expected, rel=1e-9)
        scores, total = scores + alpha * hypothesis.predict(X), total + alpha
    best = -LPBoostClassifier(n_estimators=1000).fit(X, y).cost_curve_[-1]
    reached = (y * model.decision_function(X)).min() / model.estimator_weights_.sum()
    assert 0.75 * best < reached <= best + 1e-9


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cost": "least_squares"}, "nowhere increasing; LeastSquares"),
        ({"cost": "hinge", "step": "newton"}, "smooth convex cost; Hinge"),
        ({"cost": "sigmoid", "step": "newton"}, "smooth convex cost; Sigmoid"),
        ({"cost": "logistic", "step": "closed_form"}, "Logistic needs step='line_search'"),
        ({"cost": "logistic", "step": "arc_gv"}, "Logistic needs step='line_search'"),
        ({"cost": "quadratic"}, "cost must be a MarginCost or one of"),
        ({"step": "jump"}, "step"),
    ],
)
def test_what_does_not_fit_together_is_refused_before_any_work(parameters, message):
    with pytest.raises(ValueError, match=message):
        AnyBoostClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_a_step_rule_of_ones_own():
    class Halves(STEP_RULES["closed_form"]):
        def step(self, ensemble, hypothesis_margins, error):
            ensemble.add(0.5, hypothesis_margins)

    X, y, _ = noisy_ring()
    model = AnyBoostClassifier(step=Halves, n_estimators=7).fit(X, y)
    assert model.estimator_weights_.tolist() == [0.5] * 7


def test_probabilities_only_where_scores_are_log_odds():
    X, y, _ = noisy_ring(n=60)
    for cost in ("exponential", "logistic"):
        model = AnyBoostClassifier(n_estimators=5, cost=cost).fit(X, y)
        assert model.predict_proba(X).shape == (60, 2)
    for model in (
        AnyBoostClassifier(cost="sigmoid"),
        ArcX4Classifier(),
        DLPBoostClassifier(),
        Doom2Classifier(),
        LPBoostClassifier(),
        PBoostClassifier(),
    ):
        assert not hasattr(model, "predict_proba")
        assert not hasattr(model, "staged_predict_proba")
        with pytest.raises(AttributeError, match="no attribute 'predict_proba'") as found:
            model.predict_proba(X)
        assert "CalibratedClassifier" in str(found.value.__cause__)
