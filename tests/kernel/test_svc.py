"""KernelSVC: optimality conditions, agreement with LIBSVM and with a general QP solver, weights, hard margins."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, make_blobs, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from weaklearn.datasets import make_ringnorm, make_yinyang
from weaklearn.kernel import KernelSVC, gaussian_kernel, perceptron_kernel, polynomial_kernel


def dual_objective(dual_coef, gram):
    return np.abs(dual_coef).sum() - 0.5 * dual_coef @ gram @ dual_coef


def problems():
    """20 problems: four data sets, five values of C from 0.1 to infinity."""
    for (seed, name), C in itertools.product(
        enumerate(["plane", "noisy", "yinyang", "ringnorm"]), [0.1, 1.0, 10.0, 1000.0, np.inf]
    ):
        if name == "plane":
            X, y = make_blobs(120, 4, centers=2, random_state=seed)
        elif name == "noisy":
            X, y = make_classification(150, 6, flip_y=0.15, random_state=seed)
        elif name == "yinyang":
            X, y = make_yinyang(160, random_state=seed)
        else:
            X, y = make_ringnorm(140, random_state=seed)
        yield pytest.param(X, y, C, id=f"{name}-{C}")


@pytest.mark.parametrize(("X", "y", "C"), list(problems()))
def test_agrees_with_libsvm(X, y, C):
    gamma = 1 / (X.shape[1] * X.var())
    ours = KernelSVC(C=C, gamma=gamma, tol=1e-6).fit(X, y)
    theirs = SVC(C=C, gamma=gamma, tol=1e-6).fit(X, y)
    gram = gaussian_kernel(theirs.support_vectors_, gamma=gamma)
    assert_allclose(ours.objective_[0], dual_objective(theirs.dual_coef_[0], gram), rtol=1e-6)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    new = X + 0.3 * X.std(axis=0) * np.random.default_rng(0).normal(size=X.shape)
    scores = ours.decision_function(new)
    sure = np.abs(scores) > 1e-3 * np.abs(scores).max()
    assert_array_equal(ours.predict(new)[sure], theirs.predict(new)[sure])
    assert_allclose(scores, theirs.decision_function(new), atol=2e-3 * np.abs(scores).max())


@pytest.mark.parametrize("C", [0.5, 20.0, np.inf])
@pytest.mark.parametrize("kernel", ["rbf", "perceptron", "stump"])
def test_optimality_conditions(kernel, C):
    X, y = make_yinyang(200, random_state=3)
    model = KernelSVC(C=C, kernel=kernel, tol=1e-5).fit(X, y)
    alpha = np.zeros(200)
    alpha[model.support_] = model.dual_coef_[0]
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    alpha *= sign
    margins = sign * model.decision_function(X)
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(alpha @ sign) < 1e-9 * alpha.sum()
    assert margins[alpha == 0].min() > 1 - 1e-4
    assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=1e-4)
    assert margins[alpha == C].max(initial=-np.inf) < 1 + 1e-4
    assert model.gap_[0] < 1e-5
    # No duality gap: the primal value is the dual's.
    w_square = 2 * (alpha.sum() - model.objective_[0])
    slack = 0.0 if np.inf == C else C * np.maximum(0, 1 - margins).sum()
    assert_allclose(0.5 * w_square + slack, model.objective_[0], rtol=1e-3)


@pytest.mark.parametrize("C", [1.0, 50.0])
def test_agrees_with_a_general_qp_solver(C):
    clarabel = pytest.importorskip("clarabel")
    from scipy import sparse

    X, y = make_classification(60, 4, flip_y=0.1, random_state=5)
    weight = np.random.default_rng(0).uniform(0.5, 2, 60)
    sign = 2.0 * y - 1
    gram = polynomial_kernel(X, degree=2, coef0=1.0)
    n = len(y)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    # minimise 1/2 beta'K beta - y'beta over the box and the hyperplane
    A = sparse.vstack([sparse.csc_matrix(np.ones((1, n))), sparse.eye(n), -sparse.eye(n)]).tocsc()
    upper, lower = np.where(sign > 0, C * weight, 0), np.where(sign > 0, 0, -C * weight)
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(2 * n)]
    b = np.concatenate([[0], upper, -lower])
    P = sparse.triu(sparse.csc_matrix(gram + 1e-12 * np.eye(n))).tocsc()
    value = -clarabel.DefaultSolver(P, -sign, A, b, cones, settings).solve().obj_val
    model = KernelSVC(C=C, kernel="polynomial", degree=2, coef0=1.0, gamma=1.0, tol=1e-6)
    assert_allclose(model.fit(X, y, sample_weight=weight).objective_[0], value, rtol=1e-6)


@pytest.mark.parametrize("C", [0.3, 5.0, np.inf])
def test_a_weight_is_a_number_of_copies(C):
    X, y = make_yinyang(150, random_state=0)
    weight = np.random.default_rng(1).integers(0, 4, 150)
    model = KernelSVC(C=C).fit(X, y, sample_weight=weight)
    order = np.random.default_rng(2).permutation(weight.sum())
    rows = np.repeat(np.arange(150), weight)[order]
    copies = KernelSVC(C=C).fit(X[rows], y[rows])
    assert_allclose(copies.decision_function(X), model.decision_function(X), rtol=1e-9, atol=1e-9)
    assert_allclose(copies.objective_, model.objective_, rtol=1e-12)


def test_weights_as_in_libsvm():
    X, y = make_classification(150, 6, flip_y=0.15, random_state=2)
    weight = np.random.default_rng(1).uniform(0, 3, 150)
    params = {"C": 2.0, "gamma": 0.1, "tol": 1e-7}
    ours = KernelSVC(**params).fit(X, y, sample_weight=weight)
    theirs = SVC(**params).fit(X, y, sample_weight=weight)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_hard_margin_by_hand():
    model = KernelSVC(C=np.inf, kernel="linear", tol=1e-9).fit([[-3.0], [-1.0], [2.0], [9.0]], [0, 0, 1, 1])
    assert_array_equal(model.support_, [1, 2])
    assert_allclose(model.decision_function([[0.5], [2.0], [-1.0]]), [0, 1, -1], atol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "polynomial"])
def test_no_hard_margin_is_said(kernel):
    X, y = make_classification(80, 3, n_redundant=0, n_informative=3, flip_y=0.3, random_state=0)
    with pytest.raises(ValueError, match="cannot be separated"):
        KernelSVC(C=np.inf, kernel=kernel, degree=1).fit(X, y)


def test_contradicting_labels_have_no_hard_margin():
    with pytest.raises(ValueError, match="cannot be separated"):
        KernelSVC(C=np.inf).fit([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1])


@pytest.mark.parametrize("C", [20.0, 1e4])
def test_shrinking_changes_nothing(C, monkeypatch):
    X, y = make_classification(900, 10, flip_y=0.1, random_state=0)
    with_it = KernelSVC(C=C, gamma=0.1, tol=1e-5).fit(X, y)
    monkeypatch.setattr("weaklearn.kernel._dual._SHRINK_AFTER", 10**9)
    without = KernelSVC(C=C, gamma=0.1, tol=1e-5).fit(X, y)
    assert with_it.n_iter_ > 2000  # long enough to shrink
    assert_allclose(with_it.objective_, without.objective_, rtol=1e-7)
    assert_array_equal(with_it.predict(X), without.predict(X))


def test_precomputed_and_callable():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, 150)
    model = KernelSVC(C=5, kernel="perceptron", tol=1e-6).fit(X, y, weight)
    called = KernelSVC(C=5, kernel=perceptron_kernel, tol=1e-6).fit(X, y, weight)
    gram = perceptron_kernel(X)
    given = KernelSVC(C=5, kernel="precomputed", tol=1e-6).fit(gram, y, weight)
    assert_allclose(called.decision_function(X), model.decision_function(X), atol=1e-3)
    assert_allclose(given.decision_function(gram), model.decision_function(X), atol=1e-3)
    assert given.decision_function(gram).shape == (150, 3)
    with pytest.raises(ValueError, match="square"):
        given.fit(gram[:, :20], y)


def test_one_against_the_rest_is_that():
    X, y = load_iris(return_X_y=True)
    model = KernelSVC(C=2.0, gamma=0.2, tol=1e-7).fit(X, y)
    for k in range(3):
        machine = SVC(C=2.0, gamma=0.2, tol=1e-7).fit(X, y == k)
        assert_allclose(model.decision_function(X)[:, k], machine.decision_function(X), atol=1e-5)
    assert_array_equal(model.n_support_, np.count_nonzero(model.dual_coef_, axis=1))


def test_simplified_comes_near():
    X, y = make_yinyang(300, random_state=0)
    exact = KernelSVC(C=4.0, gamma=1.0).fit(X, y)
    simple = KernelSVC(C=4.0, gamma=1.0, solver="simplified", max_iter=200, random_state=0).fit(X, y)
    assert simple.objective_[0] <= exact.objective_[0] + 1e-6
    assert simple.objective_[0] > 0.9 * exact.objective_[0]
    assert abs(simple.dual_coef_.sum()) < 1e-9
    assert np.mean(simple.predict(X) == exact.predict(X)) > 0.95


def test_single_precision_gram():
    X, y = make_yinyang(300, random_state=0)
    double, single = KernelSVC(C=10).fit(X, y), KernelSVC(C=10, dtype="float32").fit(X, y)
    assert_allclose(single.objective_, double.objective_, rtol=1e-4)


def test_out_of_steps_is_said():
    X, y = make_yinyang(300, random_state=0)
    with pytest.warns(ConvergenceWarning, match="stopped after 10 steps"):
        KernelSVC(max_iter=10).fit(X, y)


def test_refuses_a_gram_matrix_that_is_too_large():
    rows = np.arange(60_000.0)
    with pytest.raises(ValueError, match=r"60,000 rows needs 28\.8 GB"):
        KernelSVC().fit(rows[:, None], rows > 100)
