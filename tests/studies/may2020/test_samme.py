"""may2020, section 6: published cells in their places, a short trial, the choice of trees."""

import dataclasses

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.lab import DataSource, Protocol, Split, Trial, load_published
from weaklearn.lab._trial import run_protocol
from weaklearn.multiclass import SAMMEClassifier
from weaklearn.studies.may2020.samme import ALGORITHMS, DIGITS, EXPERIMENT, TRIALS


def test_published_digits_are_means_with_the_errors_of_means():
    table = EXPERIMENT.tables[0]
    names = {one.name for one in table.columns}
    assert len(table.published) == 24
    assert {cell.column for cell in table.published} == names
    printed = {(c.row, c.column): c for c in load_published("may2020") if c.table == "21"}
    for stage, depth in ((25, 1), (100, 8)):
        cell = next(cell for cell in table.published if cell.column == f"{stage} x depth {depth}, test")
        (theirs,) = (
            c
            for (row, column), c in printed.items()
            if [part.split("=")[1] for part in row.split("; ")] == [str(stage), str(depth)]
            and column.startswith("Test")
        )
        assert (cell.value, cell.error) == (theirs.value, pytest.approx(theirs.error / np.sqrt(20)))


def test_digits_of_a_few_trees():
    try:
        load("usps")
    except DatasetNotFoundError as error:
        pytest.skip(str(error))
    stump = ALGORITHMS[1]
    algorithm = dataclasses.replace(stump, params={**stump.params, "n_estimators": 3})
    table = EXPERIMENT.tables[0]
    protocol = dataclasses.replace(table.protocol, params={"stages": [1, 2, 50]})
    result = run_protocol(Trial.series(protocol, DIGITS, algorithm, 1)[0])
    assert set(result) == {f"{part}_error {stage}" for part in ("train", "test") for stage in (1, 2, 50)}
    assert result["test_error 1"] > 50


def test_the_choice_is_the_best_in_cross_validation():
    """Against the same folds by hand."""
    data = DataSource("tangram", Split(train_size=150), kind="artificial", params={"n_samples": 400})
    protocol = Protocol(f"{TRIALS}:samme_selection", {"stages": [1, 4], "depths": [1, 3]})
    (trial,) = Trial.series(protocol, data, ALGORITHMS[1], 1)
    X, X_test, y, y_test = trial.split()
    seeds = trial.build().get_params()

    def model(stage, depth):
        tree = DecisionTreeClassifier(max_depth=depth, random_state=seeds["estimator__random_state"])
        return SAMMEClassifier(tree, n_estimators=stage, random_state=seeds["random_state"])

    folds = list(StratifiedKFold(5, shuffle=True, random_state=trial.data_seed % 2**32).split(X, y))
    errors = {
        (stage, depth): sum(
            np.mean(model(stage, depth).fit(X[a], y[a]).predict(X[b]) != y[b]) for a, b in folds
        )
        for stage in (1, 4)
        for depth in (1, 3)
    }
    stage, depth = min(errors, key=lambda choice: errors[choice])
    result = run_protocol(trial)
    assert (result["n_classifiers"], result["depth"]) == (stage, depth)
    expected = 100 * np.mean(model(stage, depth).fit(X, y).predict(X_test) != y_test)
    assert result["test_error"] == pytest.approx(expected)
