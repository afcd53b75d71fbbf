"""The audit: tables of all kinds in, a ranking and a page out; bad tables get a sentence, never a traceback."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from weaklearn.complexity import audit
from weaklearn.datasets import make_twonorm
from weaklearn.tables import Kind, TableEncoder, TableError, labelled

N = 120


def columns(n=N, seed=0):
    """A table of mixed columns with the labels of rows 1 to 4 flipped."""
    X, y = make_twonorm(n, n_features=6, random_state=seed)
    rng = np.random.default_rng(seed)
    table = {"customer id": [f"c{i}" for i in range(n)], "number": list(range(1, n + 1))}
    table |= {f"x{k}": [f"{value:.6f}" for value in X[:, k]] for k in range(6)}
    table["x0"][7] = ""
    table["x0"][8] = "n/a"
    table["x1"][9] = "oops"
    table["colour"] = np.where(rng.uniform(size=n) < 0.5, "red", "blue").tolist()
    table["colour"][3] = ""
    table["constant"] = ["1"] * n
    y[:4] *= -1
    table["class"] = np.where(y > 0, "good", "bad").tolist()
    return table


def write(path, table, delimiter=","):
    names = list(table)
    rows = zip(*table.values(), strict=True)
    lines = [delimiter.join(names), *(delimiter.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return audit(write(tmp_path_factory.mktemp("audit") / "t.csv", columns()), "class", n_permutations=80)


def test_flipped_rows_come_first(found):
    assert len(set(found.table.lines[found.ranking[:6]]) & {1, 2, 3, 4}) >= 3
    assert len(set(found.suspicious) & {1, 2, 3, 4}) >= 3
    assert (found.surprise[found.ranking][:-1] >= found.surprise[found.ranking][1:]).all()
    assert 0 < found.complexity.share < 1


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


def test_listed_rows_have_contributions_and_neighbours(found):
    top = found.summary()["top"]
    assert len(top) == len(found.listed) == 10
    for record, row in zip(top, found.listed, strict=True):
        agreeing, disagreeing = record["nearest_agreeing_row"] - 1, record["nearest_disagreeing_row"] - 1
        assert found.table.y[agreeing] == found.table.y[row] != found.table.y[disagreeing]
        distance = np.linalg.norm(found.X - found.X[row], axis=1)
        others = found.table.y != found.table.y[row]
        assert record["nearest_disagreeing_distance"] == pytest.approx(distance[others].min(), abs=1e-4)
        assert record["contribution_standard_error"] >= 0
    assert top[0]["contribution"] > 1


def test_the_page_is_complete_and_self_contained(found):
    page = found.to_html()
    assert page.count('<svg class="plot') == 3
    assert "http" not in page.replace("http-equiv", "")
    assert "class" in page
    for line in found.suspicious[:3]:
        assert f'<td class="number">{line}</td>' in page
    assert found.to_html() == page


def test_csv_and_json_hold_all_rows(found, tmp_path):
    text = found.to_csv(tmp_path / "rows.csv")
    frame = pd.read_csv(tmp_path / "rows.csv")
    assert len(frame) == N
    assert sorted(frame["row"]) == list(range(1, N + 1))
    assert frame["surprise"].is_monotonic_decreasing
    assert text.startswith("rank,row,label")
    assert sum(json.loads(found.to_json())["classes"].values()) == N


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


def test_duplicates_and_contradictions_are_reported():
    rng = np.random.default_rng(1)
    a = np.round(rng.normal(size=40), 3)
    table = {"a": [*a, a[0], a[1]], "y": [*(a > 0), a[0] > 0, not a[1] > 0]}
    found = audit(table, "y", n_permutations=20)
    assert found.duplicates == 2
    assert [sorted(found.table.lines[rows]) for rows in found.contradictions] == [[2, 42]]
    assert "row 2:" in found.to_html()


def test_three_classes_and_text_labels():
    rng = np.random.default_rng(2)
    codes = np.repeat([0, 1, 2], 25)
    X = rng.normal(size=(75, 2)) * 0.5 + 3 * np.column_stack([codes == 1, codes == 2])
    labels = np.array(["ant", "bee", "cat"])[codes]
    labels[0] = "cat"
    found = audit({"u": X[:, 0], "v": X[:, 1], "animal": labels}, "animal", n_permutations=40)
    assert found.table.lines[found.ranking[0]] == 1


def test_large_tables_are_sampled_and_say_so():
    found = audit(columns(200), "class", max_rows=60, n_permutations=12)
    assert len(found.surprise) == 60
    assert any("200 labelled rows; a random sample of 60" in str(note) for note in found.notes)


def test_interrupted_audits_keep_what_they_have():
    def press(done, total):
        if done >= 8:
            raise KeyboardInterrupt

    found = audit(columns(), "class", callback=press)
    assert found.interrupted
    assert found.n_permutations == 8
    assert "Stopped by Ctrl-C" in found.to_html()
    assert len(found.to_csv().splitlines()) == N + 1


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
