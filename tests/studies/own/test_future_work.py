"""The trials of ideas left for later."""

import numpy as np
import pytest

from weaklearn.boosting import PBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.lab import Algorithm, DataSource, Protocol, Row, Split
from weaklearn.lab._trial import Trial, run_protocol
from weaklearn.lab.rounds import flipped_split
from weaklearn.studies.own.future_work_trials import AnnealedPBoostClassifier

PATH = "weaklearn.studies.own.future_work_trials"
TOY = Row(
    "yinyang",
    DataSource("yinyang", Split(train_size=60), kind="artificial", params={"n_samples": 300}),
    {"flip": 0.1},
)


def first_trial(function, algorithm, **params):
    return Trial.series(Protocol(f"{PATH}:{function}", params), TOY, algorithm, 1)[0]


def test_annealing_between_equal_ends_is_sloppy_boosting():
    X, y = make_ring(80, noise=0.2, random_state=0)
    plain = PBoostClassifier(p=1.2, n_estimators=30).fit(X, y)
    annealed = AnnealedPBoostClassifier(p=1.2, p_start=1.2, annealing=10, n_estimators=30).fit(X, y)
    np.testing.assert_allclose(annealed.estimator_weights_, plain.estimator_weights_, rtol=1e-9)


def test_annealed_coefficients_have_the_norm_of_their_round():
    X, y = make_ring(80, noise=0.2, random_state=0)
    for n_rounds, p in ((11, 2.0), (21, 1.0), (25, 1.0)):  # p goes from 4 to 1 in 20 rounds, by equal factors
        model = AnnealedPBoostClassifier(p=1.0, p_start=4.0, annealing=20, n_estimators=n_rounds).fit(X, y)
        assert (model.estimator_weights_**p).sum() == pytest.approx(1, rel=1e-9)


def test_errors_of_an_early_and_the_last_round():
    trial = first_trial(
        "later_minus_earlier",
        Algorithm("AdaBoost", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": 20}),
        earlier=3,
    )
    found = run_protocol(trial)
    X_train, X_test, y_train, y_test = flipped_split(trial)
    model = trial.build().fit(X_train, y_train)
    errors = [100 * np.mean(y != y_test) for y in model.staged_predict(X_test)]
    assert found["test"] == pytest.approx(errors[19] - errors[2])
    assert (found["first"], found["second"]) == pytest.approx((errors[19], errors[2]))


def test_lost_rounds_are_those_not_made():
    """The strict algorithm with p below 1 soon finds no minimum; AdaBoost has none to lose here."""
    strict = {"variant": "strict", "p": 0.5, "n_estimators": 50}
    trial = first_trial("lost_rounds", Algorithm("strict", "weaklearn.boosting:PBoostClassifier", strict))
    X_train, _, y_train, _ = flipped_split(trial)
    made = len(trial.build().fit(X_train, y_train).estimators_)
    assert 0 < made < 50
    assert run_protocol(trial)["test"] == 50 - made
    plain = Algorithm("AdaBoost", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": 5})
    assert run_protocol(first_trial("lost_rounds", plain))["test"] == 0


def test_a_learner_minus_itself_is_nothing_and_tuning_takes_the_better():
    neighbours = Algorithm("k-NN", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1})
    grid = [{"n_neighbors": 31}, {"n_neighbors": 1}]
    found = {}
    for name, first_grid in (("same", []), ("tuned", grid), ("bad", grid[:1])):
        params = {"first": neighbours, "second": neighbours, "first_grid": first_grid, "second_grid": []}
        pair = Algorithm("pair", f"{PATH}:Pair", params)
        row = Row("yinyang", TOY.data, {"flip": 0.0})
        found[name] = run_protocol(Trial.series(Protocol(f"{PATH}:tuned_difference"), row, pair, 1)[0])
    assert found["same"]["test"] == found["same"]["train"] == found["tuned"]["test"] == 0
    assert found["bad"]["test"] > 0
    assert found["bad"]["first"] - found["bad"]["second"] == pytest.approx(found["bad"]["test"])
