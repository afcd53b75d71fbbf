"""li2005: trials behind its sentences, against what they are defined as."""

import numpy as np
import pytest

from weaklearn.lab import Algorithm, DataSource, Protocol, Row, Split, Trial, run_protocol
from weaklearn.lab._claim import Reader
from weaklearn.lab._record import Record
from weaklearn.studies.li2005 import perceptrons, text
from weaklearn.studies.li2005.claims import CLAIMS

TOY = DataSource(
    "yinyang", Split(train_size=60, features="minmax"), kind="artificial", params={"n_samples": 300}
)
RCD = Algorithm("RCD", "weaklearn.linear:RCDPerceptron", {"max_iter": 30, "init": "zero"})


def path(early, last):
    protocol = Protocol(f"{text.TRIALS}:along_the_path", {"early": early, "last": last})
    return Trial.series(protocol, TOY, RCD, 1)[0]


def test_the_end_of_the_path_is_the_model_and_the_beginning_a_shorter_run():
    trial = path(early=7, last=5)
    found = run_protocol(trial)
    X_train, X_test, y_train, y_test = trial.split()
    model = trial.build().fit(X_train, y_train)
    short = trial.build(max_iter=7).fit(X_train, y_train)
    assert found["train_error"] == pytest.approx(100 - 100 * model.score(X_train, y_train))
    assert found["test_error"] == pytest.approx(100 - 100 * model.score(X_test, y_test))
    assert found["early_error"] == pytest.approx(100 - 100 * short.score(X_train, y_train))
    assert found["drop"] == pytest.approx(found["early_error"] - found["train_error"])
    ends = [trial.build(max_iter=k).fit(X_train, y_train).score(X_train, y_train) for k in range(26, 31)]
    assert found["swing"] == pytest.approx(100 * np.std(ends))


def test_beyond_the_last_epoch_is_the_last():
    found = run_protocol(path(early=1000, last=1))
    assert (found["drop"], found["swing"]) == (0, 0)


def test_a_new_draw_is_another_set_that_all_learners_share():
    protocol = Protocol(f"{text.TRIALS}:new_draw", {"n_splits": 2})
    nearest = Algorithm("1-NN", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1})
    same = Algorithm("again", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1, "leaf_size": 7})
    first, second = (run_protocol(trial) for trial in Trial.series(protocol, TOY, nearest, 2))
    assert first["train_error"] == 0
    assert first["test_error"] != second["test_error"]
    assert run_protocol(Trial.series(protocol, TOY, same, 1)[0]) == first


def test_costs_of_epochs_are_positive_and_operations_counted():
    row = Row("small", setting={"n_samples": 64, "n_features": 2, "epochs": 20, "init": "zero"})
    (trial,) = Trial.series(Protocol(f"{text.TRIALS}:cost_of_epochs"), row, None, 1)
    found = run_protocol(trial)
    assert min(found.values()) > 0
    assert found["operation"] == pytest.approx(1e3 * found["RCD"] / (2 * 64 + 64 * 6))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_ask_for_cells_that_exist(claim):
    empty = Record()
    read = Reader((perceptrons.EXPERIMENT, text.EXPERIMENT), lambda _: empty)
    assert claim.tests
    assert all(test.found(read) is None for test in claim.tests)
    assert read.asked
