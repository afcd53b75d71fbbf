"""Stale results are never mixed with fresh ones; they are run again, or verified by a sample."""

import sqlite3

import pytest

from weaklearn.lab import Store, make_plan, reproduce, run_plan
from weaklearn.lab._code import Stamp, Stamper, current_stamps
from weaklearn.lab._status import status_report, survey


class OtherCode(Stamper):
    """The stamps after an edit that bagging alone can reach."""

    def __call__(self, description):
        stamp = super().__call__(description)
        return Stamp("edited", stamp.libraries) if "Bagging" in description else stamp


@pytest.fixture
def stored(toy, tmp_path, monkeypatch):
    """A store whose bagging trials were made by code that is no more."""
    now = current_stamps()
    path = tmp_path / "store.sqlite"
    plan = make_plan([toy], "quick")
    # The worker would refuse stamps that are not its own.
    monkeypatch.setattr("weaklearn.lab._engines._check_stamp", lambda description, stamp: None)
    with Store(path, OtherCode(now.code, now.libraries)) as store:
        assert run_plan(plan, store, engine="inline").complete
    return path, plan


def count(path, table="trials"):
    connection = sqlite3.connect(path)
    n = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    connection.close()
    return n


def test_status_counts(toy, stored, tmp_path):
    path, _ = stored
    (status,) = status_report([toy], store=path)
    assert (status.planned, status.fresh, status.stale, status.missing, status.failed) == (18, 12, 6, 0, 0)
    (full,) = status_report([toy], profile="full", store=path)
    assert (full.planned, full.fresh, full.stale, full.missing) == (240, 12, 6, 222)
    (nothing,) = status_report([toy], store=tmp_path / "none.sqlite")
    assert (nothing.fresh, nothing.missing) == (0, 18)
    assert not (tmp_path / "none.sqlite").exists()


def test_stale_results_do_not_count(stored):
    path, plan = stored
    with Store(path, current_stamps()) as store:
        results = store.results([trial.key for trial in plan.trials])
    assert len(results) == 12
    assert all("Bagging" not in trial.description for trial in plan.trials if trial.key in results)


def test_stale_trials_are_run_again_and_superseded(stored):
    path, plan = stored
    with Store(path, current_stamps()) as store:
        summary = run_plan(plan, store, engine="inline")
        assert (summary.found, summary.stale, summary.finished, summary.verified) == (12, 6, 6, 0)
        assert len(store.results([trial.key for trial in plan.trials])) == 18
    assert count(path) == 18  # one row per trial


def test_verified_by_a_sample(stored):
    path, plan = stored
    with Store(path, current_stamps()) as store:
        summary = run_plan(plan, store, engine="inline", stale="verify")
        # Two cells of three trials: two of each are run.
        assert (summary.found, summary.finished, summary.verified, summary.complete) == (14, 4, 6, True)
        assert len(survey(store, plan.trials).fresh) == 18
    with Store(path, current_stamps()) as store:
        assert run_plan(plan, store, engine="inline").found == 18


def forge(path, change):
    """Change stored results of bagging, with a right checksum: as if the old code had given other numbers."""
    from weaklearn.lab._store import _sealed

    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT * FROM trials WHERE description LIKE '%Bagging%n_features\":5%'"
    ).fetchall()
    for row in rows:
        values = list(row[:-1])
        values[4] = change(values[4])
        new = _sealed(tuple(values))
        connection.execute(
            "UPDATE trials SET result = ?, checksum = ? WHERE key = ?", (new[4], new[-1], row[0])
        )
    connection.commit()
    connection.close()
    return len(rows)


def test_a_cell_that_differs_by_one_bit_is_run_again_whole(stored):
    path, plan = stored
    assert forge(path, lambda text: text.replace('"n_rounds": 8.0', '"n_rounds": 8.000000000000002')) == 3
    with Store(path, current_stamps()) as store:
        summary = run_plan(plan, store, engine="inline", stale="verify")
        assert (summary.found, summary.finished, summary.verified, summary.complete) == (13, 5, 3, True)
        results = store.results([trial.key for trial in plan.trials])
    assert {result["n_rounds"] for result in results.values() if "n_rounds" in result} == {8.0}


def test_a_worker_with_other_code_is_refused(toy, tmp_path):
    now = current_stamps()
    with Store(tmp_path / "store.sqlite", OtherCode(now.code, now.libraries)) as store:
        summary = run_plan(make_plan([toy], "quick"), store, engine="inline")
    assert (summary.finished, len(summary.failures)) == (12, 6)
    assert {failure.failure.kind for failure in summary.failures} == {"version mismatch"}
    assert "install the same weaklearn everywhere" in summary.failures[0].error
    assert count(tmp_path / "store.sqlite", "failures") == 0  # it says nothing about the trial


def test_a_damaged_result_is_named_and_run_again(toy, stored):
    path, plan = stored
    key = plan.trials[0].key
    with Store(path, current_stamps()) as store:
        right = store.results([key])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE trials SET result = replace(result, '1', '2') WHERE key = ?", (key,))
    connection.commit()
    connection.close()
    (status,) = status_report([toy], store=path)
    assert (status.fresh, status.missing, status.damaged) == (11, 1, 1)
    with Store(path, current_stamps()) as store:
        assert store.results([key]) == {}  # a damaged result is no result
        looked = run_plan(plan, store, stored_only=True)
        assert (len(looked.damaged), looked.complete) == (1, False)
        summary = run_plan(plan, store, engine="inline")
        assert summary.complete
        (damaged,) = summary.damaged
        assert plan.trials[0].description in damaged
        assert store.results([key]) == right


def test_reproduce_says_what_it_verified(toy, stored, tmp_path):
    path, _ = stored
    result = reproduce([toy], store=path, out=tmp_path / "out", engine="inline", stale="verify")
    assert result.done
    assert result.summary.verified == 6
