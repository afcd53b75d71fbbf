import numpy as np
import pytest
from problems import noisy_ring
from scipy.optimize import brentq

from weaklearn.boosting import AnyBoostClassifier, CGBoostClassifier
from weaklearn.costs import Bisigmoid, get_cost
from weaklearn.stumps import DecisionStump


def transcription(X, y, cost, n_rounds, n_plain):
    """Algorithm 3.2 of li2006, line by line, with equation 3.3 for the coefficients at the end."""
    n = len(y)
    F, d = np.zeros(n), np.zeros(n)
    alphas, betas, hypotheses = [], [], []
    for t in range(1, n_rounds + 1):
        D = cost.slope(y * F) / cost.slope(y * F).sum()
        f = DecisionStump().fit(X, y, D)
        h = f.predict(X).astype(float)
        beta = 1 - (h * hypotheses[-1][1]).mean() if t > n_plain and hypotheses else 0.0
        d = h + beta * d
        if (D * y * d).sum() <= 0:
            break

        def slope(alpha, F=F, d=d):
            return (y * d * cost.slope(y * (F + alpha * d))).sum()

        high = 1e-3
        while slope(high) < 0:
            high *= 1.3
        alpha = brentq(slope, 0, high, xtol=1e-15, rtol=1e-14)
        F = F + alpha * d
        alphas.append(alpha)
        betas.append(beta)
        hypotheses.append((f, h))
    T = len(alphas)
    coefficients = [
        sum(alphas[t] * np.prod([betas[j] for j in range(i + 1, t + 1)]) for t in range(i, T))
        for i in range(T)
    ]
    return np.array(coefficients), [f for f, _ in hypotheses], F


@pytest.mark.parametrize("cost", ["exponential", "logistic", Bisigmoid(1.0, 1.2)], ids=str)
@pytest.mark.parametrize("n_plain", [1, 6])
def test_it_is_the_printed_algorithm(cost, n_plain):
    X, y, _ = noisy_ring(n=80)
    n_rounds = 18
    model = CGBoostClassifier(cost=cost, n_plain=n_plain, n_estimators=n_rounds).fit(X, y)
    coefficients, hypotheses, F = transcription(X, y, get_cost(cost), n_rounds, n_plain)
    assert model.n_iter_ == len(hypotheses)
    for ours, theirs in zip(model.estimators_, hypotheses, strict=True):
        assert (ours.feature_, ours.threshold_, ours.polarity_) == (
            theirs.feature_,
            theirs.threshold_,
            theirs.polarity_,
        )
    np.testing.assert_allclose(model.estimator_weights_, coefficients, rtol=1e-7)
    np.testing.assert_allclose(model.decision_function(X), F, rtol=1e-7, atol=1e-9)
    assert (model.estimator_weights_ > 0).all()


def test_the_first_rounds_are_plain():
    X, y, _ = noisy_ring()
    plain = AnyBoostClassifier(cost="bisigmoid", n_estimators=10).fit(X, y)
    conjugate = CGBoostClassifier(cost="bisigmoid", n_estimators=40).fit(X, y)
    np.testing.assert_allclose(conjugate.cost_curve_[:10], plain.cost_curve_, rtol=1e-12)
    np.testing.assert_array_equal(
        conjugate.truncated(10).estimator_weights_,
        CGBoostClassifier(cost="bisigmoid", n_estimators=10).fit(X, y).estimator_weights_,
    )


def test_weights_of_examples_are_copies():
    X, y, weight = noisy_ring(n=60)
    model = CGBoostClassifier(n_plain=3, n_estimators=15).fit(X, y, weight)
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    repeated = CGBoostClassifier(n_plain=3, n_estimators=15).fit(X[copies], y[copies])
    np.testing.assert_allclose(model.estimator_weights_, repeated.estimator_weights_, rtol=1e-8)
