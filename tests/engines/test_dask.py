"""A Dask cluster of processes: bad tasks, lost workers, a stopped worker, a lost scheduler."""

import os
import runpy
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from weaklearn import engines
from weaklearn.engines import EngineError, _dask, open_engine
from weaklearn.lab import Store, make_plan, run_plan

pytest.importorskip("distributed")
from dask_cluster import Cluster

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

HERE = Path(__file__).parent
GB = 2**30


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), 2, [HERE])
    yield cluster
    cluster.close()


@pytest.fixture
def own_cluster(tmp_path):
    cluster = Cluster(tmp_path, 2, [HERE])
    yield cluster
    cluster.close()


def run(cluster, payloads, function="poison:act", shared=None, **options):
    with open_engine(cluster.engine, **options) as engine:
        found = list(engine.run(function, payloads, shared=shared))
    assert sorted(outcome.index for outcome in found) == list(range(len(payloads)))
    return sorted(found, key=lambda outcome: outcome.index)


def test_poison_of_every_kind_is_named_and_the_rest_finishes(cluster):
    start = time.monotonic()
    bad = {
        5: (["exit"], "killed", "exit code 3, twice, the second time alone"),
        11: (["segfault"], "killed", "SIGSEGV"),
        17: (["system exit"], "exited", "enough"),
        23: (["memory"], "memory", "MemoryError"),
        29: (["endless"], "timeout", "ran longer than 2 s"),
        31: (["raise"], "raised", "a bad value"),
    }
    payloads = [bad[i][0] if i in bad else i for i in range(60)]
    found = run(cluster, payloads, timeout=2.0, memory_limit=GB)
    assert [o.value for o in found if o.index not in bad] == [i * i for i in range(60) if i not in bad]
    for index, (_, kind, words) in bad.items():
        assert found[index].failure.kind == kind
        assert words in found[index].failure.message
    assert time.monotonic() - start < 60


def test_shared_data_is_scattered(cluster):
    found = run(cluster, [1, 2, 3], "poison:add", shared={"offset": 10})
    assert [outcome.value for outcome in found] == [11, 12, 13]


def test_a_function_that_workers_lack(cluster):
    with pytest.raises(EngineError, match="No module named 'nowhere'"):
        run(cluster, [1], "nowhere:act")


def test_data_that_no_worker_has_is_said(cluster):
    (outcome,) = run(cluster, [["no data"]])
    assert (outcome.failure.kind, outcome.failure.message[-5:]) == ("no data", "sonar")


def test_killed_workers_and_new_ones(own_cluster):
    """A worker dies in the middle and another joins: nothing is lost."""
    payloads = [["sleep", 0.2]] * 30

    def disturb():
        time.sleep(1.5)
        own_cluster.workers[0].kill()
        own_cluster.start_worker()

    thread = threading.Thread(target=disturb)
    thread.start()
    found = run(own_cluster, payloads)
    thread.join()
    assert all(outcome.failure is None for outcome in found)


def test_a_stopped_worker_loses_its_work_to_the_others(own_cluster, monkeypatch):
    monkeypatch.setattr(_dask, "STALLED_SECONDS", 3.0)
    stopped = own_cluster.workers[0]
    thread = threading.Timer(1.0, stopped.send_signal, (signal.SIGSTOP,))
    thread.start()
    start = time.monotonic()
    found = run(own_cluster, [["sleep", 0.3]] * 16)
    assert all(outcome.failure is None for outcome in found)
    assert time.monotonic() - start < 40
    stopped.send_signal(signal.SIGCONT)


def test_a_lost_scheduler_is_one_sentence(own_cluster, monkeypatch, capfd):
    monkeypatch.setattr(_dask, "LOST_SCHEDULER_SECONDS", 2.0)
    thread = threading.Timer(1.0, own_cluster.scheduler.kill)
    thread.start()
    with pytest.raises(EngineError, match=r"scheduler at .* is lost.* rerun the same command to resume"):
        run(own_cluster, [["sleep", 0.3]] * 50)
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_that_is_lost_while_work_is_sent(own_cluster, monkeypatch):
    """The scheduler goes before shared data are scattered to the first task: no task is lost in silence."""
    monkeypatch.setattr(_dask, "LOST_SCHEDULER_SECONDS", 2.0)
    setup = _dask._DaskRun._setup

    def after_the_kill(run):
        own_cluster.scheduler.kill()
        own_cluster.scheduler.wait()
        return setup(run)

    monkeypatch.setattr(_dask._DaskRun, "_setup", after_the_kill)
    with pytest.raises(EngineError, match=r"scheduler at .* is lost.* rerun the same command to resume"):
        run(own_cluster, [1, 2, 3], "poison:add", shared={"offset": 10})


def test_a_worker_with_another_weaklearn_is_refused_by_name(own_cluster, tmp_path):
    fake = tmp_path / "other" / "weaklearn"
    fake.mkdir(parents=True)
    source = Path(engines.__file__).parent
    (fake / "__init__.py").write_text('__version__ = "9.9"\n')
    for part in ("engines", "_compilations.py", "_files.py"):
        os.symlink(source.parent / part, fake / part)
    own_cluster.replace_last_worker([str(fake.parent), str(HERE)])
    with open_engine(own_cluster.engine) as engine:
        found = list(engine.run("poison:act", [["sleep", 0.1]] * 10))
        assert all(outcome.failure is None for outcome in found)
        assert [reason.split(",")[0] for reason in engine.refused.values()] == ["it has weaklearn 9.9"]
    own_cluster.workers.pop().kill()
    with pytest.raises(EngineError, match=r"every Dask worker at .* was refused .*weaklearn 9.9"):
        run(own_cluster, [1, 2])


def test_no_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(_dask, "NO_WORKERS_SECONDS", 1.0)
    cluster = Cluster(tmp_path, 0, [HERE])
    try:
        with pytest.raises(EngineError, match="has had no workers for 1 s: start some with `dask worker"):
            run(cluster, [1])
    finally:
        cluster.close()


def test_no_scheduler(monkeypatch):
    monkeypatch.setattr(_dask, "CONNECT_SECONDS", 0.2)
    with pytest.raises(EngineError, match=r"no Dask scheduler answers at 127\.0\.0\.1:9"):
        open_engine("dask://127.0.0.1:9")


def toy_plan(n_trials):
    toy = runpy.run_path(str(HERE.parent / "lab" / "toy_experiment.py"))["EXPERIMENT"]
    return make_plan([toy.narrowed([], None, n_trials)], "quick")


def inline_results(plan, folder):
    with Store(folder / "inline.sqlite") as store:
        assert run_plan(plan, store, engine="inline").complete
        return store.results([trial.key for trial in plan.trials])


def test_a_worker_with_other_code_of_the_same_version_is_refused(own_cluster, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(
        Path(engines.__file__).parents[1], other / "weaklearn", ignore=shutil.ignore_patterns("__pycache__")
    )
    build = other / "weaklearn" / "lab" / "_build.py"
    build.write_text(build.read_text() + "\n_EDITED = True\n")
    own_cluster.replace_last_worker([str(other), *sys.path])
    plan = toy_plan(4)
    with Store(tmp_path / "store.sqlite") as store:
        summary = run_plan(plan, store, engine=own_cluster.engine)
        found = store.results([trial.key for trial in plan.trials])
    assert summary.complete
    assert [reason.split(":")[-2] for reason in summary.refused.values()] == [
        " its weaklearn code differs from ours"
    ]
    assert found == inline_results(plan, tmp_path)
