"""``weaklearn audit``: files, wording and exit codes."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from weaklearn.cli import app
from weaklearn.datasets import make_twonorm

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


@pytest.fixture
def command():
    return lambda *words: CliRunner().invoke(app, ["audit", *(str(word) for word in words)])


def test_the_command_writes_both_files(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    result = command(path, "--label", "class", "--out", tmp_path / "r.html", "--permutations", 20)
    assert result.exit_code == 0, result.output
    assert "most suspicious rows" in result.output
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    assert len((tmp_path / "r.csv").read_text().splitlines()) == N + 1
    result = command(path, "--label", "class", "--out", tmp_path / "r.html", "--permutations", 20, "--json")
    assert json.loads(result.stdout)["rows"] == N
    # A report named like the table leaves the table alone.
    result = command(path, "--label", "class", "--out", tmp_path / "t.html", "--permutations", 4)
    assert result.exit_code == 0
    assert path.read_text().startswith("customer id")
    assert (tmp_path / "t_rows.csv").read_text().startswith("rank,row")


def test_the_command_fails_with_one_line(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    report = ("--out", tmp_path / "r.html")
    for words, said, code in [
        ((path, "--label", "klass", *report), "there is no column 'klass'; did you mean 'class'?", 1),
        ((path, "--label", "class", "--drop", "x9", *report), "no column 'x9' (asked for by drop)", 1),
        ((tmp_path / "no.csv", "--label", "y", *report), "there is no file", 2),
        ((path, "--label", "class", "--out", tmp_path / "no" / "r.html"), "there is no folder", 2),
        ((path, "--label", "class", "--out", tmp_path), "is a folder", 2),
        ((path, "--label", "class", *report, "--csv", path), "the table itself", 2),
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
    result = command(path, "--label", "class", "--out", tmp_path / "r.html", "--permutations", 4)
    assert result.exit_code == 0, result.output
    assert "[/red]" in result.stdout


def test_options_of_the_reader(command, tmp_path):
    path = write(tmp_path / "t.csv", columns())
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[1:]))
    words = (path, "--label", f"column {len(columns())}", "--no-header", "--drop", "column 3")
    words += ("--categorical", "column 9", "--out", tmp_path / "r.html", "--permutations", 4, "--json")
    result = command(*words)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)["columns"]
    assert said["column 3"] == "dropped, as asked"
