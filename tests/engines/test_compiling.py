"""A kernel that a worker compiles is reported in the process that waits for it."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from weaklearn._compilations import watching_compilation
from weaklearn.engines import open_engine

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["inline", "local"])
def test_compilations_of_workers_are_reported(name, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))  # workers take over our path
    names = []
    with watching_compilation(names.append), open_engine(name, 1) as engine:
        outcomes = list(engine.run("compiles:doubled", [1, 2, 2.5]))
    assert [outcome.value for outcome in outcomes] == [2, 4, 5.0]
    assert names == ["twice", "twice"]  # for an integer and for a float


@pytest.mark.parametrize("watched", [False, True])
def test_workers_without_kernels_do_not_import_numba(watched, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    watching = watching_compilation(print) if watched else nullcontext()
    with watching, open_engine("local", 1) as engine:
        (outcome,) = engine.run("compiles:has_numba", [None])
    assert outcome.value is False
