"""The record of trials, and the check of today's code against it."""

import dataclasses
import json
import zipfile

import numpy as np
import pytest

from weaklearn.datasets import load
from weaklearn.lab import (
    LabError,
    Store,
    check_record,
    compare,
    load_record,
    recorded_report,
    reproduce,
)
from weaklearn.lab import _check as checking
from weaklearn.lab._check import unchanged
from weaklearn.lab._record import Record, RecordedCell, _cells, _read, _write
from weaklearn.lab._record import record as write_record


@pytest.fixture(scope="module")
def recorded(toy, tmp_path_factory):
    """The toy experiment with 3 trials per cell, recorded."""
    folder = tmp_path_factory.mktemp("recorded")
    reproduction = reproduce([toy], store=folder / "s.sqlite", out=folder / "out", engine="inline")
    with Store(folder / "s.sqlite") as store:
        paths = write_record([toy], store, folder / "record", date="2024-02-29")
    return folder, reproduction, paths


def fresh(recorded):
    return load_record(recorded[0] / "record")


def by_outcome(checks):
    outcomes = {}
    for found in checks:
        outcomes.setdefault(found.outcome, []).append(found)
    return outcomes


def columns(checks):
    return {found.column for found in checks}


def test_the_record_holds_every_trial_to_the_bit(recorded, toy):
    folder, _, paths = recorded
    assert [path.name for path in paths] == ["toy.npz"]
    record = fresh(recorded)
    with Store(folder / "s.sqlite") as store:
        rows = list(store.stored(store.keys()))
        assert len(record) == len(rows) == len(store)
        for row in rows:
            assert record.trial(row.description) == json.loads(row.result)
    assert {cell.date for cell in record.cells.values()} == {"2024-02-29"}
    assert all("numpy" in cell.environment and cell.seconds > 0 for cell in record.cells.values())


def test_the_comparison_from_the_record_is_that_from_the_store(recorded, toy, tmp_path):
    folder, reproduction, _ = recorded
    assert compare(toy, fresh(recorded))["table 1"] == reproduction.cells["toy"]["table 1"]
    result = recorded_report([toy], {}, out=tmp_path, record=folder / "record")
    here = [(cell.row, cell.column, cell.ours, cell.verdict) for cell in result.all_cells]
    assert here == [(cell.row, cell.column, cell.ours, cell.verdict) for cell in reproduction.all_cells]
    assert result.command == "weaklearn reproduce toy --recorded"
    assert "--recorded" in (tmp_path / "report.html").read_text()


def test_recording_again_changes_nothing_and_adds_what_is_new(recorded, toy, tmp_path):
    folder, _, paths = recorded
    (tmp_path / "toy.npz").write_bytes(paths[0].read_bytes())
    with Store(folder / "s.sqlite") as store:
        write_record([toy], store, tmp_path, date="2024-02-29")
    assert load_record(tmp_path).cells == fresh(recorded).cells
    reproduce(
        [toy.narrowed(n_trials=4)], store=tmp_path / "more.sqlite", out=tmp_path / "out", engine="inline"
    )
    with Store(tmp_path / "more.sqlite") as store:
        write_record([toy], store, tmp_path)
    more = load_record(tmp_path)
    assert {len(cell.results) for cell in more.cells.values()} == {4}
    for name, cell in fresh(recorded).cells.items():
        assert {index: more.cells[name].results[index] for index in cell.results} == cell.results


def test_cells_that_no_experiment_has_stay_unless_pruned(recorded, toy, tmp_path):
    folder, _, paths = recorded
    (tmp_path / "toy.npz").write_bytes(paths[0].read_bytes())
    smaller = toy.narrowed(items=["table 1"])
    narrow = smaller.__class__(**{**vars(smaller), "tables": (_with_columns(smaller.tables[0], 1),)})
    with Store(folder / "s.sqlite") as store:
        write_record([narrow], store, tmp_path)
        assert len(load_record(tmp_path).cells) == len(fresh(recorded).cells)
        write_record([narrow], store, tmp_path, prune=True)
    assert 0 < len(load_record(tmp_path).cells) < len(fresh(recorded).cells)


def _with_columns(table, n):
    return dataclasses.replace(table, columns=table.columns[:n])


def test_lists_of_any_shape_survive_and_are_kept_of_the_first_trials(tmp_path):
    results = {
        k: {"error": 0.1 * k, "curve": [1.0 / 3, k], "grid": [[1.0, 2.0], [3.0, 4.0]]} for k in range(3)
    }
    ragged = {0: {"x": [1.0]}, 5: {"x": [2.0, 3.0], "late": 7.0}}
    cells = [RecordedCell("a", results, 0.5, "1", "e", "d"), RecordedCell("b", ragged, 0.25, "1", "e", "d")]
    _write(tmp_path / "r.npz", cells)
    assert _read(tmp_path / "r.npz") == cells


def test_a_damaged_file_is_named(recorded, tmp_path):
    path = tmp_path / "toy.npz"
    path.write_bytes(b"not a record")
    with pytest.raises(LabError, match=r"toy\.npz is not a valid record"):
        load_record(tmp_path)
    with np.load(recorded[2][0]) as file:
        values, about = file["values"].copy(), file["about"]
    values[0] = np.nextafter(values[0], 1e9)
    np.savez_compressed(path, values=values, about=about)
    with pytest.raises(LabError, match="checksum"):
        load_record(tmp_path)
    assert zipfile.is_zipfile(path)
    with pytest.raises(ValueError, match="does not fit"):
        _cells(np.zeros(1), [])


def test_no_record_is_empty(tmp_path):
    assert len(load_record(tmp_path / "none")) == 0
    assert len(load_record()) > 10_000


def test_an_unchanged_study_gives_the_same_numbers(recorded, toy):
    checks = check_record([toy], fresh(recorded), engine="inline")
    assert unchanged(checks)
    assert {found.outcome for found in checks} == {"same"}
    assert all(found.n == found.identical == 3 for found in checks)


def test_a_changed_number_is_noticed(recorded, toy):
    record = fresh(recorded)
    cell = next(iter(record.cells.values()))
    cell.results[1]["test_error"] *= 1 + 1e-6
    cell.results[1]["test_error"] += 1e-6
    checks = check_record([toy], record, engine="inline")
    assert not unchanged(checks)
    (changed,) = by_outcome(checks)["changed"]
    assert (changed.n, changed.identical) == (3, 2)


def test_changed_code_is_noticed(recorded, toy, monkeypatch):
    """Sabotage: a learner that does something else under the same name."""
    from sklearn.tree import DecisionTreeClassifier

    honest = DecisionTreeClassifier.predict
    monkeypatch.setattr(DecisionTreeClassifier, "predict", lambda self, X: 1 - honest(self, X))
    outcomes = by_outcome(check_record([toy], fresh(recorded), engine="inline"))
    assert "tree" in columns(outcomes["changed"])
    assert columns(outcomes["same"]) >= {"logistic"}


def test_a_failing_trial_is_no_success(recorded, toy, monkeypatch):
    from sklearn.tree import DecisionTreeClassifier

    def broken(self, X, y, **more):
        raise ValueError("broken on purpose")

    monkeypatch.setattr(DecisionTreeClassifier, "fit", broken)
    checks = check_record([toy], fresh(recorded), engine="inline")
    assert not unchanged(checks)
    assert "broken on purpose" in by_outcome(checks)["failed"][0].reason


def test_only_the_rows_that_are_asked_for_are_checked(recorded, toy):
    assert {one.row for one in check_record([toy], fresh(recorded), engine="inline")} > {"blobs5"}
    checks = check_record([toy], fresh(recorded), rows=("blobs5",), engine="inline")
    assert {one.row for one in checks} == {"blobs5"}


def test_a_trial_without_the_data_it_asks_for_is_not_checked(recorded, toy, monkeypatch):
    from sklearn.tree import DecisionTreeClassifier

    monkeypatch.setattr(DecisionTreeClassifier, "fit", lambda self, X, y, **more: load("nowhere"))
    checks = check_record([toy], fresh(recorded), engine="inline")
    outcomes = by_outcome(checks)
    assert unchanged(checks)
    assert columns(outcomes["not checked"]) >= {"tree"}
    assert columns(outcomes["same"]) >= {"logistic"}
    assert "'nowhere'" in outcomes["not checked"][0].reason


@pytest.mark.parametrize(("shift", "outcome"), [(0.0, "consistent"), (30.0, "inconsistent")])
def test_another_environment_is_tested_by_chance(recorded, toy, shift, outcome):
    """Other last digits are excused elsewhere; another mean is not."""
    record = Record(cell for cell in fresh(recorded).cells.values() if "LogisticRegression" in cell.cell)
    rng = np.random.default_rng(0)
    for cell in record.cells.values():
        cell.environment = "numpy 0.1"
        for name in ("train_error", "test_error"):
            known = [result[name] for result in cell.results.values() if name in result]
            mean = np.mean(known) + shift
            for index in range(200):
                cell.results.setdefault(index, {})[name] = mean + rng.normal(scale=2.0)
    checks = check_record([toy], record, engine="inline")
    assert {found.outcome for found in checks} == {outcome}
    assert unchanged(checks) == (outcome == "consistent")


def test_the_budget_takes_the_cheap_cells_of_every_table_first(recorded, toy):
    record = fresh(recorded)
    for cell in record.cells.values():
        cell.seconds = 100.0 if "Bagging" in cell.cell else 1.0
    checks = check_record([toy], record, n_trials=1, seconds=3.0, engine="inline")
    outcomes = by_outcome(checks)
    assert all(found.reason == "too expensive" for found in outcomes["not checked"])
    assert "bagging" in columns(outcomes["not checked"])
    assert len(outcomes["same"]) == 3


def test_results_without_a_common_metric_are_not_the_same():
    cell = RecordedCell("c", {0: {"a": 1.0}}, environment=checking.environment())
    check, _ = checking.compared(("e", "t", "r", "c"), cell, {0: {"b": 1.0}})
    assert check.identical == 0
    assert check.outcome == "changed"
