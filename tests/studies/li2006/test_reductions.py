"""The reductions to two classes, and the SVM with a shared Gram matrix."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification

from weaklearn.datasets import load
from weaklearn.studies.li2006.perceptron_svm import PerceptronKernelSVC
from weaklearn.studies.li2006.reductions import OneVsOneClassifier, OneVsRestClassifier
from weaklearn.stumps import DecisionStump


@pytest.fixture(scope="module")
def six():
    return make_classification(
        400, 5, n_informative=4, n_redundant=0, n_classes=6, n_clusters_per_class=1, random_state=1
    )


class Counting(ClassifierMixin, BaseEstimator):
    """A stump that counts the rows it is asked about."""

    asked = 0

    def fit(self, X, y, sample_weight=None):
        self.stump_ = DecisionStump().fit(X, y, sample_weight)
        self.classes_ = self.stump_.classes_
        return self

    def predict(self, X):
        Counting.asked += len(X)
        return self.stump_.predict(X)


def played(model, x):
    """The order in which the classes leave, the winner last."""
    left, gone = list(range(len(model.classes_))), []
    while len(left) > 1:
        low, high = left[0], left[-1]
        column = np.flatnonzero((model.code_matrix_[low] == -1) & (model.code_matrix_[high] == 1))[0]
        loser = low if model.estimators_[column].predict(x[None])[0] > 0 else high
        left.remove(loser)
        gone.append(loser)
    return [*gone, left[0]]


def test_a_tournament_game_by_game(six):
    X, y = six
    model = OneVsOneClassifier(decoding="dag").fit(X, y)
    scores = model._scores(X)
    for x, found in zip(X, scores, strict=True):
        order = played(model, x)
        np.testing.assert_array_equal(found[order], np.arange(6))
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))


def test_a_class_that_wins_all_its_pairs_wins_either_way(six):
    X, y = six
    votes, dag = OneVsOneClassifier().fit(X, y), OneVsOneClassifier(decoding="dag").fit(X, y)
    clear = votes._scores(X).max(axis=1) == 2.5  # half of K - 1 votes for it, none against
    assert 100 < clear.sum() < 400
    np.testing.assert_array_equal(votes.predict(X[clear]), dag.predict(X[clear]))


def test_it_asks_one_hypothesis_less_than_there_are_classes(six):
    X, y = six
    models = [OneVsOneClassifier(Counting(), decoding=way).fit(X, y) for way in ("votes", "dag")]
    asked = []
    for model in models:
        Counting.asked = 0
        model.predict(X)
        asked.append(Counting.asked / len(X))
    assert asked == [15, 5]


def test_reductions_are_votes_of_their_hypotheses():
    iris = load("iris")
    one = OneVsOneClassifier().fit(iris.X, iris.y)
    assert one.code_matrix_.shape == (3, 3)
    for (first, second), hypothesis in zip([(0, 1), (0, 2), (1, 2)], one.estimators_, strict=True):
        rows = np.isin(iris.y, iris.y[[50 * first, 50 * second]])
        alone = DecisionStump().fit(iris.X[rows], iris.y[rows] == iris.y[50 * second])
        assert (hypothesis.feature_, hypothesis.threshold_) == (alone.feature_, alone.threshold_)
    votes = np.stack([hypothesis.predict(iris.X) for hypothesis in one.estimators_], axis=1)
    np.testing.assert_array_equal(one._scores(iris.X), 0.5 * votes @ one.code_matrix_.T)
    rest = OneVsRestClassifier().fit(iris.X, iris.y)
    np.testing.assert_array_equal(rest.code_matrix_, 2 * np.eye(3) - 1)
    assert OneVsRestClassifier().fit(iris.X[:100], iris.y[:100]).code_matrix_.shape == (2, 1)


def test_the_gram_matrix_is_shared_without_changing_the_machine():
    iris = load("iris")
    labels = np.where(iris.y == "setosa", 0.0, np.where(iris.y == "virginica", 1.0, -1.0))
    weights = np.random.default_rng(0).uniform(0.5, 2, size=150)
    hypothesis, votes = PerceptronKernelSVC(C=2.0).prepare_relabelled(iris.X).fit_labels(labels, weights)
    members = labels != 0
    alone = PerceptronKernelSVC(C=2.0).fit(iris.X[members], labels[members], sample_weight=weights[members])
    np.testing.assert_allclose(
        hypothesis.decision_function(iris.X), alone.decision_function(iris.X), atol=1e-6
    )
    np.testing.assert_array_equal(votes, hypothesis.predict(iris.X))
