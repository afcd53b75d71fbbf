"""AdaBoost-Reg and DOOM II against their definitions."""

import numpy as np
import pytest
from problems import noisy_ring

from weaklearn.boosting import AdaBoostClassifier, AdaBoostRegClassifier, Doom2Classifier, _soft_margins
from weaklearn.datasets import make_ring
from weaklearn.stumps import DecisionStump


def votes_of(model, X, y):
    return np.array([y * hypothesis.predict(X) for hypothesis in model.estimators_])


def test_without_mistrust_it_is_adaboost():
    X, y, weight = noisy_ring()
    plain = AdaBoostClassifier(DecisionStump(), 40).fit(X, y, weight)
    model = AdaBoostRegClassifier(n_estimators=40, mistrust=0.0).fit(X, y, weight)
    assert model.estimator_weights_ == pytest.approx(plain.estimator_weights_, rel=1e-9)
    assert model.cost_curve_ == pytest.approx(plain.cost_curve_, rel=1e-9)


@pytest.mark.parametrize("mistrust", [5.0, 100.0])
def test_weights_errors_and_steps_follow_the_definition(mistrust):
    """Weights ``exp(-|b| (rho + C mu))`` with the margin rho and the mean weight mu, as the paper writes them."""
    X, y, _ = noisy_ring()
    model = AdaBoostRegClassifier(n_estimators=15, mistrust=mistrust).fit(X, y)
    u, b = votes_of(model, X, y), model.estimator_weights_
    v = []
    for t in range(len(b)):
        total = b[:t].sum()
        if t == 0:
            exponent = np.zeros(len(y))
        else:
            rho, mu = b[:t] @ u[:t] / total, b[:t] @ np.array(v) / total
            exponent = -total * (rho + mistrust * mu)
        w = np.exp(exponent - exponent.max())
        v.append(w / w.sum())
        assert model.estimator_errors_[t] == pytest.approx(v[t][u[t] < 0].sum())

        def cost(step, t=t, exponent=exponent):
            return np.exp(exponent - step * (u[t] + mistrust * v[t])).sum()

        assert cost(b[t]) <= min(cost(b[t] * (1 + e)) for e in (-1e-3, 1e-3))
    exponent = -(b @ u + mistrust * (b @ np.array(v)))
    assert model.cost_curve_[-1] == pytest.approx(np.exp(exponent).mean())


def test_mistrust_spreads_the_weights():
    """The largest example weight after many rounds falls as C grows: outliers are left alone."""
    X, y, _ = noisy_ring(seed=1)

    def concentration(mistrust):
        model = AdaBoostRegClassifier(n_estimators=150, mistrust=mistrust).fit(X, y)
        rule_margins = model.estimator_weights_ @ votes_of(model, X, y)
        return (rule_margins / model.estimator_weights_.sum()).min()

    # A hard margin is enforced without mistrust; with it the worst example keeps a negative margin.
    assert concentration(100.0) < concentration(0.0) - 0.05


def test_repeating_an_example_is_doubling_its_weight():
    X, y, _ = noisy_ring(60)
    weight = np.ones(60)
    weight[::3] = 2.0
    rows = np.repeat(np.arange(60), weight.astype(int))
    for model in (AdaBoostRegClassifier(n_estimators=10), Doom2Classifier(n_estimators=10)):
        once = model.fit(X, y, weight).estimator_weights_
        assert model.fit(X[rows], y[rows]).estimator_weights_ == pytest.approx(once, rel=1e-9)


@pytest.mark.parametrize("steepness", [2.0, 8.0])
def test_doom2_lowers_its_cost_in_the_convex_hull(steepness):
    X, y, weight = noisy_ring()
    model = Doom2Classifier(n_estimators=60, steepness=steepness).fit(X, y, weight)
    assert model.n_iter_ > 12
    assert (model.estimator_weights_ >= 0).all()
    assert model.estimator_weights_.sum() == pytest.approx(1.0)
    assert (np.diff(model.cost_curve_[9:]) < 1e-12).all()  # after AdaBoost's ten rounds
    margins = model.estimator_weights_ @ votes_of(model, X, y)
    assert np.abs(margins).max() <= 1 + 1e-12
    cost = (weight * (1 - np.tanh(steepness * margins))).sum() / weight.sum()
    assert model.cost_curve_[-1] == pytest.approx(cost)


def test_doom2_starts_with_adaboost():
    X, y, weight = noisy_ring()
    plain = AdaBoostClassifier(DecisionStump(), 10).fit(X, y, weight)
    model = Doom2Classifier(n_estimators=10).fit(X, y, weight)
    expected = plain.estimator_weights_ / plain.estimator_weights_.sum()
    assert model.estimator_weights_ == pytest.approx(expected)


def test_doom2_steps_are_stationary_points(monkeypatch):
    monkeypatch.setattr(_soft_margins, "_N_START", 4)
    X, y, _ = noisy_ring()
    model = Doom2Classifier(n_estimators=16, steepness=3.0).fit(X, y)
    u = votes_of(model, X, y)
    plain = AdaBoostClassifier(DecisionStump(), 4).fit(X, y).estimator_weights_
    margins = plain @ u[:4] / plain.sum()
    assert len(u) > 8
    for t, (step, scale, _) in enumerate(model._stages[4:], start=4):
        eta = 1 - scale
        assert step == pytest.approx(eta / (1 - eta))

        def cost(eta, margins=margins, t=t):
            return (1 - np.tanh(3.0 * ((1 - eta) * margins + eta * u[t]))).sum()

        grid = np.linspace(0, eta, 200)
        values = np.array([cost(value) for value in grid])
        assert (np.diff(values) < 1e-9).all()  # it falls all the way to the first stationary point
        assert abs(cost(eta + 1e-6) - cost(eta - 1e-6)) < 1e-6
        margins = (1 - eta) * margins + eta * u[t]


def test_from_one_hypothesis_doom2_goes_nowhere(monkeypatch):
    """li2006, section 3.3.2: the slope of the sigmoid is even, so the second round finds the first hypothesis again."""
    monkeypatch.setattr(_soft_margins, "_N_START", 1)
    X, y, _ = noisy_ring()
    model = Doom2Classifier(n_estimators=20).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, "increasing cost")


def test_doom2_resists_flipped_labels():
    """What it is for: less test error than AdaBoost after many rounds on noisy labels, on average."""
    errors = {"AdaBoost": [], "DOOM II": []}
    for seed in range(8):
        X, y = make_ring(100, noise=0.2, random_state=seed)
        X_test, y_test = make_ring(1000, random_state=1000 + seed)
        for name, model in (
            ("AdaBoost", AdaBoostClassifier(DecisionStump(), 300)),
            ("DOOM II", Doom2Classifier(n_estimators=300)),
        ):
            errors[name].append(np.mean(model.fit(X, y).predict(X_test) != y_test))
    assert np.mean(errors["DOOM II"]) < np.mean(errors["AdaBoost"])
