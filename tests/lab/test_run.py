"""A run gives the same numbers however it is run, stopped, killed and resumed."""

import dataclasses
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from weaklearn.lab import Algorithm, Profile, Store, make_plan, reproduce, run_plan

SHOW = "SELECT key, description, result FROM trials ORDER BY key"


def contents(path):
    """What the store holds, exactly as it is on disk, but for times."""
    connection = sqlite3.connect(path)
    rows = connection.execute(SHOW).fetchall()
    connection.close()
    return rows


def count(path):
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=10)
    try:
        return connection.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:  # the table is not made yet
        return 0
    finally:
        connection.close()


@pytest.fixture(scope="module")
def inline(toy, tmp_path_factory):
    """The full toy run in this process: what every other way must give."""
    folder = tmp_path_factory.mktemp("inline")
    result = reproduce([toy], profile="full", store=folder / "store.sqlite", out=folder, engine="inline")
    assert result.done
    return folder


def test_inline_run_and_nothing_left_to_do(toy, tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        plan = make_plan([toy], "quick")
        first = run_plan(plan, store, engine="inline")
        assert (first.planned, first.found, first.finished, first.complete) == (18, 0, 18, True)
        second = run_plan(plan, store, engine="inline")
        assert (second.found, second.finished, second.complete) == (18, 0, True)


def test_resumed_equals_uninterrupted(toy, tmp_path, inline):
    class Impatient:
        def __init__(self):
            self.seen = 0

        def start(self, total, done):
            pass

        def advance(self, outcomes):
            self.seen += len(outcomes)
            if self.seen > 50:
                raise KeyboardInterrupt

        def stop(self):
            pass

    path = tmp_path / "store.sqlite"
    stopped = reproduce(
        [toy], profile="full", store=path, out=tmp_path, engine="inline", observer=Impatient()
    )
    assert stopped.summary.interrupted
    assert not stopped.done
    assert 50 < count(path) < 240
    # What is there so far is already a table.
    assert all(cell.n >= 2 for cell in stopped.all_cells if cell.column != "svm")
    resumed = reproduce([toy], profile="full", store=path, out=tmp_path, engine="inline")
    assert resumed.done
    assert resumed.summary.found + resumed.summary.finished == 240
    assert contents(path) == contents(inline / "store.sqlite")
    assert (tmp_path / "cells.csv").read_bytes() == (inline / "cells.csv").read_bytes()


def test_the_number_of_workers_does_not_matter(toy, tmp_path, inline):
    path = tmp_path / "store.sqlite"
    result = reproduce([toy], profile="full", store=path, out=tmp_path, workers=2)
    assert result.done
    assert contents(path) == contents(inline / "store.sqlite")
    assert (tmp_path / "cells.csv").read_bytes() == (inline / "cells.csv").read_bytes()


def test_adding_an_algorithm_changes_no_other_numbers(toy, toy_parts, tmp_path, inline):
    extra = Algorithm("deep", "sklearn.tree:DecisionTreeClassifier", {"max_depth": 9})
    tables = tuple(dataclasses.replace(table, columns=(extra, *table.columns)) for table in toy.tables)
    larger = dataclasses.replace(toy, tables=tables)
    reproduce([larger], profile="quick", store=tmp_path / "store.sqlite", out=tmp_path, engine="inline")
    before = {(key, text): result for key, text, result in contents(inline / "store.sqlite")}
    after = {(key, text): result for key, text, result in contents(tmp_path / "store.sqlite")}
    shared = before.keys() & after.keys()
    assert len(shared) == 18
    assert len(after) == 24
    assert all(before[place] == after[place] for place in shared)


def test_failures_are_reported_and_never_stored(toy, tmp_path):
    broken = Algorithm("broken", "sklearn.linear_model:LogisticRegression", {"C": -1.0})
    tables = tuple(dataclasses.replace(table, columns=(*table.columns, broken)) for table in toy.tables)
    spoiled = dataclasses.replace(toy, tables=tables)
    path = tmp_path / "store.sqlite"
    result = reproduce([spoiled], store=path, out=tmp_path, engine="inline")
    assert len(result.summary.failures) == 6
    assert count(path) == 18
    assert not result.done
    cells = [cell for cell in result.all_cells if cell.column == "broken"]
    assert all("3 of 3 trials failed" in cell.reason and "'C'" in cell.reason for cell in cells)
    text = (tmp_path / "failures.txt").read_text()
    assert text.count("Traceback") >= 6
    assert '"C":-1.0' in text
    # They are named again, and the list of an earlier run does not stay.
    assert len(reproduce([spoiled], store=path, out=tmp_path, engine="inline").summary.failures) == 6
    reproduce([toy], store=path, out=tmp_path, engine="inline")
    assert not (tmp_path / "failures.txt").exists()


def with_deadly(toy, tmp_path, monkeypatch):
    """The toy experiment with a column whose every trial ends its process, and a file that cures it."""
    cure = tmp_path / "cure"
    (tmp_path / "deadly.py").write_text(
        "import os\nfrom sklearn.tree import DecisionTreeClassifier\n"
        f"def die():\n    if os.path.exists({str(cure)!r}):\n        return DecisionTreeClassifier()\n"
        "    os._exit(3)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)  # workers take over our path
    columns = (*toy.tables[0].columns, Algorithm("deadly", "deadly:die"))
    table = dataclasses.replace(toy.tables[0], columns=columns)
    return dataclasses.replace(toy, tables=(table,), profiles={"quick": Profile(2)}), cure


def test_trials_that_kill_their_worker_are_named_and_the_rest_finishes(toy, tmp_path, monkeypatch):
    spoiled, cure = with_deadly(toy, tmp_path, monkeypatch)
    path = tmp_path / "store.sqlite"

    def run(**options):
        return reproduce([spoiled], store=path, out=tmp_path, workers=2, **options)

    result = run()
    assert not result.done
    assert result.summary.finished == count(path) == 12
    assert {failure.failure.kind for failure in result.summary.failures} == {"killed"}
    assert all('"deadly:die"' in failure.description for failure in result.summary.failures)
    cells = [cell for cell in result.all_cells if cell.column == "deadly"]
    assert all("2 of 2 trials failed: its process ended with exit code 3" in cell.reason for cell in cells)
    assert (tmp_path / "report.html").exists()
    # The next run names them again but does not run them, unless it is asked to.
    cure.touch()
    again = run()
    assert (len(again.summary.failures), again.summary.failed_before, again.summary.finished) == (4, 4, 0)
    assert run(retry_failed=True).done


def test_a_trial_that_takes_too_long_is_named(toy, tmp_path, monkeypatch):
    (tmp_path / "endless.py").write_text("def loop():\n    while True:\n        pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    table = dataclasses.replace(toy.tables[0], columns=(Algorithm("endless", "endless:loop"),))
    spoiled = dataclasses.replace(toy, tables=(table,), profiles={"quick": Profile(1)})
    store = tmp_path / "store.sqlite"
    result = reproduce([spoiled], store=store, out=tmp_path, trial_timeout=2.0)
    assert [failure.failure.kind for failure in result.summary.failures] == ["timeout"] * 2
    # With another limit they are tried again without being asked for.
    other = reproduce([spoiled], store=store, out=tmp_path, trial_timeout=2.5)
    assert (other.summary.failed_before, len(other.summary.failures)) == (0, 2)


def kill_repeatedly(command, store, n_kills, total):
    """Kill -9 a run at random moments on its way; returns how many runs were killed in time."""
    draw = random.Random(n_kills)
    n_killed = 0
    for _ in range(n_kills):
        # The first steps may be 0: killed while starting, before anything is finished.
        target = count(store) + draw.randrange(2 * total // (3 * n_kills))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and count(store) < target:
            time.sleep(0.002)
        time.sleep(draw.random() * 0.02)
        if process.poll() is None:
            process.kill()
            n_killed += 1
        process.wait()
    return n_killed


def check_kills(reproduce_command, folder, unkilled, profile, n_kills, total):
    store = folder / "store.sqlite"
    command = reproduce_command(store, folder, "--profile", profile)
    n_killed = kill_repeatedly(command, store, n_kills, total)
    assert n_killed > n_kills / 2
    subprocess.run(command, check=True, capture_output=True)
    assert contents(store) == contents(unkilled / "store.sqlite")
    assert (folder / "cells.csv").read_bytes() == (unkilled / "cells.csv").read_bytes()


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@posix_only
def test_killed_runs_lose_nothing(reproduce_command, tmp_path, inline):
    check_kills(reproduce_command, tmp_path, inline, "full", n_kills=2, total=240)


@posix_only
def test_workers_do_not_outlive_a_killed_run(reproduce_command, tmp_path):
    psutil = pytest.importorskip("psutil")
    store = tmp_path / "store.sqlite"
    command = reproduce_command(store, tmp_path, "--profile", "full", "--workers", "1")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while count(store) == 0:
        time.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


@posix_only
def test_two_runs_share_a_store(reproduce_command, tmp_path, inline):
    store = tmp_path / "store.sqlite"
    options = ("--profile", "full", "--workers", "1")
    runs = [
        subprocess.Popen(reproduce_command(store, tmp_path / name, *options), stderr=subprocess.DEVNULL)
        for name in "ab"
    ]
    assert [run.wait() for run in runs] == [0, 0]
    assert contents(store) == contents(inline / "store.sqlite")
    tables = {(tmp_path / name / "cells.csv").read_bytes() for name in "ab"}
    assert tables == {(inline / "cells.csv").read_bytes()}


@posix_only
@pytest.mark.parametrize("when", ["while importing", "while running"])
def test_ctrl_c_stops_cleanly_and_says_so(reproduce_command, tmp_path, when):
    store = tmp_path / "store.sqlite"
    command = reproduce_command(store, tmp_path, "--profile", "full")
    # A terminal sends the signal to the whole group, workers included. A background job of a shell ignores it,
    # and so would its children: the command starts with the signal as a terminal leaves it.
    run = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not store.exists() or (when == "while running" and count(store) == 0):
        time.sleep(0.005)
    time.sleep(0.3 if when == "while importing" else 0)
    os.killpg(run.pid, signal.SIGINT)
    _, stderr = run.communicate(timeout=30)
    text = stderr.decode()
    # Where the signal hits code that Python makes from texts, as for data classes, Python itself ends by the signal,
    # even if the exception was caught (CPython 3.11). Shells show 130 for both.
    assert run.returncode in (130, -signal.SIGINT), text
    assert "Traceback" not in text
    assert "rerun the same command to resume" in text


def test_dask_gives_the_same(toy, tmp_path, inline):
    distributed = pytest.importorskip("distributed")
    path = tmp_path / "store.sqlite"
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port: other tests have clusters, too
    ) as cluster:
        engine = cluster.scheduler_address.replace("tcp://", "dask://")
        result = reproduce([toy], profile="full", store=path, out=tmp_path, engine=engine)
    assert result.done
    assert contents(path) == contents(inline / "store.sqlite")
    assert (tmp_path / "cells.csv").read_bytes() == (inline / "cells.csv").read_bytes()


@posix_only
def test_the_example_of_a_cluster(toy_file, tmp_path, inline):
    """`examples/local_cluster.sh`: a scheduler and two workers, each a process of its own."""
    pytest.importorskip("distributed")
    script = Path(__file__).parents[2] / "examples" / "local_cluster.sh"
    options = ["--profile", "full", "--store", str(tmp_path / "store.sqlite"), "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        ["sh", str(script), "2", str(toy_file), *options], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "store.sqlite") == contents(inline / "store.sqlite")
    assert (tmp_path / "cells.csv").read_bytes() == (inline / "cells.csv").read_bytes()
