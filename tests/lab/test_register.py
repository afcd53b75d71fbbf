import dataclasses
import math

import pytest

from weaklearn.datasets import load
from weaklearn.lab import LabError, Profile, Store, compare, recorded_report, reproduce
from weaklearn.lab import _register_check as register_check
from weaklearn.lab import _wording as wording
from weaklearn.lab._register import load_register, record, with_recorded
from weaklearn.lab._register_check import check_register, unchanged
from weaklearn.lab._sample import Sample


@pytest.fixture(scope="module")
def recorded(toy, tmp_path_factory):
    """The toy experiment with 3 trials per cell, recorded."""
    folder = tmp_path_factory.mktemp("register")
    reproduction = reproduce([toy], store=folder / "s.sqlite", out=folder / "out", engine="inline")
    with Store(folder / "s.sqlite") as store:
        paths = record([toy], "quick", store, folder / "register", date="2024-02-29")
    return folder, reproduction, paths


def by_outcome(checks):
    outcomes = {}
    for found in checks:
        outcomes.setdefault(found.outcome, []).append(found)
    return outcomes


def test_the_register_holds_what_was_run(recorded):
    folder, reproduction, paths = recorded
    assert [path.name for path in paths] == ["toy.csv"]
    register = load_register(folder / "register")
    run = [cell for cell in reproduction.all_cells if cell.n]
    assert len(register) == len(run) > 0
    for cell in run:
        entry = register[cell.experiment, cell.table, cell.row, cell.column]
        assert (entry.n, entry.mean, entry.error) == (cell.n, cell.ours, cell.ours_error)
        assert math.fsum(entry.first) / 3 == pytest.approx(entry.mean)
        assert entry.date == "2024-02-29"
        assert "numpy" in entry.environment


def test_recording_again_changes_nothing_and_keeps_the_stronger_record(recorded, toy, tmp_path):
    folder, _, paths = recorded
    before = paths[0].read_text()
    target = tmp_path / "toy.csv"
    target.write_text(before)
    with Store(folder / "s.sqlite") as store:
        record([toy], "quick", store, tmp_path, date="2024-02-29")
        assert target.read_text() == before
        register = load_register(tmp_path)
        fewer = toy.narrowed(n_trials=2)
        record([fewer], "quick", store, tmp_path, date="2024-03-01")
    assert load_register(tmp_path) == register


def test_an_unchanged_study_gives_the_same_numbers(recorded, toy):
    folder, _, _ = recorded
    checks = check_register([toy], load_register(folder / "register"), engine="inline")
    assert unchanged(checks)
    assert {found.outcome for found in checks} == {"same"}


def test_a_changed_number_is_noticed(recorded, toy):
    register = load_register(recorded[0] / "register")
    place = next(iter(register))
    old = register[place]
    register[place] = dataclasses.replace(old, first=(old.first[0], old.first[1] * (1 + 1e-6), old.first[2]))
    checks = check_register([toy], register, engine="inline")
    assert not unchanged(checks)
    outcomes = by_outcome(checks)
    assert [found.recorded.place for found in outcomes["changed"]] == [place]
    assert outcomes["changed"][0].found[0] == old.first[0]


def test_changed_code_is_noticed(recorded, toy, monkeypatch):
    """Sabotage: a learner that does something else under the same name."""
    from sklearn.tree import DecisionTreeClassifier

    honest = DecisionTreeClassifier.predict
    monkeypatch.setattr(DecisionTreeClassifier, "predict", lambda self, X: 1 - honest(self, X))
    outcomes = by_outcome(check_register([toy], load_register(recorded[0] / "register"), engine="inline"))
    assert "tree" in {found.recorded.column for found in outcomes["changed"]}
    assert {found.recorded.column for found in outcomes["same"]} >= {"logistic"}


def test_a_failing_trial_is_no_success(recorded, toy, monkeypatch):
    from sklearn.tree import DecisionTreeClassifier

    def broken(self, X, y, **more):
        raise ValueError("broken on purpose")

    monkeypatch.setattr(DecisionTreeClassifier, "fit", broken)
    checks = check_register([toy], load_register(recorded[0] / "register"), engine="inline")
    failed = by_outcome(checks)["failed"]
    assert not unchanged(checks)
    assert "broken on purpose" in failed[0].reason


def test_a_trial_without_the_data_it_asks_for_is_not_checked(recorded, toy, monkeypatch):
    from sklearn.tree import DecisionTreeClassifier

    monkeypatch.setattr(DecisionTreeClassifier, "fit", lambda self, X, y, **more: load("nowhere"))
    checks = check_register([toy], load_register(recorded[0] / "register"), engine="inline")
    outcomes = by_outcome(checks)
    assert unchanged(checks)
    assert {found.recorded.column for found in outcomes["not checked"]} >= {"tree"}
    assert {found.recorded.column for found in outcomes["same"]} >= {"logistic"}
    assert "'nowhere'" in outcomes["not checked"][0].reason


@pytest.mark.parametrize(("shift", "outcome"), [(0.0, "consistent"), (30.0, "inconsistent")])
def test_another_environment_is_tested_by_chance(recorded, toy, shift, outcome):
    """Other last digits are excused elsewhere; another mean is not."""
    register = {
        place: dataclasses.replace(
            entry,
            n=500,
            mean=entry.mean + shift,
            error=2.0 / math.sqrt(500),
            first=tuple(value + 0.01 for value in entry.first),
            environment="numpy 0.1",
        )
        for place, entry in load_register(recorded[0] / "register").items()
        if entry.column == "logistic"
    }
    checks = check_register([toy], register, engine="inline")
    assert {found.outcome for found in checks} == {outcome}
    assert unchanged(checks) == (outcome == "consistent")


def test_another_study_is_not_compared_number_by_number(recorded, toy):
    register = {
        place: dataclasses.replace(entry, study="0" * 16, n=500, error=2.0 / math.sqrt(500))
        for place, entry in load_register(recorded[0] / "register").items()
        if entry.column == "logistic"
    }
    assert {found.outcome for found in check_register([toy], register, engine="inline")} == {"consistent"}


def test_the_budget_takes_the_cheap_cells_of_every_table_first(recorded, toy):
    register = {
        place: dataclasses.replace(entry, seconds=100.0 if entry.column == "bagging" else 1.0)
        for place, entry in load_register(recorded[0] / "register").items()
    }
    checks = check_register([toy], register, n_trials=1, seconds=3.0, engine="inline")
    outcomes = by_outcome(checks)
    assert {found.recorded.table for found in outcomes["same"]} == {"1", "2"}
    assert all(found.reason == "too expensive" for found in outcomes["not checked"])
    assert "bagging" in {found.recorded.column for found in outcomes["not checked"]}


def test_an_empty_start_is_not_the_same(recorded, toy):
    entry = next(iter(load_register(recorded[0] / "register").values()))
    emptied = dataclasses.replace(entry, first=())
    assert register_check._compared(emptied, (1.0, 2.0), True).outcome != "same"


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "toy.csv").write_text("experiment,n\ntoy,x\n")
    with pytest.raises(LabError, match=r"toy\.csv, line 2"):
        load_register(tmp_path)


def test_no_register_is_empty(tmp_path):
    assert load_register(tmp_path / "none") == {}
    assert isinstance(load_register(), dict)


def test_too_many_trials_are_refused(toy):
    with pytest.raises(ValueError, match="1 to 3"):
        check_register([toy], {}, n_trials=4)


def test_cells_carry_what_is_recorded_of_the_same_study(recorded, toy):
    folder, reproduction, _ = recorded
    register = load_register(folder / "register")
    place = next(iter(register))
    register[place] = dataclasses.replace(register[place], study="another")
    cells = with_recorded(toy, reproduction.cells[toy.name], register)
    for cell in (cell for some in cells.values() for cell in some):
        here = (cell.experiment, cell.table, cell.row, cell.column)
        if here == place or not cell.n:
            assert cell.recorded is None
        else:
            assert (cell.recorded, cell.recorded_error, cell.recorded_n) == (
                cell.ours,
                cell.ours_error,
                cell.n,
            )


def test_a_cell_that_the_profile_leaves_out_is_recorded_only(recorded, toy):
    folder, _, _ = recorded
    row, column = toy.tables[0].rows[0].label, toy.tables[0].columns[0].name
    quick = Profile(3, cells={(row, column): 0})
    smaller = dataclasses.replace(toy, profiles={"quick": quick})
    register = load_register(folder / "register")
    with Store(folder / "s.sqlite") as store:
        cells = with_recorded(smaller, compare(smaller, "quick", store), register)
    by_place = {(cell.row, cell.column): cell for cell in cells["table 1"]}
    left_out = by_place.pop((row, column))
    assert (left_out.verdict, left_out.n) == ("not run", 0)
    assert left_out.reason == "recorded only: not in this profile"
    assert left_out.recorded_n == 3
    assert not any("recorded only" in cell.reason for cell in by_place.values() if cell.n)


def test_a_report_shows_the_recorded_number_beside_fewer_trials(recorded, toy):
    cell = next(cell for cell in recorded[1].all_cells if cell.n)
    stronger = dataclasses.replace(cell, recorded=12.5, recorded_error=0.25, recorded_n=500, decimals=2)
    assert wording.recorded(stronger) == "12.50 ± 0.25 in 500 trials"
    assert wording.recorded(dataclasses.replace(stronger, n=500)) == ""
    assert wording.recorded(cell) == ""


def test_the_recorded_comparison_is_that_of_the_store(recorded, toy, tmp_path):
    """The same verdicts from the summaries as from the trials, where no difference is paired."""
    folder, reproduction, _ = recorded
    result = recorded_report([toy], out=tmp_path, register=folder / "register")
    before = {(c.table, c.row, c.column): c for c in reproduction.all_cells}
    for cell in result.all_cells:
        other = before[cell.table, cell.row, cell.column]
        assert (cell.n, cell.ours, cell.published) == (other.n, other.ours, other.published)
        assert cell.verdict == other.verdict or cell.paired_with
    assert result.recorded
    assert result.command.endswith("--recorded")
    assert "--recorded" in (tmp_path / "report.html").read_text()


def test_samples_are_subtracted_trial_by_trial_or_as_independent():
    first, second = Sample.of({0: 1.0, 1: 5.0, 2: 9.0}), Sample.of({1: 4.0, 2: 8.0, 3: 0.0})
    paired = first.minus(second)
    assert (paired.n, paired.mean, paired.error) == (2, 1.0, 0.0)
    summary = Sample(first.n, first.mean, first.error).minus(Sample(second.n, second.mean, second.error))
    assert (summary.n, summary.mean) == (3, 1.0)
    assert summary.error == pytest.approx(math.hypot(first.error, second.error))
    assert Sample().minus(second).n == 0
