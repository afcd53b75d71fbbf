"""pratap2008, chapter 4: published cells in their places, and what a trial records."""

import dataclasses
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from weaklearn import datasets
from weaklearn.lab import Row, Trial, load_published
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.pratap2008 import cloning_trials as trials
from weaklearn.studies.pratap2008.cloning import EXPERIMENT


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


def test_selection_trial():
    """On a small set, against machines that scikit-learn fits to the same examples."""
    part = next(part for part in EXPERIMENT.parts if part.item == "table 4.1")
    data = dataclasses.replace(
        part.rows[0].data, params={"problem": "leftsin", "n_samples": 60, "n_choices": 10}
    )
    (trial,) = Trial.series(part.protocol, Row("small", data), None, 1)
    result = run_protocol(trial)
    seed = seed_from(purpose="selection", problem="leftsin", n_samples=60, index=0, flip=0.0)
    X, y = datasets.make_leftsin(60, random_state=np.random.RandomState(seed))
    X_test, y_test = datasets.make_leftsin(
        trials.N_TEST, random_state=np.random.RandomState((seed + 1) % 2**32)
    )
    centre, scale = X.mean(axis=0), X.std(axis=0)
    inside, outside = [], []
    for width, C in trials.CANDIDATES[:10]:
        machine = SVC(C=C, gamma=width / 2).fit((X - centre) / scale, y)
        inside.append(100 * np.mean(machine.predict((X - centre) / scale) != y))
        outside.append(100 * np.mean(machine.predict((X_test - centre) / scale) != y_test))
    assert result["error_out"] == pytest.approx(min(outside))
    assert result["regret_out"] == 0
    pick = int(np.argmin(inside))
    assert result["error_in"] == pytest.approx(outside[pick])
    assert result["gap_in"] == pytest.approx(outside[pick] - inside[pick])
    for name in ("cv", "cv_repeated", "one_se", "rho", "adaboost"):
        assert any(result[f"error_{name}"] == pytest.approx(error) for error in outside)
        assert result[f"regret_{name}"] == pytest.approx(result[f"error_{name}"] - min(outside))
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
    """The network and the SVM fitted by hand to the same examples; the in-sample choice follows."""
    trial = _first("figure 4.10")
    result = run_protocol(trial)
    engine, seed = trials.engine_target(0), trial.data_seed % 2**32
    X, y = engine.sample(400, random_state=seed)
    X_test = engine.inputs(trials.N_TEST, random_state=(seed + 1) % 2**32)
    network = MLPClassifier((5,), activation="tanh", solver="lbfgs", max_iter=300, random_state=seed)
    inside, outside = [], []
    for model in (network, SVC()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)
        inside.append(np.mean(model.predict(X) != y))
        outside.append(100 * np.mean(model.predict(X_test) != engine.target(X_test)))
    assert outside[0] != outside[1]
    assert result["error_oracle"] == pytest.approx(min(outside))
    assert result["error_in"] == pytest.approx(outside[0] if inside[0] < inside[1] else outside[1])
    for name in ("in", "cv", "rho", "adaboost"):
        right = result[f"error_{name}"] == pytest.approx(min(outside))
        assert result[f"hit_{name}"] == (100 if right else 0)
        assert right or result[f"error_{name}"] == pytest.approx(max(outside))


def test_ringnorm_is_that_of_the_document():
    """Section 4.7.1: the narrow class is centred at 2 / sqrt(20) in every coordinate."""
    X, y = trials.make_problem("ringnorm", 4000, random_state=0)
    assert abs(X[y < 0].mean()) == pytest.approx(2 / 20**0.5, abs=0.02)


def test_the_complexity_of_a_set_needs_no_cloner(monkeypatch):
    """Support vectors and errors of the machine, counted by hand; both published columns are about the same set."""
    monkeypatch.setattr(trials, "_fitted_cloner", None)
    table = next(part for part in EXPERIMENT.parts if part.item == "table fig4.8")
    (trial,) = Trial.series(table.protocol, table.rows[0], table.columns[0].algorithm, 1)
    X, y = datasets.make_ringnorm(200, a=2 / 20**0.5, random_state=np.random.RandomState(trial.data_seed))
    machine = SVC(C=20.0, gamma=2.0**-6).fit(X, y)
    counted = len(machine.support_) + np.sum(machine.predict(X) != y)
    result = run_protocol(trial)
    assert result["raw"] == pytest.approx(counted / 200)
    assert {table.metric_of(column) for column in table.columns} == {"raw"}
    assert all(cell.n_runs == 1 for cell in table.published)
