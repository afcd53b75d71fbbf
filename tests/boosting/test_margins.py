from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier as TreeAdaBoost

from weaklearn.boosting import AdaBoostClassifier, MarginDistribution, margin_distribution, margins
from weaklearn.datasets import make_ring


def fixed_votes(coefficients, votes, classes=("a", "b")):
    """An ensemble whose hypotheses have given votes on the rows 0, 1, 2, ... of X."""
    coefficients, votes = np.asarray(coefficients, dtype=float), np.asarray(votes, dtype=float)

    return SimpleNamespace(
        classes_=np.array(classes),
        estimator_weights_=coefficients,
        decision_function=lambda X: (coefficients @ votes)[np.asarray(X)[:, 0].astype(int)],
    )


X3 = np.arange(3.0)[:, None]
VOTES = [[1, 1, -1], [-1, 1, -1]]


def test_margins_by_hand():
    # F = 3 h1 + 4 h2 = (-1, 7, -7); norms: 7 (p = 1), 5 (p = 2), (sqrt 3 + 2)^2 (p = 1/2), 4 (p = inf).
    ensemble = fixed_votes([3, 4], VOTES)
    y = ["a", "b", "b"]
    np.testing.assert_allclose(margins(ensemble, X3, y, normalize=False), [1, 7, -7])
    np.testing.assert_allclose(margins(ensemble, X3, y), [1 / 7, 1, -1])
    np.testing.assert_allclose(margins(ensemble, X3, y, normalize=1.0), [1 / 7, 1, -1])
    np.testing.assert_allclose(margins(ensemble, X3, y, normalize=2), [0.2, 1.4, -1.4])
    np.testing.assert_allclose(margins(ensemble, X3, y, 0.5), np.array([1, 7, -7]) / (np.sqrt(3) + 2) ** 2)
    np.testing.assert_allclose(margins(ensemble, X3, y, np.inf), [0.25, 1.75, -1.75])


def test_norms_neither_overflow_nor_divide_by_zero():
    huge = fixed_votes([3e200, 4e200], VOTES)
    np.testing.assert_allclose(margins(huge, X3, ["a", "b", "b"], normalize=2), [0.2, 1.4, -1.4])
    tiny = fixed_votes([3e-200, 4e-200], VOTES)
    np.testing.assert_allclose(margins(tiny, X3, ["a", "b", "b"], normalize=2), [0.2, 1.4, -1.4])
    empty = fixed_votes([0.0, 0.0], VOTES)
    assert (margins(empty, X3, ["a", "b", "b"]) == 0).all()


def test_margins_of_a_fitted_ensemble():
    X, y = make_ring(150, noise=0.1, random_state=0)
    model = AdaBoostClassifier(n_estimators=40).fit(X, np.where(y > 0, "yes", "no"))
    votes = np.array([stump.predict(X) for stump in model.estimators_])
    alphas = model.estimator_weights_ / model.estimator_weights_.sum()
    ours = margins(model, X, np.where(y > 0, "yes", "no"))
    np.testing.assert_allclose(ours, y * (alphas @ votes), atol=1e-12)
    assert np.abs(ours).max() <= 1
    distribution = margin_distribution(model, X, np.where(y > 0, "yes", "no"))
    assert distribution.error == pytest.approx(model.error_curve_[-1], abs=1e-12)
    # The cost is the mean of exp(-||alpha|| margin) (barnes1999, equation 3.24).
    mean = np.exp(-model.estimator_weights_.sum() * distribution.margins).mean()
    assert mean == pytest.approx(model.cost_curve_[-1])


def test_margins_of_another_package():
    X, y = make_ring(100, random_state=0)
    model = TreeAdaBoost(n_estimators=20).fit(X, y)
    np.testing.assert_allclose(margins(model, X, y, normalize=False), y * model.decision_function(X))


def test_bad_margin_arguments():
    ensemble = fixed_votes([3, 4], VOTES)
    with pytest.raises(ValueError, match=r"the label .*'c'.*knows \['a', 'b'\]"):
        margins(ensemble, X3, ["a", "b", "c"])
    for bad in (-1, 0, "l1"):
        with pytest.raises(ValueError, match="normalize"):
            margins(ensemble, X3, ["a", "b", "b"], normalize=bad)
    with pytest.raises(ValueError, match="two classes; this one has 3"):
        margins(fixed_votes([1], [[1, 1, 1]], classes=["a", "b", "c"]), X3, ["a", "b", "c"])


def test_distribution_is_the_share_up_to_and_including():
    distribution = MarginDistribution([0.5, -0.5, 0.0, 0.5])
    np.testing.assert_array_equal(
        distribution([-1, -0.5, -0.1, 0, 0.4, 0.5, 2]), [0, 0.25, 0.25, 0.5, 0.5, 1, 1]
    )
    assert distribution.error == 0.5
    assert distribution.minimum == -0.5
    assert distribution.average == pytest.approx(0.125)
    assert "n_samples=4" in repr(distribution)


def test_a_weight_is_as_many_copies():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=30), rng.integers(0, 4, size=30)
    weighted, copied = MarginDistribution(values, weights), MarginDistribution(np.repeat(values, weights))
    t = np.concatenate([values, rng.normal(size=50)])
    np.testing.assert_allclose(weighted(t), copied(t), atol=1e-14)
    assert weighted.average == pytest.approx(copied.average)
    assert weighted.dominates(copied)
    assert copied.dominates(weighted)


@pytest.mark.parametrize("seed", range(20))
def test_dominance_is_a_comparison_of_all_sorted_margins(seed):
    rng = np.random.default_rng(seed)
    a, b = np.round(rng.normal(size=(2, 8)), 1)
    b = b - 0.2 * (seed % 4)
    expected = bool((np.sort(a) >= np.sort(b)).all())
    first, second = MarginDistribution(a), MarginDistribution(b)
    assert first.dominates(second, tolerance=0) == expected
    t = np.linspace(-6, 6, 2401)
    assert expected == bool((first(t) <= second(t)).all())
    # A distribution that dominates has the lower mean of every decreasing cost.
    if expected:
        assert np.exp(-a).mean() <= np.exp(-b).mean()
        assert first.minimum >= second.minimum
        assert first.average >= second.average


def test_dominance_forgives_rounding_and_no_more():
    values = np.linspace(-0.3, 0.9, 50)
    reference = MarginDistribution(values)
    below = MarginDistribution(values - 5e-10)
    assert below.dominates(reference)
    assert not below.dominates(reference, tolerance=1e-10)
    assert not MarginDistribution(values - 5e-9).dominates(reference)
    assert reference.dominates(reference, tolerance=0)
    # One example that is worse spoils it, however much better the others are.
    worse_minimum = np.append(values[1:] + 0.5, -0.31)
    assert not MarginDistribution(worse_minimum).dominates(reference)


def test_dominance_needs_no_equal_sizes():
    assert MarginDistribution([0.2, 0.4]).dominates(MarginDistribution([0.1, 0.2, 0.3]))
    assert not MarginDistribution([0.1, 0.4]).dominates(MarginDistribution([0.15, 0.2, 0.3]))


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [([np.nan, 1], None, "finite"), ([0, 1], [-1, 2], "non-negative"), ([0, 1], [0, 0], "not all of them 0")],
)
def test_bad_distributions(values, weights, message):
    with pytest.raises(ValueError, match=message):
        MarginDistribution(values, weights)
    with pytest.raises(ValueError, match="tolerance"):
        MarginDistribution([0.0]).dominates(MarginDistribution([0.0]), tolerance=-1)
