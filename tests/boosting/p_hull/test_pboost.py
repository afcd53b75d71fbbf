import numpy as np
import pytest
from problems import noisy_ring
from scipy.optimize import minimize_scalar

from weaklearn.boosting import AdaBoostClassifier, PBoostClassifier
from weaklearn.boosting.p_hull._pnorm import strict_step
from weaklearn.datasets import make_ring
from weaklearn.stumps import DecisionStump

# Section 4.3.3 of barnes1999: margins after the first hypothesis, and those of the second.
FIRST = np.array([1.0] * 7 + [1.0] * 2 + [-1.0])
SECOND = np.array([1.0] * 7 + [-1.0] * 2 + [1.0])


def strict_cost(alpha, p):
    return np.exp(-(FIRST + alpha * SECOND) / (1 + alpha**p) ** (1 / p)).sum()


def test_threshold_of_the_example():
    low, high = 0.5, 1.0
    while high - low > 1e-6:
        p = (low + high) / 2
        if strict_step(FIRST, SECOND, np.ones(10), p) is None:
            low = p
        else:
            high = p
    assert (low + high) / 2 == pytest.approx(0.66974, abs=1e-5)


@pytest.mark.parametrize("p", [0.672, 0.7, 0.9, 1.0, 1.3, 2.0])
def test_the_strict_step_is_a_local_minimum(p):
    step = strict_step(FIRST, SECOND, np.ones(10), p)
    around = minimize_scalar(
        lambda alpha: strict_cost(alpha, p),
        bounds=(0.9 * step, 1.1 * step),
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert step == pytest.approx(around.x, abs=1e-5)
    assert strict_cost(step, p) < min(strict_cost(0.97 * step, p), strict_cost(1.03 * step, p))


@pytest.mark.parametrize("p", [0.4, 0.6, 0.66])
def test_below_the_threshold_the_cost_increases(p):
    assert strict_step(FIRST, SECOND, np.ones(10), p) is None
    alphas = np.logspace(-6, np.log10(0.5), 4001)  # the descent starts at 1/2
    assert (np.diff([strict_cost(a, p) for a in alphas]) > -1e-12).all()


def test_a_hypothesis_that_is_the_ensemble_changes_nothing():
    assert strict_step(FIRST, FIRST, np.ones(10), 1.0) == 0.0


@pytest.mark.parametrize("p", [0.5, 1.0, 1.7])
def test_normalised_ensembles_have_a_norm_of_one(p):
    X, y, _ = noisy_ring()
    for parameters in ({}, {"weighting": "normalised"}, {"variant": "strict"}, {"acceleration": 0.3}):
        model = PBoostClassifier(p=p, n_estimators=30, **parameters).fit(X, y)
        assert (model.estimator_weights_**p).sum() ** (1 / p) == pytest.approx(1, rel=1e-10)


@pytest.mark.parametrize("variant", ["sloppy", "naive"])
def test_hypotheses_are_adaboosts(variant):
    X, y, weight = noisy_ring()
    plain = AdaBoostClassifier(DecisionStump(), 30).fit(X, y, weight)
    model = PBoostClassifier(variant=variant, p=0.6, n_estimators=30).fit(X, y, weight)
    np.testing.assert_allclose(model.estimator_errors_, plain.estimator_errors_, atol=1e-12)
    expected = plain.estimator_weights_ ** (1 / 0.6)
    if variant == "sloppy":
        b = np.array([1.0])
        for alpha in plain.estimator_weights_[1:]:
            b = np.append(b, alpha)
            b = b / (b**0.6).sum() ** (1 / 0.6)
        expected = b
    np.testing.assert_allclose(model.estimator_weights_, expected, rtol=1e-9)


def test_naive_with_p_1_is_adaboost():
    X, y, _ = noisy_ring()
    plain = AdaBoostClassifier(DecisionStump(), 30).fit(X, y)
    model = PBoostClassifier(variant="naive", n_estimators=30).fit(X, y)
    np.testing.assert_allclose(model.estimator_weights_, plain.estimator_weights_, rtol=1e-10)


def test_a_weighting_belongs_to_its_variant():
    X, y, _ = noisy_ring()
    for variant in ("naive", "strict"):
        with pytest.raises(ValueError, match="belongs to variant='sloppy'"):
            PBoostClassifier(variant=variant, weighting="normalised").fit(X, y)


def test_the_letter_of_sloppy_takes_its_weights_from_the_normalised_sum():
    X, y, weight = noisy_ring()
    p = 1.4
    model = PBoostClassifier(p=p, weighting="normalised", n_estimators=20).fit(X, y, weight)
    b, margins = np.empty(0), np.zeros(len(y))
    for t, hypothesis in enumerate(model.estimators_):
        u = y * hypothesis.predict(X)
        w = weight * np.exp(-margins)
        error = w[u < 0].sum() / w.sum()
        assert error == pytest.approx(model.estimator_errors_[t], rel=1e-9)
        alpha = 1.0 if t == 0 else 0.5 * np.log((1 - error) / error)
        norm = 1.0 if t == 0 else (1 + alpha**p) ** (1 / p)
        b, margins = np.append(b, alpha) / norm, (margins + alpha * u) / norm
    np.testing.assert_allclose(model.estimator_weights_, b, rtol=1e-9)
    np.testing.assert_allclose(y * model.decision_function(X), margins, atol=1e-12)


@pytest.mark.parametrize("acceleration", [0.25, 1.0])
def test_the_accelerated_cost(acceleration):
    X, y, _ = noisy_ring()
    model = PBoostClassifier(weighting="normalised", acceleration=acceleration, n_estimators=15).fit(X, y)
    margins = np.zeros(len(y))
    for t, (hypothesis, scores) in enumerate(
        zip(model.estimators_, model.staged_decision_function(X), strict=True), start=1
    ):
        u, steepness = y * hypothesis.predict(X), t**acceleration
        w = np.exp(-steepness * margins)
        error = w[u < 0].sum() / w.sum()
        assert error == pytest.approx(model.estimator_errors_[t - 1], rel=1e-9)
        # The step is the minimum of sum exp(-t^lambda (margin + alpha u)).
        alpha = 0.5 * np.log((1 - error) / error) / steepness
        margins = u.astype(float) if t == 1 else (margins + alpha * u) / (1 + alpha)
        np.testing.assert_allclose(y * scores, margins, atol=1e-12)
        assert model.cost_curve_[t - 1] == pytest.approx(np.exp(-steepness * margins).mean(), rel=1e-10)


@pytest.mark.parametrize("p", [0.5, 1.0, 2.0])
def test_gravity_minimises_its_cost_along_each_hypothesis(p):
    X, y, weight = noisy_ring()
    gravity = 0.03
    model = PBoostClassifier(variant="gravity", p=p, gravity=gravity, n_estimators=12).fit(X, y, weight)
    share = weight / weight.sum()
    b, margins = np.empty(0), np.zeros(len(y))
    assert model.n_iter_ >= 1
    for t, hypothesis in enumerate(model.estimators_):
        u = y * hypothesis.predict(X)

        def cost(alpha, u=u, margins=margins, b=b):
            return share @ np.exp(-(margins + alpha * u)) + gravity * ((b**p).sum() + alpha**p) ** (1 / p)

        alpha = model.estimator_weights_[t]
        grid = [cost(a) for a in np.linspace(0, 3 * alpha, 2001)]
        assert cost(alpha) <= min(grid) + 1e-9
        assert model.cost_curve_[t] == pytest.approx(cost(alpha), rel=1e-9)
        b, margins = np.append(b, alpha), margins + alpha * u
    assert (np.diff(model.cost_curve_) < 0).all()


def test_gravity_stops_where_it_outweighs_every_step():
    X, y, _ = noisy_ring()
    model = PBoostClassifier(variant="gravity", gravity=10.0).fit(X, y)
    assert model.stop_reason_ == "increasing cost"
    assert model.n_iter_ == 0
    assert PBoostClassifier(variant="gravity", gravity=0.3).fit(X, y).stop_reason_ == "increasing cost"
    plain = AdaBoostClassifier(DecisionStump(), 20).fit(X, y)
    free = PBoostClassifier(variant="gravity", gravity=0.0, n_estimators=20).fit(X, y)
    np.testing.assert_allclose(free.estimator_weights_, plain.estimator_weights_, atol=1e-6)


def test_strict_aborts_below_one_and_not_above():
    for noise in (0.1, 0.2, 0.3):
        X, y = make_ring(50, noise=noise, random_state=1)
        for p in (0.5, 0.7, 0.9):
            assert (
                PBoostClassifier(variant="strict", p=p, n_estimators=300).fit(X, y).stop_reason_
                == "increasing cost"
            )
        for p in (1.0, 1.5):
            assert (
                PBoostClassifier(variant="strict", p=p, n_estimators=100).fit(X, y).stop_reason_
                == "n_estimators"
            )


@pytest.mark.parametrize(
    "parameters", [{"p": 0.0}, {"variant": "lazy"}, {"acceleration": -1.0}, {"weighting": "none"}]
)
def test_wrong_parameters(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        PBoostClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
