"""Random coordinate descent: identities, optimality, invariances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from weaklearn.linear import FisherDiscriminant, RCDPerceptron, minimum_zero_one_error


def noisy_problem(n=150, m=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)) * np.exp(rng.normal(size=m) * 2) + rng.normal(size=m) * 3
    centred = (X - X.mean(0)) / X.std(0)
    y = np.where(centred @ rng.normal(size=m) + rng.normal(size=n) > 0.3, "yes", "no")
    return X, y


DIRECTIONS = ["uniform", "gaussian", "conjugate", "cyclic", "gradient"]


@pytest.mark.parametrize("bias_every", ["auto", None, 3])
@pytest.mark.parametrize("directions", DIRECTIONS)
def test_error_never_rises_and_is_what_a_recount_finds(directions, bias_every):
    X, y = noisy_problem()
    weight = np.random.default_rng(1).exponential(size=len(y))
    model = RCDPerceptron(directions, bias_every=bias_every, max_iter=200, keep_path=True, random_state=0)
    model.fit(X, y, weight)
    assert model.error_curve_.shape == (201,)
    assert (np.diff(model.error_curve_) <= 1e-12).all()
    assert model.error_curve_[-1] < model.error_curve_[0]
    signed = np.where(y == "yes", 1, -1)
    for epoch in (0, 1, 63, 64, 65, 130, 200):
        wrong = signed * (X @ model.path_[epoch, :-1] + model.path_[epoch, -1]) <= 0
        assert weight @ wrong / weight.sum() == pytest.approx(model.error_curve_[epoch], abs=1e-12)
    assert_allclose(model.path_[-1], np.append(model.coef_, model.intercept_))
    assert 1 - model.score(X, y, weight) == pytest.approx(model.error_curve_[-1], abs=1e-12)


def test_start_is_the_discriminant_or_what_is_given():
    X, y = noisy_problem()
    fisher = FisherDiscriminant().fit(X, y)
    by_name = RCDPerceptron(max_iter=30, random_state=3).fit(X, y)
    assert by_name.error_curve_[0] == pytest.approx(1 - fisher.score(X, y))
    given = RCDPerceptron(init=np.append(fisher.coef_, fisher.intercept_), max_iter=30, random_state=3).fit(
        X, y
    )
    assert_allclose(given.error_curve_, by_name.error_curve_)
    zero = RCDPerceptron(init="zero", max_iter=30, random_state=3).fit(X, y)
    assert zero.error_curve_[0] == 1.0


def test_scale_and_shift_of_columns_do_not_matter():
    X, y = noisy_problem()
    a, b = np.array([1e-4, 2.0, 8.0, 1024.0, 0.5]), np.array([5.0, -2.0, 0.0, 1.0, 64.0])
    plain = RCDPerceptron(max_iter=100, init="zero", random_state=0).fit(X, y)
    moved = RCDPerceptron(max_iter=100, init="zero", random_state=0).fit(X * a + b, y)
    assert_allclose(moved.error_curve_, plain.error_curve_)
    assert_allclose(moved.decision_function(X * a + b), plain.decision_function(X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("directions", DIRECTIONS)
def test_weights_equal_copies(directions):
    X, y = noisy_problem(80)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = RCDPerceptron(directions, max_iter=150, random_state=1).fit(X, y, weight)
    copied = RCDPerceptron(directions, max_iter=150, random_state=1).fit(
        X.repeat(weight, 0), y.repeat(weight)
    )
    assert_allclose(weighted.error_curve_, copied.error_curve_, atol=1e-12)
    assert_allclose(weighted.decision_function(X), copied.decision_function(X), rtol=1e-6, atol=1e-9)


def test_seed_decides():
    X, y = noisy_problem()
    first, again, other = (RCDPerceptron(max_iter=100, random_state=s).fit(X, y) for s in (0, 0, 1))
    assert np.array_equal(first.coef_, again.coef_)
    assert not np.array_equal(first.coef_, other.coef_)


def test_negation_rescues_a_start_on_the_wrong_side():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 2))
    y = np.where(X @ [1.0, 2.0] > 0, 1, -1)
    backwards = np.array([-1.0, -2.0, 0.0])
    model = RCDPerceptron(init=backwards, negation=True, max_iter=1, bias_every=None, random_state=0).fit(
        X, y
    )
    assert model.error_curve_[0] == 1.0
    assert model.error_curve_[1] < 0.5


def test_restarts_keep_the_best():
    X, y = noisy_problem(200, 8, seed=4)
    one = RCDPerceptron(max_iter=100, random_state=0).fit(X, y)
    five = RCDPerceptron(max_iter=100, n_restarts=5, random_state=0).fit(X, y)
    assert five.error_curve_[-1] <= one.error_curve_[-1]


def test_constant_column_gets_no_coefficient():
    X, y = noisy_problem()
    X[:, 2] = 7.0
    model = RCDPerceptron(max_iter=50, random_state=0).fit(X, y)
    assert model.coef_[0, 2] == 0.0


def test_a_schedule_of_ones_own():
    class EveryOther:
        def stream(self, rng, size):
            while True:
                yield np.eye(size)[::2]

    X, y = noisy_problem()
    model = RCDPerceptron(EveryOther(), max_iter=40, random_state=0).fit(X, y)
    assert model.error_curve_[-1] < model.error_curve_[0]

    class Wrong(EveryOther):
        def stream(self, rng, size):
            yield np.ones((2, size + 3))

    with pytest.raises(ValueError, match=r"Wrong\.stream must yield"):
        RCDPerceptron(Wrong()).fit(X, y)

    class Finite(EveryOther):
        def stream(self, rng, size):
            yield np.eye(size)

    with pytest.raises(ValueError, match=r"Finite\.stream ended"):
        RCDPerceptron(Finite(), max_iter=40).fit(X, y)


def test_a_schedule_that_only_follows_the_scores():
    class Criterion:
        def direction(self, A, yw, scores):
            return (yw * (yw * scores <= 0)) @ A

    X, y = noisy_problem()
    ours = RCDPerceptron(Criterion(), max_iter=40, random_state=0).fit(X, y)
    named = RCDPerceptron("gradient", max_iter=40, random_state=0).fit(X, y)
    np.testing.assert_array_equal(ours.coef_, named.coef_)


def test_long_cyclic_runs_stay_finite():
    X, y = noisy_problem(60, 12)
    model = RCDPerceptron("cyclic", max_iter=20000, random_state=0).fit(X, y)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("features", ["binary", "three values"])
def test_degenerate_data_never_beats_the_true_minimum(features):
    rng = np.random.default_rng(5)
    for trial in range(15):
        X = rng.integers(0, 2 if features == "binary" else 3, size=(30, 2)).astype(float)
        y = rng.choice([-1, 1], 30)
        best = minimum_zero_one_error(X, y)
        model = RCDPerceptron(max_iter=300, random_state=trial).fit(X, y)
        recount = np.sum(y * model.decision_function(X) <= 0)
        assert model.error_curve_[-1] * 30 == pytest.approx(recount)
        assert recount >= best.error


def gaussian_clouds(rng):
    y = rng.choice([-1, 1], 50)
    return rng.normal(size=(50, 2)) + 0.7 * y[:, None], y


def flipped_labels(rng):
    X = rng.uniform(-1, 1, size=(50, 2))
    return X, np.where(X @ rng.normal(size=2) + 0.2 * rng.normal() > 0, 1, -1) * rng.choice([1, 1, 1, -1], 50)


def disc_in_square(rng):
    X = rng.uniform(-1, 1, size=(50, 2))
    return X, np.where((X**2).sum(1) < 0.6, 1, -1)


def random_labels(rng):
    return rng.normal(size=(50, 2)), rng.choice([-1, 1], 50)


@pytest.mark.parametrize("kind", [gaussian_clouds, flipped_labels, disc_in_square, random_labels])
def test_reaches_the_exact_minimum_in_the_plane(kind):
    optimal = 0
    for seed in range(100):
        X, y = kind(np.random.default_rng([seed, 17]))
        model = RCDPerceptron(random_state=seed).fit(X, y)
        errors = round(model.error_curve_[-1] * 50)
        best = minimum_zero_one_error(X, y).error
        assert errors >= best
        optimal += errors == best
    assert optimal >= 99


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"directions": "sideways"}, "'directions' parameter of RCDPerceptron must be"),
        ({"max_iter": 0}, "'max_iter' parameter of RCDPerceptron must be"),
        ({"init": np.zeros(3)}, r"init must hold 1 x 6 finite numbers"),
        ({"bias_every": None, "bias_component": False}, "would never move the intercept"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = noisy_problem()
    with pytest.raises(ValueError, match=message):
        RCDPerceptron(**parameters).fit(X, y)
