"""The recipes of docs/adding.md, taken at their word: the code on the page is run as it stands, its lines counted."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator_cloneable

from weaklearn.boosting import AdaBoostClassifier, AnyBoostClassifier, DLPBoostClassifier
from weaklearn.complexity import complexity_contribution
from weaklearn.datasets import make_yinyang
from weaklearn.linear import RCDPerceptron
from weaklearn.testing import check_complexity_measure, check_weak_learner

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/adding.md").read_text(encoding="utf-8")


def blocks(heading):
    """The Python blocks of a section, and the section's text."""
    (text,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL), text


def followed(heading):
    """Run the blocks of a section in order on X and y; what they define, and the lines of the first."""
    X, y = make_yinyang(120, flip=0.05, random_state=0)
    names = {"X": X, "y": y, "__name__": "recipe"}
    code, text = blocks(heading)
    for block in code:
        exec(compile(block, f"docs/adding.md: {heading}", "exec"), names)
    count = sum(bool(line.strip()) for line in code[0].splitlines())
    assert f"{count} lines" in text, f"the recipe has {count} lines; the text says otherwise"
    return names


def test_a_direction():
    names = followed("A direction for coordinate descent")
    model = names["model"]
    assert model.error_curve_[-1] < model.error_curve_[0]
    again = RCDPerceptron(directions=names["SparseDirections"](), max_iter=200, random_state=0)
    np.testing.assert_array_equal(again.fit(names["X"], names["y"]).coef_, model.coef_)


def test_a_weak_learner_with_fast_scores():
    names = followed("A weak learner")
    learner, model, X = names["MeanDifference"], names["model"], names["X"]
    check_weak_learner(learner())
    check_estimator_cloneable("MeanDifference", learner())
    assert model.n_iter_ > 1

    class Slow(learner):
        """Redefines predict, so that ensembles use it again."""

        def predict(self, X):
            self.__class__.calls += 1
            return super().predict(X)

        calls = 0

    slow = AdaBoostClassifier(Slow(), n_estimators=50).fit(X, names["y"])
    before = Slow.calls
    np.testing.assert_allclose(model.decision_function(X), slow.decision_function(X), rtol=1e-12)
    assert Slow.calls - before == slow.n_iter_

    class Counted(learner):
        def ensemble_scores(hypotheses, weights, X):
            Counted.calls += 1
            return learner.ensemble_scores(hypotheses, weights, X)

        calls = 0
        ensemble_scores = staticmethod(ensemble_scores)

    fast = AdaBoostClassifier(Counted(), n_estimators=50).fit(X, names["y"])
    np.testing.assert_array_equal(fast.decision_function(X), model.decision_function(X))
    assert Counted.calls == 1


def test_equal_keys_are_merged():
    X, y = make_yinyang(120, flip=0.05, random_state=0)
    learner = followed("A weak learner")["MeanDifference"]

    class Alike(learner):
        def vote_key(self):
            return self.coef_.round(9).tobytes(), round(self.intercept_, 9)

    plain = DLPBoostClassifier(learner(), n_estimators=30).fit(X, y)
    merged = DLPBoostClassifier(Alike(), n_estimators=30).fit(X, y)
    np.testing.assert_allclose(merged.decision_function(X), plain.decision_function(X), atol=1e-6)


def test_a_step_rule():
    names = followed("A step rule")
    model = names["model"]
    np.testing.assert_allclose(model.estimator_weights_, 1 / np.arange(1, model.n_iter_ + 1))
    for n in (1, 7):
        short = AnyBoostClassifier(cost="logistic", step=names["ShrinkingSteps"], n_estimators=n)
        np.testing.assert_array_equal(
            short.fit(names["X"], names["y"]).estimator_weights_, model.truncated(n).estimator_weights_
        )


def test_an_estimator(tmp_path):
    (file, export), _ = blocks("An estimator")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for copied in (
        "benchmarks/every_estimator.py",
        "tests/test_docstrings.py",
        "tests/persistence/test_files.py",
    ):
        (tmp_path / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / copied, tmp_path / copied)
    path, code = file.removeprefix("# ").split("\n", 1)
    (tmp_path / path).write_text(code, encoding="utf-8")
    package = tmp_path / export.removeprefix("# ").partition("\n")[0]
    (line,), (name,) = re.findall(r"^from .*$", export, flags=re.MULTILINE), re.findall(r'"(\w+)",', export)
    text = package.read_text(encoding="utf-8")
    package.write_text(text.replace("__all__ = [", f'{line}\n\n__all__ = [\n    "{name}",'), encoding="utf-8")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--doctest-modules",
            "-k",
            "Capped",
            "tests",
            path,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
    )
    # Parameters, attributes, help, methods; a round trip through a file; the example.
    assert "6 passed" in run.stdout, run.stdout


def test_an_incremental_measure():
    names = followed("A complexity measure")
    measure, X, y = names["LabelChanges"], names["X"], names["y"]

    def from_scratch(X, y):
        labels = y[np.argsort(X[:, 0])]
        return float(np.sum(labels[1:] != labels[:-1]))

    check_complexity_measure(measure())
    check_complexity_measure(from_scratch)
    called = complexity_contribution(X[:40], y[:40], measure=from_scratch, n_permutations=8, random_state=0)
    updated = complexity_contribution(X[:40], y[:40], measure=measure(), n_permutations=8, random_state=0)
    np.testing.assert_array_equal(updated.contribution, called.contribution)
    assert set(names["pruner"].category_) <= {"typical", "critical", "noisy"}
    with pytest.raises(ValueError, match='Use "average"'):
        names["ComplexityPruner"](measure=measure()).fit(X, y)
