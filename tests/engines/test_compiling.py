"""A kernel that a worker compiles is reported in the process that waits for it."""

from pathlib import Path

import pytest

from weaklearn.engines import open_engine, watching_compilation

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["inline", "local"])
def test_compilations_of_workers_are_reported(name, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))  # workers take over our path
    names = []
    with watching_compilation(names.append), open_engine(name, 1) as engine:
        outcomes = list(engine.run("compiles:doubled", [1, 2, 2.5]))
    assert [outcome.value for outcome in outcomes] == [2, 4, 5.0]
    assert names == ["twice", "twice"]  # for an integer and for a float


def test_without_a_watcher_workers_do_not_import_numba(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    with open_engine("local", 1) as engine:
        (outcome,) = engine.run("compiles:has_numba", [None])
    assert outcome.value is False
