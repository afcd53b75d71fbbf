import numpy as np
import pytest
from sklearn.datasets import make_classification

from weaklearn.linear import AveragedPerceptron


@pytest.fixture
def data():
    X, y = make_classification(100, 5, flip_y=0.1, random_state=0)
    low, high = X.min(axis=0), X.max(axis=0)
    return (2 * X - low - high) / (high - low), np.where(y == 1, 1.0, -1.0)


def test_weights_are_the_explicit_mean(data):
    X, y = data
    phi = np.random.default_rng(0).uniform(size=len(X))
    phi /= phi.sum()
    rows = np.column_stack([X, np.ones(len(X))])
    # li2005, Algorithm 6, in the given order.
    vectors, survived, n_mistakes = [np.zeros(6)], [0.0], 0
    for _ in range(7):
        for k in range(len(X)):
            if y[k] * (vectors[-1] @ rows[k]) > 0:
                survived[-1] += len(X) * phi[k]
            else:
                vectors.append(vectors[-1] + len(X) * phi[k] * y[k] * rows[k])
                survived.append(len(X) * phi[k])
                n_mistakes += 1
    mean = survived @ np.array(vectors) / (7 * len(X))
    model = AveragedPerceptron(order="cyclic", max_iter=7).fit(X, y, sample_weight=phi)
    np.testing.assert_allclose(np.append(model.coef_[0], model.intercept_), mean, rtol=1e-9)
    assert model.n_mistakes_ == n_mistakes


def test_a_short_run_begins_a_long_one(data):
    X, y = data
    short = AveragedPerceptron(max_iter=10, random_state=3).fit(X, y)
    long = AveragedPerceptron(max_iter=30, random_state=3).fit(X, y)
    np.testing.assert_array_equal(long.error_curve_[:11], short.error_curve_)


@pytest.mark.parametrize("weighting", ["reweight", "resample"])
def test_heavy_examples_are_learned(data, weighting):
    X, y = data
    rng = np.random.default_rng(0)
    heavy = rng.choice(len(X), 4, replace=False)
    labels = y.copy()
    labels[heavy] = [1, -1, 1, -1]
    weight = np.full(len(X), 1e-3)
    weight[heavy] = 1.0
    model = AveragedPerceptron(weighting=weighting, max_iter=300, random_state=0).fit(X, labels, weight)
    assert (model.predict(X[heavy]) == labels[heavy]).all()


def test_equal_weights_are_no_weights(data):
    X, y = data
    a = AveragedPerceptron(max_iter=20, random_state=0).fit(X, y)
    b = AveragedPerceptron(max_iter=20, random_state=0).fit(X, y, sample_weight=np.full(len(X), 0.25))
    np.testing.assert_array_equal(a.coef_, b.coef_)


def test_average_is_steadier_than_its_vectors(data):
    X, y = data
    curve = AveragedPerceptron(max_iter=200, random_state=0).fit(X, y).error_curve_
    assert curve[100:].std() < 0.01


def test_resampling_needs_random_order(data):
    with pytest.raises(ValueError, match='order="random"'):
        AveragedPerceptron(weighting="resample", order="permute").fit(*data)
