"""``weaklearn audit``: files, wording and exit codes."""

import csv
import json

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from mislabelled import N, columns, write
from weaklearn.cli import app


@pytest.fixture
def command():
    return lambda *words: CliRunner().invoke(app, ["audit", *(str(word) for word in words)])


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_the_command_writes_its_files(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    result = command(path, "--label", "class", "--out", tmp_path / "r.html")
    assert result.exit_code == 0, result.output
    assert "labels are wrong (90% interval" in result.output
    assert "rows to look at" in result.output
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    assert len(rows_of(tmp_path / "r.csv")) == N
    assert {row["true_label"] for row in rows_of(tmp_path / "r_review.csv")} == {""}
    # A report named like the table leaves the table alone.
    more = ("--json", "--budget", 3, "--tasks", tmp_path / "tasks.json")
    result = command(path, "--label", "class", "--out", tmp_path / "t.html", *more)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["rows"] == N
    assert len(found["suspicious_rows"]) == 3
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert [task["data"]["row"] for task in tasks] == found["suspicious_rows"]
    refused = command(path, "--label", "class", "--tasks", tmp_path / "tasks.csv")
    assert refused.exit_code == 2
    assert "must end in .json" in refused.stderr
    assert path.read_text().startswith("customer id")
    assert (tmp_path / "t_rows.csv").read_text().startswith("rank,row")


def test_review_and_correction(command, tmp_path):
    path = write(tmp_path / "t.csv", columns(), ";")
    words = (path, "--label", "class", "--out", tmp_path / "r.html")
    assert command(*words).exit_code == 0
    review = tmp_path / "r_review.csv"
    rows = rows_of(review)
    for row in rows:  # rows 1 to 4 are wrong, all others right
        wrong = int(row["row"]) <= 4
        row["true_label"] = {"good": "bad", "bad": "good"}[row["label"]] if wrong else row["label"]
    with open(review, "w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    # The answers are not overwritten by a second run that does not use them.
    refused = command(*words)
    assert refused.exit_code == 2
    assert "holds answers that would be lost" in refused.stderr
    assert rows_of(review) == rows
    new = tmp_path / "new.csv"
    result = command(*words, "--reviewed", review, "--corrected", new, "--above", 1)
    assert result.exit_code == 0, result.output
    before, after = path.read_text().splitlines(), new.read_text().splitlines()
    changed = {k for k in range(len(before)) if before[k] != after[k]}
    assert changed == {int(row["row"]) for row in rows if int(row["row"]) <= 4}
    assert f"({len(changed)} labels changed)" in result.output
    assert {row["row"] for row in rows_of(review) if row["true_label"]} == {row["row"] for row in rows}


def test_the_corrected_table_has_the_format_of_the_table(command, tmp_path):
    book = openpyxl.Workbook()
    table = columns()
    for row in [list(table), *zip(*table.values(), strict=True)]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    words = (tmp_path / "t.xlsx", "--label", "class", "--out", tmp_path / "r.html", "--corrected")
    refused = command(*words, tmp_path / "new.csv")
    assert refused.exit_code == 1
    assert "must have the format of the table" in refused.stderr
    assert not (tmp_path / "r.html").exists()
    assert command(*words, tmp_path / "new.xlsx", "--above", 0.5).exit_code == 0
    sheet = openpyxl.load_workbook(tmp_path / "new.xlsx").active
    labels = [cell.value for cell in sheet[openpyxl.utils.get_column_letter(len(table))][1:]]
    assert [label for label, old in zip(labels, table["class"], strict=True) if label != old]


def test_the_demo_names_itself(command, tmp_path, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    result = command("--demo", "--out", tmp_path / "d.html")
    assert result.exit_code == 0, result.output
    said = "36 of its 600 labels were made wrong on purpose"
    assert "demonstration on an artificial table" in " ".join(result.output.split())
    assert said in (tmp_path / "d.html").read_text()
    assert len(rows_of(tmp_path / "d_demo_table.csv")) == 600
    assert command("--demo", "t.csv").exit_code == 2


def test_the_demo_opens_its_page_on_a_display(command, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    assert command("--demo", "--out", tmp_path / "d.html").exit_code == 0
    assert opened == [(tmp_path / "d.html").resolve().as_uri()]
    assert command("--demo", "--out", tmp_path / "d.html", "--json").exit_code == 0
    assert len(opened) == 1


def test_columns_are_read_or_said(command, tmp_path):
    """Decimal commas, dates, many categories, codes for missing and labels 1 and 1.0: nothing vanishes in silence."""
    rng = np.random.default_rng(0)
    n = 400
    y = np.arange(n) % 2
    cities = [f"city {k}" for k in range(60)]
    table = {
        "price": [f"{v:.2f}".replace(".", ",") for v in 10 + 3 * y + rng.normal(size=n)],
        "day": [f"{1 + k % 28:02d}.{1 + k % 12:02d}.2023" for k in range(n)],
        "city": [cities[k] for k in rng.integers(0, 60, n)],
        "pressure": [-999 if k % 25 == 0 else int(v) for k, v in enumerate(rng.integers(90, 180, n))],
        "ill": [("1", "1.0", " 1 ")[k % 3] if y[k] else "0" for k in range(n)],
    }
    path = write(tmp_path / "t.csv", table, ";")
    result = command(path, "--label", "ill", "--out", tmp_path / "r.html", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["classes"] == {"0": 200, "1": 200}
    assert "are merged" in found["notes"][0]
    assert found["columns"]["price"] == "number (decimal comma), scaled"
    assert found["columns"]["day"].startswith("date")
    assert found["columns"]["city"].startswith("60 categories")
    assert "-999 read as missing" in found["columns"]["pressure"]
    assert found["held_out_accuracy"] > 0.85  # the decimal commas were understood


@pytest.mark.slow
def test_processes_give_the_same_report(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    for folder, words in (("here", ()), ("there", ("--engine", "local"))):
        (tmp_path / folder).mkdir()
        result = command(path, "--label", "class", "--out", tmp_path / folder / "r.html", *words)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "here" / "r.csv").read_text() == (tmp_path / "there" / "r.csv").read_text()


def test_the_command_fails_with_one_line(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    report = ("--out", tmp_path / "r.html")
    for words, said, code in [
        ((path, "--label", "klass", *report), "there is no column 'klass'; did you mean 'class'?", 1),
        ((path, "--label", "class", "--drop", "x9", *report), "no column 'x9' (asked for by drop)", 1),
        ((tmp_path / "no.csv", "--label", "y", *report), "there is no file", 2),
        ((path, "--label", "class", "--out", tmp_path / "no" / "r.html"), "there is no folder", 2),
        ((path, "--label", "class", "--out", tmp_path), "is a folder", 2),
        ((path, "--label", "class", *report, "--corrected", path), "the table itself", 2),
        ((path, "--label", "class", *report, "--corrected", tmp_path / "r.csv"), "the same name", 2),
        ((path, "--label", "class", *report, "--reviewed", tmp_path / "no.csv"), "there is no file", 2),
        ((path, "--label", "class", *report, "--reviewed", path), "is not a review file", 1),
        ((path,), "name the column with the labels by --label; the columns are: customer id, number", 2),
        ((), "or try --demo", 2),
        ((path, "--label", "class", *report, "--engine", "dask://host"), "lacks a host or a port", 2),
    ]:
        result = command(*words)
        assert result.exit_code == code
        assert said in result.stderr
        assert "Traceback" not in result.output
    assert path.read_text().startswith("customer id")


def test_labels_and_names_are_text_and_no_markup(command, tmp_path):
    table = columns()
    table["[bold]x"] = table.pop("x5")
    table["class"] = ["[/red]" if label == "good" else label for label in table["class"]]
    path = write(tmp_path / "t.csv", table)
    result = command(path, "--label", "class", "--out", tmp_path / "r.html")
    assert result.exit_code == 0, result.output
    assert "[/red]" in result.stdout


def test_options_of_the_reader(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[1:]))
    words = (path, "--label", f"column {len(columns())}", "--no-header", "--drop", "column 3")
    words += ("--categorical", "column 9", "--out", tmp_path / "r.html", "--json")
    result = command(*words)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)["columns"]
    assert said["column 3"] == "dropped, as asked"
