"""Files are whole or not there; CSV holds no formula."""

import csv
import io
import os
import stat
import threading

import pytest

from weaklearn._files import write_file
from weaklearn.reports import csv_text


def test_a_page_is_written_and_replaced(tmp_path):
    path = tmp_path / "page.html"
    write_file(path, "one\r\n")
    write_file(path, "zwei ü\n")
    assert path.read_bytes() == "zwei ü\n".encode()
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own(tmp_path):
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_text("x")
    write_file(ours, "x")
    assert stat.S_IMODE(ours.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    os.chmod(ours, 0o600)
    write_file(ours, "y")
    assert stat.S_IMODE(ours.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "real.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failed_write_leaves_what_was_there(tmp_path, monkeypatch, error):
    path = tmp_path / "page.html"
    path.write_text("old")

    def fail(*arguments):
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_readers_see_the_old_page_or_the_new_one(tmp_path):
    path = tmp_path / "page.html"
    texts = {letter * 300_000 for letter in "ab"}
    write_file(path, "a" * 300_000)
    seen, stop = set(), threading.Event()

    def read():
        while not stop.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(20):
        for text in texts:
            write_file(path, text)
    stop.set()
    reader.join()
    assert seen <= texts


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "no" / "page.html", "x")


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1+1", "'+1+1"),
        ("-1-1", "'-1-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1+1", "'  =1+1"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("a\r=1", "a\r=1"),
        ("a\n=1", "a\n=1"),
        ("-", "-"),  # a dash for nothing runs nothing
        ("-1", "-1"),
        ("-1.5e-3", "-1.5e-3"),
        ("+7", "+7"),
        ("plain = text", "plain = text"),
        ("", ""),
        (-1, "-1"),
        (-0.25, "-0.25"),
        (None, ""),
        (True, "True"),
    ],
)
def test_formulas_are_defused_and_numbers_stay(cell, written, tmp_path):
    write_file(tmp_path / "t.csv", csv_text([{"a": cell, "b": 1}]))
    with open(tmp_path / "t.csv", newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert rows == [["a", "b"], [written, "1"]]


def test_columns_and_missing_keys():
    text = csv_text([{"a": 1}, {"b": "x,y", "c": 0}], ["b", "=a", "a"])
    assert list(csv.reader(io.StringIO(text))) == [["b", "'=a", "a"], ["", "", "1"], ["x,y", "", ""]]
    assert csv_text([], ["a"]) == "a\n"
