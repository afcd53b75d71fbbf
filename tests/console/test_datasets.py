"""``weaklearn datasets --download``: against a mirror in memory that has the right content, or not."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from weaklearn import cli
from weaklearn.datasets import available, load
from weaklearn.datasets._mirrors import SourceUnavailable, Table
from weaklearn.datasets._registry import REGISTRY


class InMemory:
    """Serves the bundled copy of a set, changed by `shift`."""

    place = "mirror in memory"

    def __init__(self, shift=0.0):
        self.shift = shift

    def read(self, row, progress):
        if row.name not in ("iris", "wine"):
            raise SourceUnavailable("has no such set")
        for received in (50, 100):
            progress(received, 100)
        dataset = load(row.name, source="scikit-learn")
        return Table(dataset.X + self.shift, [str(label) for label in dataset.y], None)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "cache"))
    for row in REGISTRY.values():
        monkeypatch.setitem(vars(row), "mirrors", (InMemory(),))
        monkeypatch.setitem(vars(row), "openml", None)
    return tmp_path / "cache"


def call(*arguments):
    return CliRunner().invoke(cli.app, ["datasets", *arguments])


def test_a_set_is_kept_and_its_licence_said(cache):
    result = call("--download", "iris", "--download", "iris", "--download", "wine")
    assert result.exit_code == 0, result.output
    assert result.stdout.count(str(cache / "iris.csv.gz")) == 1
    assert f"Licence: {REGISTRY['wine'].licence}" in result.stdout
    assert result.stderr == ""  # no bar where nobody watches
    np.testing.assert_array_equal(load("iris", source="downloaded").X, load("iris", source="scikit-learn").X)


def test_one_failure_does_not_stop_the_others_but_is_the_exit_code(cache):
    result = call("--download", "sonar", "--download", "iris", "--json")
    assert result.exit_code == 1
    failed, kept = json.loads(result.stdout)
    assert failed["path"] is None
    assert "mirror in memory: has no such set" in failed["error"]
    assert failed["error"] in result.stderr
    assert kept["path"] == str(cache / "iris.csv.gz")


def test_wrong_content_is_refused(cache, monkeypatch):
    monkeypatch.setitem(vars(REGISTRY["iris"]), "mirrors", (InMemory(shift=0.1),))
    result = call("--download", "iris")
    assert result.exit_code == 1
    assert "refused" in result.stderr
    assert not (cache / "iris.csv.gz").exists()


def test_all_stands_for_the_sets_that_are_not_found(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    missing = [record.name for record in available() if record.source is None]
    assert missing
    result = call("--download", "all", "--json")
    assert [record["name"] for record in json.loads(result.stdout)] == missing
    assert "iris" not in missing


def test_an_unknown_name_is_a_wrong_call(cache):
    result = call("--download", "iriss")
    assert result.exit_code == 2
    assert "unknown data set 'iriss' (did you mean iris?)" in result.stderr
    assert not cache.exists()
