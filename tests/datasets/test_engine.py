"""The data engine: reproducible targets whose complexity, balance and noise are what was asked for."""

import numpy as np
import pytest

from weaklearn.datasets import DataEngine

FAMILIES = ["network", "svm", "rbf", "tree", "polynomial", "prototypes"]
family = pytest.mark.parametrize("family", FAMILIES)


@family
@pytest.mark.parametrize("n_features", [1, 2, 9])
def test_same_seed_same_target(family, n_features):
    one, two = (DataEngine(n_features, family=family, seed=5) for _ in range(2))
    X, y = one.sample(300, random_state=1)
    assert X.shape == (300, n_features)
    assert np.abs(X).max() <= 1
    assert set(y.tolist()) == {-1, 1}
    np.testing.assert_array_equal(two.target(X), y)
    other = DataEngine(n_features, family=family, seed=6)
    assert (other.target(X) != y).any()


@family
@pytest.mark.parametrize("balance", [0.1, 0.5, 0.8])
def test_balance(family, balance):
    engine = DataEngine(3, family=family, balance=balance, seed=2)
    _, y = engine.sample(20_000, random_state=0)
    # Two samples of 10,000 and 20,000: four standard errors.
    assert abs(np.mean(y > 0) - balance) < 4 * np.sqrt(balance * (1 - balance) * (1 / 10_000 + 1 / 20_000))


@family
def test_samples_of_one_target_are_independent(family):
    engine = DataEngine(2, family=family, seed=0)
    (X1, y1), (X2, y2) = engine.sample(50, random_state=0), engine.sample(50, random_state=1)
    assert not np.array_equal(X1, X2)
    np.testing.assert_array_equal(engine.target(X1), y1)
    np.testing.assert_array_equal(engine.target(X2), y2)


def test_noise_is_the_bayes_error():
    engine = DataEngine(2, noise=0.2, seed=3)
    X, y = engine.sample(20_000, random_state=0)
    wrong = np.mean(engine.target(X) != y)
    assert engine.bayes_error == 0.2
    assert abs(wrong - 0.2) < 4 * np.sqrt(0.2 * 0.8 / 20_000)
    # The noise changes labels, not inputs or the target.
    clean = DataEngine(2, noise=0.0, seed=3)
    np.testing.assert_array_equal(clean.sample(100, random_state=0)[0], engine.sample(100, random_state=0)[0])


@family
def test_what_repr_shows_makes_the_same_target(family):
    engine = DataEngine(4, family=family, complexity=2.5, balance=0.3, noise=0.1, seed=9)
    back = eval(repr(engine))
    X = engine.inputs(500, random_state=0)
    np.testing.assert_array_equal(back.score(X), engine.score(X))
    assert back.threshold == engine.threshold


def test_random_family_depends_on_the_seed():
    assert len({DataEngine(2, seed=seed).family for seed in range(30)}) == len(FAMILIES)


@family
def test_complexity_factor_controls_complexity(family):
    from weaklearn.complexity import SVMComplexity

    measure = SVMComplexity()
    means = [
        np.mean(
            [
                measure(*DataEngine(2, family=family, complexity=factor, seed=s).sample(150, random_state=s))
                for s in range(16)
            ]
        )
        for factor in (0.7, 2, 5, 12)
    ]
    assert (np.diff(means) > 0).all(), means


def test_tree_is_balanced_by_cutting_one_leaf():
    engine = DataEngine(2, family="tree", complexity=1, balance=0.37, seed=4)
    _, y = engine.sample(20_000, random_state=1)
    assert abs(np.mean(y > 0) - 0.37) < 0.02


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_features": 0}, "n_features must be an integer of at least 1"),
        ({"family": "forest"}, "family must be one of random, network"),
        ({"complexity": 0}, "complexity must be a finite number above 0"),
        ({"balance": 1.0}, "balance must lie strictly between 0 and 1"),
        ({"noise": 0.6}, r"noise must be a finite number in \[0, 0.5\]"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        DataEngine(**params)


def test_wrong_inputs():
    with pytest.raises(ValueError, match=r"shape \(n_samples, 2\)"):
        DataEngine(2).score([[1.0, 2.0, 3.0]])
