"""Cloners: what they learn, what their clones keep, and what they refuse."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.boosting import AdaBoostClassifier, margins
from weaklearn.cloning import AdaBoostCloner, RhoCloner, clone_dataset
from weaklearn.cloning._cloner import gaussian_complexity
from weaklearn.datasets import make_leftsin, make_ringnorm, make_yinyang
from weaklearn.stumps import DecisionStump

KINDS = [AdaBoostCloner(random_state=0), RhoCloner("perceptrons", n_hypotheses=1000, random_state=0)]
kinds = pytest.mark.parametrize("cloner", KINDS, ids=["adaboost", "rho"])


def free(make):
    return lambda n, rng: make(n, random_state=rng)[0]


@parametrize_with_checks(
    [
        AdaBoostCloner(n_estimators=20, n_bins=2, random_state=0),
        RhoCloner(n_hypotheses=60, noise=1.0, n_bins=2, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_adaboost_cloner_is_adaboost():
    X, y = make_yinyang(150, random_state=0)
    cloner = AdaBoostCloner(n_estimators=30).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = AdaBoostClassifier(DecisionStump(), n_estimators=30).fit(Z, y)
    np.testing.assert_allclose(cloner.example_values(X, y), margins(model, Z, y), atol=1e-12)
    np.testing.assert_array_equal(cloner.predict(X), model.predict(Z))


def test_rho_is_the_correlation():
    """The stable form equals the sample correlation over a family that holds -g with every g."""
    X, y = make_leftsin(60, random_state=0)
    rng = np.random.RandomState(1)
    W = rng.normal(size=(40, 2))
    b = rng.normal(size=40)

    def family(Z, n, rng):
        half = lambda Z: np.where(W @ Z.T + b[:, None] > 0, 1, -1)  # noqa: E731
        return lambda Z: np.concatenate([half(Z), -half(Z)])

    cloner = RhoCloner(family, 80, threshold="zero", noise=1.0, random_state=0).fit(X, y)
    Z = cloner._encoded(X)
    votes = family(Z, 80, rng)(Z)
    wrong = votes != y
    expected = [np.corrcoef(wrong[:, i], wrong.mean(axis=1))[0, 1] for i in range(len(y))]
    np.testing.assert_allclose(cloner.values_, expected, atol=1e-12)


def test_correlation_of_a_set_needs_the_deviation_of_the_sum():
    """Theorem 6 with the right denominator, on a symmetric family."""
    rng = np.random.RandomState(0)
    votes = np.where(rng.normal(size=(50, 12)) + rng.normal(size=(50, 1)) > 0, 1, -1)
    votes = np.concatenate([votes, -votes])
    one, two = (votes[:, :7] > 0).astype(float), (votes[:, 7:] > 0).mean(axis=1)
    rho = np.array([np.corrcoef(column, two)[0, 1] for column in one.T])
    whole = np.corrcoef(one.sum(axis=1), two)[0, 1]
    np.testing.assert_allclose(0.5 * rho.sum() / one.sum(axis=1).std(), whole)


@kinds
def test_clones_keep_classes_and_mix(cloner):
    X, y = make_yinyang(200, flip=0.1, random_state=1)
    copy = clone_dataset(X, y, cloner=cloner, random_state=0)
    report = copy.report
    assert copy.X.shape == X.shape
    assert report.n_clone == 200
    assert abs(report.class_shares_clone[1] - report.class_shares_original[1]) < 0.1
    np.testing.assert_allclose(report.noisy_clone, np.mean(copy.cloner._values <= 0), atol=0.05)
    assert "complexity" in str(report)
    # No example is a copy.
    assert not (X[:, None] == copy.X[None]).all(axis=2).any()


@kinds
def test_reproducible(cloner):
    X, y = make_leftsin(80, random_state=2)
    one, two, three = (clone_dataset(X, y, cloner=cloner, random_state=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y, two.y)
    assert not np.array_equal(one.X, three.X)
    fitted = one.cloner
    again = pickle.loads(pickle.dumps(fitted))
    for a, b in zip(fitted.sample(random_state=3), again.sample(random_state=3), strict=True):
        np.testing.assert_array_equal(a, b)


@kinds
@pytest.mark.parametrize("make", [make_yinyang, make_ringnorm])
def test_clones_are_as_complex_as_the_original(cloner, make):
    gaps = []
    for seed in range(2):
        X, y = make(200, random_state=seed)
        fitted = type(cloner)(**{**cloner.get_params(), "inputs": free(make)}).fit(X, y)
        clones = [fitted.sample(random_state=k) for k in range(4)]
        found = np.mean([gaussian_complexity(fitted._encoded(A), b) for A, b in clones])
        gaps.append(found - fitted.complexity_)
    assert abs(np.mean(gaps)) < 0.09


def test_without_selection_clones_of_yinyang_are_simpler():
    X, y = make_yinyang(400, random_state=0)
    cloner = AdaBoostCloner(inputs=free(make_yinyang), random_state=0).fit(X, y)
    plain = [cloner.sample(selection=False, random_state=k) for k in range(4)]
    chosen = [cloner.sample(random_state=k) for k in range(4)]
    simple, whole = (
        np.mean([gaussian_complexity(cloner._encoded(A), b) for A, b in clones]) for clones in (plain, chosen)
    )
    assert simple < cloner.complexity_ - 0.04
    assert simple < whole


@pytest.mark.parametrize("hypotheses", ["networks", "perceptrons"])
def test_rho_does_not_collapse_on_ringnorm(hypotheses):
    X, y = make_ringnorm(200, random_state=0)
    params = {"n_hypotheses": 500, "noise": 1.0, "random_state": 0}
    X_new, y_new = make_ringnorm(1000, random_state=1)
    balanced = RhoCloner(hypotheses, **params).fit(X, y)
    collapsed = RhoCloner(hypotheses, threshold="zero", **params).fit(X, y)
    # At the threshold 0 the tight class (-1) takes nearly everything; balanced, most labels are right.
    assert np.mean(collapsed.predict(X_new) == -1) > 0.9
    assert np.mean(balanced.predict(X_new) == y_new) > 0.8


def test_clean_test_sets_come_from_the_cloner_function():
    X, y = make_yinyang(150, flip=0.1, random_state=0)
    cloner = AdaBoostCloner(n_estimators=20, random_state=0).fit(X, y)
    A, b = cloner.sample(300, selection=False, random_state=0)
    np.testing.assert_array_equal(cloner.predict(A), b)


def test_inputs_from_a_pool_and_a_generator():
    X, y = make_yinyang(100, random_state=0)
    pool = np.arange(400.0).reshape(200, 2) / 400
    A, _ = AdaBoostCloner(20, inputs=pool, random_state=0).fit(X, y).sample(50, random_state=0)
    assert all((pool == row).all(axis=1).any() for row in A)
    asked = []

    def inputs(n, rng):
        asked.append(n)
        return rng.uniform(-1, 1, (n, 2))

    AdaBoostCloner(20, inputs=inputs, random_state=0).fit(X, y).sample(50, random_state=0)
    assert asked


def test_three_classes_and_words():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2)) + np.repeat([[0, 0], [4, 0], [0, 4]], 50, axis=0)
    y = np.repeat(["ash", "elm", "oak"], 50)
    for cloner in KINDS:
        copy = clone_dataset(X, y, 90, cloner=cloner, random_state=0)
        assert {label: int(np.sum(copy.y == label)) for label in ("ash", "elm", "oak")} == pytest.approx(
            {"ash": 30, "elm": 30, "oak": 30}, abs=4
        )
        assert np.mean(copy.cloner.predict(X) == y) > 0.9


def test_mixed_table():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "x": np.where(rng.random(120) < 0.1, np.nan, rng.normal(size=120)),
            "kind": rng.choice(["a", "b"], 120),
        }
    )
    y = np.where((table["kind"] == "a") | (table["x"] > 1), "yes", "no")
    copy = clone_dataset(table, y, random_state=0)
    assert list(copy.X.columns) == ["x", "kind"]
    assert np.mean(np.where((copy.X["kind"] == "a") | (copy.X["x"] > 1), "yes", "no") == copy.y) > 0.9


@kinds
def test_a_constant_column_is_kept(cloner):
    X, y = make_yinyang(60, random_state=0)
    copy = clone_dataset(np.column_stack([X, np.full(60, 3.0)]), y, cloner=cloner, random_state=0)
    assert (copy.X[:, 2] == 3).all()


BAD = [
    ({}, {"y": np.ones(40)}, "at least two classes; y has only one class"),
    ({}, {"X": np.ones((40, 2))}, "every column of X is constant"),
    ({"n_bins": 41}, {}, "n_bins=41 bins need at least as many examples; there are 40"),
    ({"n_bins": 0}, {}, "'n_bins' parameter"),
    ({"inputs": lambda n, rng: np.full((n, 2), np.nan)}, {}, "missing entries .NaN. in column 0"),
    ({"inputs": lambda n, rng: np.full((n, 2), np.inf)}, {}, "infinite entries in column 0"),
    ({"inputs": lambda n, rng: np.zeros((n, 3))}, {}, "2 in all"),
    ({"inputs": lambda n, rng: np.zeros((n + 1, 2))}, {}, "was asked for"),
    ({"inputs": np.zeros((0, 2))}, {}, "at least one row"),
]


@kinds
@pytest.mark.parametrize(("params", "data", "message"), BAD)
def test_bad_input(cloner, params, data, message):
    X, y = make_yinyang(40, random_state=0)
    cloner = type(cloner)(**{**cloner.get_params(), **params})
    given = {"X": X, "y": y, **data}
    with pytest.raises(ValueError, match=message):
        cloner.fit(given["X"], given["y"]).sample(10, random_state=0)


@pytest.mark.parametrize(
    ("cloner", "message"),
    [
        (AdaBoostCloner("many"), "'n_estimators' parameter"),
        (AdaBoostCloner(0), "'n_estimators' parameter"),
        (RhoCloner("forests"), "'hypotheses' parameter"),
        (RhoCloner(n_hypotheses=0), "'n_hypotheses' parameter"),
        (RhoCloner(noise=2), "'noise' parameter"),
        (RhoCloner(noise="all"), "'noise' parameter"),
        (RhoCloner(threshold="half"), "'threshold' parameter"),
        (RhoCloner(lambda Z, n, rng: lambda Z: np.zeros((n, len(Z)))), "rows of -1 and"),
    ],
)
def test_bad_parameters(cloner, message):
    with pytest.raises(ValueError, match=message):
        cloner.fit(*make_yinyang(40, random_state=0))


def test_unknown_label_and_size():
    X, y = make_yinyang(40, random_state=0)
    cloner = AdaBoostCloner(5).fit(X, y)
    with pytest.raises(ValueError, match="holds the label 3"):
        cloner.example_values(X, np.full(40, 3))
    with pytest.raises(ValueError, match="n_samples must be"):
        cloner.sample(0)
