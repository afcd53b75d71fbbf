"""Claims notice when the science changes: one sabotage of a copy of the package for each document."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn

pytestmark = pytest.mark.slow

JUDGE = """
import json, sys, tempfile
from weaklearn.lab import Profile, Store, current_stamps, discover, discover_claims, judge_claims, load_record, run_plan
from weaklearn.lab._reproduce import live_plan
from weaklearn.lab._results import StoredResults
document, name = sys.argv[1:3]
experiments = list(discover().values())
claim = next(one for one in discover_claims()[document] if one.id == name)
assert claim.live, "only live claims are tested here"
with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/store.sqlite", current_stamps()) as store:
    summary = run_plan(live_plan(experiments, {document: [claim]}), store, workers=1)
    assert not summary.failures, summary.failures[0].error
    stored = StoredResults(store, Profile(claim.live))
    (result,) = judge_claims(experiments, {document: [claim]}, load_record(), stored)
print(json.dumps(result.verdict))
"""

# Document, claim, file, what stands there, what the sabotage makes of it.
SABOTAGES = {
    "li2005: the start from Fisher's discriminant is forgotten": (
        *("li2005", "pocket, good start"),
        *("linear/_online.py", 'if init == "fld":', 'if init == "never":'),
    ),
    "li2006: the conjugate direction has the other sign": (
        *("li2006", "cg cost engine"),
        *("boosting/_steps.py", "momentum = float(1 - (weight", "momentum = float(1 + (weight"),
    ),
    "barnes1999: no label is flipped": (
        *("barnes1999", "overfitting with noise"),
        *("lab/rounds.py", "    if flip:\n", "    if flip > 1:\n"),
    ),
    "pratap2008: the monotone fit forgets how often a level was asked": (
        *("pratap2008", "theorem 1"),
        *("_fast/isotonic.py", "new_total = y[i] * new_weight", "new_total = y[i]"),
    ),
    "may2020: Winnow multiplies by 1.2 where it should double": (
        *("may2020", "winnow needs least"),
        *("_fast/online.py", "factor = 2.0 ** (y[k]", "factor = 1.2 ** (y[k]"),
    ),
}


def verdict(package, document, claim):
    run = subprocess.run(
        [sys.executable, "-c", JUDGE, document, claim],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        cwd=package.parent,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_changes_the_verdict(name, tmp_path):
    document, claim, file, old, new = SABOTAGES[name]
    package = tmp_path / "weaklearn"
    shutil.copytree(Path(weaklearn.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    assert verdict(package, document, claim) == "holds"
    source = package / file
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), encoding="utf-8")
    assert verdict(package, document, claim) != "holds"
