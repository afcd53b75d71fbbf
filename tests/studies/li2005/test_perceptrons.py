"""li2005: every published cell has a trial; a few cells against the published values; ensembles of Table 4."""

import math

import pytest

from weaklearn.lab import Protocol, Trial, load_published
from weaklearn.lab._sample import mean_and_error
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.li2005.perceptrons import ENSEMBLES, EXPERIMENT, ROWS, SINGLE, WEIGHTED

PUBLISHED = {(cell.table, cell.row, cell.column): cell for cell in load_published("li2005")}


def test_every_published_cell_has_a_trial():
    ours = {
        (table.number, row.label, column.name)
        for table in EXPERIMENT.tables
        for row in table.rows
        for column in table.columns
    }
    assert ours == {place for place in PUBLISHED if place[0] != "claims"}
    assert EXPERIMENT.profiles["full"].n_trials == 500


PIMA = next(row for row in ROWS if row.label == "pima")


@pytest.mark.parametrize("column", ["RCD", "RCD-bias", "pocket", "ave-perc", "SGD-hinge", "SGD-mls"])
def test_pima_errors_agree_with_the_published_ones(column):
    """The lab's first 25 trials, judged by its own limit of three standard errors."""
    algorithm = next(algorithm for algorithm in SINGLE if algorithm.name == column)
    results = [run_protocol(trial) for trial in Trial.series(Protocol("holdout"), PIMA, algorithm, 25)]
    for table, metric in (("2", "train_error"), ("3", "test_error")):
        mean, error = mean_and_error([result[metric] for result in results])
        cell = PUBLISHED[table, "pima", column]
        assert abs(mean - cell.value) <= 3 * math.hypot(error, cell.error)


@pytest.mark.parametrize("column", ["RCD", "RCD-bias"])
def test_boosted_coordinate_descent_reaches_zero_training_error(column):
    algorithm = next(algorithm for algorithm in ENSEMBLES if algorithm.name == column)
    (trial,) = Trial.series(Protocol("holdout"), PIMA, algorithm, 1)
    X_train, _, y_train, _ = trial.split()
    model = trial.build().fit(X_train, y_train)
    assert len(model.estimators_) == 200
    assert model.error_curve_[-1] == 0.0
    assert model.score(X_train, y_train) == 1.0


def test_table_4_is_made_with_resampling_where_a_learner_has_the_choice():
    for algorithm in ENSEMBLES:
        learner = algorithm.params["estimator"]
        assert learner.params.get("weighting") == ("resample" if algorithm.name in WEIGHTED else None)
        assert (learner.params["init"], learner.params["max_iter"]) == ("zero", 200)


def test_errors_over_draws_are_those_of_artificial_rows():
    artificial = {row.label for row in ROWS if row.kind == "artificial"}
    for table in EXPERIMENT.tables:
        assert {row for row, _ in table.draw_error} <= artificial
        assert all(deviation > 0 for deviation in table.draw_error.values())
        assert (("yinyang", "RCD") in table.draw_error) is False  # the reference
