import ast
import io
import json
import pickle
import sys
import zipfile
from pathlib import Path

import joblib
import numpy as np
import pytest
import skops.io
from benchmarks.every_estimator import fitted_kinds, public, quick
from sklearn.tree import DecisionTreeClassifier

import weaklearn
from weaklearn.adaptive import BestPEST, DoseEscalation, EqualAllocation, MinEnt, PosteriorMinEnt, Staircase
from weaklearn.boosting import AdaBoostClassifier
from weaklearn.costs import COSTS
from weaklearn.persistence import load, model_card, save
from weaklearn.persistence._trusted import _MODULE, is_trusted
from weaklearn.stumps import DecisionStump

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, "yes", "no")
FIXTURE = Path(__file__).with_name("adaboost_format_1.skops")


def fitted(room, kind):
    if room == "monotone":
        return quick(kind).fit(X[:, 0], Y == "yes"), X[:, 0]
    if room == "kernel" and kind.__name__ == "IncrementalSVC":
        return quick(kind).fit(X, np.where(X[:, 0] > 0, "yes", "no")), X
    if kind.__name__ == "AnnotatorConsensus":
        return quick(kind).fit(np.column_stack([Y, Y[::-1]])), X
    return quick(kind).fit(X, Y), X


def answers(estimator, data):
    """Everything that a fitted estimator says about data."""
    for name in ("decision_function", "predict_proba", "predict", "transform"):
        if hasattr(estimator, name):
            return np.asarray(getattr(estimator, name)(data))
    if hasattr(estimator, "sample"):
        return np.asarray(estimator.sample(5, random_state=0))
    return np.concatenate(
        [np.ravel(v).astype(str) for k, v in sorted(vars(estimator).items()) if k.endswith("_")]
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("room", "name", "kind"), fitted_kinds(), ids=lambda part: part if isinstance(part, str) else ""
)
def test_every_estimator_says_the_same_after_a_round_trip(tmp_path, room, name, kind):
    estimator, data = fitted(room, kind)
    expected = answers(estimator, data)
    card = save(estimator, tmp_path / "model.skops")
    assert card["foreign_types"] == []
    np.testing.assert_array_equal(answers(load(tmp_path / "model.skops"), data), expected)
    np.testing.assert_array_equal(answers(pickle.loads(pickle.dumps(estimator)), data), expected)
    joblib.dump(estimator, tmp_path / "model.joblib")
    np.testing.assert_array_equal(answers(joblib.load(tmp_path / "model.joblib"), data), expected)


@pytest.mark.parametrize(
    "kind", [BestPEST, DoseEscalation, EqualAllocation, MinEnt, PosteriorMinEnt, Staircase]
)
def test_a_sampler_asks_on_where_it_was_saved(tmp_path, kind):
    sampler = kind(np.linspace(0, 1, 11))
    for outcome in (1, 0, 1):
        sampler.tell(sampler.ask(), outcome)
    save(sampler, tmp_path / "sampler.skops")
    again = load(tmp_path / "sampler.skops")
    assert pickle.loads(pickle.dumps(sampler)).ask() == sampler.ask()
    for outcome in (0, 1, 1):
        assert again.ask() == sampler.ask()
        again.tell(again.ask(), outcome)
        sampler.tell(sampler.ask(), outcome)
    assert again.estimate() == sampler.estimate()


@pytest.mark.parametrize("cost", COSTS)
def test_an_ensemble_with_any_cost_is_trusted(tmp_path, cost):
    from weaklearn.boosting import AnyBoostClassifier

    save(
        AnyBoostClassifier(cost=COSTS[cost]()),
        tmp_path / "m",
    )
    assert isinstance(load(tmp_path / "m"), AnyBoostClassifier)


def test_no_module_of_trusted_types_can_touch_files():
    """Whatever attributes a file gives to an object, there is no code that would write or run anything with them."""
    root = Path(weaklearn.__file__).parent
    for path in root.rglob("*.py"):
        module = "weaklearn." + ".".join(path.relative_to(root).with_suffix("").parts)
        if (
            not _MODULE.fullmatch(module) or module == "weaklearn.complexity._contribution"
        ):  # it counts the cores
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in getattr(node, "names", ())] if isinstance(node, ast.Import) else []
            )
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"os", "shutil", "subprocess", "socket", "pathlib", "tempfile", "pickle"} & set(
                names
            ), path


@pytest.mark.parametrize(
    "name",
    [
        "weaklearn.adaptive.sessions._session.Session",
        "weaklearn.kernel._functions.np",
        "weaklearn.boosting._loop.check_array",
        "weaklearn.boosting.nothing.Here",
        "weaklearn.__main__.main",
        "weaklearn.web._serve.ServeError",
        "os.system",
    ],
)
def test_names_that_are_not_trusted(name):
    assert not is_trusted(name)


def test_every_public_estimator_is_trusted():
    for room in ("adaptive", "complexity"):
        for kind in public(room).values():
            name = f"{kind.__module__}.{kind.__qualname__}"
            assert is_trusted(name) or name.startswith("weaklearn.adaptive.sessions.")


def test_the_card_is_readable_without_the_model(tmp_path):
    model = AdaBoostClassifier(n_estimators=3).fit(X, Y)
    save(model, tmp_path / "m.skops", description="three rounds")
    card = model_card(tmp_path / "m.skops")
    assert (card["n_features"], card["classes"], card["description"]) == (3, ["no", "yes"], "three rounds")
    assert card["parameters"]["n_estimators"] == 3
    assert set(card["versions"]) >= {"weaklearn", "numpy", "scikit-learn"}


def test_a_file_of_this_version_still_loads():
    data = np.linspace(-2, 2, 12).reshape(4, 3)
    model = load(FIXTURE)
    assert model_card(FIXTURE)["format"] == 1
    assert model.predict(data).tolist() == json.loads(model_card(FIXTURE)["description"])


class Hostile:
    def __reduce__(self):
        return sys.exit, (3,)


class Foreign(DecisionTreeClassifier):
    pass


def test_a_pickle_is_refused_without_being_read(tmp_path):
    (tmp_path / "m.skops").write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(ValueError, match="not a model file"):
        load(tmp_path / "m.skops")


def schema_with(path, change):
    """The file with its schema changed, as an attacker would."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["schema.json"] = json.dumps(change(json.loads(parts["schema.json"]))).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_a_file_that_names_another_type_is_refused(tmp_path):
    path = tmp_path / "m.skops"
    save(DecisionStump().fit(X, Y), path)
    schema_with(path, lambda schema: {**schema, "__module__": "subprocess", "__class__": "Popen"})
    with pytest.raises(ValueError, match=r"not trusted: subprocess\.Popen"):
        load(path)


def test_a_function_that_writes_is_refused(tmp_path):
    from weaklearn._files import write_file
    from weaklearn.kernel import KernelSVC

    path = tmp_path / "m.skops"
    card = save(KernelSVC(kernel=write_file), path)
    assert card["foreign_types"] == ["weaklearn._files.write_file"]
    with pytest.raises(ValueError, match="not trusted"):
        load(path)


def test_own_types_load_when_named(tmp_path):
    path, name = tmp_path / "m.skops", f"{Foreign.__module__}.Foreign"
    card = save(Foreign(), path)
    assert card["foreign_types"] == [name]
    with pytest.raises(ValueError, match="not trusted"):
        load(path)
    assert isinstance(load(path, trusted=[name]), Foreign)
    with pytest.raises(TypeError, match="list of names"):
        load(path, trusted=name)


def test_a_tree_that_points_outside_itself_is_refused(tmp_path):
    model = DecisionTreeClassifier(max_depth=2).fit(X, Y)
    state = model.tree_.__getstate__()
    state["nodes"]["left_child"][0] = 10**6
    model.tree_.__setstate__(state)
    save(model, tmp_path / "m.skops")
    with pytest.raises(ValueError, match="nodes that do not exist"):
        load(tmp_path / "m.skops")


def test_a_newer_format_and_a_large_file_are_refused(tmp_path):
    path = tmp_path / "m.skops"
    save(DecisionStump().fit(X, Y), path)
    with pytest.raises(ValueError, match="max_gigabytes"):
        load(path, max_gigabytes=1e-9)
    content = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(content) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    card = json.loads(parts["weaklearn.json"])
    parts["weaklearn.json"] = json.dumps({**card, "format": 99}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(ValueError, match=r"format 99.*Upgrade weaklearn"):
        load(path)


def test_damage_anywhere_is_an_error_or_harmless(tmp_path):
    path, model = tmp_path / "m.skops", DecisionStump().fit(X, Y)
    save(model, path)
    whole = path.read_bytes()
    refused = 0
    for place in np.random.default_rng(0).integers(len(whole), size=40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            again = load(path)
        except ValueError:
            refused += 1
        else:
            np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert refused > 20
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="damaged"):
        load(path)


def test_what_cannot_be_saved_is_named(tmp_path):
    from weaklearn.kernel import KernelSVC

    with pytest.raises(TypeError, match="KernelSVC cannot be saved"):
        save(KernelSVC(kernel=lambda a, b: a @ b.T), tmp_path / "m.skops")
    with pytest.raises(TypeError, match=r"call DecisionStump\(\)"):
        save(DecisionStump, tmp_path / "m.skops")
    assert not (tmp_path / "m.skops").exists()


def test_without_skops_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "skops.io", None)
    monkeypatch.setitem(sys.modules, "skops", None)
    with pytest.raises(ImportError, match=r"weaklearn\[persistence\]"):
        save(DecisionStump(), tmp_path / "m.skops")


def test_skops_itself_reads_our_files(tmp_path):
    path = tmp_path / "m.skops"
    save(DecisionStump().fit(X, Y), path)
    assert isinstance(skops.io.load(path, trusted=["weaklearn.stumps.DecisionStump"]), DecisionStump)


def test_an_encoder_that_was_told_its_columns_reads_texts_as_before(tmp_path):
    """Kinds of columns come back as what they are, not as texts that look like them."""
    import numpy as np

    from weaklearn.tables import Kind, TableEncoder, labelled

    data = labelled(
        {"x": ["1,5", "2,5", "3,25", "?"] * 5, "c": ["a", "b", "b", "a"] * 5, "y": ["u", "v"] * 10}, "y"
    )
    texts = np.array([data.cells[column.name].texts() for column in data.used], dtype=object).T
    encoder = TableEncoder(columns=data.used).fit(texts, data.y)
    save(encoder, tmp_path / "encoder.skops")
    again = load(tmp_path / "encoder.skops")
    assert again.columns_[0].kind is Kind.NUMBER
    assert again.columns_ == encoder.columns_
    np.testing.assert_array_equal(again.transform(texts), encoder.transform(texts))


@pytest.mark.parametrize("name", ["Gaussian-kernel SVM", "boosted trees", "stacked ensemble"])
def test_what_compare_recommends_is_loaded_without_a_list_of_types(tmp_path, name):
    from weaklearn.comparison._models import default_models

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = {title: model for title, _, model in default_models(2)}[name].fit(X, X[:, 0] > 0)
    assert save(model, tmp_path / "m.skops")["foreign_types"] == []
    np.testing.assert_array_equal(load(tmp_path / "m.skops").predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("field", "value"), [("left", 10**6), ("left", 0), ("feature_idx", 3), ("feature_idx", -1)]
)
def test_boosted_trees_that_would_read_foreign_memory_are_refused(tmp_path, field, value):
    from sklearn.ensemble import HistGradientBoostingClassifier

    X = np.random.default_rng(0).normal(size=(60, 3))
    model = HistGradientBoostingClassifier(max_iter=2).fit(X, X[:, 0] > 0)
    model._predictors[0][0].nodes[field][0] = value
    save(model, tmp_path / "m.skops")
    with pytest.raises(ValueError, match="nodes that do not exist"):
        load(tmp_path / "m.skops")


def test_boosted_trees_with_categories_are_refused(tmp_path):
    from sklearn.ensemble import HistGradientBoostingClassifier

    X = np.random.default_rng(0).integers(0, 4, size=(80, 2))
    model = HistGradientBoostingClassifier(max_iter=2, categorical_features=[0]).fit(X, X[:, 0] > 1)
    save(model, tmp_path / "m.skops")
    with pytest.raises(ValueError, match="not trusted"):
        load(tmp_path / "m.skops")
