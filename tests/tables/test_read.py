"""Reading: every source gives the same cells, the fast reader what the plain one gives, and cells survive writing."""

import csv
import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.tables import Kind, TableError, _csv, read_table

CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufeff"), max_size=12)


def cells(table):
    return {name: table.cells[name].texts() for name in table.names}


def written(rows, separator):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows(rows)
    return stream.getvalue()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    st.sampled_from(",;\t|"),
)
def test_what_is_written_is_read(rows, separator):
    names = [f"c{k}" for k in range(len(rows[0]))]
    text = written([names, *rows], separator)
    found = _csv.parse_separated(text, "it", header=True)
    assert found[1] == separator
    assert list(found[0]) == names
    for k, name in enumerate(names):
        assert found[0][name].texts() == [row[k].strip() for row in rows]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    st.sampled_from(["polars", "pandas"]),
)
def test_fast_readers_read_what_the_plain_one_reads(rows, reader):
    text = written([[f"c{k}" for k in range(len(rows[0]))], *rows], ",")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_csv, "find_spec", lambda name: name == reader)
        fast = _csv._fast(text, ",", True)
    plain = _csv._plain(text, "it", ",", True)
    if fast is not None:  # an irregular file is left to the plain reader
        assert {name: kept.texts() for name, kept in fast.items()} == {
            name: kept.texts() for name, kept in plain.items()
        }


@pytest.mark.parametrize("reader", ["polars", "pandas"])
def test_a_large_file_by_all_readers(reader, monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    n = 3000
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "price": [f"{v:.2f}".replace(".", ",") for v in rng.uniform(0, 900, n)],
            "city": rng.choice(["a", "b", "?", " c "], n),
            "when": rng.choice(["2024-01-05", "2024-02-29", ""], n),
            "code": rng.choice([1, 2, 3, -999], n),
        }
    )
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    plain = read_table(path)
    monkeypatch.setattr(_csv, "_LARGE", 0)
    monkeypatch.setattr(_csv, "find_spec", lambda name: name == reader)
    fast = read_table(path)
    assert cells(fast) == cells(plain)
    assert fast.columns == plain.columns
    for name in plain.names:
        left, right = plain.values(name), fast.values(name)
        if left.dtype == object:
            assert left.tolist() == right.tolist()
        else:
            np.testing.assert_array_equal(left, right)
    assert cells(fast.take(np.array([5, 2]))) == cells(plain.take(np.array([5, 2])))


def test_short_rows_of_a_large_file_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(_csv, "_LARGE", 0)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3\n4,5\n")
    with pytest.raises(TableError, match=r"row 2 of .* has 1 cells"):
        read_table(path)


SOURCE = {
    "x": [1.5, float("nan"), 3.25, 7.0],
    "n": [3, 1, 4, 1],
    "b": [True, False, True, True],
    "t": ["u", None, "v", "u"],
}


def test_frames_dicts_and_arrays_agree():
    expected = read_table(SOURCE)
    frame = pd.DataFrame(SOURCE)
    objects = np.array([[row[k] for row in SOURCE.values()] for k in range(4)], dtype=object)
    for other in (frame, pl.DataFrame(SOURCE, strict=False), objects, frame.convert_dtypes()):
        found = read_table(other)
        for name, same in zip(expected.names, found.names, strict=True):
            assert found.cells[same].texts() == expected.cells[name].texts()
        assert [column.kind for column in found.columns] == [column.kind for column in expected.columns]


def test_typed_dates_and_categories():
    days = pd.date_range("2024-01-01", periods=6, freq="D")
    frame = pd.DataFrame(
        {"d": days, "z": days.tz_localize("Europe/Rome"), "c": pd.Categorical(list("ababab"))}
    )
    table = read_table(frame)
    assert [column.kind for column in table.columns] == [Kind.DATE, Kind.DATE, Kind.CATEGORY]
    assert table.cells["d"][1] == "2024-01-02"
    np.testing.assert_array_equal(np.diff(table.values("d")), 1.0)
    again = read_table(pl.DataFrame({"d": days.to_list(), "c": list("ababab")}))
    np.testing.assert_array_equal(again.values("d"), table.values("d"))


def test_parquet_without_a_reader(monkeypatch, tmp_path):
    pl.DataFrame(SOURCE, strict=False).write_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").names == tuple(SOURCE)
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setattr("weaklearn.tables._read.find_spec", lambda name: None)
    with pytest.raises(TableError, match="pip install polars, or save the table as CSV"):
        read_table(tmp_path / "t.parquet")


def test_excel_without_openpyxl(monkeypatch, tmp_path):
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    with pytest.raises(TableError, match="cannot be read as Excel"):
        read_table(tmp_path / "t.xlsx")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(TableError, match=r"pip install 'weaklearn\[excel\]'"):
        read_table(tmp_path / "t.xlsx")


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (7, {}, "must be a file"),
        ({}, {}, "no columns"),
        ({"a": [1, 2], "b": [1]}, {}, "differ in length"),
        (np.zeros(3), {}, "two dimensions"),
        ({"a": [1, 2]}, {"drop": ["b"]}, "no column 'b' .asked for by drop"),
        ({"a": [1, 2]}, {"sheet": 1}, "are for files"),
        ({"a": [1, 2]}, {"categorical": ["a"], "numeric": ["a"]}, "cannot be both"),
        ("nowhere.csv", {}, "there is no file nowhere.csv"),
        (".", {}, "is a folder"),
    ],
)
def test_wrong_calls(source, options, said):
    with pytest.raises(TableError, match=said):
        read_table(source, **options)


def test_integers_beyond_float_are_refused_with_their_column():
    with pytest.raises(TableError, match="column 'id' holds an integer that is too large for a float"):
        read_table({"id": [1.5, 10**400], "y": ["a", "b"]})
