"""``weaklearn compare``: what it prints and writes, and exit codes."""

import json
import subprocess
import sys

import numpy as np
import pandas
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import weaklearn
from weaklearn.cli import app
from weaklearn.comparison import _models
from weaklearn.stumps import DecisionStump

MODELS = [
    ("majority class", False, DummyClassifier()),
    ("stump", True, DecisionStump()),
    ("tree", False, DecisionTreeClassifier(random_state=0)),
]


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    n = 80
    x = rng.normal(size=n)
    return {
        "id": list(range(1, n + 1)),
        "x": [None if rng.random() < 0.1 else float(v) for v in x],
        "city": [None if rng.random() < 0.05 else str(v) for v in rng.choice(["n", "s"], n)],
        "same": ["k"] * n,
        "y": ["up" if v + 0.5 * e > 0 else "down" for v, e in zip(x, rng.normal(size=n), strict=True)],
    }


@pytest.fixture
def command(monkeypatch, table, tmp_path):
    monkeypatch.setattr(_models, "default_models", lambda n_classes, seed=0: MODELS)
    lines = [",".join(table)]
    lines += [
        ",".join("" if value is None else str(value) for value in row)
        for row in zip(*table.values(), strict=True)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def call(*arguments):
        return CliRunner().invoke(app, ["compare", str(path), *map(str, arguments)])

    return call


def test_command_prints_a_table(command, tmp_path):
    out = tmp_path / "report.html"
    result = command("--label", "y", "--folds", 4, "--out", out)
    assert result.exit_code == 0, result.output
    assert "stump" in result.stdout
    page = out.read_text(encoding="utf-8")
    assert page.count('<svg class="plot') == 1
    assert "http" not in page.replace("http-equiv", "")
    assert "How each column was used" in page


def test_command_json(command):
    result = command("--label", "y", "--folds", 4, "--json")
    found = json.loads(result.stdout)
    assert found["n_rows"] == 80
    assert {m["name"] for m in found["models"]} == {name for name, _, _ in MODELS}


def test_it_says_what_it_will_do_and_what_to_use(command):
    result = command("--label", "y", "--folds", 4)
    assert "Comparing 3 classifiers on 80 rows and 2 columns: up to 4 folds each" in result.stderr
    assert "Use " in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_the_saved_classifier_reads_a_frame_by_three_lines(command, tmp_path):
    saved = tmp_path / "model.skops"
    result = command("--label", "y", "--folds", 4, "--save", saved)
    assert result.exit_code == 0, result.stderr
    frame = pandas.read_csv(tmp_path / "table.csv")
    # Other columns, in another order.
    frame[["y", "city", "same", "x"]].to_csv(tmp_path / "new_rows.csv", index=False)
    lines = result.stdout[result.stdout.index("import pandas") :].splitlines()
    script = "\n".join(lines).replace("new_rows.csv", str(tmp_path / "new_rows.csv"))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {"up", "down"} >= set(done.stdout.replace("'", " ").strip("[]\n ").split())
    again = weaklearn.load(saved).predict(frame)
    assert (again == frame["y"]).mean() > 0.6


def test_ctrl_c_shows_what_is_done(command, monkeypatch, tmp_path):
    class Interrupting(DummyClassifier):
        def fit(self, X, y):
            raise KeyboardInterrupt

    models = [MODELS[1], ("stopped here", False, Interrupting())]
    monkeypatch.setattr(_models, "default_models", lambda n_classes, seed=0: models)
    out = tmp_path / "partial.html"
    result = command("--label", "y", "--folds", 4, "--out", out)
    assert result.exit_code == 130
    assert "stump" in result.stdout
    assert "stopped; what was done by then is shown" in result.stderr
    assert "stopped before it was done" in out.read_text(encoding="utf-8")


def test_demo(monkeypatch):
    monkeypatch.setattr(_models, "default_models", lambda n_classes, seed=0: MODELS)
    result = CliRunner().invoke(app, ["compare", "--demo", "--json"])
    assert result.exit_code == 0, result.output
    assert "This is a demonstration" in result.stderr
    assert "first 200 of 569 rows" in result.stderr
    found = json.loads(result.stdout)
    assert (found["n_rows"], found["n_folds"], found["n_repeats"]) == (200, 3, 1)
    both = CliRunner().invoke(app, ["compare", "x.csv", "--demo"])
    assert both.exit_code == 2
    nothing = CliRunner().invoke(app, ["compare"])
    assert nothing.exit_code == 2
    assert "name a table and its label" in nothing.stderr


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("--label", "nope"), "there is no column 'nope'", 1),
        (("--label", "same"), "only one class", 1),
        (("--label", "y", "--engine", "moon"), "unknown engine 'moon'", 2),
        (("--label", "y", "--out", "no/such/folder/x.html"), "there is no folder", 2),
    ],
)
def test_command_fails_with_one_line(command, arguments, message, code):
    result = command(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("ending", "reader"), [(".csv", 'read_csv("new_rows.csv", sep=";")'), (".xlsx", "read_excel")]
)
def test_spellings_are_one_class_and_the_lines_read_such_a_file(monkeypatch, tmp_path, ending, reader):
    monkeypatch.setattr(_models, "default_models", lambda n_classes, seed=0: MODELS)
    labels = ["up", "Up", "down", "down "] * 4 + ["up", "up", "down", "down"] * 16
    frame = pandas.DataFrame({"x": [1.5, 2.5, 3.5, 4.5] * 20, "y": labels})
    table, saved = tmp_path / f"table{ending}", tmp_path / "model.skops"
    if ending == ".csv":
        frame.to_csv(table, sep=";", decimal=",", index=False)
    else:
        frame.to_excel(table, index=False)
    wanted = ["compare", str(table), "--label", "y", "--folds", "4"]
    result = CliRunner().invoke(app, [*wanted, "--save", str(saved)])
    assert "Spellings of the same label are merged" in " ".join(result.stdout.split())
    assert reader in result.stdout
    new = pandas.read_csv(table, sep=";") if ending == ".csv" else pandas.read_excel(table)
    assert (weaklearn.load(saved).predict(new) == frame["y"].str.strip().str.lower()).mean() > 0.9
    kept = CliRunner().invoke(app, [*wanted, "--keep-spellings"])
    assert "count as different classes" in " ".join(kept.stdout.split())
