"""The job of a comparison: the numbers of `compare`, resumed where it was, and a classifier to take away."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from weaklearn.comparison import _job as _compete
from weaklearn.comparison import compare
from weaklearn.stumps import DecisionStump
from weaklearn.tables import read_table
from weaklearn.web import JobError, JobFolder, TableFolder, Work
from weaklearn.web._uploads import Incoming

MODELS = [("stump", True, DecisionStump()), ("majority class", False, DummyClassifier())]


def table(n=60):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    y = np.where(x + 0.3 * rng.normal(size=n) > 0, "yes", "no")
    city = rng.choice(["Rome", "Oslo"], n)
    return "x,city,id,y\n" + "".join(
        f"{a:.4f},{b},r{k},{c}\n" for k, (a, b, c) in enumerate(zip(x, city, y, strict=True))
    )


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setattr(_compete, "default_models", lambda n_classes, seed: MODELS)
    incoming = Incoming(TableFolder(tmp_path / "tables"), "t.csv")
    incoming.write(table().encode())
    stored = incoming.keep()
    settings = {
        "table": stored.key,
        "label": "y",
        "merge_spellings": True,
        "least_rows": 3,
        "drop": [],
        "categorical": [],
        "numeric": [],
        **stored.options(),
    }
    return Work(JobFolder(tmp_path / "jobs").create("comparison", "t", settings).path)


def test_the_numbers_are_those_of_compare_and_the_model_predicts(work, tmp_path):
    _compete.run_comparison(work)
    page = json.loads((work.result / "page.json").read_text())
    path = tmp_path / "t.csv"
    path.write_text(table())
    right = compare(read_table(path), "y", models=MODELS)
    assert page["best"] == "stump"
    assert page["models"][0]["cells"][0] == f"{100 * right.best.error:.1f}"
    assert page["saved"] == page["recommended"] == "stump"
    # The script of three lines, run as its owner would, on rows of which it has not seen the labels.
    script = (work.result / "predict.py").read_text()
    assert len(script.splitlines()) == 3
    (work.result / "new_rows.csv").write_text("city,x\nOslo,2.5\nRome,-2.5\n")
    done = subprocess.run(
        [sys.executable, "predict.py"],
        cwd=work.result,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "['yes' 'no']\n", done.stderr
    card = json.loads((work.result / "card.json").read_text())
    assert "fitted on 60 rows to tell y" in card["description"]
    lines = (work.folder / "progress.jsonl").read_text().splitlines()
    told = {news["model"]: news for line in lines if "model" in (news := json.loads(line))}
    assert set(told) == {"stump", "majority class"}  # in the order in which they were done
    assert told["stump"]["error"] == pytest.approx(right.best.error, abs=1e-4)


def test_fits_that_are_done_are_not_done_again(work, monkeypatch):
    from weaklearn.engines import Remembering

    ran = []
    inner_run = Remembering.run

    def stop_after_two(self, function, payloads, **options):
        for n, outcome in enumerate(inner_run(self, function, payloads, **options)):
            if n == 2:
                raise RuntimeError("as if the process were killed")
            ran.append(outcome.index)
            yield outcome

    with monkeypatch.context() as patch:
        patch.setattr(Remembering, "run", stop_after_two)
        with pytest.raises(RuntimeError, match="as if"):
            _compete.run_comparison(work)
    kept = sorted(path.name for path in work.parts.glob("task-*.npz"))
    assert len(kept) >= 2
    before = {name: (work.parts / name).stat().st_mtime_ns for name in kept}
    again = Work(work.folder)
    _compete.run_comparison(again)
    assert {name: (work.parts / name).stat().st_mtime_ns for name in kept} == before
    fresh = json.loads((again.result / "page.json").read_text())
    assert [model["name"] for model in fresh["models"]] == ["stump", "majority class"]


def test_remembered_fits_of_another_plan_are_forgotten(work):
    (work.parts / "plan.json").write_text("[]")
    (work.parts / "task-0.npz").write_bytes(b"of something else")
    _compete.run_comparison(work)
    assert (work.result / "page.json").exists()


def test_what_cannot_be_compared_is_said(work):
    work.settings["label"] = "id"
    with pytest.raises(JobError, match="does not look like a class"):
        _compete.run_comparison(work)
    work.settings["table"] = "0" * 16
    with pytest.raises(JobError, match="has been deleted"):
        _compete.run_comparison(work)
