"""Leave-one-out formulas against machines that are fitted again without the row."""

import numpy as np
import pytest

from weaklearn.robust._columns import row_blocks
from weaklearn.robust._ridge import (
    DualRidge,
    Pairs,
    PrimalRidge,
    choose_strength,
    landmark_basis,
    landmark_count,
)

N, STRENGTH = 23, 0.3
KERNELS = "linear", "quadratic", "stump", "perceptron", "rbf", "laplace"


def problem(weights):
    random = np.random.RandomState(0)
    X = random.randn(N, 4)
    X[5] = X[4]  # twins with different labels
    Y = np.where(random.randint(0, 3, N)[:, None] == np.arange(3), 1.0, -1.0)
    weight = np.ones(N)
    if weights == "integer":
        weight = random.randint(1, 4, N).astype(float)
    elif weights == "fraction":
        weight = random.uniform(0.1, 2.0, N)
    return X, Y, weight


def brute_force(K, Y, weight, ridge_strength, at):
    """The prediction at row ``at`` of the minimiser of sum u (y - K c - b)^2 + strength c'Kc, by its linear system.

    For a kernel that is only conditionally positive definite, the solution lies where sum(c) = 0.
    """
    n = len(Y)
    used = weight > 0
    Ku = K[np.ix_(used, used)]
    system = np.zeros((used.sum() + 1, used.sum() + 1))
    system[:-1, :-1] = Ku + ridge_strength * np.diag(1 / weight[used])
    system[:-1, -1] = system[-1, :-1] = 1
    solution = np.linalg.solve(system, np.vstack([Y[used], np.zeros((1, Y.shape[1]))]))
    c = np.zeros((n, Y.shape[1]))
    c[used] = solution[:-1]
    return K[at] @ c + solution[-1]


def test_kernels_are_their_formulas():
    random = np.random.RandomState(1)
    P, Q = random.randn(7, 3), random.randn(5, 3)
    gaps = P[:, None] - Q
    product, city_block, square = P @ Q.T, np.abs(gaps).sum(axis=2), (gaps**2).sum(axis=2)
    expected = {
        "linear": product,
        "quadratic": product + product**2 / 6,
        "stump": -city_block,
        "perceptron": -np.sqrt(square),
        "rbf": np.exp(-square / 3),
        "laplace": np.exp(-city_block / 3),
    }
    pairs = Pairs(P, Q)  # shared by all
    for _ in range(2):
        for kernel, values in expected.items():
            np.testing.assert_allclose(pairs.kernel(kernel), values, atol=1e-12, err_msg=kernel)


@pytest.mark.parametrize("weights", ["one", "integer", "fraction"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_dual_leave_one_out_is_a_refit(kernel, weights):
    X, Y, weight = problem(weights)
    K = Pairs(X, X).kernel(kernel)
    # "integer": one of the copies is left out, otherwise the whole row.
    share = 1 / weight if weights == "integer" else np.ones(N)
    ridge = DualRidge(K, weight, share, Y)
    left_out = ridge.left_out(strengths=np.array([STRENGTH]))[0]
    for i in range(N):
        without = weight.copy()
        without[i] *= 1 - share[i]
        expected = brute_force(K, Y, without, STRENGTH * ridge.scale, i)
        np.testing.assert_allclose(left_out[i], np.clip(expected, -3, 3), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_dual_solution_and_spectral_coordinates(kernel):
    X, Y, weight = problem("fraction")
    K = Pairs(X, X).kernel(kernel)
    ridge = DualRidge(K, weight, np.ones(N), Y)
    coef, bias = ridge.solution(STRENGTH)
    expected = brute_force(K, Y, weight, STRENGTH * ridge.scale, slice(None))
    np.testing.assert_allclose(K @ coef + bias, expected, atol=1e-7)
    B = ridge.spectral(K)
    g = 1 / weight.sum() + B * (ridge.s / (ridge.s + STRENGTH)) @ B.T
    np.testing.assert_allclose((g * weight) @ Y, expected, atol=1e-7)


@pytest.mark.parametrize("blocks", [1, 3])
def test_primal_leave_one_out_is_a_refit(blocks):
    X, Y, weight = problem("fraction")
    parts = [
        slice(a, b)
        for a, b in zip(*(np.linspace(0, N, blocks + 1).astype(int)[i:] for i in (0, 1)), strict=False)
    ]
    ridge = PrimalRidge(parts, X.__getitem__, weight, np.ones(N), Y)
    left_out = np.concatenate([ridge.left_out(part, np.array([STRENGTH]))[0] for part in parts])
    for i in range(N):
        without = weight.copy()
        without[i] = 0
        expected = brute_force(X @ X.T, Y, without, STRENGTH * ridge.scale, i)
        np.testing.assert_allclose(left_out[i], np.clip(expected, -3, 3), atol=1e-7)


def test_primal_and_dual_agree_on_the_linear_kernel():
    X, Y, weight = problem("integer")
    primal = PrimalRidge([slice(0, N)], X.__getitem__, weight, 1 / weight, Y)
    dual = DualRidge(X @ X.T, weight, 1 / weight, Y)
    np.testing.assert_allclose(primal.left_out(), dual.left_out(), atol=1e-6)
    w, b = primal.solution(STRENGTH)
    c, b_dual = dual.solution(STRENGTH)
    np.testing.assert_allclose(X @ w + b, X @ X.T @ c + b_dual, atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_all_rows_as_landmarks_are_the_exact_machine(kernel):
    X, Y, weight = problem("one")
    X[5] += 0.1  # the matrix of twins is singular, and its null space is cut off
    basis = landmark_basis(kernel, X)
    K = Pairs(X, X).kernel(kernel)
    F = K @ basis
    F -= F.mean(axis=0)
    centred = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    np.testing.assert_allclose(F @ F.T, centred, atol=1e-6 * np.abs(centred).max())
    primal = PrimalRidge([slice(0, N)], K.__getitem__, weight, np.ones(N), Y, basis)
    dual = DualRidge(K, weight, np.ones(N), Y)
    strengths = np.array([0.1, 1.0, 10.0])
    np.testing.assert_allclose(
        primal.left_out(strengths=strengths), dual.left_out(strengths=strengths), atol=1e-5
    )


def test_landmarks_pay_for_themselves():
    """The work n m^2 is bounded, more classes get more, and no table has fewer than 300."""
    counts = [landmark_count(n, 2, 1000) for n in (200, 2000, 10_000, 40_000, 1_000_000)]
    assert counts == [200, 1000, 500, 300, 300]
    assert landmark_count(20_000, 26, 1500) == 1274
    assert landmark_count(100_000, 26, 1500) == 570


def test_chooses_the_largest_strength_among_equals():
    Y = np.ones((10, 1))
    left_out = np.stack([np.full((10, 1), v) for v in (0.2, 0.9, 0.9, 0.5)])
    assert choose_strength(left_out, Y, np.ones(10)) == 2


def test_blocks_cover_the_rows():
    rows = np.concatenate([np.arange(1000)[part] for part in row_blocks(1000, 1 << 20)])
    np.testing.assert_array_equal(rows, np.arange(1000))
