"""The comparison on a table: numbers that can be checked by hand, and the command."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from weaklearn.comparison import _compare as comparison
from weaklearn.comparison import compare
from weaklearn.comparison._fits import Shared, Task, _row_log_loss, judge
from weaklearn.engines import Failure, Outcome, open_engine
from weaklearn.stumps import DecisionStump
from weaklearn.tables import Column, Kind, Reason, Treatment

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
    assert sorted(m.clone_rank for m in found.models)[0] == 1
    assert best.clone_difference is None
    assert all(m.clone_standard_error >= 0 for m in found.models[1:])
    assert not any("clone_error" in field for field in vars(best))  # never a bare level
    assert found.models[-1].name == "majority class"


def test_columns_are_described(table):
    found = compare(table, "y", models=MODELS[:2], n_repeats=1, n_clones=0)
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds == {"id": Kind.IDENTIFIER, "x": Kind.NUMBER, "city": Kind.CATEGORY, "same": Kind.CONSTANT}
    said = found.to_dict()["columns"]
    assert "missing: median" in said["x"]
    assert "a category of their own" in said["city"]


def test_a_classifier_that_fails_is_reported(table):
    class Broken(DummyClassifier):
        def fit(self, X, y):
            raise ValueError("no luck")

    found = compare(table, "y", models=[*MODELS, ("broken", False, Broken())], n_repeats=1, n_clones=0)
    assert found.models[-1].failure == "ValueError: no luck"
    assert found.to_dict()["models"][-1]["error"] is None
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
    names = []
    for name, _, estimator in comparison.default_models(n_classes):
        names.append(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # libraries' own, which compare silences as well
            assert set(estimator.fit(X, y).predict(X)) <= set(y), name
    assert names[0] == "robust classifier"
    assert "boosted trees" in names


class Told(ClassifierMixin, BaseEstimator):
    """Says class b with the probability 1 / (1 + exp(-x)) of the first column, as it is scaled."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = expit(X[:, 0])
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


def test_scores_of_a_repeat_by_hand():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"])[rng.integers(0, 2, 40)]
    x = 1.0 * (y == "b") + rng.normal(size=40)
    x[0] = -500 if y[0] == "b" else 500  # certain and wrong
    columns = (Column("x", Kind.NUMBER, Treatment.SCALED, Reason.NUMBERS, 0),)
    splits = list(StratifiedKFold(4).split(x, y))
    found = judge(Task(0, repeat=0), Shared(x[:, None], y, columns, [splits], [], [Told()]))
    assert found.failure == ""
    for k, (train, test) in enumerate(splits):
        z = (x[test] - x[train].mean()) / x[train].std()  # what is learned is learned in the training part
        b = y[test] == "b"
        np.testing.assert_array_equal(found.wrong[test], (z > 0) != b)
        np.testing.assert_allclose(found.log_loss[test], -np.log(np.maximum(expit(np.where(b, z, -z)), 1e-6)))
        assert found.aucs[k] == pytest.approx(roc_auc_score(b, z))
        assert found.fold_errors[k] == np.mean(found.wrong[test])


def test_a_class_that_the_training_part_lacks_has_probability_zero():
    loss = _row_log_loss(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array(["a", "c"]), np.array(["c", "b"]))
    np.testing.assert_allclose(loss, [-np.log(0.75), -np.log(1e-6)])


def test_ctrl_c_keeps_what_is_done(table):
    class Interrupting(DummyClassifier):
        def fit(self, X, y):
            raise KeyboardInterrupt

    models = [*MODELS[:2], ("stopped here", False, Interrupting()), MODELS[2]]
    found = compare(table, "y", models=models, n_repeats=1, n_clones=0)
    assert found.interrupted
    assert {m.name for m in found.models} == {"majority class", "stump"}
    with pytest.raises(KeyboardInterrupt):
        compare(table, "y", models=models[2:], n_repeats=1, n_clones=0)


@pytest.mark.parametrize(("name", "workers"), [("inline", None), ("local", 2)])
def test_results_do_not_depend_on_the_engine(table, name, workers):
    here = compare(table, "y", models=MODELS, n_repeats=2, n_clones=2)
    with open_engine(name, workers) as engine:
        there = compare(table, "y", models=MODELS, n_repeats=2, n_clones=2, engine=engine)
    for a, b in zip(here.models, there.models, strict=True):
        assert replace(a, seconds=0.0) == replace(b, seconds=0.0)


class LosingEngine:
    """Runs tasks last first and loses those of the last classifier."""

    def run(self, function, payloads, *, shared):
        for index in reversed(range(len(payloads))):
            lost = payloads[index].model == 2
            failure = Failure("killed", "out of memory") if lost else None
            yield Outcome(index, None if lost else judge(payloads[index], shared), failure)


def test_a_lost_worker_is_a_failed_classifier(table):
    here = compare(table, "y", models=MODELS, n_repeats=1, n_clones=0)
    lost = compare(table, "y", models=MODELS, n_repeats=1, n_clones=0, engine=LosingEngine())
    assert lost.models[-1].name == "tree"
    assert lost.models[-1].failure == "killed: out of memory"
    assert {m.name: m.error for m in lost.models[:2]} == {
        m.name: m.error for m in here.models if m.name != "tree"
    }


def test_progress_one_classifier_after_the_other(table):
    told = []
    compare(table, "y", models=MODELS, n_repeats=1, n_clones=0, progress=told.append)
    assert [line.split(":")[0] for line in told] == [name for name, _, _ in MODELS]


def test_advice(table):
    found = compare(table, "y", models=MODELS, n_repeats=2, n_clones=0)
    assert found.recommended.name in {"stump", "tree"}
    assert f"Use {found.recommended.name}" in found.advice
    assert "differences below about" in found.advice
    rng = np.random.default_rng(1)
    noise = {"x": rng.normal(size=60), "y": rng.choice(["a", "b"], 60)}
    nothing = compare(noise, "y", models=MODELS, n_repeats=1, n_clones=0)
    assert nothing.recommended is None
    assert "majority class" in nothing.advice
    assert nothing.to_dict()["recommended"] is None
