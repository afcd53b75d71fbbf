import hashlib
import subprocess
import sys
import types

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import zero_one_loss

from weaklearn.lab import Algorithm, DataSource, LabError, Protocol, Split, Trial, discover
from weaklearn.lab._build import build, home_of, resolve
from weaklearn.lab._protocols import Stated, _read, protocol, stated
from weaklearn.lab._sources import load_source, missing_data, split_source
from weaklearn.lab._trial import run_protocol


class Walker(ClassifierMixin, BaseEstimator):
    """A linear model whose path is known: epoch t classifies by x0 > t."""

    def __init__(self, max_iter=3, keep_path=False):
        self.max_iter = max_iter
        self.keep_path = keep_path

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        assert self.keep_path
        path = np.zeros((self.max_iter + 1, X.shape[1] + 1))
        path[:, 0] = 1
        path[:, -1] = -np.arange(self.max_iter + 1)
        self.path_ = path
        return self


class Unlucky(Walker):
    def __init__(self, random_state=None):
        self.random_state = random_state

    def predict(self, X):
        return np.zeros(len(X))


@protocol("not_a_number", version=1)
def not_a_number(trial):
    return {"error": float("nan")}


def make_steps(n_samples, random_state):
    X = np.arange(n_samples, dtype=float).reshape(-1, 1) % 5
    return X, np.where(X[:, 0] > 1, "yes", "no")


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    module = types.ModuleType("lab_test_parts")
    module.Walker, module.Unlucky, module.make_steps = Walker, Unlucky, make_steps
    module.not_a_number = not_a_number
    monkeypatch.setitem(sys.modules, "lab_test_parts", module)


def steps(**split):
    return DataSource(
        "lab_test_parts:make_steps", Split(**split), kind="artificial", params={"n_samples": 40}
    )


BLOBS = DataSource(
    "sklearn.datasets:make_classification",
    Split(train_size=60, features="minmax"),
    kind="artificial",
    params={"n_samples": 100},
)


def trial(protocol, data, algorithm, index=0):
    return Trial.series(protocol, data, algorithm, index + 1)[index]


def test_holdout_is_what_scikit_learn_would_count():
    algorithm = Algorithm("l", "sklearn.linear_model:LogisticRegression", {"C": 0.5})
    some = trial(Protocol("holdout", {"metrics": {"epochs": "n_iter_", "width": "coef_"}}), BLOBS, algorithm)
    X_train, X_test, y_train, y_test = some.split()
    model = LogisticRegression(C=0.5).fit(X_train, y_train)
    result = run_protocol(some)
    assert result["train_error"] == pytest.approx(100 * zero_one_loss(y_train, model.predict(X_train)))
    assert result["test_error"] == pytest.approx(100 * zero_one_loss(y_test, model.predict(X_test)))
    assert (len(X_train), len(X_test)) == (60, 40)
    assert result["width"] == 1.0
    assert "n_rounds" not in result


def test_ensembles_record_their_rounds():
    algorithm = Algorithm("b", "sklearn.ensemble:BaggingClassifier", {"n_estimators": 3})
    assert run_protocol(trial(Protocol("holdout"), BLOBS, algorithm))["n_rounds"] == 3.0


def test_curves_by_hand():
    some = trial(
        Protocol("curve", {"epochs": [0, 1, 3, 100]}),
        steps(test_share=0.5),
        Algorithm("w", "lab_test_parts:Walker"),
    )
    X_train, X_test, y_train, y_test = some.split()
    result = run_protocol(some)
    for name, X, y in (("train_error", X_train, y_train), ("test_error", X_test, y_test)):
        # x0 > t, so that a score of exactly 0 is the first class; the path ends at epoch 3.
        expected = [100 * np.mean((X[:, 0] > t) != (y == "yes")) for t in (0, 1, 3, 3)]
        assert result[name] == pytest.approx(expected)
        assert result[name][1] == 0


def test_minmax_uses_the_training_part_alone():
    some = trial(Protocol("holdout"), BLOBS, Algorithm("a", "m:a"))
    X_train, X_test, *_ = some.split()
    np.testing.assert_allclose([X_train.min(axis=0), X_train.max(axis=0)], [[-1] * 20, [1] * 20], atol=1e-12)
    assert np.abs(X_test).max() > 1


def test_one_draw_is_split_anew():
    description = BLOBS.describe()
    X, _ = load_source(description)
    again, _ = load_source(DataSource(BLOBS.name, Split(train_size=5), "artificial", BLOBS.params).describe())
    np.testing.assert_array_equal(X, again)
    assert not X.flags.writeable
    first, second = (split_source(description, seed)[0] for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_a_split_needs_examples_on_both_sides():
    with pytest.raises(ValueError, match="leaves none to test"):
        split_source(steps(train_size=40).describe(), 0)


def test_every_random_state_is_seeded_even_nested():
    inner = Algorithm("t", "sklearn.tree:DecisionTreeClassifier")
    outer = Algorithm("b", "sklearn.ensemble:BaggingClassifier", {"estimator": inner})
    params = build(outer.describe(), 5).get_params()
    assert isinstance(params["random_state"], int)
    assert isinstance(params["estimator__random_state"], int)
    assert params["random_state"] != params["estimator__random_state"]
    fixed = Algorithm("t", "sklearn.tree:DecisionTreeClassifier", {"random_state": 3})
    assert build(fixed.describe(), 5).random_state == 3


def test_what_cannot_be_imported_is_named():
    with pytest.raises(LabError, match=r"'sklearn.svm:Nothing' cannot be imported"):
        build(Algorithm("a", "sklearn.svm:Nothing").describe(), 0)


def test_results_that_are_not_finite_are_failures():
    with pytest.raises(ValueError, match="'error' is not finite"):
        run_protocol(trial(Protocol("lab_test_parts:not_a_number"), BLOBS, Algorithm("a", "m:a")))


def test_another_version_of_a_protocol_is_refused():
    some = trial(Protocol("holdout"), BLOBS, Algorithm("a", "m:a"))
    with pytest.raises(ValueError, match="use the same weaklearn everywhere"):
        run_protocol(Trial(some.description.replace('"version":1}}', '"version":9}}')))


def test_data_that_is_not_here_is_named(monkeypatch):
    from weaklearn import datasets

    def nowhere(name, **options):
        raise datasets.DatasetNotFoundError(f"no {name}")

    monkeypatch.setattr("weaklearn.lab._sources.load", nowhere)
    monkeypatch.setattr("weaklearn.lab._sources.available", list)
    split = Split(test_share=0.2)
    assert missing_data([BLOBS, DataSource("sonar", split)]) == {"sonar": "no sonar"}

    def spoiled(name, **options):
        raise datasets.DatasetCorruptedError("sonar has another content.")

    monkeypatch.setattr("weaklearn.lab._sources.load", spoiled)
    with pytest.raises(LabError, match=r"another content\. Replace or delete that file"):
        missing_data([DataSource("sonar", split)])


PLANNING = """
import sys
from weaklearn.lab import discover
from weaklearn.lab._plan import make_plan
experiments = list(discover().values())
paths = {part.protocol.path for experiment in experiments for part in experiment.parts if part.protocol}
from weaklearn.lab._protocols import stated
print(sorted((path, tuple(stated(path))) for path in paths))
assert len(make_plan([e for e in experiments if "quick" in e.profiles], "quick").trials) > 1000
print(sorted({"numba", "sklearn", "pandas", "matplotlib"} & set(sys.modules)))
"""


def test_studies_are_planned_without_importing_what_they_run():
    ran = subprocess.run([sys.executable, "-c", PLANNING], capture_output=True, text=True, check=True)
    read, imported = ran.stdout.splitlines()
    paths = {
        part.protocol.path for experiment in discover().values() for part in experiment.parts if part.protocol
    }
    # What was read in the sources is what the functions state.
    assert read == repr(sorted((path, tuple(resolve(path).stated)) for path in paths))
    assert imported == "[]"


@pytest.mark.parametrize(
    ("decorator", "version"),
    [
        ('@protocol("NAME", version=3)', 3),
        ('@lab.protocol("NAME", version=3)', 3),
        ('@protocol("NAME", version=SEVEN)', None),
        ('@protocol(id="NAME", version=7)', None),
        ('@other\n@protocol("NAME", version=4)', 4),
    ],
)
def test_a_statement_is_read_in_the_source_or_by_an_import(decorator, version, tmp_path, monkeypatch):
    # A module of its own for each: what has been imported is remembered.
    name = f"user_protocols_{hashlib.sha256(decorator.encode()).hexdigest()[:8]}"
    head = "from weaklearn import lab\nfrom weaklearn.lab import protocol\nSEVEN = 7\nother = lambda f: f\n"
    (tmp_path / f"{name}.py").write_text(
        f"{head}{decorator.replace('NAME', f'id of {name}')}\ndef mine(trial):\n    return {{}}\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert _read(f"{name}:mine") == (version and Stated(f"id of {name}", version))
    assert stated(f"{name}:mine") == Stated(f"id of {name}", version or 7)
    assert home_of(f"id of {name}") == f"{name}:mine"
    sys.modules.pop(name, None)


def test_two_parts_cannot_share_an_id():
    Algorithm("a", "m:first", id="the one id")
    with pytest.raises(LabError, match="'the one id': m:first and m:second"):
        DataSource("m:second", kind="artificial", id="the one id")


def test_code_that_has_moved_keeps_its_keys():
    def key(**params):
        return trial(Protocol("holdout"), BLOBS, Algorithm("a", **params)).key

    assert key(builder="m:now", id="m:then") == key(builder="m:then")
    assert key(builder="m:now", id="m:then") != key(builder="m:now")
