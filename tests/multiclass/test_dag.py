"""One against one decoded by a tournament, against games played one by one."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification

from weaklearn.multiclass import OneVsOneClassifier
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
    scores = model.decision_function(X)
    for x, found in zip(X, scores, strict=True):
        order = played(model, x)
        np.testing.assert_array_equal(found[order], np.arange(6))
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))


def test_a_class_that_wins_all_its_pairs_wins_either_way(six):
    X, y = six
    votes, dag = OneVsOneClassifier().fit(X, y), OneVsOneClassifier(decoding="dag").fit(X, y)
    clear = votes.decision_function(X).max(axis=1) == 2.5  # half of K - 1 votes for it, none against
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


def test_two_classes_and_absent_ones(six):
    X, y = six
    pair = y < 2
    one, other = (OneVsOneClassifier(decoding=way).fit(X[pair], y[pair]) for way in ("votes", "dag"))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    weight = (y != 3).astype(float)
    model = OneVsOneClassifier(decoding="dag").fit(X, y, weight)
    present = OneVsOneClassifier(decoding="dag").fit(X[y != 3], y[y != 3])
    np.testing.assert_array_equal(model.predict(X), present.predict(X))
