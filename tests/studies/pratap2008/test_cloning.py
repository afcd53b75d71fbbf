"""pratap2008, chapter 4: published cells in their places, and what a trial records."""

import dataclasses
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from weaklearn import datasets
from weaklearn.lab import Protocol, Row, Trial, load_published
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.pratap2008 import cloning_trials as trials
from weaklearn.studies.pratap2008 import selection_trials as selection
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


def test_machine_errors_are_those_of_the_machine():
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(50, 2)), rng.normal(size=(70, 2))
    y, labels = np.sign(X[:, 0]).astype(int), np.sign(T[:, 0]).astype(int)
    found = selection.machine_errors(X, y, [(X, y), (T, labels, -labels)], [0.5, 2.0], [1.0, 10.0])
    assert found.shape == (3, 4)
    # C = 10 and the first width is the third machine: blocks of C, widths inside.
    machine = SVC(C=10.0, gamma=0.5).fit(X, y)
    assert found[0, 2] == pytest.approx(100 * np.mean(machine.predict(X) != y))
    assert found[1, 2] == pytest.approx(100 * np.mean(machine.predict(T) != labels))
    assert found[2, 2] == pytest.approx(100 - found[1, 2])
    assert (selection.machine_errors(X, np.ones(50), [(T, np.ones(70))], [1.0], [1.0, 2.0]) == 0).all()


def test_of_equals_the_last():
    assert selection.chosen(np.array([3.0, 1, 2, 1, 5])) == 3


def _small_choice(flip=0.0):
    """Six machines on 60 examples: the trial's result, and the machines fitted by scikit-learn to the same examples."""
    part = next(part for part in EXPERIMENT.parts if part.item == "table 4.1")
    data = dataclasses.replace(part.rows[0].data, params={"problem": "leftsin", "n_samples": 60})
    params = {
        **part.protocol.params,
        "widths": [0.1, 1.0],
        "prices": [1.0, 10.0, 100.0],
        "choices": [2, 6],
        "flip": flip,
    }
    (trial,) = Trial.series(Protocol(part.protocol.name, params), Row("small", data), None, 1)
    rng = np.random.RandomState(trial.data_seed % 2**32)
    X, target = datasets.make_leftsin(60, random_state=rng)
    X_test, truth = datasets.make_leftsin(selection.N_TEST, random_state=rng)
    rng = np.random.RandomState((trial.data_seed + 1) % 2**32)
    y, noisy = selection.flipped(target, flip, rng), selection.flipped(truth, flip, rng)
    machines = [SVC(C=C, gamma=width).fit(X, y) for C in (1.0, 10.0, 100.0) for width in (0.1, 1.0)]
    inside = np.array([100 * np.mean(machine.predict(X) != y) for machine in machines])
    predicted = [machine.predict(X_test) for machine in machines]
    outside, error = (
        np.array([100 * np.mean(some != labels) for some in predicted]) for labels in (noisy, truth)
    )
    return run_protocol(trial), inside, outside, error


@pytest.mark.parametrize("flip", [0.0, 0.2])
def test_choices_are_judged_with_wrong_labels_in_the_gap_and_without_in_the_error(flip):
    result, inside, outside, error = _small_choice(flip)
    for n in (2, 6):
        pick = n - 1 - int(np.argmin(inside[:n][::-1]))
        assert result[f"gap_in_{n}"] == pytest.approx(outside[pick] - inside[pick])
        assert result[f"error_in_{n}"] == pytest.approx(error[pick])
        assert result[f"error_first_{n}"] == pytest.approx(error[0])
        assert result[f"regret_oracle_{n}"] == 0
        assert result[f"distance_oracle_{n}"] == pytest.approx(0, abs=1e-9)
        for name in ("cv", "rho", "adaboost", "oracle"):
            assert any(result[f"error_{name}_{n}"] == pytest.approx(one) for one in error[:n])
            regret = result[f"error_{name}_{n}"] - result[f"error_oracle_{n}"]
            assert result[f"regret_{name}_{n}"] == pytest.approx(regret)


def test_wrong_labels_change_no_input():
    """With all labels wrong the machines learn the opposite, of the same examples."""
    clean, noisy = _small_choice(0.0), _small_choice(1.0)
    for name in ("error_first_2", "error_first_6"):
        assert noisy[0][name] == pytest.approx(100 - clean[0][name], abs=0.1)


def test_one_trial_gives_all_rows_of_a_table():
    for number in ("4.1", "4.1, no wrong labels", "4.2"):
        table = next(table for table in EXPERIMENT.tables if table.number == number)
        keys = {
            trial.key
            for row in table.rows
            for column in table.columns
            for trial in cell_trials(table, row, column, 1)
        }
        assert len(keys) == 1
        assert [row.suffix for row in table.rows] == ["_5", "_10", "_15", "_20"]


def test_clones_and_originals():
    table = next(part for part in EXPERIMENT.parts if part.item == "table clones")
    row = table.rows[-1]
    # The same originals for every cloner.
    matched, plain = (
        run_protocol(Trial.series(table.protocol, row, column.algorithm, 1)[0])
        for column in table.columns[:3:2]
    )
    assert matched["original"] == plain["original"]
    assert 0 < matched["original"] < 1
    assert matched["change"] != plain["change"]


def test_theorems_on_finite_worlds():
    table = next(part for part in EXPERIMENT.parts if part.item == "table theorems 5 and 6")
    found = run_protocol(Trial.series(table.protocol, table.rows[0], None, 1)[0])
    assert found["corrected"] == 0
    assert found["bound"] < 50
    assert found["printed"] > 0


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
