import math

import pytest

from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    LabError,
    Outcome,
    Profile,
    Protocol,
    PublishedCell,
    Split,
    Store,
    Table,
    Trial,
    compare,
)
from weaklearn.lab._compare import Score, agreements, why_missing
from weaklearn.lab._results import StoredResults
from weaklearn.lab._wording import deviation
from weaklearn.lab._wording import published as published_words

A, B = Algorithm("A", "m:A"), Algorithm("B", "m:B")
REAL = DataSource("real", Split(test_share=0.2))
DRAWN = DataSource("drawn", Split(train_size=10), kind="artificial")
HOLDOUT = Protocol("holdout")


def published(row, column, value, error=None, **more):
    return PublishedCell("s", "1", row, column, value, error, **more)


def experiment(cells, n_trials=4, rows=(REAL, DRAWN), columns=(A, B), **more):
    table = Table("s", "1", "t", "error", rows, columns, HOLDOUT, published=tuple(cells), **more)
    return Experiment("e", "s", "t", tables=(table,), profiles={"quick": Profile(n_trials)})


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def put(store, row, algorithm, values, metric="error"):
    trials = Trial.series(HOLDOUT, row, algorithm, len(values))
    store.add(
        Outcome(trial.key, trial.description, {metric: value}, 0.1, "1")
        for trial, value in zip(trials, values, strict=True)
        if value is not None
    )


def compared(experiment, store, missing=None, failed=None):
    quick = experiment.profiles["quick"]
    reason = why_missing(quick, missing or {}, failed or {})
    return compare(experiment, StoredResults(store, quick), reason)


def cells_of(experiment, store, **more):
    cells = compared(experiment, store, **more)["table 1"]
    return {(cell.row, cell.column): cell for cell in cells}


def test_levels_by_hand(store):
    put(store, REAL, A, [10.0, 12.0, 14.0, 16.0])
    cell = cells_of(experiment([published("real", "A", 11.0, 0.5)]), store)["real", "A"]
    ours_error = math.sqrt(20 / 3 / 4)  # sample variance (9 + 1 + 1 + 9) / 3, over n = 4
    assert cell.ours == 13.0
    assert cell.ours_error == pytest.approx(ours_error)
    assert cell.difference == 2.0
    assert cell.deviation == pytest.approx(2 / math.sqrt(ours_error**2 + 0.25))
    assert cell.tolerance == pytest.approx(1.5 * math.sqrt(2))
    assert cell.tolerance_reason == "three published standard errors of a difference"
    assert cell.verdict == "undecided"


def spread(mean, n=40):
    return [mean - 1.0, mean + 1.0] * (n // 2)


@pytest.mark.parametrize(
    ("value", "verdict"), [(10.0, "confirmed"), (10.6, "undecided"), (14.0, "contradicted")]
)
def test_the_three_verdicts(store, value, verdict):
    put(store, REAL, A, spread(10.0))
    cell = cells_of(experiment([published("real", "A", value, 0.2, n_runs=100)], 40), store)["real", "A"]
    assert cell.verdict == verdict


def test_a_missing_published_error_is_estimated_from_our_spread(store):
    put(store, REAL, A, [1.0, 2.0, 3.0, 4.0])
    cell = cells_of(experiment([published("real", "A", 3.0, n_runs=100, decimals=1)]), store)["real", "A"]
    deviation = math.sqrt(5 / 3)
    assert cell.deviation == pytest.approx(-0.5 / math.sqrt(deviation**2 / 4 + deviation**2 / 100))


def test_cells_of_a_table_share_the_rate_of_false_verdicts(store):
    """A deviation that contradicts one cell alone is expected among hundreds."""
    off = [10.0 + 0.62 * k for k in (-1, 1)] * 4
    rows = [DataSource(f"r{k}", Split(test_share=0.2)) for k in range(200)]
    for row in rows[:1]:
        put(store, row, A, off)
    for row in rows[1:]:
        put(store, row, A, spread(10.0, 8))
    cells = [published(row.name, "A", 11.2 if row is rows[0] else 10.0, 0.001, n_runs=100) for row in rows]
    alone = cells_of(experiment(cells[:1], 8, rows[:1], (A,)), store)["r0", "A"]
    among = cells_of(experiment(cells, 8, tuple(rows), (A,)), store)["r0", "A"]
    assert (alone.verdict, among.verdict) == ("contradicted", "undecided")


@pytest.mark.parametrize(
    ("value", "verdict", "words"),
    [(60.17, "confirmed", "equal"), (59.95, "contradicted", "+0.22, deterministic")],
)
def test_a_deterministic_cell_is_compared_at_the_published_precision(store, value, verdict, words):
    put(store, REAL, A, [60.172])
    cells = [published("real", "A", value, decimals=2)]
    cell = cells_of(experiment(cells, deterministic=True), store)["real", "A"]
    assert cell.verdict == verdict
    assert cell.deviation is None
    assert deviation(cell) == words


def test_determinism_is_declared_and_never_inferred(store):
    put(store, REAL, A, [60.172] * 3)
    cells = [published("real", "A", 59.95, decimals=2)]
    assert cells_of(experiment(cells), store)["real", "A"].verdict == "undecided"
    named = cells_of(experiment(cells, deterministic=(("real", "*"),)), store)["real", "A"]
    assert named.verdict == "contradicted"
    other = cells_of(experiment(cells, deterministic=(("*", "B"),)), store)["real", "A"]
    assert other.verdict == "undecided"


def test_a_false_declaration_of_determinism_is_shown(store):
    put(store, REAL, A, [60.0, 61.0])
    cell = cells_of(experiment([published("real", "A", 60.0)], deterministic=True), store)["real", "A"]
    assert (cell.verdict, cell.reason) == ("undecided", "declared deterministic, but its trials differ")


@pytest.mark.parametrize(("relation", "verdict"), [("at least", "contradicted"), ("at most", "confirmed")])
def test_bounds_are_compared_as_bounds(store, relation, verdict):
    put(store, REAL, A, spread(1.0))
    cells = [published("real", "A", 2.0, decimals=0, relation=relation)]
    cell = cells_of(experiment(cells, 40), store)["real", "A"]
    assert (cell.verdict, cell.tolerance) == (verdict, 0.0)
    assert published_words(cell) == {"at least": "≥ 2", "at most": "≤ 2"}[relation]


def test_scale_turns_our_unit_into_the_published_one(store):
    put(store, REAL, A, [10.0, 12.0])
    cell = cells_of(experiment([published("real", "A", 0.11, 0.01)], 2, scale=0.01), store)["real", "A"]
    assert cell.ours == pytest.approx(0.11)


def test_a_reference_column_compares_paired_differences(store):
    put(store, DRAWN, A, [20.0, 24.0, 22.0, 26.0])
    put(store, DRAWN, B, [18.0, 21.0, 20.0, 23.0])
    cells = [published("drawn", "A", 30.0, 0.3), published("drawn", "B", 27.0, 0.4)]
    result = cells_of(experiment(cells, reference_column="A"), store)
    cell = result["drawn", "B"]
    # Ours: -2, -3, -2, -3, mean -2.5; published -3.0.
    assert cell.difference == pytest.approx(0.5)
    assert cell.deviation == pytest.approx(0.5 / math.sqrt((1 / 3) / 4 + 0.09 + 0.16))
    assert cell.tolerance == pytest.approx(3 * 0.5)
    assert (cell.verdict, cell.paired_with) == ("undecided", "A")
    assert result["drawn", "A"].verdict == "reference"
    score = Score.of(list(result.values()))
    assert score == Score(published=2, run=2, confirmed=0, contradicted=0, undecided=1)


@pytest.mark.parametrize(("tolerance", "verdict"), [(0.4, "contradicted"), (0.8, "confirmed")])
def test_the_tolerance_of_paired_cells_is_in_points(store, tolerance, verdict):
    put(store, DRAWN, A, [20.0, 24.0, 22.0, 26.0] * 4)
    put(store, DRAWN, B, [17.5, 21.4, 19.6, 23.5] * 4)
    cells = [published("drawn", "A", 30.0, 0.01), published("drawn", "B", 27.0, 0.01)]
    more = {"reference_column": "A", "tolerance": tolerance, "tolerance_reason": "levels vary that much"}
    cell = cells_of(experiment(cells, 16, **more), store)["drawn", "B"]
    assert (cell.verdict, cell.tolerance, cell.tolerance_reason) == (
        verdict,
        tolerance,
        "levels vary that much",
    )


def test_a_stated_tolerance_is_for_all_cells_of_a_table_without_a_reference(store):
    put(store, REAL, A, spread(10.0))
    cells = [published("real", "A", 10.6, 0.01)]
    assert cells_of(experiment(cells, 40), store)["real", "A"].verdict == "contradicted"
    assert cells_of(experiment(cells, 40, tolerance=1.5), store)["real", "A"].verdict == "confirmed"


def test_real_rows_and_other_metrics_are_compared_by_level(store):
    put(store, REAL, A, [10.0, 12.0])
    put(store, REAL, B, [10.0, 12.0])
    put(store, DRAWN, A, [10.0, 12.0])
    table = experiment([published("real", "B", 11.0, 1.0)], 2, reference_column="A")
    assert cells_of(table, store)["real", "B"].paired_with == ""
    columns = (A, Column("A #ite", A, "rounds"))
    trials = Trial.series(HOLDOUT, DRAWN, B, 2)
    results = [{"error": 1.0, "rounds": 5.0}, {"error": 2.0, "rounds": 7.0}]
    store.add(Outcome(t.key, t.description, r, 0.1, "1") for t, r in zip(trials, results, strict=True))
    columns = (B, Column("B #ite", B, "rounds"))
    table = experiment([published("drawn", "B #ite", 6.0)], 2, (DRAWN,), columns, reference_column="B")
    cell = cells_of(table, store)["drawn", "B #ite"]
    assert (cell.ours, cell.paired_with, cell.verdict) == (6.0, "", "undecided")


def test_what_was_not_run_says_why(store):
    put(store, REAL, A, [1.0, None, None, None])
    cells = [published("real", "A", 1.0), published("real", "C", 1.0), published("drawn", "B", 1.0)]
    trial = Trial.series(HOLDOUT, REAL, B, 1)[0]
    failed = {trial.key: "ValueError: no"}
    result = cells_of(experiment(cells), store, missing={"drawn": "find it"}, failed=failed)
    reasons = {place: cell.reason for place, cell in result.items()}
    assert reasons["real", "A"] == "only one trial so far"
    assert reasons["real", "B"] == "1 of 4 trials failed: ValueError: no"
    assert reasons["real", "C"] == "not part of this experiment"
    assert reasons["drawn", "B"] == "data missing: find it"
    assert {cell.verdict for cell in result.values()} == {"not run"}
    assert Score.of(list(result.values())).published == 3


def test_no_published_value(store):
    put(store, REAL, A, [1.0, 2.0])
    cell = cells_of(experiment([], 2), store)["real", "A"]
    assert (cell.verdict, cell.published, cell.difference) == ("no published value", None, None)


def test_notes_are_attached_and_change_nothing(store):
    put(store, REAL, A, spread(1.0))
    cells = [published("real", "A", 50.0, 0.1, note="A slip.")]
    notes = {("real", "A"): "Known.", ("*", "A"): "All."}
    cell = cells_of(experiment(cells, 40, notes=notes), store)["real", "A"]
    assert (cell.verdict, cell.note) == ("contradicted", "Known. All. A slip.")


def test_a_metric_that_was_not_recorded_is_named(store):
    put(store, REAL, A, [1.0, 2.0], metric="other")
    with pytest.raises(LabError, match="'error' for A; recorded are: other"):
        cells_of(experiment([], 2), store)


def test_more_trials_than_the_profile_asks_for_do_not_count(store):
    put(store, REAL, A, [1.0, 3.0, 100.0, 100.0])
    assert cells_of(experiment([], 2), store)["real", "A"].ours == 2.0


def test_kinds_of_published_numbers(store):
    """Only means are judged together: not single runs, bounds or deterministic facts."""
    cells = [
        published("real", "A", 1.0, n_runs=1),
        published("real", "B", 1.0, relation="at most"),
        published("drawn", "A", 1.0, 0.1),
    ]
    found = cells_of(experiment(cells, deterministic=(("drawn", "B"),)), store)
    kinds = {place: cell.kind for place, cell in found.items()}
    assert kinds == {
        ("real", "A"): "single run",
        ("real", "B"): "bound",
        ("drawn", "A"): "mean",
        ("drawn", "B"): "fact",
    }


def test_a_table_is_judged_with_and_without_explained_cells(store):
    rows = [DataSource(f"set {k}", Split(test_share=0.2)) for k in range(6)]
    for k, row in enumerate(rows):
        for algorithm, shift in ((A, 0.0), (B, 5.0 if k == 0 else 0.0)):
            put(store, row, algorithm, [10.0 + k + shift + 0.1 * (i % 5 - 2) for i in range(20)])
    cells = [
        published(row.name, name, 10.0 + k, 0.02, n_runs=20) for k, row in enumerate(rows) for name in "AB"
    ]
    notes = {("set 0", "B"): "A misprint.", ("*", "*"): "A remark about everything explains nothing."}
    study = experiment(cells, 20, rows=tuple(rows), tolerance=0.5, notes=notes)
    ((whole, rest),) = agreements("s", study.tables[0], compared(study, store)["table 1"])
    assert (whole.n_cells, whole.verdict) == (12, "not")
    assert (rest.n_cells, rest.explained, rest.verdict) == (11, 1, "reproduced")
    stated = experiment(cells, 20, rows=tuple(rows), kind="stated")
    assert agreements("s", stated.tables[0], compared(stated, store)["table 1"]) == []
