import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from weaklearn.linear import Perceptron, VotedPerceptron


@pytest.fixture
def data():
    return make_classification(100, 5, flip_y=0.1, random_state=0)


def test_decision_is_the_explicit_vote(data):
    X, y = data
    model = VotedPerceptron(max_iter=5, random_state=0).fit(X, y)
    scores = [
        sum(
            votes * np.sign(x @ vector[:-1] + vector[-1])
            for vector, votes in zip(model.vectors_, model.votes_, strict=True)
        )
        for x in X
    ]
    np.testing.assert_allclose(model.decision_function(X), np.array(scores) / model.votes_.sum(), atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_vectors_and_votes_follow_the_listing(data, weighted):
    X, y = data
    low, high = X.min(axis=0), X.max(axis=0)
    X, sign = (2 * X - low - high) / (high - low), 2 * y - 1
    weight = np.random.default_rng(0).uniform(size=100) if weighted else np.ones(100)
    strength = weight / weight.mean()
    rows = np.column_stack([X, np.ones(100)])
    vectors, votes, wrong = [np.zeros(6)], [0.0], [1.0]
    for _ in range(4):
        for k in range(100):
            if sign[k] * (vectors[-1] @ rows[k]) > 0:
                votes[-1] += strength[k]
            else:
                vectors.append(vectors[-1] + strength[k] * sign[k] * rows[k])
                votes.append(strength[k])
        vote = np.sign(rows @ np.array(vectors).T) @ votes
        wrong.append(weight @ (sign * vote <= 0) / weight.sum())
    model = VotedPerceptron(order="cyclic", max_iter=4).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.vectors_, vectors, atol=1e-9)
    np.testing.assert_allclose(model.votes_, votes)
    np.testing.assert_allclose(model.error_curve_, wrong)


def test_last_vector_is_rosenblatts(data):
    X, y = data
    voted = VotedPerceptron(order="cyclic", max_iter=3, keep_path=True).fit(X, y)
    plain = Perceptron(order="cyclic", max_iter=3, keep_path=True).fit(X, y)
    np.testing.assert_allclose(voted.coef_, plain.coef_)
    np.testing.assert_allclose(voted.path_, plain.path_)
    assert len(voted.votes_) == plain.n_mistakes_ + 1
    assert voted.votes_.sum() == pytest.approx(300)


def test_more_classes():
    X, y = load_iris(return_X_y=True)
    model = VotedPerceptron(random_state=0).fit(X, y)
    assert len(model.vectors_) == len(model.votes_) == 3
    assert model.decision_function(X).shape == (150, 3)
    assert abs(model.decision_function(X)).max() <= 1
    assert model.score(X, y) > 0.8
