"""A change of code marks exactly the trials that it can reach."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn
from weaklearn.lab import LabError, discover, make_plan
from weaklearn.lab._code import CodeMap, Stamper, cell_of, library_versions, roots

SOURCE = Path(weaklearn.__file__).parent


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, folder / "weaklearn", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def one_per_cell():
    trials = {}
    for trial in make_plan(list(discover().values()), "full").trials:
        trials.setdefault(cell_of(trial.description), trial.description)
    return list(trials.values())


def write(folder, **files):
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def package(tmp_path):
    write(
        tmp_path,
        own__init="",
        own__kernels='"""Fast."""\ndef kernel(x):\n    """Doc."""\n    return x + 1  # why\n',
        own__first="from own.kernels import kernel\nclass First: pass\n",
        own__second="def use():\n    from .third import helper\nclass Second: pass\n",
        own__third="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from own.first import First\n",
        own__whole="from own import first as f, third\nx = f.First\ny = third\n",
    )
    (tmp_path / "own" / "__init__.py").write_text(
        "from own.first import First\nfrom own.second import Second as Two\n"
    )
    return tmp_path


def modules(folder, path):
    return {name.removeprefix("own.") for name in CodeMap([str(folder)]).modules([path])}


def test_what_is_reached(package):
    assert modules(package, "own:First") == {"first", "kernels"}  # not its neighbours
    assert modules(package, "own:Two") == {"second", "third"}  # renamed; imported inside a function, relative
    assert modules(package, "own.third:x") == {"third"}  # not what type checkers alone import
    assert modules(package, "own.whole:x") == {"whole", "first", "kernels", "third"}
    assert modules(package, "sklearn.tree:DecisionTreeClassifier") == set()
    assert modules(package, "own.nowhere:x") == set()


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("x + 1", "x + 2", True),
        ("# why", "# another reason", False),
        ('"""Doc."""', '"""Better."""', False),
        ("    return", "\n    return", False),
        ("kernel(x)", "kernel(x, y=0)", True),
    ],
)
def test_code_counts_and_words_do_not(package, old, new, changes):
    before = {path: CodeMap([str(package)]).fingerprint([path]) for path in ("own:First", "own:Two")}
    file = package / "own" / "kernels.py"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    after = {path: CodeMap([str(package)]).fingerprint([path]) for path in before}
    assert (after["own:First"] != before["own:First"]) == changes
    assert after["own:Two"] == before["own:Two"]


def test_the_cache_on_disk_notices_changes(package, tmp_path):
    cache = tmp_path / "cache" / "code.json"

    def fingerprint():
        return CodeMap([str(package)], cache).fingerprint(["own:First"])

    first = fingerprint()
    assert cache.exists()
    assert fingerprint() == first == CodeMap([str(package)]).fingerprint(["own:First"])
    file = package / "own" / "kernels.py"
    file.write_text(file.read_text().replace("x + 1", "x + 12"))
    changed = fingerprint()
    assert changed != first
    cache.write_text("not JSON")
    assert fingerprint() == changed


def test_the_cache_on_disk_forgets_copies_that_are_gone(package, tmp_path):
    cache, other = tmp_path / "cache" / "code.json", tmp_path / "other"
    shutil.copytree(package / "own", other / "own")
    CodeMap([str(other)], cache).fingerprint(["own:First"])
    assert str(other) in cache.read_text()
    shutil.rmtree(other)
    right = CodeMap([str(package)], cache).fingerprint(["own:First"])
    assert right == CodeMap([str(package)]).fingerprint(["own:First"])
    assert str(other) not in cache.read_text()
    assert str(package / "own") in cache.read_text()


def test_a_sabotaged_kernel_marks_exactly_what_reaches_it(copied, one_per_cell):
    path = [str(copied), *sys.path]
    before = Stamper(CodeMap(path), "same")
    stamps = {description: before(description) for description in one_per_cell}
    kernel = copied / "weaklearn" / "_fast" / "stump_search.py"
    kernel.write_text(kernel.read_text() + "\n_SABOTAGE = 1\n")
    after = Stamper(CodeMap(path), "same")
    changed = {description for description in one_per_cell if after(description) != stamps[description]}

    def reaches(description):
        return "weaklearn._fast.stump_search" in before.code.modules(roots(json.loads(description)))

    assert changed == {description for description in one_per_cell if reaches(description)}
    assert 0 < len(changed) < len(one_per_cell)
    # What we know without any map: AdaBoost uses stumps, a perceptron on its own does not.
    boosted = {text for text in one_per_cell if "AdaBoostClassifier" in text}
    alone = {
        text for text in one_per_cell if text.startswith('{"algorithm":{"builder":"weaklearn.linear:Pocket')
    }
    assert boosted
    assert boosted <= changed
    assert alone
    assert not alone & changed


def test_a_root_that_leads_nowhere_is_an_error(monkeypatch, one_per_cell):
    stamper = Stamper(CodeMap(sys.path), "same")
    stamper(one_per_cell[0])
    for lost in ("weaklearn.lab._trial:Tryal", "weaklearn.lab._gone:build"):
        monkeypatch.setattr("weaklearn.lab._code._MACHINERY", ("weaklearn.lab._build:build", lost))
        with pytest.raises(LabError, match=f"{lost} names no code of this weaklearn"):
            Stamper(CodeMap(sys.path), "same")(one_per_cell[0])


EXPERIMENT = """
from weaklearn.lab import Algorithm, DataSource, Experiment, Profile, Protocol, Split, Table
columns = (
    Algorithm("adaboost", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": 2}),
    Algorithm("pocket", "weaklearn.linear:PocketPerceptron", {"max_iter": 5}),
    Algorithm("tree", "sklearn.tree:DecisionTreeClassifier"),
)
data = DataSource("yinyang", Split(test_share=0.5), kind="artificial", params={"n_samples": 40})
table = Table("mine", "1", "Errors", "test_error", (data,), columns, Protocol("holdout"), published=())
EXPERIMENT = Experiment("mine", "mine", "Three learners", tables=(table,), profiles={"quick": Profile(2)})
"""


SABOTAGE = """
import json, pathlib
from typer.testing import CliRunner
from weaklearn.cli import app

def counts():
    (study,) = json.loads(CliRunner().invoke(app, ["lab", "status", "mine.py", "--json"]).stdout)
    return study["fresh"], study["stale"]

done = CliRunner().invoke(app, ["reproduce", "mine.py", "--engine", "inline"])
assert done.exit_code == 0, done.stderr
assert counts() == (6, 0)
for kernel, touched in (("stump_search", 2), ("online", 4)):  # the second on top of the first
    file = pathlib.Path("weaklearn/_fast") / f"{kernel}.py"
    file.write_text(file.read_text() + "\\n_SABOTAGE = 1\\n")
    assert counts() == (6 - touched, touched), kernel
"""


def test_status_after_a_sabotage_of_a_kernel(tmp_path):
    """The command itself, on a copy of the package: exactly the trials that a kernel touches become stale."""
    shutil.copytree(SOURCE, tmp_path / "weaklearn", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "mine.py").write_text(EXPERIMENT)
    # Nothing is worth compiling for 40 rows.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", SABOTAGE]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_all_studies_are_stamped_without_reading_code_twice(one_per_cell, tmp_path, monkeypatch):
    cache = tmp_path / "code.json"
    first = Stamper(CodeMap(sys.path, cache), library_versions())
    stamps = [first(description) for description in one_per_cell]
    parsed = []
    monkeypatch.setattr(ast, "parse", lambda *args, **kwargs: parsed.append(args))
    second = Stamper(CodeMap(sys.path, cache), library_versions())
    assert [second(description) for description in one_per_cell] == stamps
    assert not parsed
    assert "numba" in library_versions()
