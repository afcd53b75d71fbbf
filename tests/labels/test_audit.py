"""The audit: tables of all kinds in, probabilities and a list out; bad tables get a sentence, never a traceback."""

import io
import json
import re
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mislabelled import N, columns, write
from weaklearn.datasets import make_noisy_table
from weaklearn.engines import EngineError, open_engine
from weaklearn.labels import LabelAuditor, _audit, audit
from weaklearn.tables import Kind, TableEncoder, TableError, labelled, read_table

QUICK = LabelAuditor(n_trees=0, random_state=0)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return audit(write(tmp_path_factory.mktemp("audit") / "t.csv", columns()), "class", auditor=QUICK)


def test_flipped_rows_come_first(found):
    assert len(set(found.table.lines[found.ranking[:6]]) & {1, 2, 3, 4}) >= 3
    assert len(found.listed) > 0
    assert np.isin(found.suspicious, [1, 2, 3, 4]).mean() >= 0.5
    P = found.wrong_probability
    assert (P[found.ranking][:-1] >= P[found.ranking][1:]).all()
    assert found.n_wrong == pytest.approx(P.sum())
    assert found.n_wrong_interval[0] <= 4 <= found.n_wrong_interval[1]
    assert found.expected_precision == pytest.approx(P[found.listed].mean())


def test_every_column_is_accounted_for(found):
    by_name = {column.name: column for column in found.table.columns}
    assert list(by_name) == [name for name in columns() if name != "class"]
    assert by_name["customer id"].kind is Kind.IDENTIFIER
    assert by_name["number"].kind is Kind.IDENTIFIER
    assert by_name["constant"].kind is Kind.CONSTANT
    assert (by_name["x0"].kind, by_name["x0"].n_missing) == (Kind.NUMBER, 2)
    assert (by_name["x1"].n_missing, by_name["x1"].n_unreadable) == (0, 1)
    assert (by_name["colour"].kind, by_name["colour"].n_distinct) == (Kind.CATEGORY, 2)
    assert by_name["colour"].n_missing == 1


def test_shown_rows_have_neighbours_on_both_sides(found):
    top = found.to_dict()["top"]
    X = TableEncoder(columns=found.table.used).fit_transform(found.table.X, found.table.y)
    assert len(top) == len(found.shown) == len(found.listed)
    for record, row in zip(top, found.shown, strict=True):
        agreeing, disagreeing = record["nearest_agreeing_row"] - 1, record["nearest_disagreeing_row"] - 1
        assert found.table.y[agreeing] == found.table.y[row] != found.table.y[disagreeing]
        distance = np.linalg.norm(X - X[row], axis=1)
        others = found.table.y != found.table.y[row]
        assert record["nearest_disagreeing_distance"] == pytest.approx(distance[others].min(), abs=1e-4)


def test_csv_and_json_hold_all_rows(found, tmp_path):
    text = found.to_csv(tmp_path / "rows.csv")
    frame = pd.read_csv(tmp_path / "rows.csv")
    assert len(frame) == N
    assert sorted(frame["row"]) == list(range(1, N + 1))
    assert frame["wrong_probability"].is_monotonic_decreasing
    assert (frame["listed"] == "yes").sum() == len(found.listed)
    assert text.startswith("rank,row,label")
    assert sum(found.to_dict()["classes"].values()) == N


def test_cuts_by_budget_and_precision():
    few = audit(columns(), "class", auditor=QUICK, budget=2)
    assert len(few.listed) == 2
    sure = audit(columns(), "class", auditor=QUICK, precision=0.5)
    assert sure.expected_precision >= 0.5
    longer = sure.ranking[: len(sure.listed) + 1]
    assert sure.wrong_probability[longer].mean() < 0.5
    none = audit(columns(), "class", auditor=QUICK, precision=1.0)
    assert len(none.listed) == 0
    assert "No row is on the list" in none.to_html()
    assert none.to_dict()["expected_precision"] is None


def test_corrected_labels():
    table, wrong = make_noisy_table(400, random_state=1)
    found = audit(table, "result", auditor=QUICK)
    changed = found.corrected_labels(0.6) != found.table.y
    np.testing.assert_array_equal(changed, found.wrong_probability >= 0.6)
    assert changed.any()
    assert wrong[changed].mean() > 0.6
    with pytest.raises(ValueError, match=r"0\.5 to 1"):
        found.corrected_labels(0.2)


def test_the_complexity_view_on_request(monkeypatch):
    monkeypatch.setattr(_audit, "_MOST_ORDERS", 20)
    found = audit(columns(), "class", auditor=QUICK, complexity=True)
    view = found.complexity
    assert len(view.surprise) == N
    np.testing.assert_array_equal(view.category == "noisy", view.surprise > 0)
    assert 0 < view.complexity.share < 1
    assert found.to_html().count('<svg class="plot') == 4
    assert "surprise" in found.to_csv().splitlines()[0]
    assert "share_of_shuffled" in found.to_dict()["complexity"]


def test_nothing_is_compiled_without_it(tmp_path):
    """A first audit must not wait for a compiler."""
    import subprocess
    import sys

    code = (
        "from weaklearn.labels import LabelAuditor, audit; from weaklearn.datasets import make_noisy_table\n"
        "audit(make_noisy_table(100, random_state=0)[0], 'result', auditor=LabelAuditor(n_trees=0)).to_html()"
    )
    import os

    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert not list(tmp_path.rglob("*.nbi"))


def encoded(table):
    data = labelled(table, "class")
    return TableEncoder(columns=data.used).fit_transform(data.X, data.y), data.y


def test_kinds_of_tables_give_the_same_numbers(tmp_path):
    table = columns()
    expected, y = encoded(write(tmp_path / "t.csv", table))
    others = [
        write(tmp_path / "t.tsv", table, "\t"),
        write(tmp_path / "t2.csv", table, ";"),
        table,
        pd.DataFrame(table),
        pl.DataFrame(table),
    ]
    pl.DataFrame(table).write_parquet(tmp_path / "t.parquet")
    for other in [*others, tmp_path / "t.parquet"]:
        got, labels = encoded(other)
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(labels, y)


def test_three_classes_and_text_labels():
    rng = np.random.default_rng(2)
    codes = np.repeat([0, 1, 2], 25)
    X = rng.normal(size=(75, 2)) * 0.5 + 3 * np.column_stack([codes == 1, codes == 2])
    labels = np.array(["ant", "bee", "cat"])[codes]
    labels[0] = "cat"
    found = audit({"u": X[:, 0], "v": X[:, 1], "animal": labels}, "animal", auditor=QUICK)
    assert found.table.lines[found.ranking[0]] == 1
    assert found.suggested_label[0] == "ant"
    record = next(record for record in found.top if record["row"] == 1)
    assert labels[record["nearest_disagreeing_row"] - 1] == "ant"  # the suggested label, not just any other


def test_progress_runs_to_its_end():
    seen = []
    audit(columns(), "class", auditor=QUICK, callback=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert seen[-1][0] == seen[-1][1]


def press_at(share):
    def press(done, total):
        if done >= share * total:
            raise KeyboardInterrupt

    return press


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_interrupted_audits_keep_what_is_fitted(share):
    found = audit(columns(), "class", auditor=QUICK, callback=press_at(share))
    assert found.interrupted
    assert "Stopped by Ctrl-C" in found.to_html()
    assert len(found.to_csv().splitlines()) == N + 1
    assert len(set(found.table.lines[found.ranking[:8]]) & {1, 2, 3, 4}) >= 3


def test_an_audit_that_is_interrupted_before_the_first_learner_raises(monkeypatch):
    def press(member, data):
        raise KeyboardInterrupt

    monkeypatch.setattr("weaklearn.robust._members.RidgeMember.fit", press)
    with pytest.raises(KeyboardInterrupt):
        audit(columns(), "class", auditor=QUICK)


def test_engines_give_the_same_numbers():
    here = audit(columns(), "class", auditor=QUICK)
    seen = []
    with open_engine("inline") as engine:
        there = audit(
            columns(), "class", auditor=QUICK, engine=engine, callback=lambda done, total: seen.append(done)
        )
    np.testing.assert_array_equal(here.wrong_probability, there.wrong_probability)
    assert here.n_wrong_interval == there.n_wrong_interval
    assert seen == list(range(1, len(seen) + 1))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_dask_cluster_gives_the_same_numbers(tmp_path):
    """Forests and large arrays included: the members travel to processes of their own and back."""
    pytest.importorskip("distributed")
    from dask_cluster import Cluster

    auditor = LabelAuditor(n_trees=20, random_state=3)
    here = audit(columns(), "class", auditor=auditor)
    cluster = Cluster(tmp_path, 2, [])
    try:
        with open_engine(cluster.engine) as engine:
            there = audit(columns(), "class", auditor=auditor, engine=engine)
    finally:
        cluster.close()
    np.testing.assert_array_equal(here.auditor.label_probability_, there.auditor.label_probability_)
    np.testing.assert_array_equal(here.suspicious, there.suspicious)
    assert here.n_wrong_interval == there.n_wrong_interval


def test_a_learner_that_fails_on_an_engine_is_named(monkeypatch):
    def fall(member, data):
        raise ZeroDivisionError("by design")

    monkeypatch.setattr("weaklearn.robust._members.RidgeMember.fit", fall)
    with open_engine("inline") as engine, pytest.raises(EngineError, match=r"'linear'.*by design"):
        audit(columns(), "class", auditor=QUICK, engine=engine)


BAD = {
    "three rows": ({"a": [1.5, 2, 3], "y": [0, 1, 0]}, "3 labelled rows"),
    "one class": ({"a": np.arange(20) * 0.7, "y": ["yes"] * 20}, "only one class, 'yes'"),
    "no labels": ({"a": np.arange(20) * 0.7, "y": [""] * 20}, "0 labelled rows"),
    "a measurement": ({"a": np.arange(99) * 0.7, "y": np.arange(99) * 0.1}, "does not look like a class"),
    "constant columns": ({"a": [3] * 20, "b": ["u"] * 20, "y": [0, 1] * 10}, "no column can be used"),
    "only the label": ({"y": [0, 1] * 10}, "no column besides"),
    "no such label": ({"a": np.arange(20) * 0.7, "Y": [0, 1] * 10}, "did you mean 'Y'"),
    "nothing": ({}, "no columns"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_tables_get_a_sentence(name):
    table, said = BAD[name]
    with pytest.raises(TableError, match=said):
        audit(table, "y")


def test_bad_files_get_a_sentence(tmp_path):
    for content, said in [
        (b"", "is empty"),
        (b"a,a,y\n1,2,3\n", "same name"),
        (b"a,y\n1,2\n1\n", "row 2 .* has 1 cells"),
        (b"PK\x03\x04\0\0\0", "is an archive"),
    ]:
        path = tmp_path / "bad.csv"
        path.write_bytes(content)
        with pytest.raises(TableError, match=said):
            audit(path, "y")
    with pytest.raises(TableError, match="there is no file"):
        audit(tmp_path / "none.csv", "y")
    (tmp_path / "bad.parquet").write_bytes(b"nothing")
    with pytest.raises(TableError, match="Parquet"):
        audit(tmp_path / "bad.parquet", "y")
    with pytest.raises(TableError, match="must be a file"):
        audit(7, "y")


@pytest.mark.parametrize("reviewed", [{6: "a"}, {6: "b", 7: "a"}])
def test_a_review_may_take_the_last_row_of_a_class(reviewed):
    rng = np.random.default_rng(0)
    y = np.array(list("ab") * 30)
    x = np.where(y == "a", -3.0, 3.0) + rng.normal(size=60)
    y[5] = "c"
    if 7 in reviewed:
        y[6] = "c"
    found = audit(
        pd.DataFrame({"x": x, "z": rng.normal(size=60), "y": y}),
        label="y",
        reviewed=reviewed,
        keep_small_classes=True,
    )
    P = found.auditor.label_probability_
    names = found.auditor.classes_.tolist()
    assert np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1)
    for line, name in reviewed.items():
        assert P[line - 1, names.index(name)] == 1
    open_rows = np.setdiff1d(np.arange(60), [line - 1 for line in reviewed])
    assert P[open_rows, names.index("c")].max() < 0.05
    assert found.corrected_labels()[5] == reviewed[6]


def spelled(n=120, seed=0):
    """A table whose label is spelled in several ways; 'nein' has one spelling."""
    random = np.random.default_rng(seed)
    yes = np.arange(n) % 2 == 0
    names = np.array(["ja", "Ja", "JA", "ja "], dtype=object)[random.integers(0, 4, n)]
    return {"x": np.where(yes, 2.0, -2.0) + random.normal(size=n), "y": np.where(yes, names, "nein")}


def test_spellings_are_merged_before_anything_else():
    found = audit(spelled(), "y", auditor=QUICK)
    assert len(found.auditor.classes_) == 2
    assert sum("are merged" in str(note) for note in found.notes) == 1
    assert found.auditor.n_wrong_interval_[0] <= found.n_wrong <= found.auditor.n_wrong_interval_[1]
    kept = audit(spelled(), "y", auditor=QUICK, merge_spellings=False)
    assert len(kept.auditor.classes_) == 4
    np.testing.assert_array_equal(found.table.y == "nein", [name == "nein" for name in spelled()["y"]])


def test_classes_of_one_or_two_rows_are_set_aside():
    table = columns()
    table["class"][10] = "odd"
    table["class"][20:22] = ["even", "even"]
    found = audit(table, "class", auditor=QUICK)
    assert set(found.table.y) == {"good", "bad"}
    assert not {11, 21, 22} & set(found.table.lines)
    assert "Classes of fewer than 3 rows are set aside: 'even' (2 rows), 'odd' (1 row)." in map(
        str, found.notes
    )
    with pytest.raises(TableError, match="no labelled row 11, or its class is so small"):
        audit(table, "class", auditor=QUICK, reviewed={11: "good"})
    kept = audit(table, "class", auditor=QUICK, keep_small_classes=True)
    assert set(kept.table.y) == {"good", "bad", "odd", "even"}


def test_labels_that_columns_do_not_predict_get_no_list():
    random = np.random.default_rng(3)
    table = {"u": random.normal(size=150), "v": random.normal(size=150), "y": random.integers(0, 2, 150)}
    found = audit(table, "y", auditor=QUICK, budget=20, sample=30)
    assert not found.auditor.predictable_
    assert len(found.listed) == 0
    said = found.to_dict()["answer"]
    assert said.startswith("The columns do not predict the label: nothing can be said about single rows.")
    assert found.n_wrong_interval == (0, 150)
    # A random sample still counts.
    given = {int(found.table.lines[row]): str(found.table.y[row]) for row in found.sample}
    again = audit(table, "y", auditor=QUICK, sample=30, reviewed=given)
    assert again.auditor.n_wrong_source_ == "sample"
    assert again.n_wrong == 0
    assert again.n_wrong_interval[1] < 150 * 0.1


def test_contradictions_are_in_the_headline():
    table = columns()
    for name in table:
        if name not in ("class", "customer id", "number"):
            table[name][60] = table[name][61]
    table["class"][60:62] = ["good", "bad"]
    found = audit(table, "class", auditor=QUICK)
    said = found.to_dict()["answer"]
    assert said.endswith("1 group of identical rows has different labels.")
    assert "There may be no wrong labels" not in said


def test_more_than_thirty_classes_and_measurements():
    random = np.random.default_rng(0)
    codes = np.arange(400) % 40
    table = {"u": codes + 0.1 * random.normal(size=400), "v": random.normal(size=400)}
    found = audit(table | {"y": [f"kind {k}" for k in codes]}, "y", auditor=QUICK)
    assert len(found.auditor.classes_) == 40
    with pytest.raises(
        TableError, match=r"cut it into classes first .*; if its numbers are codes, read it as categorical"
    ):
        audit(table | {"y": codes}, "y", auditor=QUICK)
    as_text = audit(read_table(table | {"y": codes}, categorical="y"), "y", auditor=QUICK)
    assert len(as_text.auditor.classes_) == 40


def test_frames_and_notebooks():
    found = audit(columns(), "class", auditor=QUICK)
    frame = found.to_frame()
    assert len(frame) == N
    assert frame["wrong_probability"].is_monotonic_decreasing
    same = frame["suggested_label"] == frame["label"]
    np.testing.assert_array_equal(same[frame["wrong_probability"] < 0.5], True)
    html = found._repr_html_()
    assert found.to_dict()["answer"] in html
    assert html.count("<tr>") == 1 + min(10, len(found.listed))
    # One meaning in all files: the most probable label, which may be the given one.
    review = pd.read_csv(io.StringIO(found.to_review())).set_index("row")
    for _, row in frame[frame["listed"] == "yes"].iterrows():
        assert review.loc[row["row"], "suggested_label"] == row["suggested_label"]
        assert review.loc[row["row"], "other_label"] == row["other_label"]


def test_label_studio_there_and_back(tmp_path):
    """Tasks hold the suggestion as a prediction; an export with annotations is a review."""
    found = audit(columns(), "class", auditor=QUICK, sample=12)
    tasks = json.loads(found.to_review(tmp_path / "tasks.json"))
    assert [task["data"]["row"] for task in tasks[:12]] == found.table.lines[found.sample].tolist()
    assert sum(task["data"]["sample"] == "yes" for task in tasks) == 12
    for task in tasks:
        (part,) = task["predictions"][0]["result"]
        assert part["value"]["choices"] == [task["data"]["suggested_label"]]
    chosen = {}
    for task in tasks[:14]:
        chosen[task["data"]["row"]] = label = task["data"]["other_label"]
        part = {**task["predictions"][0]["result"][0], "value": {"choices": [label]}}
        task["annotations"] = [
            {"was_cancelled": True, "result": []},
            {"was_cancelled": False, "result": [part]},
        ]
    exported = tmp_path / "export.json"
    exported.write_text(json.dumps(tasks))
    again = audit(columns(), "class", auditor=QUICK, reviewed=exported)
    assert again.reviewed == chosen
    assert again.auditor.n_sampled_ == 12  # the sample is known from the file
    kept = json.loads(again.to_review(tmp_path / "again.json"))
    assert kept[0]["annotations"][0]["result"][0]["value"]["choices"] == [chosen[kept[0]["data"]["row"]]]
    exported.write_text('[{"id": 1}]')
    with pytest.raises(TableError, match="no export of review tasks from Label Studio"):
        audit(columns(), "class", auditor=QUICK, reviewed=exported)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 5), st.floats(0, 3), st.floats(0, 0.4), st.integers(0, 40), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_one_consistent_answer(seed, n_classes, strength, flips, n_reviewed, by_sample, merge):
    """Random tables with spellings, rare classes, copies and reviews: all that is said of the number agrees."""
    random = np.random.default_rng(seed)
    n = 90
    true = random.integers(0, n_classes, n)
    X = strength * np.eye(5)[true] + random.normal(size=(n, 5))
    X[-10:] = X[:10]
    labels = np.where(random.uniform(size=n) < flips, random.integers(0, n_classes, n), true)
    names = np.array([f"kind {k}" for k in labels], dtype=object)
    for row in random.permutation(n)[: n // 4]:
        names[row] = names[row].upper() if row % 2 else names[row] + " "
    names[random.permutation(n)[:2]] = ["rare", "seldom"]
    table = {f"x{k}": X[:, k] for k in range(5)} | {"y": names}
    found = audit(table, "y", auditor=QUICK, sample=n_reviewed or None, merge_spellings=merge)
    rows = found.sample if by_sample else random.permutation(len(found.table))[:n_reviewed]
    known = set(found.auditor.classes_.tolist())
    for reviewed in (None, {int(found.table.lines[row]): "unclear" for row in rows[::5]}, "truth"):
        if reviewed == "truth":
            wanted = {int(found.table.lines[row]): f"kind {true[found.table.lines[row] - 1]}" for row in rows}
            reviewed = {line: name for line, name in wanted.items() if name in known}
        if reviewed:
            found = audit(
                table, "y", auditor=QUICK, sample=n_reviewed or None, merge_spellings=merge, reviewed=reviewed
            )
        low, high = found.n_wrong_interval
        assert 0 <= low <= found.n_wrong <= high <= len(found.table)
        said = found.to_dict()
        assert low - 1 <= said["wrong"] <= high + 1
        numbers = [
            int(text.replace(",", ""))
            for text in re.findall(r"\b\d[\d,]*", said["answer"].split(" labels")[0])
        ]
        assert all(number <= len(found.table) for number in numbers)
        if found.auditor.predictable_:
            assert found.wrong_probability.sum() == pytest.approx(found.n_wrong, abs=0.02)
        assert not set(found.suspicious.tolist()) & set(found.reviewed)
        assert not found.auditor.predictable_ or len(found.auditor.flagged_)


def test_a_budget_is_for_rows_that_are_still_to_be_seen():
    first = audit(columns(), "class", auditor=QUICK, budget=10)
    seen = dict.fromkeys(first.suspicious.tolist(), "unclear")
    again = audit(columns(), "class", auditor=QUICK, budget=10, reviewed=seen)
    assert len(again.listed) == 10
    assert not set(again.suspicious.tolist()) & set(seen)
