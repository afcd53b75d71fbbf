import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from weaklearn.linear import Winnow


@pytest.mark.parametrize("order", ["cyclic", "permute", "random"])
@pytest.mark.parametrize(("n_features", "k"), [(10, 1), (50, 3), (200, 5)])
def test_learns_a_disjunction_within_the_mistake_bound(order, n_features, k):
    rng = np.random.default_rng(n_features)
    X = (rng.random((400, n_features)) < 0.5 / k).astype(float)
    y = X[:, :k].any(axis=1)
    model = Winnow(order=order, random_state=0).fit(X, y)
    assert model.score(X, y) == 1
    assert model.error_curve_[-1] == 0
    assert model.n_mistakes_ <= 3 * k * (np.log2(n_features) + 1) + 2
    assert model.mistakes_.sum() == model.n_mistakes_


def test_bits_of_either_kind_give_the_same_weights():
    # may2020, part II, has bits -1 and 1.
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (60, 12))
    zero_one = Winnow().fit(bits, bits[:, 0])
    signs = Winnow().fit(2 * bits - 1, bits[:, 0])
    np.testing.assert_allclose(signs.coef_, zero_one.coef_ / 2)
    np.testing.assert_array_equal(np.log2(zero_one.coef_), np.round(np.log2(zero_one.coef_)))
    assert zero_one.intercept_[0] == -12
    assert zero_one.coef_[0].argmax() == 0


def test_constant_columns_play_no_part():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (60, 5))
    plain = Winnow().fit(bits, bits[:, 0])
    padded = Winnow().fit(np.column_stack([bits, np.full(60, 7), np.zeros(60)]), bits[:, 0])
    np.testing.assert_array_equal(padded.coef_[0], np.append(plain.coef_[0], [0, 0]))
    np.testing.assert_array_equal(padded.intercept_, plain.intercept_)


def test_complements_learn_what_falls_with_a_feature():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (200, 20))
    y = (bits[:, 0] == 1) | (bits[:, 1] == 0)
    with pytest.warns(ConvergenceWarning, match="Try complement=True"):
        assert Winnow(max_iter=200).fit(bits, y).score(bits, y) < 1
    model = Winnow(complement=True).fit(bits, y)
    assert model.score(bits, y) == 1
    assert model.coef_[0, 0] > 0 > model.coef_[0, 1]


def test_factor_and_threshold():
    X, y = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([0, 1, 0])
    model = Winnow(factor=3.0, threshold=1.5, max_iter=1).fit(X, y)
    np.testing.assert_allclose(model.coef_, [[3.0, 1.0]])
    np.testing.assert_allclose(model.intercept_, [-1.5])


def test_extreme_weights_stay_finite():
    X, y = make_blobs(500, centers=2, cluster_std=20, random_state=0)
    weight = np.full(500, 1e-9)
    weight[:2] = 1e9
    model = Winnow(complement=True, factor=1e6, max_iter=50, keep_path=True).fit(X, y, sample_weight=weight)
    assert np.isfinite(model.path_).all()


@pytest.mark.parametrize("bad", [{"factor": 1.0}, {"threshold": 0.0}, {"complement": 1.5}])
def test_bad_parameters_are_named(bad):
    with pytest.raises(ValueError, match=f"The '{next(iter(bad))}' parameter of Winnow"):
        Winnow(**bad).fit([[0.0], [1.0]], [0, 1])


def test_what_falls_with_the_features_is_not_learned_silently():
    X = np.arange(20.0)[:, None]
    y = X[:, 0] < 10
    with pytest.warns(ConvergenceWarning, match="Try complement=True"):
        Winnow(max_iter=20).fit(X, y)
    assert Winnow(max_iter=200, complement=True).fit(X, y).score(X, y) > 0.9
