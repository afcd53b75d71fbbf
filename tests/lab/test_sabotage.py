"""`weaklearn lab check` must notice when the science changes: sabotages of a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn

pytestmark = pytest.mark.slow

CELLS = (
    *("li2005_perceptrons", "li2006_cgboost", "li2006_multiclass", "pratap2008_margins"),
    *("--item", "table 3", "--item", "table 3.1", "--item", "table 4.2", "--item", "table 2.3"),
    *("--row", "cancer", "--row", "iris", "--row", "sonar"),
)
SABOTAGES = {
    "the stump takes the last of equally good features": (
        "_fast/stump_search.py",
        "    for j in range(n_features):\n        if furthest[j] >= least:",
        "    for j in range(n_features - 1, -1, -1):\n        if furthest[j] >= least:",
        {"4.2"},
    ),
    "the conjugate direction has the other sign": (
        "boosting/_steps.py",
        "momentum = float(1 - (weight",
        "momentum = float(1 + (weight",
        {"3.1"},
    ),
    "a wrong constant in a compiled loop": (
        "_fast/stump_search.py",
        "start = -difference / 2",
        "start = -difference / 3",
        {"3.1"},
    ),
    # The two below leave training errors as they are: only cells with test errors can notice.
    "a stump's threshold is not the middle of its interval": (
        "_fast/trees/orders.py",
        "middle = low / 2 + high / 2",
        "middle = low / 4 + 3 * (high / 4)",
        {"2.3"},
    ),
    "a step of the 0/1 line search is not the middle of its interval": (
        "_fast/line_search.py",
        "theta = left + 0.5 * (x - left)",
        "theta = left + 0.25 * (x - left)",
        {"3"},
    ),
}


def weaklearn_command(package, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    return subprocess.run(
        [sys.executable, "-m", "weaklearn", *arguments, *CELLS],
        capture_output=True,
        text=True,
        env=environment,
        cwd=package.parent,
        check=False,
    )


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A copy of the package, with three recorded trials of each cell."""
    folder = tmp_path_factory.mktemp("honest")
    package = folder / "weaklearn"
    shutil.copytree(Path(weaklearn.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    store = ("--store", str(folder / "store.sqlite"))
    out = ("--out", str(folder / "out"), "--workers", "1")
    run = weaklearn_command(package, "reproduce", "--trials", "3", *store, *out)
    if "weaklearn datasets --download" in run.stderr:
        pytest.skip(run.stderr)
    assert run.returncode == 0, run.stderr
    record = ("--record", str(folder / "record"))
    run = weaklearn_command(package, "lab", "record", *store, *record)
    assert run.returncode == 0, run.stderr
    return package, folder / "record"


def test_the_honest_copy_passes(honest):
    package, record = honest
    run = weaklearn_command(package, "lab", "check", "--workers", "1", "--record", str(record))
    assert run.returncode == 0, run.stderr
    assert "same" in run.stdout
    assert "changed" not in run.stdout


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_is_noticed(honest, tmp_path, name):
    module, line, changed, tables = SABOTAGES[name]
    package = tmp_path / "weaklearn"
    shutil.copytree(honest[0], package, ignore=shutil.ignore_patterns("__pycache__"))
    source = (package / module).read_text()
    assert source.count(line) == 1
    (package / module).write_text(source.replace(line, changed))
    run = weaklearn_command(package, "lab", "check", "--workers", "1", "--record", str(honest[1]))
    assert run.returncode == 1, run.stdout + run.stderr
    assert "today's code does not give the recorded results" in run.stderr
    noticed = [line for line in run.stdout.splitlines() if line.startswith("changed:")]
    assert {table for table in tables if any(f", {table}, " in line for line in noticed)} == tables
