import numpy as np
import pytest

from weaklearn.complexity import best_linear_contribution


def problem(seed, n=9, n_permutations=14, start=2, stop=8):
    rng = np.random.default_rng(seed)
    orders = np.array([rng.permutation(n) for _ in range(n_permutations)])
    return rng, orders, rng.normal(size=(n_permutations, stop - start + 1)), start, stop


def direct(orders, complexities, start, covariance):
    """Equation (1.12) with all matrices written out."""
    n, s = orders.shape[1], complexities.shape[1] - 1
    P, delta = [], []
    for order, path in zip(orders, complexities, strict=True):
        for m in range(1, s + 1):
            row = np.zeros(n)
            row[order[start : start + m]] = 1
            P.append(row)
            delta.append(path[m] - path[0])
    P, delta = np.array(P), np.array(delta)
    inverse = np.linalg.inv(np.kron(np.eye(len(orders)), covariance))
    return np.linalg.solve(P.T @ inverse @ P, P.T @ inverse @ delta)


@pytest.mark.parametrize("seed", range(5))
def test_any_covariance_by_the_formula(seed):
    rng, orders, paths, start, stop = problem(seed)
    root = rng.normal(size=(stop - start, stop - start))
    covariance = root @ root.T + 0.5 * np.eye(stop - start)
    found = best_linear_contribution(orders, paths, start, covariance)
    np.testing.assert_allclose(found, direct(orders, paths, start, covariance), rtol=1e-8, atol=1e-10)


def test_the_default_is_least_squares():
    _, orders, paths, start, stop = problem(7)
    found = best_linear_contribution(orders, paths, start)
    np.testing.assert_allclose(found, direct(orders, paths, start, np.eye(stop - start)), rtol=1e-8)


def test_theorem_16():
    """With the covariance min(i, j) the estimate is the average increase when an example joins."""
    _, orders, paths, start, stop = problem(3)
    places = np.arange(1, stop - start + 1)
    found = best_linear_contribution(orders, paths, start, 7.0 * np.minimum.outer(places, places))
    joined, increases = orders[:, start:stop].ravel(), np.diff(paths, axis=1).ravel()
    expected = np.bincount(joined, increases) / np.bincount(joined)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_it_is_the_best_under_its_own_noise():
    """Gauss and Markov: with noise of a known covariance no other assumption has less error."""
    rng = np.random.default_rng(0)
    n, s = 8, 8
    truth = rng.normal(size=n)
    places = np.arange(1, s + 1)
    true = 0.9 ** np.abs(np.subtract.outer(places, places)) * np.outer(places, places) ** 0.8
    root = np.linalg.cholesky(true)
    assumptions = {"true": true, "identity": None, "average": np.minimum.outer(places, places)}
    errors = dict.fromkeys(assumptions, 0.0)
    for _ in range(200):
        orders = np.array([rng.permutation(n) for _ in range(12)])
        paths = np.zeros((12, s + 1))
        paths[:, 1:] = np.cumsum(truth[orders], axis=1) + rng.normal(size=(12, s)) @ root.T
        for name, covariance in assumptions.items():
            errors[name] += ((best_linear_contribution(orders, paths, 0, covariance) - truth) ** 2).sum()
    assert errors["true"] < errors["identity"]
    assert errors["true"] < errors["average"]


def test_examples_outside_the_window_have_no_estimate():
    orders = np.array([[0, 1, 2, 3], [1, 0, 2, 3]])
    paths = np.array([[1.0, 3.0], [1.0, 4.0]])
    found = best_linear_contribution(orders, paths, start=2)
    assert np.isnan(found[[0, 1, 3]]).all()
    assert found[2] == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("orders", "paths", "more", "match"),
    [
        ([[0, 1]], [[0, 1, 2], [0, 1, 2]], {}, "one row"),
        ([[0, 1]], [[0, 1, 2]], {"start": 1}, "do not fit"),
        ([[0, 0]], [[0, 1, 2]], {}, "permutation"),
        ([[0, 1]], [[0, 1, 2]], {"covariance": np.eye(3)}, "2 rows"),
        ([[0, 1]], [[0, 1, 2]], {"covariance": -np.eye(2)}, "positive definite"),
    ],
)
def test_nonsense_is_refused(orders, paths, more, match):
    with pytest.raises(ValueError, match=match):
        best_linear_contribution(orders, paths, **more)
