import itertools

import numpy as np
import pytest
from problems import ten_data_sets

from weaklearn._fast.trees.rounds import exponential_weights
from weaklearn._splits import StumpSearch
from weaklearn.boosting import AdaBoostClassifier, AnyBoostClassifier
from weaklearn.boosting._loop import Ensemble, boosting_rounds, learning_curves
from weaklearn.boosting._steps import STEP_RULES
from weaklearn.costs import Exponential, Hinge
from weaklearn.stumps import DecisionStump


def problem(n=80):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] * X[:, 1] + X[:, 2] > 0, 1.0, -1.0)


def rounds_of(X, y, ensemble, rng=None, step="closed_form", **options):
    return boosting_rounds(DecisionStump().prepare(X, y), STEP_RULES[step](), ensemble, rng, **options)


def test_an_estimator_takes_rounds_and_an_experiment_can_trace_them():
    X, y = problem()
    ensemble = Ensemble(Exponential(), np.ones(len(y)))
    model = AdaBoostClassifier(DecisionStump(), 12).fit(X, y)
    for t, stage in enumerate(itertools.islice(rounds_of(X, y, ensemble), 12)):
        assert stage.error == model.estimator_errors_[t]
        assert stage.hypothesis.feature_ == model.estimators_[t].feature_
        np.testing.assert_array_equal(stage.margins, y * model.truncated(t + 1).decision_function(X))
    np.testing.assert_array_equal(ensemble.coefficients, model.estimator_weights_)
    assert ensemble.stop_reason is None


def test_margins_of_earlier_rounds_stay_as_they_were():
    X, y = problem()
    rounds = rounds_of(X, y, Ensemble(Exponential(), np.ones(len(y))))
    first = next(rounds)
    kept = first.margins.copy()
    next(rounds)
    np.testing.assert_array_equal(first.margins, kept)


def test_a_cost_that_is_flat_everywhere_ends_the_loop():
    X, y = problem()
    ensemble = Ensemble(Hinge(), np.ones(len(y)))
    ensemble.add(5.0, np.ones(len(y)))  # beyond the hinge
    assert list(rounds_of(X, y, ensemble, step="line_search")) == []
    assert ensemble.stop_reason == "no edge"


def test_a_margin_of_zero_is_an_error():
    costs, errors = learning_curves(
        [np.array([0.0, 1.0, -1.0, 2.0])], np.array([2.0, 1, 1, 1]), Exponential()
    )
    assert errors == pytest.approx([3 / 5])
    assert costs == pytest.approx([(2 + np.exp(-1) + np.exp(1) + np.exp(-2)) / 5])


@pytest.mark.parametrize("kind", ["added", "scaled", "conjugate"])
def test_coefficients_margins_and_scores_are_one_recursion(kind):
    rng = np.random.default_rng(0)
    votes = np.where(rng.random((9, 30)) < 0.5, -1.0, 1.0)
    ensemble = Ensemble(Exponential(), np.ones(30))
    for h in votes:
        step, scale, momentum = rng.random(), rng.random(), rng.random()
        ensemble.move(h, step, scale if kind == "scaled" else 1.0, momentum if kind == "conjugate" else 0.0)
    np.testing.assert_allclose(ensemble.coefficients @ votes, ensemble.margins, atol=1e-14)


def test_a_restart_draws_a_bootstrap_sample_and_keeps_the_ensemble():
    X, y = problem()
    ensemble = Ensemble(Exponential(), np.full(len(y), 2.0))
    rounds = rounds_of(X, y, ensemble, np.random.default_rng(0))
    next(rounds)
    before = ensemble.margins
    ensemble.restart(np.random.default_rng(1))
    np.testing.assert_array_equal(ensemble.margins, before)
    np.testing.assert_array_equal(ensemble.descent_margins, np.zeros(len(y)))
    counts = ensemble.descent_weight / 2
    np.testing.assert_array_equal(counts, np.round(counts))
    assert counts.sum() == len(y)
    stage = next(rounds)
    # The weights of the next round are the counts, the ensemble is the old one plus the new hypothesis.
    wrong = stage.hypothesis.predict(X) != y
    assert stage.error == pytest.approx(counts[wrong].sum() / len(y))
    alpha = 0.5 * np.log((1 - stage.error) / stage.error)
    np.testing.assert_allclose(stage.margins, before + alpha * np.where(wrong, -1, 1))


@pytest.mark.parametrize("criterion", ["error", "gini"])
@pytest.mark.parametrize("name", list(ten_data_sets())[::3])
def test_many_rounds_in_one_call_are_the_rounds_one_by_one(monkeypatch, name, criterion):
    X, y = ten_data_sets()[name]
    weight = np.random.default_rng(0).exponential(size=len(y))
    settings = [
        {"n_estimators": 60},
        {"n_estimators": 60, "learning_rate": 0.3, "perfect": "stop"},
        {"n_estimators": 30, "validation_fraction": 0.3, "n_iter_no_change": 5, "random_state": 0},
        {"n_estimators": 40, "n_restarts": 2, "random_state": 0},
    ]
    for parameters in settings:
        for sample_weight in (None, weight):
            models = []
            for numbers in (12_000, 1):  # rounds that fit into a block; one at a time
                monkeypatch.setattr("weaklearn.boosting._run._BLOCK", numbers)
                model = AdaBoostClassifier(DecisionStump(criterion=criterion), **parameters)
                models.append(model.fit(X, y, sample_weight))
            together, alone = models
            assert together.stop_reason_ == alone.stop_reason_
            for curve in ("estimator_weights_", "estimator_errors_", "cost_curve_", "error_curve_"):
                np.testing.assert_array_equal(getattr(together, curve), getattr(alone, curve))
            assert [s.vote_key() for s in together.estimators_] == [s.vote_key() for s in alone.estimators_]


def test_rounds_are_done_together_where_they_can_be(monkeypatch):
    calls = []
    original = StumpSearch.exponential_rounds

    def counted(self, *arguments):
        calls.append(arguments[-1])
        return original(self, *arguments)

    monkeypatch.setattr(StumpSearch, "exponential_rounds", counted)
    X, y = next(iter(ten_data_sets().values()))
    AdaBoostClassifier(DecisionStump(), 10).fit(X, y)
    assert calls[0] == 10
    del calls[:]
    AnyBoostClassifier(n_estimators=3).fit(X, y)
    assert not calls


def test_exponential_weights_are_exponentials():
    rng = np.random.default_rng(0)
    for margins in (
        rng.normal(size=500),
        100 * rng.normal(size=500),
        np.zeros(3),
        np.array([-2e4, 1e4, -2e4 + 707]),
    ):
        expected = np.exp(margins.min() - margins)
        found = exponential_weights(margins)
        np.testing.assert_allclose(found, expected, rtol=4e-16, atol=4e-308)
        assert found.max() == 1


@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_the_cost_of_each_round_is_the_mean_exponential_cost_of_its_margins(rate):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0, 1, -1)
    model = AdaBoostClassifier(n_estimators=12, learning_rate=rate).fit(X, y)
    scores = np.array(list(model.staged_decision_function(X)))
    np.testing.assert_allclose(model.cost_curve_, np.exp(-y * scores).mean(axis=1), rtol=1e-12)


def test_a_newton_step_is_slope_over_curvature_of_the_mean_cost():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, 1, -1)
    weight = rng.exponential(size=60)
    model = AnyBoostClassifier(cost="logistic", step="newton", n_estimators=6).fit(X, y, weight)
    scores = [np.zeros(60), *model.staged_decision_function(X)]
    for t, step in enumerate(model.estimator_weights_):
        along = y * (scores[t + 1] - scores[t]) / step  # y h(x), of -1 and +1

        def cost(at, margins=y * scores[t], along=along):
            return weight @ np.logaddexp(0, -(margins + at * along)) / weight.sum()

        d = 1e-4
        slope = (cost(d) - cost(-d)) / (2 * d)
        curvature = (cost(d) - 2 * cost(0) + cost(-d)) / d**2
        assert step == pytest.approx(-slope / curvature, rel=1e-5)


def test_arc_gv_goes_on_where_one_stump_is_perfect():
    X, y = np.arange(8.0)[:, None], np.repeat([-1, 1], 4)
    model = AnyBoostClassifier(cost="exponential", step="arc_gv", n_estimators=3).fit(X, y)
    # The smallest normalised margin is 1, where its atanh is infinite: it is left out, as before the first round.
    np.testing.assert_allclose(model.estimator_weights_, 0.5 * np.log(1000))


def test_a_stump_that_is_no_better_than_chance_ends_the_line_search():
    X = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
    ensemble = Ensemble(Exponential(), np.ones(4))
    rule = STEP_RULES["line_search"]()
    along = np.array([1.0, -1, -1, 1]) * X[:, 0]  # half of the parity is right
    assert rule.step(ensemble, along, 0.5) == "increasing cost"
    assert len(ensemble.stages) == 0


def test_two_restarts_in_a_row_are_one_start():
    ensemble = Ensemble(Exponential(), np.ones(10))
    rng = np.random.default_rng(0)
    ensemble.move(np.ones(10), 0.5)
    ensemble.move(np.ones(10), 0.25)  # without momentum the last direction does not count
    np.testing.assert_array_equal(ensemble.margins, np.full(10, 0.75))
    ensemble.restart(rng)
    ensemble.restart(rng)
    assert ensemble.starts == [0, 2]


def test_arc_gv_steps_by_their_formula():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, 1, -1)
    model = AnyBoostClassifier(cost="exponential", step="arc_gv", n_estimators=60).fit(X, y)
    steps, scores = model.estimator_weights_, [np.zeros(40), *model.staged_decision_function(X)]
    subtracted = 0
    for t, step in enumerate(steps):
        smallest = max(0.0, (y * scores[t]).min() / steps[:t].sum()) if t > 0 else 0.0
        subtracted += smallest > 0
        assert step == pytest.approx(np.arctanh(1 - 2 * model.estimator_errors_[t]) - np.arctanh(smallest))
    assert subtracted > 5
