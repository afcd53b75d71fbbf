"""The catalogue of li2005: complete, and a few cells against the published values."""

import math

import pytest

from weaklearn.lab._build import build
from weaklearn.lab._published import load_published
from weaklearn.lab._sources import split_source
from weaklearn.lab.catalog.li2005_perceptrons import ENSEMBLES, EXPERIMENT, ROWS, SINGLE

PUBLISHED = {(cell.table, cell.row, cell.column): cell for cell in load_published("li2005")}


def test_every_published_cell_has_a_trial():
    ours = {
        (table.number, row.label, column.name)
        for table in EXPERIMENT.tables
        for row in table.rows
        for column in table.columns
    }
    # The claims of the text have no experiment yet.
    assert ours == {place for place in PUBLISHED if place[0] != "claims"}
    assert EXPERIMENT.profiles["full"].n_trials == 500


@pytest.fixture(scope="module")
def pima():
    return next(row for row in ROWS if row.label == "pima").describe()


@pytest.mark.parametrize("column", ["RCD", "RCD-bias", "pocket", "ave-perc", "SGD-hinge", "SGD-mls"])
def test_pima_errors_agree_with_the_published_ones(pima, column):
    algorithm = next(algorithm for algorithm in SINGLE if algorithm.name == column).describe()
    errors = {"2": [], "3": []}
    n = 25
    for trial in range(n):
        X_train, X_test, y_train, y_test = split_source(pima, trial)
        model = build(algorithm, trial).fit(X_train, y_train)
        errors["2"].append(100 * (1 - model.score(X_train, y_train)))
        errors["3"].append(100 * (1 - model.score(X_test, y_test)))
    for table, values in errors.items():
        mean = sum(values) / n
        error = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
        cell = PUBLISHED[table, "pima", column]
        assert abs(mean - cell.value) <= 3.5 * math.hypot(error, cell.error)


@pytest.mark.parametrize("column", ["RCD", "RCD-bias"])
def test_boosted_coordinate_descent_reaches_zero_training_error(pima, column):
    algorithm = next(algorithm for algorithm in ENSEMBLES if algorithm.name == column).describe()
    X_train, _, y_train, _ = split_source(pima, 0)
    model = build(algorithm, 0).fit(X_train, y_train)
    assert len(model.estimators_) == 200
    assert model.error_curve_[-1] == 0.0
    assert model.score(X_train, y_train) == 1.0
