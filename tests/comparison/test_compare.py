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
from weaklearn.comparison._fits import Judged, Shared, Task, _row_log_loss, judge
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


def test_the_choice_first_and_the_others_by_their_difference(table):
    found = compare(table, "y", models=MODELS, n_folds=5, n_repeats=2)
    differences = [m.difference for m in found.models[1:]]
    assert differences == sorted(differences)
    assert found.best.difference is None
    for m in found.models[1:]:
        assert 0 <= m.p_value <= 1
        assert m.difference_low <= m.difference <= m.difference_high
    assert 0 <= found.regret <= found.most_regret
    assert found.models[-1].name == "majority class"


class Scripted:
    """An engine whose fits are recorded: for each classifier the wrong test rows, one number for each fold."""

    def __init__(self, wrong, seed=0):
        self.wrong, self.seed, self.asked = wrong, seed, []

    def losses(self, model, split):
        """Rows that are hard are hard for all."""
        return (np.random.default_rng([self.seed, split]).random(30) < self.wrong[model]).astype(float)

    def run(self, function, payloads, *, shared):
        for index, task in enumerate(payloads):
            self.asked.append(task)
            wrong = self.losses(task.model, task.split)
            yield Outcome(index, Judged(wrong, wrong + 0.1, 0.5, 1.0))


def race(wrong, **options):
    names = ["first", "second", "third", "majority class"][: len(wrong)]
    models = [(name, False, DummyClassifier()) for name in names]
    table = {"x": list(range(300)), "z": [0.5, 1.5] * 150, "y": ["a", "b", "b"] * 100}
    engine = Scripted(wrong)
    return compare(table, "y", models=models, engine=engine, **options), engine


def test_whoever_cannot_win_leaves_and_is_compared_on_the_folds_of_both():
    found, engine = race([0.2, 0.22, 0.6, 0.5])
    folds = {m.name: m.n_folds for m in found.models}
    assert folds["third"] == 2
    assert folds["first"] == folds["majority class"] == 10 > folds["second"] > 2
    third = next(m for m in found.models if m.name == "third")
    worse = np.mean([engine.losses(2, k) for k in range(2)])
    # What it would be in all folds, as far as those of the choice can tell.
    assert third.error == pytest.approx(found.best.error + third.difference)
    assert third.difference == pytest.approx(worse - np.mean([engine.losses(0, k) for k in range(2)]))
    assert found.best.name == "first"
    assert found.best.error == pytest.approx(np.mean([engine.losses(0, k) for k in range(folds["first"])]))


def test_the_last_one_left_does_all_folds():
    found, engine = race([0.05, 0.5, 0.6], n_repeats=2)
    assert {task.model for task in engine.asked if task.split > 5} == {0}
    assert (found.best.name, found.best.n_folds) == ("first", 20)


def test_dropping_seldom_costs():
    """Two close classifiers and a bad one, 60 tables: racing loses to all folds by less than the bound allows."""
    from weaklearn.comparison._choice import beliefs

    lost = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        errors = np.array([0.2, 0.2, 0.3]) + rng.normal(0, 0.03, 3)
        names, engine = ["first", "second", "third"], Scripted(errors, seed)
        runner = comparison._Race(names, 300, 10, 1, None)
        runner.run(None, engine)
        chosen = names.index(runner.results([False] * 3)[0][0].name)
        whole = np.array([np.concatenate([engine.losses(m, k) for k in range(10)]) for m in range(3)])
        lost.append(errors[chosen] - errors[beliefs(names, whole).best])
    # At most .05 points for each of two: .1, and three standard errors.
    assert np.mean(lost) <= 0.001 + 3 * np.std(lost) / np.sqrt(60)


def test_columns_are_described(table):
    found = compare(table, "y", models=MODELS[:2], n_repeats=1)
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds == {"id": Kind.IDENTIFIER, "x": Kind.NUMBER, "city": Kind.CATEGORY, "same": Kind.CONSTANT}
    said = found.to_dict()["columns"]
    assert "missing: median" in said["x"]
    assert "a category of their own" in said["city"]


def test_a_classifier_that_fails_is_reported(table):
    class Broken(DummyClassifier):
        def fit(self, X, y):
            raise ValueError("no luck")

    found = compare(table, "y", models=[*MODELS, ("broken", False, Broken())], n_repeats=1)
    assert found.models[-1].failure == "ValueError: no luck"
    assert found.to_dict()["models"][-1]["error"] is None
    assert "no luck" in found.to_html()


def test_few_rows_of_a_class_lower_the_folds():
    table = {"x": list(range(40)), "z": [0.5, 1.5] * 20, "y": ["a"] * 37 + ["b"] * 3}
    found = compare(table, "y", models=MODELS[:2], n_repeats=1)
    assert found.n_folds == 3
    assert any("3 folds instead of 10" in str(note) for note in found.notes)
    table["y"] = ["a"] * 39 + ["b"]
    with pytest.raises(ValueError, match="'b' has a single row"):
        compare(table, "y", models=MODELS[:2])


@pytest.mark.parametrize("params", [{"n_folds": 1}, {"n_repeats": 0}])
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
    for k, (train, test) in enumerate(splits):
        found = judge(Task(0, k), Shared(x[:, None], y, columns, splits, [Told()]))
        assert found.failure == ""
        z = (x[test] - x[train].mean()) / x[train].std()  # what is learned is learned in the training part
        b = y[test] == "b"
        np.testing.assert_array_equal(found.wrong, (z > 0) != b)
        np.testing.assert_allclose(found.log_loss, -np.log(np.maximum(expit(np.where(b, z, -z)), 1e-6)))
        assert found.auc == pytest.approx(roc_auc_score(b, z))


def test_probabilities_are_those_of_given_labels():
    """A table with wrong labels: the true-label probabilities of `RobustClassifier` would be too sure of them."""
    from weaklearn.datasets import make_twonorm
    from weaklearn.robust import RobustClassifier

    X, y = make_twonorm(300, random_state=0)
    y[::4] *= -1
    columns = tuple(
        Column(f"x{k}", Kind.NUMBER, Treatment.SCALED, Reason.NUMBERS, 0) for k in range(X.shape[1])
    )
    split = next(iter(StratifiedKFold(3).split(X, y)))
    found = judge(Task(0, 0), Shared(X, y, columns, [split], [RobustClassifier(n_trees=0, random_state=0)]))
    train, test = split
    model = RobustClassifier(n_trees=0, random_state=0).fit(X[train], y[train])
    assert model.noise_rate_ > 0.1
    true = _row_log_loss(model.predict_proba(X[test]), model.classes_, y[test])
    assert found.log_loss.mean() < true.mean()
    given = model.predict_given_proba(X[test])
    np.testing.assert_allclose(given.sum(axis=1), 1)
    # A wrong label is never ruled out: at least the least share of wrong labels of any class.
    assert given.min() > 0.02


def test_a_class_that_the_training_part_lacks_has_probability_zero():
    loss = _row_log_loss(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array(["a", "c"]), np.array(["c", "b"]))
    np.testing.assert_allclose(loss, [-np.log(0.75), -np.log(1e-6)])


def test_ctrl_c_keeps_what_is_done(table):
    class Interrupting(DummyClassifier):
        def fit(self, X, y):
            raise KeyboardInterrupt

    models = [*MODELS[:2], ("stopped here", False, Interrupting()), MODELS[2]]  # in the first two folds
    found = compare(table, "y", models=models, n_repeats=1)
    assert found.interrupted
    assert {m.name for m in found.models} == {"majority class", "stump"}
    with pytest.raises(KeyboardInterrupt):
        compare(table, "y", models=models[2:], n_repeats=1)


@pytest.mark.parametrize(("name", "workers"), [("inline", None), ("local", 2)])
def test_results_do_not_depend_on_the_engine(table, name, workers):
    here = compare(table, "y", models=MODELS, n_repeats=2)
    with open_engine(name, workers) as engine:
        there = compare(table, "y", models=MODELS, n_repeats=2, engine=engine)
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
    here = compare(table, "y", models=MODELS, n_folds=2)
    lost = compare(table, "y", models=MODELS, n_folds=2, engine=LosingEngine())
    assert lost.models[-1].name == "tree"
    assert lost.models[-1].failure == "killed: out of memory"
    assert {m.name: m.error for m in lost.models[:2]} == {
        m.name: m.error for m in here.models if m.name != "tree"
    }


def test_ctrl_c_later_keeps_the_folds_that_are_done(table):
    class Interrupting(DummyClassifier):
        fits = 0

        def fit(self, X, y):
            type(self).fits += 1
            if self.fits == 4:
                raise KeyboardInterrupt
            return super().fit(X, y)

    models = [("stops in fold 4", False, Interrupting()), *MODELS]
    found = compare(table, "y", models=models)
    assert found.interrupted
    assert {m.n_folds for m in found.models} == {2}
    assert len(found.models) == 4


def test_progress_names_the_classifier_at_work(table):
    told = []
    compare(table, "y", models=MODELS, n_folds=2, progress=lambda *said: told.append(said))
    names = [name for name, _, _ in MODELS]
    assert told == [(names[k // 2], k, 6) for k in range(6)]


def test_advice(table):
    found = compare(table, "y", models=MODELS, n_repeats=2)
    assert found.recommended.name in {"stump", "tree"}
    assert f"Use {found.recommended.name}" in found.verdict
    assert "points above the best of these 3" in found.verdict or "should be the best" in found.verdict
    assert "differences below about" in found.advice
    rng = np.random.default_rng(1)
    noise = {"x": rng.normal(size=60), "y": rng.choice(["a", "b"], 60)}
    nothing = compare(noise, "y", models=MODELS, n_repeats=1)
    assert nothing.recommended is None
    assert "majority class" in nothing.verdict
    assert nothing.to_dict()["recommended"] is None
