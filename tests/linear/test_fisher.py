import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from weaklearn.linear import FisherDiscriminant
from weaklearn.linear._closed_form import fisher_weights


@pytest.fixture
def data():
    X, y = make_classification(200, 6, n_informative=4, n_redundant=0, weights=[0.7], random_state=0)
    return X, np.where(y == 1, 1.0, -1.0)


def cosine(a, b):
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def test_direction_is_that_of_discriminant_analysis(data):
    X, y = data
    ours = FisherDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis().fit(X, y)
    assert cosine(ours.coef_[0], theirs.coef_[0]) == pytest.approx(1, abs=1e-10)


def test_formula(data):
    X, y = data
    up, down = X[y > 0], X[y < 0]
    within = (np.cov(up.T, bias=True) * len(up) + np.cov(down.T, bias=True) * len(down)) / len(X)
    coef = np.linalg.solve(within, up.mean(axis=0) - down.mean(axis=0))
    centre = (len(down) * up.mean(axis=0) + len(up) * down.mean(axis=0)) / len(X)
    np.testing.assert_allclose(
        fisher_weights(X, y, np.ones(len(X))), np.append(coef, -coef @ centre), rtol=1e-9
    )


def test_rarer_class_gets_the_smaller_side():
    X = np.array([[-0.1], [0.0], [0.1], [0.9], [1.1]])
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0])
    weights = fisher_weights(X, y, np.ones(5))
    assert -weights[1] / weights[0] == pytest.approx(0.6)
    weights = fisher_weights(X, y, np.array([1.0, 1.0, 1.0, 6.0, 6.0]))
    assert -weights[1] / weights[0] == pytest.approx(0.2)


def test_weights_are_repetitions(data):
    X, y = data
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    once = FisherDiscriminant().fit(X, y, sample_weight=weight)
    often = FisherDiscriminant().fit(X.repeat(weight, axis=0), y.repeat(weight))
    np.testing.assert_allclose(once.coef_, often.coef_, rtol=1e-9)
    np.testing.assert_allclose(once.intercept_, often.intercept_, rtol=1e-9)
    np.testing.assert_allclose(once.error_curve_, often.error_curve_)


def test_constant_and_repeated_columns_change_nothing(data):
    X, y = data
    one = np.ones(len(X))
    plain = fisher_weights(X, y, one)
    more = fisher_weights(np.column_stack([X, 0 * one, X[:, 0]]), y, one)
    assert more[-3] == 0
    scores = np.column_stack([X, 0 * one, X[:, 0]]) @ more[:-1] + more[-1]
    np.testing.assert_allclose(scores, X @ plain[:-1] + plain[-1], rtol=1e-6, atol=1e-6)


def test_fewer_rows_than_columns_are_separated():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10, 30)), np.repeat([1.0, -1.0], 5)
    weights = fisher_weights(X, y, np.ones(10))
    assert np.isfinite(weights).all()
    assert (y * (X @ weights[:-1] + weights[-1]) > 0).all()


@pytest.mark.parametrize("tiny", [1e-3, 1e-12, 1e-30, 1e-300])
def test_weight_on_few_points(data, tiny):
    X, y = data
    weight = np.full(len(X), tiny)
    weight[[np.argmax(y), np.argmin(y)]] = 1.0
    weights = fisher_weights(X, y, weight)
    assert np.isfinite(weights).all()
    heavy = weight == 1
    assert (y[heavy] * (X[heavy] @ weights[:-1] + weights[-1]) > 0).all()


def test_where_there_is_no_discriminant_the_larger_class_wins():
    X = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    np.testing.assert_array_equal(fisher_weights(X, y, np.array([3.0, 3.0, 1.0, 1.0])), [0, 0.5])
    np.testing.assert_array_equal(fisher_weights(X, np.ones(4), np.ones(4)), [0, 1])
    one_point_each = fisher_weights(np.array([[0.0], [2.0]]), np.array([-1.0, 1.0]), np.ones(2))
    np.testing.assert_array_equal(one_point_each, [2, -2])


def test_units_of_the_columns_do_not_matter(data):
    X, y = data
    units = 10.0 ** np.arange(-9, 9, 3)
    plain = FisherDiscriminant().fit(X, y)
    np.testing.assert_allclose(
        FisherDiscriminant().fit(X * units, y).decision_function(X * units),
        plain.decision_function(X),
        rtol=1e-7,
        atol=1e-9,
    )


def test_more_classes():
    X, y = load_iris(return_X_y=True)
    model = FisherDiscriminant().fit(X, y)
    assert model.coef_.shape == (3, 4)
    assert model.error_curve_.shape == (3, 1)
    assert model.n_iter_ == 0
    assert model.score(X, y) > 0.8
