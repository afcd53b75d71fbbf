import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_classification

from weaklearn.linear import FisherDiscriminant, PocketPerceptron


@pytest.fixture
def data():
    return make_classification(150, 5, flip_y=0.2, random_state=0)


@pytest.mark.parametrize("init", ["zero", "fld"])
@pytest.mark.parametrize("weighting", ["reweight", "resample"])
def test_error_only_decreases_and_is_that_of_the_path(data, init, weighting):
    X, y = data
    weight = np.random.default_rng(0).uniform(size=len(X))
    model = PocketPerceptron(init=init, weighting=weighting, max_iter=60, keep_path=True, random_state=0)
    model.fit(X, y, sample_weight=weight)
    assert model.n_iter_ == 60
    assert (np.diff(model.error_curve_) <= 0).all()
    margins = (2 * y - 1) * (model.path_[:, :-1] @ X.T + model.path_[:, -1:])
    np.testing.assert_allclose(model.error_curve_, (margins <= 0) @ weight / weight.sum())
    np.testing.assert_array_equal(model.path_[-1, :-1], model.coef_[0])
    assert model.error_curve_[-1] == pytest.approx(1 - model.score(X, y, sample_weight=weight))


def test_is_never_worse_than_its_start(data):
    X, y = data
    fisher = FisherDiscriminant().fit(X, y).error_curve_[0]
    for seed in range(10):
        model = PocketPerceptron(init="fld", max_iter=1, random_state=seed).fit(X, y)
        assert model.error_curve_[0] == fisher
        assert model.error_curve_[1] <= fisher


def test_stops_when_there_is_no_error_left():
    X, y = make_blobs(100, centers=2, cluster_std=0.5, random_state=0)
    model = PocketPerceptron(random_state=0).fit(X, y)
    assert model.error_curve_[-1] == 0
    assert (model.error_curve_[:-1] > 0).all()
    assert model.n_iter_ == len(model.error_curve_) - 1 < 100


def test_minimises_the_weighted_error():
    # One example outweighs the nine that contradict it.
    X = np.r_[np.zeros((10, 1)), np.ones((10, 1))]
    y = np.r_[np.zeros(9), 1, np.ones(10)]
    weight = np.r_[np.ones(9), 20.0, np.ones(10)]
    for weighting in ("reweight", "resample"):
        model = PocketPerceptron(weighting=weighting, max_iter=50, random_state=0).fit(X, y, weight)
        assert model.error_curve_[-1] == pytest.approx(9 / 39)


def test_good_starts_cost_more_error_counts(data):
    # li2005, section 4.2: 7464 against 33170 on pima.
    X, y = data
    counts = {
        init: np.mean(
            [
                PocketPerceptron(init=init, max_iter=200, random_state=seed).fit(X, y).n_error_evaluations_
                for seed in range(10)
            ]
        )
        for init in ("zero", "fld")
    }
    assert counts["fld"] > 1.5 * counts["zero"]
