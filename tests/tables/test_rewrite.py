"""A file again with some cells replaced: everything else is as it was, in every format."""

import bz2
import gzip
import io
import json
import zipfile

import openpyxl
import polars as pl
import pytest

from weaklearn.tables import TableError, check_rewritable, read_table, rewritten

CHANGES = {0: "b", 2: "a"}


def labels(path, content, **options):
    path.write_bytes(content)
    return read_table(path, **options).cells["y"].texts()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x,y\n1,a\n2,b\n3,b\n", "x,y\n1,b\n2,b\n3,a\n"),
        ("x;y\r\n1,5;a\r\n\r\n2;b\r\n3;b\r\n", "x;y\r\n1,5;b\r\n2;b\r\n3;a\r\n"),
        ('t\ty\n"a ""b"""\ta\nu\tb\n"l\nm"\tb\n', 't\ty\n"a ""b"""\tb\nu\tb\n"l\nm"\ta\n'),
        ("sep=|\nx|y\n1|a\n2|b\n3|b\n", "sep=|\nx|y\n1|b\n2|b\n3|a\n"),
        ("﻿x,y\n=1+1,a\n-2,b\n3,b\n", "﻿x,y\n'=1+1,b\n-2,b\n3,a\n"),
    ],
)
def test_separated_text_keeps_everything_else(tmp_path, text, expected):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    assert rewritten(path, "new.csv", "y", CHANGES).decode() == expected


def test_without_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,a\n2,b\n3,b\n")
    assert rewritten(path, "n.csv", "column 2", CHANGES, header=False) == b"1,b\n2,b\n3,a\n"


def test_packed_files(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"x,y\n1,a\n2,b\n3,b\n"))
    expected = b"x,y\n1,b\n2,b\n3,a\n"
    assert gzip.decompress(rewritten(path, "n.csv.gz", "y", CHANGES)) == expected
    assert bz2.decompress(rewritten(path, "n.csv.bz2", "y", CHANGES)) == expected
    assert rewritten(path, "n.csv", "y", CHANGES) == expected
    archive = zipfile.ZipFile(io.BytesIO(rewritten(path, "n.zip", "y", CHANGES)))
    assert archive.namelist() == ["n.csv"]
    assert archive.read("n.csv") == expected


def test_json_keeps_types(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"x": 1, "y": 0, "more": [1, {"é": null}]}\n\n{"x": 2, "y": 1}\n')
    lines = rewritten(path, "n.jsonl", "y", {0: "1"}).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"x": 1, "y": 1, "more": [1, {"é": None}]},
        {"x": 2, "y": 1},
    ]
    path = tmp_path / "t.json"
    path.write_text('[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]')
    assert json.loads(rewritten(path, "n.json", "y", {0: "b"}))[0] == {"x": 1, "y": "b"}


def test_parquet_keeps_types(tmp_path):
    frame = pl.DataFrame({"x": [1.5, 2.5, None], "y": pl.Series([0, 1, 1], dtype=pl.Int8)})
    frame.write_parquet(tmp_path / "t.parquet")
    content = rewritten(tmp_path / "t.parquet", "n.parquet", "y", {0: "1", 2: "0"})
    again = pl.read_parquet(io.BytesIO(content))
    assert again.schema == frame.schema
    assert again["y"].to_list() == [1, 1, 0]
    assert again["x"].equals(frame["x"])


def test_excel_keeps_sheets_and_empty_rows(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["notes"])
    sheet = book.create_sheet("data")
    for row in (["x", "y"], [1, "a"], [], [2, "b"], [3, "b"]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    content = rewritten(tmp_path / "t.xlsx", "n.xlsx", "y", CHANGES, sheet="data")
    assert labels(tmp_path / "n.xlsx", content, sheet="data") == ["b", "b", "a"]
    again = openpyxl.load_workbook(tmp_path / "n.xlsx")
    assert again.sheetnames == ["Sheet", "data"]
    assert again["data"]["A4"].value == 2


def test_another_format_is_refused():
    with pytest.raises(TableError, match=r"give it the ending \.xlsx"):
        check_rewritable("t.xlsx", "n.csv")
    with pytest.raises(TableError, match=r"\.csv\.gz"):
        check_rewritable("t.csv.gz", "n.parquet")
    check_rewritable("t.csv.gz", "n.tsv")


def test_formulas_are_defused_unless_kept(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x;=n;y\n-1,5;=1+1;a\n+49 30;-;b\n-2;@sum;=c\n", encoding="utf-8")
    safe = "x;'=n;y\n-1,5;'=1+1;'=a\n+49 30;-;b\n-2;'@sum;'=c\n"
    assert rewritten(path, "n.csv", "y", {0: "=a"}).decode() == safe
    kept = "x;=n;y\n-1,5;=1+1;=a\n+49 30;-;b\n-2;@sum;=c\n"
    assert rewritten(path, "n.csv", "y", {0: "=a"}, keep_formulas=True).decode() == kept


@pytest.mark.parametrize("keep", [False, True])
def test_formulas_of_excel(tmp_path, keep):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    for row in (["x", "y"], ["=1+1", "a"], [3, "b"]):
        book.active.append(row)
    book.save(path)
    new = openpyxl.load_workbook(
        io.BytesIO(rewritten(path, "n.xlsx", "y", {1: "=b"}, keep_formulas=keep))
    ).active
    assert (new["A2"].value, new["A2"].data_type) == ("=1+1", "f" if keep else "s")
    assert (new["B3"].value, new["B3"].data_type) == ("=b", "s")  # a label is never run
