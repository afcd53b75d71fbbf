import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.datasets import load_iris, make_blobs

from weaklearn.linear import Perceptron


def separable(seed, n_samples=60, n_features=4, margin=0.1):
    """Columns with the range [-1, 1], labels with room around the boundary."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (40 * n_samples, n_features))
    direction = rng.normal(size=n_features)
    score = X @ (direction / np.linalg.norm(direction)) + 0.3
    X, score = X[abs(score) > margin][:n_samples], score[abs(score) > margin][:n_samples]
    low, high = X.min(axis=0), X.max(axis=0)
    return (2 * X - low - high) / (high - low), np.where(score > 0, 1, -1)


def largest_margin(X, y):
    """The shortest w with y (x, 1) . w >= 1, by the least-distance problem of Lawson and Hanson."""
    rows = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    E = np.vstack([rows.T, np.ones(len(rows))])
    f = np.zeros(len(E))
    f[-1] = 1
    u, _ = nnls(E, f)
    r = E @ u - f
    return -r[:-1] / r[-1]


@pytest.mark.parametrize("order", ["cyclic", "permute", "random"])
@pytest.mark.parametrize("seed", range(5))
def test_separates_within_novikoffs_bound(order, seed):
    X, y = separable(seed)
    model = Perceptron(order=order, random_state=seed).fit(X, y)
    assert model.score(X, y) == 1
    assert model.error_curve_[-1] == 0
    assert model.mistakes_[-1] == 0
    radius2 = ((X**2).sum(axis=1) + 1).max()
    assert model.n_mistakes_ == model.mistakes_.sum() <= radius2 * (largest_margin(X, y) ** 2).sum()


def test_little_bit_without_a_bias():
    # may2020, part II: the label is the first of n bits; the margin is 1 and R^2 is n.
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], (200, 10))
    model = Perceptron(fit_intercept=False).fit(X, X[:, 0])
    assert model.intercept_[0] == 0
    assert model.score(X, X[:, 0]) == 1
    assert model.n_mistakes_ <= 10
    assert (model.coef_ == np.round(model.coef_)).all()


def test_without_a_bias_the_origin_stays_where_the_user_has_it():
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 7.0], [4.0, 3.0]])
    y = np.array([1, -1, 1, -1])
    model = Perceptron(fit_intercept=False).fit(X, y)
    w = np.zeros(2)
    for _ in range(model.n_iter_):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) <= 0:
                w += label * x
    np.testing.assert_array_equal(model.coef_[0], w)
    assert model.predict([[0.0, 0.0]])[0] == -1


def test_stops_at_the_first_epoch_without_a_mistake():
    X, y = separable(0)
    model = Perceptron().fit(X, y)
    assert (model.mistakes_[:-1] > 0).all()
    shorter = Perceptron(max_iter=model.n_iter_ - 1).fit(X, y)
    np.testing.assert_array_equal(shorter.mistakes_, model.mistakes_[:-1])


def test_a_good_start_is_kept():
    X, y = separable(0)
    best = largest_margin(X, y)
    model = Perceptron(init=best, keep_path=True).fit(X, y)
    assert (model.n_iter_, model.n_mistakes_) == (1, 0)
    np.testing.assert_allclose(np.append(model.coef_[0], model.intercept_), best)
    np.testing.assert_allclose(model.path_[0], best)
    assert Perceptron(init="fld", max_iter=1).fit(X, y).error_curve_[0] < 0.2


def test_first_vector_zero_is_wrong_everywhere():
    X, y = separable(0)
    assert Perceptron().fit(X, y).error_curve_[0] == 1


def test_scale_of_the_weights_does_not_matter():
    X, y = make_blobs(80, centers=2, cluster_std=6, random_state=0)
    weight = np.random.default_rng(0).uniform(size=80)
    a = Perceptron(max_iter=20).fit(X, y, sample_weight=weight)
    b = Perceptron(max_iter=20).fit(X, y, sample_weight=1024 * weight)
    np.testing.assert_array_equal(a.coef_, b.coef_)


def test_more_classes():
    X, y = load_iris(return_X_y=True)
    model = Perceptron(order="permute", max_iter=50, keep_path=True, random_state=0).fit(X, y)
    assert len(model.mistakes_) == len(model.n_mistakes_) == len(model.path_) == 3
    assert model.error_curve_.shape == (3, model.n_iter_ + 1)
    assert model.n_iter_ == max(len(mistakes) for mistakes in model.mistakes_)
    assert model.error_curve_[0, -1] == 0  # setosa is separable


@pytest.mark.parametrize(
    "bad", [{"order": "sorted"}, {"init": "ones"}, {"max_iter": 0}, {"keep_path": "yes"}]
)
def test_bad_parameters_are_named(bad):
    with pytest.raises(ValueError, match=f"The '{next(iter(bad))}' parameter of Perceptron"):
        Perceptron(**bad).fit([[0.0], [1.0]], [0, 1])


def test_bad_start():
    with pytest.raises(ValueError, match="init must hold 1 x 2 finite numbers"):
        Perceptron(init=[1.0, 2.0, 3.0]).fit([[0.0], [1.0]], [0, 1])
