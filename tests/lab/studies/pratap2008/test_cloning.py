"""The cloning experiments: what a trial records, and that the catalogue describes them."""

import numpy as np
import pytest

from weaklearn.lab import load_published
from weaklearn.lab._protocols import run_protocol
from weaklearn.lab._trial import Trial
from weaklearn.lab.studies.pratap2008 import cloning_trials as trials
from weaklearn.lab.studies.pratap2008.cloning import EXPERIMENT


def _first(item, index=0):
    part = next(part for part in EXPERIMENT.parts if part.item == item)
    return Trial.series(part.protocol, part.rows[0], part.columns[0].algorithm, index + 1)[index]


def test_every_published_cell_has_a_place():
    tables = {table.number: table for table in EXPERIMENT.tables}
    cells = [cell for cell in load_published("pratap2008") if cell.table.startswith(("4.", "fig4."))]
    assert len(cells) == 56
    for cell in cells:
        table = tables[cell.table]
        assert cell.row in [row.label for row in table.rows]
        assert cell.column in [column.name for column in table.columns]


def test_candidates_are_nested():
    assert len(trials.CANDIDATES) == 20
    widths = [width for width, _ in trials.CANDIDATES]
    assert widths == sorted(widths)


def test_machine_errors_are_those_of_the_machine():
    from sklearn.svm import SVC

    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(50, 2)), rng.normal(size=(70, 2))
    y, labels = np.sign(X[:, 0]).astype(int), np.sign(T[:, 0]).astype(int)
    found = trials.machine_errors(X, y, (T, labels))
    width, C = trials.CANDIDATES[7]
    machine = SVC(C=C, gamma=width / 2).fit((X - X.mean(axis=0)) / X.std(axis=0), y)
    predicted = machine.predict((T - X.mean(axis=0)) / X.std(axis=0))
    assert found[1, 7] == pytest.approx(100 * np.mean(predicted != labels))


def test_choices():
    found = {
        "in": np.array([3.0, 2, 1, 0]),
        "out": np.array([5.0, 4, 6, 9]),
        "cv": np.array([5.0, 4.5, 4.4, 9]),
        "cv_error": np.array([1.0, 1, 0.2, 1]),
        "cv_repeated": np.array([5.0, 4, 6, 9]),
        "rho": np.array([1.0, 1, 2, 3]),
        "adaboost": np.array([9.0, 9, 9, 1]),
    }
    picks = trials.chosen(found, 4)
    assert picks == {"in": 3, "out": 1, "cv": 2, "cv_repeated": 1, "rho": 0, "adaboost": 3, "one_se": 1}
    assert trials.chosen(found, 2)["in"] == 1


def test_selection_trial(monkeypatch):
    errors = {
        name: np.linspace(1, 2, 20)
        for name in ("in", "out", "cv", "cv_repeated", "rho", "adaboost", "cv_error")
    }
    monkeypatch.setattr(trials, "selection_errors", lambda *arguments: errors)
    result = run_protocol(_first("table 4.1"))
    assert result["regret_out"] == 0
    assert result["error_cv"] == result["gap_cv"] + 1
    needed = {
        column.metric for table in EXPERIMENT.tables if "4.1" in table.number[:3] for column in table.columns
    }
    assert needed <= set(result)


def test_complexity_trial():
    result = run_protocol(_first("figure 4.8b"))
    again = run_protocol(_first("figure 4.8b"))
    assert result == again
    assert 0 < result["clone"] < 1
    assert result["distance"] == pytest.approx(abs(result["clone"] - result["source"]))


def test_algorithm_choice_trial():
    result = run_protocol(_first("figure 4.10"))
    assert {result[f"hit_{name}"] for name in ("in", "cv", "rho", "adaboost")} <= {0.0, 100.0}
    assert all(result[f"error_{name}"] >= result["error_oracle"] for name in ("in", "cv", "rho", "adaboost"))
