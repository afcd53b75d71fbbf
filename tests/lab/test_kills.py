"""Runs that are killed, on this machine and on Dask, end with the same table, byte for byte; poison is named.

Each of these takes minutes. They print what they did: ``make test-slow`` shows it.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals"),
]

HERE = Path(__file__).parent
N_TRIALS = {"long": 900, "quick": 12}
MARK = "WEAKLEARN_TEST_POISON"


def command(folder, *options, experiment="disturbed"):
    call = [sys.executable, "-m", "weaklearn", "lab", "run", str(HERE / f"{experiment}_experiment.py")]
    return [*call, "--store", str(folder / "store.sqlite"), "--out", str(folder), *options]


def start(folder, *options, environment=None, **which):
    environment = {**os.environ, **(environment or {})}
    return subprocess.Popen(
        command(folder, *options, **which),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    )


def finish(run):
    _, said = run.communicate(timeout=600)
    assert "Traceback" not in said, said
    return run.returncode, said


def count(folder):
    """Finished trials so far."""
    store = folder / "store.sqlite"
    if not store.exists():
        return 0
    connection = sqlite3.connect(store, timeout=10)
    try:
        return connection.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:  # the table is not made yet
        return 0
    finally:
        connection.close()


def table(folder):
    return (folder / "cells.csv").read_bytes()


def undisturbed(folder, *options, **which):
    folder.mkdir()
    assert finish(start(folder, *options, **which))[0] == 0
    return table(folder)


# Starting Python costs more than what is tested: children of a process that has imported everything are killed instead.
# Their trials run in the same process, so a kill hits the writer at any moment of its work.
DRIVER = """
import os, random, signal, sqlite3, sys, time
import sklearn.ensemble, sklearn.linear_model, sklearn.tree
import weaklearn.lab._html
from weaklearn.cli import app

store, arguments, n_kills = sys.argv[1], sys.argv[2:-1], int(sys.argv[-1])

def count():
    if not os.path.exists(store):
        return 0
    connection = sqlite3.connect(store, timeout=10)
    try:
        return connection.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()

def child():
    pid = os.fork()
    if pid == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        try:
            app(arguments)
        finally:
            os._exit(9)  # it came to its end: no kill
    return pid

draw, idle = random.Random(0), 0
for _ in range(n_kills):
    before = count()
    target = before + draw.choice([0, 0, 1, 5, 20])
    pid = child()
    while count() < target:
        assert os.waitpid(pid, os.WNOHANG) == (0, 0), "it ended before it was killed"
        time.sleep(0.002)
    time.sleep(draw.random() * (0.5 if target == before else 0.02))
    os.kill(pid, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1]), "it ended before it was killed"
    idle += count() == before
print(idle, count())
"""


def test_two_hundred_kills_of_a_local_run(tmp_path):
    """Kill -9 at random moments, many of them before anything was stored."""
    options = ("--profile", "long", "--engine", "inline")
    expected = undisturbed(tmp_path / "whole", *options, experiment="toy")
    arguments = command(tmp_path, *options, experiment="toy")[3:]
    driver = [sys.executable, "-c", DRIVER, str(tmp_path / "store.sqlite"), *arguments, "180"]
    done = subprocess.run(driver, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    n_idle, stored = map(int, done.stdout.split())
    # And with worker processes, from the start of Python on.
    for turn in range(20):
        run = start(tmp_path, "--profile", "long", "--workers", "2", experiment="toy")
        target = count(tmp_path) + (turn % 4 > 1)
        while run.poll() is None and count(tmp_path) < target:
            time.sleep(0.01)
        time.sleep(0.1 * turn if turn % 4 < 2 else 0.01)
        assert run.poll() is None, run.communicate()[1]
        run.kill()
        run.communicate()
    assert stored < 9000
    code, said = finish(start(tmp_path, "--profile", "long", experiment="toy"))
    assert code == 0, said
    assert table(tmp_path) == expected
    print(
        f"\n200 kills of a local run ({n_idle} of the first 180 before it had stored anything new); {stored} of 9000 "
        "trials stored by then, nothing lost, cells.csv byte-identical; exit code of the last run 0"
    )


@pytest.fixture
def cluster(tmp_path):
    pytest.importorskip("distributed")
    from dask_cluster import Cluster

    clusters = []

    def make(n_workers=2, **environment):
        folder = tmp_path / f"cluster{len(clusters)}"
        folder.mkdir()
        os.environ.update(environment)
        try:
            clusters.append(Cluster(folder, n_workers, [HERE]))
        finally:
            for name in environment:
                del os.environ[name]
        return clusters[-1]

    yield make
    for one in clusters:
        one.close()


def disturb(run, workers, folder, draw, n_turns, stop_every=None):
    """Kill a worker at a time, or stop it for 25 seconds, and start another; the numbers of both, and trials stored."""
    n_stopped = 0
    while count(folder) == 0:
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.05)
    for turn in range(1, n_turns + 1):
        time.sleep(0.3 + draw.random())
        assert run.poll() is None, run.communicate()[1]
        victim = workers.workers.pop(0)
        if stop_every and turn % stop_every == 0:
            victim.send_signal(signal.SIGSTOP)
            threading.Timer(25, victim.send_signal, (signal.SIGCONT,)).start()
            n_stopped += 1
        else:
            victim.kill()
        workers.workers.append(workers.start_worker())
    return n_turns - n_stopped, n_stopped, count(folder)


def test_twenty_killed_and_five_stopped_workers(tmp_path, cluster):
    expected = undisturbed(tmp_path / "whole", "--profile", "long", "--workers", "4")
    workers = cluster()
    run = start(tmp_path, "--profile", "long", "--engine", workers.engine)
    n_killed, n_stopped, stored = disturb(run, workers, tmp_path, random.Random(0), 25, stop_every=5)
    code, said = finish(run)
    assert code == 0, said
    assert table(tmp_path) == expected
    print(
        f"\n{n_killed} Dask workers killed and {n_stopped} stopped while {stored} of {N_TRIALS['long']} trials were "
        "stored; cells.csv byte-identical; exit code 0"
    )


def test_twenty_runs_with_three_hundred_killed_workers(tmp_path, cluster):
    expected = undisturbed(tmp_path / "whole", "--profile", "middle", "--workers", "4")
    workers, draw, n_killed, codes = cluster(), random.Random(1), 0, []
    for turn in range(20):
        folder = tmp_path / f"run{turn}"
        folder.mkdir()
        run = start(folder, "--profile", "middle", "--engine", workers.engine)
        n_killed += disturb(run, workers, folder, draw, 15)[0]
        code, said = finish(run)
        assert code == 0, said
        assert not (folder / "failures.txt").exists()
        assert table(folder) == expected
        codes.append(code)
    print(
        f"\n{n_killed} Dask workers killed in {len(codes)} runs: exit codes {set(codes)}, cells.csv byte-identical"
    )


def test_five_killed_schedulers(tmp_path, cluster):
    expected = undisturbed(tmp_path / "whole", "--profile", "long", "--workers", "4")
    codes = []
    for _ in range(5):
        workers = cluster()
        before = count(tmp_path)
        run = start(tmp_path, "--profile", "long", "--engine", workers.engine)
        while count(tmp_path) < before + 20:
            assert run.poll() is None, run.communicate()[1]
            time.sleep(0.05)
        workers.scheduler.kill()
        killed = time.monotonic()
        code, said = finish(run)
        assert code == 1
        assert "rerun the same command to resume" in said
        assert time.monotonic() - killed < 60
        codes.append(code)
        workers.close()
    stored = count(tmp_path)
    code, said = finish(start(tmp_path, "--profile", "long", "--engine", cluster().engine))
    assert code == 0, said
    assert table(tmp_path) == expected
    print(
        f"\n5 Dask schedulers killed: exit codes {codes}, each with a sentence; {stored} of {N_TRIALS['long']} trials "
        "stored by then; cells.csv byte-identical after the last run, exit code 0"
    )


KINDS = {
    "exit": "ended with exit code 3",
    "segfault": "SIGSEGV",
    "system exit": "SystemExit: enough",
    "memory": "MemoryError",
    "endless": "ran longer than 12 s",
}


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_poison_of_each_kind(tmp_path, cluster, engine):
    """Poison is named within a minute while everything else finishes; without it, the table is as if it never was."""
    mark = tmp_path / "poison"
    environment = {MARK: str(mark)}
    limits = ("--trial-timeout", "12", "--memory-limit", "1GB")
    where = ("--workers", "2") if engine == "local" else ("--engine", cluster(**environment).engine)
    expected = undisturbed(tmp_path / "whole", "--workers", "2")
    mark.touch()
    begun = time.monotonic()
    code, said = finish(start(tmp_path, *limits, *where, environment=environment))
    seconds = time.monotonic() - begun
    assert code == 1
    assert "10 trials failed" in said
    named = (tmp_path / "failures.txt").read_text()
    assert all(words in named for words in KINDS.values()), named
    assert all(named.count(f'"poison":"{kind}"') == 2 for kind in KINDS)
    assert seconds < 60
    assert count(tmp_path) == 6  # the harmless trials, each once
    mark.unlink()
    again, said = finish(start(tmp_path, *limits, *where, "--retry-failed", environment=environment))
    assert again == 0, said
    assert table(tmp_path) == expected
    print(
        f"\n{engine}: poison of {len(KINDS)} kinds named after {seconds:.0f} s, exit code {code}; everything else "
        "stored; without the poison exit code 0 and cells.csv byte-identical"
    )
