"""The comparison on a table: numbers that can be checked by hand, and the command."""

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from weaklearn.cloning import _compare as comparison
from weaklearn.cloning import compare
from weaklearn.stumps import DecisionStump
from weaklearn.tables import Kind

MODELS = [
    ("majority class", False, DummyClassifier()),
    ("stump", True, DecisionStump()),
    ("tree", False, DecisionTreeClassifier(random_state=0)),
]


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    n = 80
    x = rng.normal(size=n)
    return {
        "id": list(range(1, n + 1)),
        "x": [None if rng.random() < 0.1 else float(v) for v in x],
        "city": [None if rng.random() < 0.05 else str(v) for v in rng.choice(["n", "s"], n)],
        "same": ["k"] * n,
        "y": ["up" if v + 0.5 * e > 0 else "down" for v, e in zip(x, rng.normal(size=n), strict=True)],
    }


def test_best_first_and_paired(table):
    found = compare(table, "y", models=MODELS, n_repeats=2, n_clones=2)
    assert [m.error for m in found.models] == sorted(m.error for m in found.models)
    best = found.best
    assert best.difference is None
    for m in found.models[1:]:
        np.testing.assert_allclose(m.difference, np.mean(np.subtract(m.fold_errors, best.fold_errors)))
        assert 0 <= m.p_value <= 1
        assert m.difference_low <= m.difference <= m.difference_high
    assert len(best.fold_errors) == 10
    assert all(0 <= m.clone_error <= 1 for m in found.models)
    assert found.models[-1].name == "majority class"


def test_columns_are_described(table):
    found = compare(table, "y", models=MODELS[:2], n_repeats=1, n_clones=0)
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds == {"id": Kind.IDENTIFIER, "x": Kind.NUMBER, "city": Kind.CATEGORY, "same": Kind.CONSTANT}
    said = dict(found.treatments)
    assert "missing: median" in said["x"]
    assert "a category of their own" in said["city"]


def test_corrected_interval():
    values, ratio = [0.1, 0.2, 0.4, 0.3], 0.25
    mean, half, error = comparison._interval(values, ratio)
    assert mean == pytest.approx(0.25)
    assert error == pytest.approx(np.sqrt(np.var(values, ddof=1) * (1 / 4 + 0.25)))
    assert half == pytest.approx(stats.t.ppf(0.975, 3) * error)


def test_holm():
    assert comparison._holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, 0.06, 0.06]


def test_a_classifier_that_fails_is_reported(table):
    class Broken(DummyClassifier):
        def fit(self, X, y):
            raise ValueError("no luck")

    found = compare(table, "y", models=[*MODELS, ("broken", False, Broken())], n_repeats=1, n_clones=0)
    assert found.models[-1].failure == "ValueError: no luck"
    assert json.loads(found.to_json())["models"][-1]["error"] is None
    assert "no luck" in found.to_html()


def test_few_rows_of_a_class_lower_the_folds():
    table = {"x": list(range(40)), "z": [0.5, 1.5] * 20, "y": ["a"] * 37 + ["b"] * 3}
    found = compare(table, "y", models=MODELS[:2], n_repeats=1, n_clones=0)
    assert found.n_folds == 3
    assert any("3 folds instead of 5" in str(note) for note in found.notes)
    table["y"] = ["a"] * 39 + ["b"]
    with pytest.raises(ValueError, match="'b' has a single row"):
        compare(table, "y", models=MODELS[:2])


@pytest.mark.parametrize("params", [{"n_folds": 1}, {"n_repeats": 0}, {"n_clones": -1}])
def test_bad_parameters(table, params):
    with pytest.raises(ValueError, match=f"{next(iter(params))} must be"):
        compare(table, "y", models=MODELS[:2], **params)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_default_models_fit(n_classes):
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[:n_classes][rng.integers(n_classes, size=60)]
    X = rng.normal(size=(60, 3)) + 2 * (y == "a")[:, None]
    for name, _, estimator in comparison.default_models(n_classes):
        assert set(estimator.fit(X, y).predict(X)) <= set(y), name
