"""The recipe of docs/adding.md for an experiment with its own protocol and figure, taken at its word."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from weaklearn.lab import LabError, Store, Trial, make_plan, reproduce
from weaklearn.lab._build import load_file
from weaklearn.lab._discover import load_experiment

PAGE = (Path(__file__).parents[2] / "docs/adding.md").read_text(encoding="utf-8")
FILES = ("noise_trials.py", "noise_study.py")


def printed(name):
    (text,) = re.findall(rf"```python\n# {name}\n(.*?)```", PAGE, flags=re.DOTALL)
    return text


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "my studies"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_text(printed(name), encoding="utf-8")
    return folder


def test_it_takes_at_most_60_lines():
    lines = [line for name in FILES for line in printed(name).splitlines() if line.strip()]
    assert len(lines) <= 60


def test_the_command_runs_it_in_worker_processes(folder, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "weaklearn", "reproduce", str(folder / "noise_study.py"), "--json"]
    options = ["--workers", "2", "--store", str(tmp_path / "store.sqlite"), "--out", str(out)]
    run = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    with (out / "cells.csv").open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))
    assert [(cell["row"], cell["column"]) for cell in cells] == [
        (row, column) for row in ("0% wrong", "20% wrong") for column in ("AdaBoost", "LogitBoost")
    ]
    assert (out / "report.html").read_text(encoding="utf-8").count('<svg class="plot') == 2
    # Wrong labels cost something: the settings have reached the workers.
    error = {(cell["row"], cell["column"]): float(cell["ours"]) for cell in cells}
    assert error["20% wrong", "AdaBoost"] > error["0% wrong", "AdaBoost"] + 3
    # Not one trial depends on where the files lie: a copy elsewhere finds them all in the store.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in FILES:
        (elsewhere / name).write_bytes((folder / name).read_bytes())
    command[4] = str(elsewhere / "noise_study.py")
    again = subprocess.run([*command, *options], cwd=elsewhere, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    with Store(tmp_path / "store.sqlite") as store:
        assert len(store) == 12
    assert json.loads(again.stdout)["cells"] == json.loads(run.stdout)["cells"]


def test_the_files_are_imported_by_name_and_inline_gives_the_same(folder, tmp_path):
    experiment = load_experiment(folder / "noise_study.py")
    plan = make_plan([experiment], "quick")
    assert {trial.parts["protocol"]["name"] for trial in plan.trials} == {"errors_by_round"}
    assert len({trial.data_seed for trial in plan.trials}) == 3
    result = reproduce([experiment], store=tmp_path / "a.sqlite", out=tmp_path / "a", engine="inline")
    assert result.done
    trial = Trial(plan.trials[-1].description)
    X_train, X_test, y_train, y_test = trial.split()
    rng = np.random.default_rng(trial.data_seed)
    y_train = np.where(rng.random(100) < 0.2, -y_train, y_train)
    expected = 100 * (1 - trial.build().fit(X_train, y_train).score(X_test, y_test))
    with Store(tmp_path / "a.sqlite") as store:
        assert store.results([trial.key])[trial.key]["test_error"] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["statistics", "json"])
def test_a_file_whose_name_is_taken_is_refused(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("EXPERIMENT = None")
    with pytest.raises(LabError, match=f"the name '{name}' already belongs to .*: rename"):
        load_file(tmp_path / f"{name}.py")


def test_a_file_that_cannot_be_a_module_is_refused(tmp_path):
    (tmp_path / "my-study.py").write_text("")
    with pytest.raises(LabError, match=r"my-study\.py cannot be imported: rename it"):
        load_experiment(tmp_path / "my-study.py")
