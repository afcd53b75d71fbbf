"""scikit-learn's callbacks in the loops of the package."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from weaklearn.boosting import AdaBoostClassifier, AlphaBoostClassifier, LPBoostClassifier
from weaklearn.datasets import make_twonorm
from weaklearn.kernel import KernelPerceptronClassifier
from weaklearn.labels import LabelAuditor
from weaklearn.linear import PocketPerceptron, RCDPerceptron
from weaklearn.multiclass import SAMMEClassifier

callback = pytest.importorskip("sklearn.callback")

X, Y = make_twonorm(60, random_state=0)
MANY = np.arange(60) % 3


class Log:
    """Writes down every task; wants to stop after some steps."""

    def __init__(self, stop_after=None, scores=False):
        self.lines, self.scores = [], []
        self._stop_after, self._wants_scores = stop_after, scores

    def setup(self, estimator, context):
        self.lines.append("setup")

    def teardown(self, estimator, context):
        self.lines.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None):
        self.lines.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, fitted_estimator=None):
        self.lines.append(f"end {context.task_name}")
        if self._wants_scores and fitted_estimator is not None:
            self.scores.append(fitted_estimator.score(X, y))
        return self._stop_after is not None and self.steps() == self._stop_after

    def steps(self):
        return sum(line.startswith("end") and line != "end fit" for line in self.lines)


CASES = {
    "boosting": (AdaBoostClassifier(n_estimators=7), Y, "round", 7),
    "corrected": (AlphaBoostClassifier(n_estimators=4, n_descent=2), Y, "round", 4),
    "validated": (AdaBoostClassifier(n_estimators=6, validation_fraction=0.3, random_state=0), Y, "round", 6),
    "folds": (AdaBoostClassifier(n_estimators=3, n_folds=2, random_state=0), Y, "round", 0),
    "samme": (AdaBoostClassifier(n_estimators=5), MANY, "round", 5),
    "SAMME": (SAMMEClassifier(n_estimators=5, random_state=0), MANY, "round", 5),
    "rcd": (RCDPerceptron(max_iter=150, n_restarts=2, random_state=0), Y, "64 epochs", 6),
    "rcd, three classes": (RCDPerceptron(max_iter=100, random_state=0), MANY, "64 epochs", 6),
    "kernel perceptron": (KernelPerceptronClassifier(max_iter=3, tol=None, random_state=0), MANY, "epoch", 3),
}


@pytest.mark.parametrize("name", CASES)
def test_every_step_is_reported_and_changes_nothing(name):
    model, y, step, n_steps = CASES[name]
    plain = model.fit(X, y).predict(X)
    log = Log()
    assert (model.set_callbacks(log).fit(X, y).predict(X) == plain).all()
    steps = [f"begin {step}", f"end {step}"] * n_steps
    assert log.lines == ["setup", "begin fit", *steps, "end fit", "teardown"]
    model.set_callbacks()


def test_the_learners_of_an_audit_are_reported():
    auditor = LabelAuditor(n_trees=0, random_state=0)
    plain = auditor.fit(X, Y).wrong_probability_
    log = Log()
    auditor.set_callbacks(log).fit(X, Y)
    assert (auditor.wrong_probability_ == plain).all()
    # Each of the eight learners without trees is fitted once.
    assert log.lines.count("end learner") == log.lines.count("begin learner") == 8
    assert log.lines[-2:] == ["end fit", "teardown"]


@pytest.mark.parametrize("name", ["boosting", "samme", "SAMME", "kernel perceptron"])
def test_a_callback_sees_the_classifier_of_each_step(name):
    model, y, _, n_steps = CASES[name]
    log = Log(scores=True)
    model.set_callbacks(log).fit(X, y)
    assert len(log.scores) == n_steps + 1
    assert log.scores[-1] == model.score(X, y)
    if hasattr(model, "staged_predict"):
        staged = [np.mean(labels == y) for labels in model.staged_predict(X)]
        assert log.scores[:-1] == staged
    model.set_callbacks()


@pytest.mark.parametrize("name", ["boosting", "validated", "samme", "SAMME"])
def test_a_callback_can_end_boosting(name):
    model, y, _, _ = CASES[name]
    model.set_callbacks(Log(stop_after=3)).fit(X, y)
    assert model.stop_reason_ == "callback"
    assert len(model.estimators_) == 3 or model._validates
    model.set_callbacks()


def test_a_callback_can_end_the_epochs():
    model = RCDPerceptron(max_iter=300, n_restarts=3, random_state=0).set_callbacks(Log(stop_after=2))
    model.fit(X, Y)
    assert (model.n_iter_, len(model.error_curve_)) == (128, 129)
    perceptron = KernelPerceptronClassifier(max_iter=9, tol=None, random_state=0)
    assert perceptron.set_callbacks(Log(stop_after=2)).fit(X, MANY).n_iter_ == 2


def test_no_edge_ends_the_round_that_was_begun():
    log = Log()
    LPBoostClassifier(n_estimators=50).set_callbacks(log).fit([[0.0], [1.0]], [0, 1])
    assert log.lines.count("begin round") == log.lines.count("end round") < 50
    assert log.lines[-2:] == ["end fit", "teardown"]


def test_a_search_of_scikit_learn_passes_callbacks_on():
    class Everywhere(Log):
        max_propagation_depth = None

    log = Everywhere()
    search = GridSearchCV(AdaBoostClassifier(), {"n_estimators": [2, 3]}, cv=2).set_callbacks(log)
    search.fit(X, Y)
    assert log.lines.count("end round") == 2 * (2 + 3) + search.best_params_["n_estimators"]


def test_other_learners_have_none():
    assert not hasattr(PocketPerceptron(), "set_callbacks")
