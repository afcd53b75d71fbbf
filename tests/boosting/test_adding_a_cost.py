"""The recipe of docs/adding.md for a new cost, taken at its word: apply the printed diff, run the suite."""

import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from problems import noisy_ring

from weaklearn import costs
from weaklearn.boosting import AnyBoostClassifier
from weaklearn.testing import check_margin_cost

ROOT = Path(__file__).parents[2]
FILE = "src/weaklearn/costs.py"


def printed_diff():
    """The lines of the diff in the docs, without those that say where it goes."""
    page = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```diff\n(.*?)```", page, flags=re.DOTALL)
    lines = text.splitlines()
    assert lines[:2] == [f"--- a/{FILE}", f"+++ b/{FILE}"]
    return lines[2:]


def patched(text):
    """The file after the diff, whose context must be found exactly once."""
    hunks: list[list[str]] = []
    for line in printed_diff():
        if line.startswith("@@"):
            hunks.append([])
        else:
            hunks[-1].append(line or " ")
    for hunk in hunks:
        old = "".join(f"{line[1:]}\n" for line in hunk if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in hunk if line[0] in " +")
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


ORIGINAL = (ROOT / FILE).read_text(encoding="utf-8")


def test_it_takes_at_most_15_lines():
    added = [line for line in printed_diff() if line.startswith("+")]
    assert len(added) <= 15
    assert not any(line.startswith("-") for line in printed_diff())
    # It is what a diff tool makes of the two files, up to the numbers of the lines.
    made = difflib.unified_diff(ORIGINAL.splitlines(), patched(ORIGINAL).splitlines(), lineterm="")
    expected = [line for line in list(made)[2:] if not line.startswith("@@")]
    assert [line or " " for line in printed_diff() if not line.startswith("@@")] == expected


def test_the_row_alone_gives_it_the_property_suite(tmp_path):
    shutil.copytree(
        ROOT / "src/weaklearn", tmp_path / "src/weaklearn", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / FILE).write_text(patched(ORIGINAL), encoding="utf-8")
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests/test_costs.py", tmp_path / "tests")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "tests/test_costs.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert "test_contract[Savage()] PASSED" in run.stdout


def test_it_is_a_cost_like_any_other(monkeypatch):
    module = type(costs)("costs_with_one_more")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # pickles are found by name
    exec(compile(patched(ORIGINAL), FILE, "exec"), module.__dict__)
    (name,) = module.COSTS.keys() - costs.COSTS.keys()
    cost = module.COSTS[name]()
    check_margin_cost(cost)
    # A subclass of the cost that the package itself knows boosts.
    known = type(name, (costs.MarginCost,), {"value": module.Savage.value, "slope": module.Savage.slope})
    X, y, weight = noisy_ring()
    model = AnyBoostClassifier(cost=known(), n_estimators=30).fit(X, y, weight)
    assert (np.diff(model.cost_curve_) <= 1e-12).all()
    assert model.score(X, y, weight) > 0.8
    with pytest.raises(ValueError, match="cost must be"):
        AnyBoostClassifier(cost=name).fit(X, y)  # here the row is missing
