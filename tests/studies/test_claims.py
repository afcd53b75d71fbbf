"""Claims of the texts: none is forgotten, and the trials behind them measure what they say."""

import numpy as np
import pytest

from weaklearn.lab import Algorithm, Column, DataSource, Protocol, Row, Split, Trial, discover, load_published
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.barnes1999.claims import NOT_COMPARED
from weaklearn.studies.li2005 import claims as li2005
from weaklearn.studies.li2005.claims_trials import _turn
from weaklearn.studies.li2006 import claims as li2006
from weaklearn.studies.may2020 import text

TOY = DataSource("yinyang", Split(train_size=60), kind="artificial", params={"n_samples": 300})
# Claims that no trial of ours can test, with the reason.
LEFT_OUT = {
    "barnes1999": set(NOT_COMPARED),
    "may2020": set(text.SETTINGS),
}


@pytest.mark.parametrize("source", ["barnes1999", "li2005", "li2006", "pratap2008", "may2020"])
def test_every_claim_has_a_cell_or_a_reason(source):
    name = "text" if source == "may2020" else "claims"
    claims = [cell for cell in load_published(source) if cell.table == name]
    compared = [
        (cell.value, cell.note, cell.unit)
        for experiment in discover().values()
        for table in experiment.tables
        for cell in table.published or ()
        if table.source == source
        and cell.row in {row.label for row in table.rows}
        and cell.column in {column.name for column in table.columns}
    ]
    forgotten = [
        (cell.row, cell.column)
        for cell in claims
        if (cell.row, cell.column) not in LEFT_OUT.get(source, ())
        and (cell.value, cell.note, cell.unit) not in compared
    ]
    assert claims
    assert not forgotten


def contest(*members):
    return Algorithm("toy", f"{li2005.TRIALS}:Contest", {"members": {part.name: part for part in members}})


def perceptron(name, **params):
    return Algorithm(name, "weaklearn.linear:RCDPerceptron", {"max_iter": 30, **params})


def test_differences_change_sign_with_their_order_and_end_with_the_path():
    members = (perceptron("one", init="zero"), perceptron("two", init="fld"))
    pairs = [["one", "two"], ["two", "one"], ["one", "one"]]
    protocol = Protocol(f"{li2005.TRIALS}:final_differences", {"pairs": pairs, "early": 1000})
    found = run_protocol(Trial.series(protocol, TOY, contest(*members), 1)[0])
    for measure in ("final training error", "final test error", "training error at the beginning"):
        assert found[f"one minus two, {measure}"] == -found[f"two minus one, {measure}"]
        assert found[f"one minus one, {measure}"] == 0
    # An early epoch beyond the last is the last.
    late = "one minus two, training error at the beginning"
    assert found[late] == pytest.approx(found["one minus two, final training error"])


def test_sets_take_turns_and_are_split_anew():
    sources = [TOY.describe(), {**TOY.describe(), "name": "ringnorm"}]
    protocol = Protocol(f"{li2005.TRIALS}:boosted_in_turn", {"sources": sources})
    parts = [_turn(trial, sources)[0] for trial in Trial.series(protocol, Row("all"), None, 4)]
    assert [part.shape for part in parts] == [(60, 2), (60, 20), (60, 2), (60, 20)]
    assert not np.array_equal(parts[0], parts[2])


def test_a_better_learner_has_the_lowest_error_everywhere():
    sources = [TOY.describe()]
    good = Algorithm("good", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1})
    bad = Algorithm("bad", "sklearn.dummy:DummyClassifier", {})
    for ours, count in ((["good"], 1.0), (["bad"], 0.0)):
        protocol = Protocol(
            f"{li2005.TRIALS}:lowest_counts", {"sources": sources, "ours": ours, "n_splits": 2}
        )
        found = run_protocol(Trial.series(protocol, Row("all"), contest(good, bad), 1)[0])
        assert found == {"train": count, "test": count, "test_share": count}


def test_principal_points_are_the_ends_of_the_plot():
    """At complexity 0 a subset has one class: the other class is its errors."""
    table = next(table for table in li2006.EXPERIMENT.tables if "small disks" in table.number)
    measure = table.columns[0].algorithm
    protocol = Protocol(
        f"{li2006.TRIALS}:principal_points", {"n_clusters": 6, "max_subsets": 2**10, "points": [[0, 0]]}
    )
    trial = Trial.series(protocol, TOY, measure, 1)[0]
    found = run_protocol(trial)
    X, _, y, _ = trial.split()
    assert found["errors at 0"] == min((y > 0).sum(), (y < 0).sum())
    assert found["complexity at 0"] > 0
    eyes = sum(np.hypot(X[:, 0] - centre, X[:, 1]) <= 0.18 for centre in (0.5, -0.5))
    assert found["in_disks"] == eyes.sum()


def test_the_deviation_of_errors_is_unbiased_for_normal_samples(monkeypatch):
    """Ten normal numbers in the place of test errors: the mean of the corrected deviations is the true one."""
    from weaklearn.studies.li2006 import claims_trials

    rng = np.random.default_rng(0)
    monkeypatch.setattr(claims_trials, "staged_errors", lambda *_: rng.normal(10, 2, size=1))
    protocol = Protocol(f"{li2006.TRIALS}:error_deviation", {"n_splits": 10})
    stump = Algorithm("stump", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": 1})
    source = DataSource("yinyang", Split(train_size=20), kind="artificial", params={"n_samples": 40})
    found = [run_protocol(trial)["deviation"] for trial in Trial.series(protocol, source, stump, 60)]
    assert np.mean(found) == pytest.approx(2, abs=3 * 2 / np.sqrt(2 * 9 * 60))


def test_a_learner_minus_itself_is_nothing_and_tuning_takes_the_better():
    path = "weaklearn.studies.own.future_work_trials"
    neighbours = Algorithm("k-NN", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1})
    grid = [{"n_neighbors": 31}, {"n_neighbors": 1}]
    found = {}
    for name, first_grid in (("same", []), ("tuned", grid), ("bad", grid[:1])):
        params = {"first": neighbours, "second": neighbours, "first_grid": first_grid, "second_grid": []}
        pair = Algorithm("pair", f"{path}:Pair", params)
        row = Row("yinyang", TOY, {"flip": 0.0})
        found[name] = run_protocol(Trial.series(Protocol(f"{path}:tuned_difference"), row, pair, 1)[0])
    assert found["same"]["test"] == found["same"]["train"] == found["tuned"]["test"] == 0
    assert found["bad"]["test"] > 0
    assert found["bad"]["first"] - found["bad"]["second"] == pytest.approx(found["bad"]["test"])


def test_the_mode_of_published_runs_is_counted():
    (table,) = (table for table in text.EXPERIMENT.tables if table.number == "text: mode of table 12")
    trial = Trial.series(table.protocol, table.rows[0], None, 1)[0]
    degrees = [
        cell.value
        for cell in load_published("may2020")
        if cell.table == "12" and cell.column == "Polynomial degree"
    ]
    found = run_protocol(trial)
    assert found["occurs"] == max(degrees.count(value) for value in set(degrees))
    assert degrees.count(found["mode"]) == found["occurs"]


def test_columns_name_metrics_that_are_recorded():
    (table,) = (table for table in li2005.EXPERIMENT.tables if table.number == "claims: figure 3")
    pairs = table.protocol.params["pairs"]
    measures = ("final training error", "final test error", "training error at the beginning")
    recorded = {f"{a} minus {b}, {measure}" for a, b in pairs for measure in measures}
    assert all(isinstance(column, Column) and column.metric in recorded for column in table.columns)
