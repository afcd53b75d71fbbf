"""scikit-learn's own tests of AdaBoost, run from the installed file with its classifier exchanged for ours."""

import importlib.util
import inspect
import types
from pathlib import Path

import pytest

from weaklearn.boosting import AdaBoostClassifier

NAME = "sklearn.ensemble.tests.test_weight_boosting"

# The test that we do not pass, and why.
REFUSED = {
    "test_adaboostclassifier_without_sample_weight": "a learner without sample_weight is trained on resamples",
}

# A hundred rounds of a hundred trees: ours do not stop at a perfect hypothesis.
SLOW = {"test_estimator"}
# One test for each of ten sparse containers: two of them show that the classifier takes sparse input.
OFTEN = {"test_sparse_classification": {"[0]", "[1]"}}


def exchanged():
    """The module with our class in place of scikit-learn's: a fresh copy, executed from the installed source."""
    spec = importlib.util.find_spec(NAME)
    if spec is None:
        return None
    module = types.ModuleType(NAME)
    original = "from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor"
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(original) == 1
    ours = "from sklearn.ensemble import AdaBoostRegressor; from weaklearn.boosting import AdaBoostClassifier"
    exec(compile(source.replace(original, ours), spec.origin, "exec"), vars(module))
    return module


MODULE = exchanged()


def cases():
    """Every test that uses the classifier, with its parameters."""
    if MODULE is None:
        return
    for name, test in vars(MODULE).items():
        if not name.startswith("test_"):
            continue
        rows = [({}, "")]
        for mark in getattr(test, "pytestmark", []):
            names = [part.strip() for part in mark.args[0].split(",")]
            values = [row if len(names) > 1 else (row,) for row in mark.args[1]]
            rows = [(dict(zip(names, row, strict=True)), f"[{k}]") for k, row in enumerate(values)]
        is_ours = "AdaBoostClassifier" in test.__code__.co_names or any(
            isinstance(value, AdaBoostClassifier) for arguments, _ in rows for value in arguments.values()
        )
        for arguments, suffix in rows:
            if "global_random_seed" in inspect.signature(test).parameters:
                arguments = {**arguments, "global_random_seed": 42}
            if is_ours:
                reason = REFUSED.get(name)
                marks = [] if reason is None else [pytest.mark.xfail(reason=reason, strict=True)]
                if name in SLOW or suffix not in OFTEN.get(name, {suffix}):
                    marks.append(pytest.mark.slow)
                yield pytest.param(test, arguments, id=name + suffix, marks=marks)


CASES = list(cases())


@pytest.mark.skipif(MODULE is None, reason="scikit-learn is installed without its tests")
@pytest.mark.parametrize(("test", "arguments"), CASES)
def test_of_scikit_learn(test, arguments):
    test(**arguments)


@pytest.mark.skipif(MODULE is None, reason="scikit-learn is installed without its tests")
def test_one_is_refused():
    names = [case.id.partition("[")[0] for case in CASES]
    refused = [name for name in names if name in REFUSED]
    assert refused == list(REFUSED)
    assert len(names) >= 27
