"""A kernel that a worker compiles is reported in the process that waits for it."""

import time
from contextlib import nullcontext
from pathlib import Path

import numba
import pytest

from weaklearn._compilations import watching_compilation, working_time
from weaklearn.engines import open_engine
from weaklearn.linear.zero_one._search import Clock

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


def test_time_limits_do_not_count_compilation():
    @numba.njit
    def inner(x):
        return x + 1

    @numba.njit
    def outer(x):  # compiles the inner one while it is compiled
        return 2 * inner(x)

    clock = Clock(None, 0.05)
    clock.tell(1, 0.0)
    started, worked = time.perf_counter(), working_time()
    assert outer(1.5) == 5.0
    seconds, counted = time.perf_counter() - started, working_time() - worked
    assert clock.chunk(100) > 0
    assert 0 <= counted < 0.5 * seconds
    time.sleep(0.06)
    assert clock.chunk(100) == 0
