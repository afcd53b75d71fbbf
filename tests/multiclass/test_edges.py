"""Edge cases, wrong arguments and SAMME."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import AdaBoostClassifier as PeerAdaBoost
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.datasets import load
from weaklearn.multiclass import (
    AdaBoostECCClassifier,
    AdaBoostERPClassifier,
    SAMMEClassifier,
)
from weaklearn.stumps import DecisionStump
from weaklearn.trees import SmallTree

ALL = [
    AdaBoostECCClassifier(n_estimators=60, random_state=0),
    AdaBoostECCClassifier(n_estimators=60, partition="max-cut-greedy", random_state=0),
    AdaBoostERPClassifier(n_estimators=60),
    AdaBoostERPClassifier(n_estimators=60, partition="rand-2", schedule="LRLR", random_state=0),
    SAMMEClassifier(DecisionTreeClassifier(max_depth=6), n_estimators=20, random_state=0),
    SAMMEClassifier(
        DecisionTreeClassifier(max_depth=6), n_estimators=20, algorithm="SAMME.R", random_state=0
    ),
]


# scikit-learn's doubt about labels that are nearly all distinct.
MANY_CLASSES = pytest.mark.filterwarnings("ignore:The number of unique classes:UserWarning")


@MANY_CLASSES
@pytest.mark.parametrize("model", ALL, ids=str)
def test_26_classes_with_one_example_each(model):
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    X = np.random.default_rng(0).normal(size=(26, 8))
    model.fit(X, letters)
    # Probabilities of 0 from one tree outweigh the others in SAMME.R.
    assert model.score(X, letters) == 1.0 or getattr(model, "algorithm", "") == "SAMME.R"
    assert model.decision_function(X).shape == (26, 26)
    np.testing.assert_array_equal(model.classes_, letters)


@pytest.mark.parametrize("model", ALL, ids=str)
def test_two_classes_and_labels_of_any_kind(model):
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array(["no", "no", "yes", "yes"], dtype=object)
    model.fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    scores = model.decision_function(X)
    assert scores.shape == (4,)
    np.testing.assert_array_equal(scores > 0, y == "yes")


@pytest.mark.parametrize("model", ALL, ids=str)
def test_a_class_of_weight_zero_is_as_good_as_absent(model):
    wine = load("wine")
    weights = np.where(wine.y == 2, 0.0, 1.0)
    model.fit(wine.X, wine.y, sample_weight=weights)
    np.testing.assert_array_equal(model.absent_, [False, True, False])
    predicted = model.predict(wine.X)
    scores = model.decision_function(wine.X)
    assert scores.shape == (len(wine.y), 3)
    assert (scores[:, 1] == -np.inf).all()
    kept = wine.y != 2
    alone = model.fit(wine.X[kept], wine.y[kept])
    np.testing.assert_array_equal(alone.predict(wine.X), predicted)
    if hasattr(model, "predict_proba"):
        model.fit(wine.X, wine.y, sample_weight=weights)
        probabilities = model.predict_proba(wine.X)
        assert (probabilities[:, 1] == 0).all()
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_one_class_of_positive_weight_is_an_error():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 2, 2])
    for model in ALL:
        with pytest.raises(ValueError, match="at least two classes"):
            model.fit(X, y, sample_weight=[1, 1, 0, 0, 0, 0])
        with pytest.raises(ValueError, match="only one class"):
            model.fit(X, np.zeros(6))


def test_a_class_missing_from_a_fold():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2, 3], [30, 30, 30, 1])
    X = rng.normal(size=(91, 3)) + y[:, None]
    for model in ALL:
        scores = cross_val_score(model, X, y, cv=KFold(5))
        assert np.isfinite(scores).all()


def test_inputs_that_tell_nothing():
    X, y = np.ones((6, 2)), np.array([0, 0, 1, 1, 2, 2])
    for model in (AdaBoostECCClassifier(random_state=0), AdaBoostERPClassifier()):
        model.fit(X, y)
        assert model.stop_reason_ == "no edge"
        np.testing.assert_array_equal(model.predict(X), model.predict(X)[0])
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
        assert len(list(model.staged_predict(X))) == model.n_iter_
    samme = SAMMEClassifier().fit(X, y)
    assert (samme.stop_reason_, samme.n_iter_) == ("no edge", 0)
    np.testing.assert_array_equal(samme.predict(X), 0)
    assert list(samme.staged_predict(X)) == []


@pytest.mark.parametrize("schedule", ["LR", "LRL", "LRLR", "converge"])
def test_a_learner_that_always_gives_the_same_answer(schedule):
    """On balanced classes such votes put every class on the same side, which no learner can be trained on."""
    iris = load("iris")
    estimator = DummyClassifier(strategy="constant", constant=1)
    model = AdaBoostERPClassifier(estimator, 10, schedule=schedule).fit(iris.X, iris.y)
    assert (model.stop_reason_, model.n_iter_) == ("no edge", 0)
    assert (model.predict(iris.X) == "setosa").all()


def test_weights_of_two_are_two_copies():
    iris = load("iris")
    weights = np.random.default_rng(2).integers(0, 3, size=150)
    for model in (
        AdaBoostECCClassifier(n_estimators=20, random_state=0),
        AdaBoostERPClassifier(n_estimators=20),
    ):
        weighted = model.fit(iris.X, iris.y, sample_weight=weights).decision_function(iris.X)
        rows = np.repeat(np.arange(150), weights)
        copied = model.fit(iris.X[rows], iris.y[rows]).decision_function(iris.X)
        np.testing.assert_allclose(weighted, copied, rtol=1e-9)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (AdaBoostECCClassifier(partition="max-2"), "'partition' parameter"),
        (AdaBoostERPClassifier(schedule="L"), "schedule must be"),
        (AdaBoostERPClassifier(schedule="RL"), "schedule must be"),
        (AdaBoostERPClassifier(schedule="LLR"), "schedule must be"),
        (AdaBoostERPClassifier(n_estimators=0), "'n_estimators' parameter"),
        (SAMMEClassifier(SVC(), algorithm="SAMME.R"), "SVC has no predict_proba"),
    ],
    ids=str,
)
def test_wrong_arguments(model, message):
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


@MANY_CLASSES
def test_max_cut_refuses_many_classes():
    X = np.random.default_rng(0).normal(size=(21, 2))
    with pytest.raises(ValueError, match=r"beyond 20 classes.*Use 'max-cut-greedy'"):
        AdaBoostECCClassifier(partition="max-cut").fit(X, np.arange(21))


def test_margins_of_unknown_labels():
    wine = load("wine")
    model = AdaBoostERPClassifier(n_estimators=3).fit(wine.X, wine.y)
    for label in (0, 7):
        with pytest.raises(ValueError, match=f"the label .*{label}"):
            model.class_margins(wine.X[:2], [1, label])


def test_samme_of_two_classes_is_adaboost():
    wine = load("wine")
    y = wine.y > 1
    samme = SAMMEClassifier(DecisionStump(), 25).fit(wine.X, y)
    binary = AdaBoostClassifier(DecisionStump(), n_estimators=25).fit(wine.X, y)
    np.testing.assert_allclose(
        samme.decision_function(wine.X), 2 * binary.decision_function(wine.X), rtol=1e-8
    )
    np.testing.assert_allclose(samme.cost_curve_, binary.cost_curve_, rtol=1e-9)


def test_samme_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int) + (X[:, 2] > 0)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0, max_features=None)
    ours = SAMMEClassifier(tree, 20, random_state=0).fit(X, y)
    peer = PeerAdaBoost(tree, n_estimators=20, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_errors_, peer.estimator_errors_, rtol=1e-6)
    np.testing.assert_allclose(ours.estimator_weights_, peer.estimator_weights_, rtol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


@pytest.mark.parametrize("algorithm", ["SAMME", "SAMME.R"])
def test_samme_cost_is_that_of_its_scores(algorithm):
    wine = load("wine")
    weights = np.random.default_rng(1).uniform(0.5, 2.0, size=len(wine.y))
    tree = DecisionTreeClassifier(max_depth=2)
    model = SAMMEClassifier(tree, 12, algorithm=algorithm, random_state=0).fit(wine.X, wine.y, weights)
    stages = np.array(list(model.staged_decision_function(wine.X)))
    own = np.arange(3) == (wine.y - 1)[:, None]
    losses = np.exp(stages.mean(axis=2) - stages[:, own])
    np.testing.assert_allclose(model.cost_curve_, losses @ weights / weights.sum(), rtol=1e-9)
    wrong = stages.argmax(axis=2) != wine.y - 1
    np.testing.assert_allclose(model.error_curve_, wrong @ weights / weights.sum(), atol=1e-12)
    if algorithm == "SAMME":
        assert (np.diff(model.cost_curve_) < 0).all()
    np.testing.assert_array_equal(model.truncated(5).decision_function(wine.X), stages[4])


@pytest.mark.parametrize(
    "classifier",
    [
        AdaBoostECCClassifier(n_estimators=20, random_state=0),
        AdaBoostERPClassifier(SmallTree(2), n_estimators=20, random_state=0),
        SAMMEClassifier(n_estimators=20, random_state=0),
    ],
    ids=lambda classifier: type(classifier).__name__,
)
def test_missing_values_reach_a_weak_learner_that_takes_them(classifier):
    wine = load("wine")
    holes = np.where(np.random.default_rng(0).random(wine.X.shape) < 0.1, np.nan, wine.X)
    model = clone(classifier).fit(holes[::2], wine.y[::2])
    assert model.score(holes[1::2], wine.y[1::2]) > 0.7
    with pytest.raises(ValueError, match="NaN"):
        clone(classifier).set_params(estimator=LogisticRegression()).fit(holes, wine.y)
