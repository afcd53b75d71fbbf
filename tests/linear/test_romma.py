import warnings

import numpy as np
import pytest
from scipy.optimize import minimize, nnls
from sklearn.exceptions import ConvergenceWarning

from weaklearn._fast.online import relaxed_margin_epochs
from weaklearn.linear import ROMMA


def separable(seed, n_samples=40, n_features=3, margin=0.2):
    """Columns with the range [-1, 1], labels with room around the boundary."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (40 * n_samples, n_features))
    direction = rng.normal(size=n_features)
    score = X @ (direction / np.linalg.norm(direction)) + 0.2
    X, score = X[abs(score) > margin][:n_samples], score[abs(score) > margin][:n_samples]
    low, high = X.min(axis=0), X.max(axis=0)
    return (2 * X - low - high) / (high - low), np.where(score > 0, 1, -1)


def signed(X, y):
    return np.column_stack([X, np.ones(len(X))]) * y[:, None]


def shortest(rows):
    """The shortest w with rows @ w >= 1, by the least-distance problem of Lawson and Hanson."""
    E = np.vstack([rows.T, np.ones(len(rows))])
    f = np.zeros(len(E))
    f[-1] = 1
    u, _ = nnls(E, f)
    r = E @ u - f
    return -r[:-1] / r[-1]


def one_trial(w, z, aggressive):
    """The kernel's update of the weight vector w by the row z, and how many contradictions it counted."""
    length = np.linalg.norm(w)
    unit, state = w / length, np.array([1 / length, 0.0, 0.0])
    path = np.empty((1, len(w) + 1))
    trials = np.zeros((1, 1), dtype=np.int32)
    relaxed_margin_epochs(z[None, :], trials, aggressive, 1e-8, unit, state, path)
    return unit / state[0], int(state[2])


def by_the_formula(w, z):
    product, norms = w @ z, (z @ z) * (w @ w)
    return ((norms - product) * w + (w @ w) * (1 - product) * z) / (norms - product**2)


@pytest.mark.parametrize("seed", range(20))
def test_update_on_a_mistake_is_the_shortest_vector_allowed(seed):
    rng = np.random.default_rng(seed)
    w, z = rng.normal(size=4), rng.normal(size=4)
    z *= -np.sign(w @ z)
    v, _ = one_trial(w, z, aggressive=False)
    np.testing.assert_allclose(v, by_the_formula(w, z), rtol=1e-9)
    # Both constraints are tight, so nothing shorter satisfies them.
    assert v @ z == pytest.approx(1)
    assert v @ w == pytest.approx(w @ w)
    np.testing.assert_allclose(v, shortest(np.array([z, w / (w @ w)])), rtol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_aggressive_update_is_the_shortest_vector_allowed(seed):
    rng = np.random.default_rng(seed)
    w, z = rng.normal(size=3), rng.normal(size=3)
    z *= rng.uniform(0, 1) / (w @ z)
    v, _ = one_trial(w, z, aggressive=True)
    constraints = [
        {"type": "ineq", "fun": lambda v: v @ z - 1},
        {"type": "ineq", "fun": lambda v: v @ w - w @ w},
    ]
    best = minimize(
        lambda v: v @ v, v + 0.1, constraints=constraints, method="SLSQP", options={"ftol": 1e-12}
    )
    np.testing.assert_allclose(v, best.x, atol=1e-4)
    assert v @ z >= 1 - 1e-9
    assert v @ w >= w @ w - 1e-9


def test_plain_form_ignores_what_is_right():
    w, z = np.array([1.0, 0.0]), np.array([0.5, 0.1])
    np.testing.assert_array_equal(one_trial(w, z, aggressive=False)[0], w)
    assert one_trial(w, z, aggressive=True)[0] @ z == pytest.approx(1)


def test_run_follows_the_printed_formula():
    X, y = separable(0)
    rows = signed(X, y)
    for aggressive in (False, True):
        w = np.zeros(4)
        for _ in range(5):
            for z in rows:
                if w @ z >= 1 - 1e-12 or (w @ z > 0 and not aggressive):
                    continue
                if not w.any() or (w @ z >= (w @ w) * (z @ z)):
                    w = z / (z @ z)
                else:
                    w = by_the_formula(w, z)
        model = ROMMA(aggressive, order="cyclic", max_iter=5).fit(X, y)
        np.testing.assert_allclose(np.append(model.coef_[0], model.intercept_), w, rtol=1e-7)


@pytest.mark.parametrize("order", ["cyclic", "permute", "random"])
@pytest.mark.parametrize("seed", range(3))
def test_aggressive_form_approaches_the_largest_margin(order, seed):
    X, y = separable(seed)
    best = shortest(signed(X, y))
    model = ROMMA(aggressive=True, order=order, max_iter=20_000, random_state=0).fit(X, y)
    w = np.append(model.coef_[0], model.intercept_)
    assert w @ best / np.linalg.norm(w) / np.linalg.norm(best) > 1 - 1e-3
    # The relaxation never excludes the best vector, so the current one is never longer.
    assert np.linalg.norm(w) <= np.linalg.norm(best) * (1 + 1e-9)
    assert model.score(X, y) == 1


def test_plain_form_separates_and_stops():
    X, y = separable(1)
    model = ROMMA(order="permute", random_state=0).fit(X, y)
    assert model.error_curve_[-1] == 0
    assert model.n_iter_ < 2000
    # Li and Long: as many mistakes at most as the perceptron's bound.
    rows = signed(X, y)
    assert model.n_updates_ <= (rows**2).sum(axis=1).max() * (shortest(rows) ** 2).sum()


def test_opposite_labels_at_one_point_are_told_and_survived():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])
    with pytest.warns(ConvergenceWarning, match="cannot be separated"):
        model = ROMMA(order="cyclic", max_iter=500, keep_path=True).fit(X, [0, 1, 1, 0])
    assert np.isfinite(model.path_).all()
    exactly_against, contradictions = one_trial(
        np.array([1.0, 1.0]), np.array([-2.0, -2.0]), aggressive=False
    )
    np.testing.assert_allclose(exactly_against, [1, 1])
    assert contradictions == 1


@pytest.mark.parametrize("aggressive", [False, True])
def test_long_runs_on_noise_stay_finite(aggressive):
    # The usual formula overflows within some hundred epochs here (li2005, section 4.2).
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 5)), rng.integers(0, 2, 100)
    with pytest.warns(ConvergenceWarning):
        model = ROMMA(aggressive, max_iter=3000, keep_path=True, random_state=0).fit(X, y)
    assert model.n_iter_ == 3000
    assert np.isfinite(model.path_).all()
    assert np.isfinite(model.coef_).all()
    assert model.coef_.any()


def test_weights_say_how_often_an_example_is_drawn():
    X, y = separable(2)
    weight = np.random.default_rng(0).uniform(size=len(X))
    with pytest.raises(ValueError, match="got order='cyclic'"):
        ROMMA(order="cyclic").fit(X, y, sample_weight=weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ROMMA(random_state=0).fit(X, y, sample_weight=weight).score(X, y) == 1
