"""Reading: every source gives the same cells, pandas reads what the csv module reads, and cells survive writing."""

import csv
import gzip
import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.tables import Kind, TableEncoder, TableError, _files, labelled, read_table

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
    found = _files.parse_separated(text, "it", header=True)
    assert found[1] == separator
    assert list(found[0]) == names
    for k, name in enumerate(names):
        assert found[0][name].texts() == [row[k].strip() for row in rows]


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_pandas_reads_what_the_csv_module_reads(rows, quoting, end):
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=quoting, lineterminator=end).writerows(rows)
    text = stream.getvalue()
    width = len(next(_files.rows_of(text, ","), rows[0]))
    if _files._is_regular(text, ",", width):
        by_pandas = [list(column) for column in _files._by_pandas(text, ",")]
        assert by_pandas == _files._by_rows(text, ",", "it", width, False)


def test_a_larger_file_by_both_readers(monkeypatch, tmp_path):
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
    by_pandas = read_table(path)
    monkeypatch.setattr(_files, "_is_regular", lambda *_: False)
    by_rows = read_table(path)
    assert cells(by_pandas) == cells(by_rows)
    assert by_pandas.columns == by_rows.columns


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


def test_parquet(monkeypatch, tmp_path):
    long = {"key": [2**60 + 1, None, 2**60 + 2, 7]}
    pl.DataFrame(SOURCE | long, strict=False).write_parquet(tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert cells(found) == cells(read_table(SOURCE | long))
    pd.DataFrame(SOURCE, index=pd.Index(list("abcd"), name="key")).to_parquet(tmp_path / "named.parquet")
    assert read_table(tmp_path / "named.parquet").cells["key"].texts() == list("abcd")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TableError, match=r"pip install 'weaklearn\[parquet\]', or save the table as CSV"):
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
        (read_table({"a": [1, 2]}), {"drop": ["a"]}, "this one has been read"),
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


def test_a_table_is_read_once(tmp_path):
    """From the file to the numbers: each column is inspected once and parsed once, and dates stay dates."""
    path = tmp_path / "t.csv"
    rows = [f"{k},5;{k % 28 + 1:02d}.02.2023 10:30;{'uvw'[k % 3]};{'ab'[k % 2]}" for k in range(40)]
    path.write_text("x;when;kind;y\n" + "\n".join(rows))
    table = read_table(path)
    assert table.columns is table.columns
    data = labelled(table, "y")
    assert labelled(data, "y") is data
    assert data.columns == table.columns[:3]
    assert data.table.values("x") is data.table.values("x")
    assert [str(dtype) for dtype in data.X.dtypes] == ["float64", "datetime64[s]", "object"]
    numbers = TableEncoder(columns=data.used).fit_transform(data.X, data.y)
    by_texts = np.array([data.cells[column.name].texts() for column in data.used], dtype=object).T
    np.testing.assert_array_equal(TableEncoder(columns=data.used).fit_transform(by_texts, data.y), numbers)
    with pytest.raises(TableError, match="must be a file"):
        labelled(data, "kind")


def test_limits(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b,c\n" + b"1,2,3\n" * 1_000_000))
    with pytest.raises(TableError, match="holds more than 1 MB when it is unpacked"):
        read_table(path, most_bytes=1 << 20)
    with pytest.raises(TableError, match="the table has 3 columns; here it may have 2"):
        read_table({"a": [1], "b": [2], "c": [3]}, most_columns=2)
