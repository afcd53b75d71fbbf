"""p-boosting with other costs: reduces to what is known, and its steps are stationary."""

from dataclasses import dataclass

import numpy as np
import pytest
from problems import noisy_ring
from scipy.optimize import minimize_scalar

from weaklearn.boosting import AnyBoostClassifier, PBoostClassifier
from weaklearn.boosting.p_hull._pnorm import strict_step
from weaklearn.costs import Bisigmoid, Exponential, Logistic, MarginCost


@dataclass(frozen=True)
class PlainExponential(MarginCost):
    """The exponential cost, without its closed form."""

    def value(self, margin):
        return Exponential().value(margin)

    def slope(self, margin):
        return Exponential().slope(margin)

    def log_weights(self, margin):
        return Exponential().log_weights(margin)


@pytest.mark.parametrize(
    "settings",
    [
        {"variant": "sloppy", "p": 0.8},
        {"variant": "sloppy", "p": 1.5, "acceleration": 0.5, "weighting": "normalised"},
        {"variant": "naive", "p": 0.7, "acceleration": 0.3},
        {"variant": "strict", "p": 1.2},
    ],
    ids=str,
)
def test_line_searches_of_the_exponential_cost_are_its_closed_form(settings):
    X, y, weight = noisy_ring()
    known = PBoostClassifier(n_estimators=20, **settings).fit(X, y, weight)
    general = PBoostClassifier(n_estimators=20, cost=PlainExponential(), **settings).fit(X, y, weight)
    assert general.estimator_weights_ == pytest.approx(known.estimator_weights_, rel=1e-7)


@pytest.mark.parametrize("cost", ["logistic", Bisigmoid(1.0, 1.2)])
def test_sloppy_is_anyboost_with_normalised_coefficients(cost):
    X, y, weight = noisy_ring()
    p = 0.9
    plain = AnyBoostClassifier(cost=cost, n_estimators=15).fit(X, y, weight)
    model = PBoostClassifier(cost=cost, p=p, n_estimators=15).fit(X, y, weight)
    b = np.array([1.0])
    for step in plain.estimator_weights_[1:]:
        b = np.append(b, step)
        b = b / (b**p).sum() ** (1 / p)
    assert model.estimator_weights_ == pytest.approx(b, rel=1e-7)
    naive = PBoostClassifier(variant="naive", cost=cost, p=p, n_estimators=15).fit(X, y, weight)
    assert naive.estimator_weights_ == pytest.approx(plain.estimator_weights_ ** (1 / p), rel=1e-7)


@pytest.mark.parametrize("cost", [Logistic(), Bisigmoid(1.0, 1.1)])
@pytest.mark.parametrize("p", [1.0, 1.5])
def test_strict_steps_are_minima_along_the_hull(cost, p):
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(120):
        margins = rng.uniform(-1, 1, 40)
        u = np.where(rng.random(40) < 0.65, 1.0, -1.0)
        weight = rng.uniform(0.5, 2, 40)

        def value(step, margins=margins, u=u, weight=weight):
            return (weight * cost.value((margins + step * u) * (1 + step**p) ** (-1 / p))).sum()

        step = strict_step(margins, u, weight, p, cost=cost)
        if step is None or step == 0 or step > 1e5:
            continue
        found += 1
        near = minimize_scalar(
            value, bounds=(0.9 * step, 1.1 * step), method="bounded", options={"xatol": 1e-10}
        )
        assert near.x == pytest.approx(step, rel=1e-4)
    assert found > 5


def test_variants_of_the_exponential_cost_alone_say_so():
    X, y, _ = noisy_ring(30)
    for variant in ("gravity", "sloppy_newton"):
        with pytest.raises(ValueError, match="exponential"):
            PBoostClassifier(variant=variant, cost="logistic").fit(X, y)
    with pytest.raises(ValueError, match="nowhere increasing"):
        PBoostClassifier(cost="least_squares").fit(X, y)
