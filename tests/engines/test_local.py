"""Bad tasks on this machine: each is named, everything else finishes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from weaklearn.engines import EngineError, memory_bytes, open_engine

HERE = Path(__file__).parent
GB = 2**30


@pytest.fixture(autouse=True)
def poison_on_path(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))  # workers take over our path


def outcomes(payloads, function="poison:act", **options):
    shared = options.pop("shared", None)
    with open_engine(options.pop("name", "local"), options.pop("workers", 2), **options) as engine:
        found = list(engine.run(function, payloads, shared=shared))
    assert sorted(outcome.index for outcome in found) == list(range(len(payloads)))
    return sorted(found, key=lambda outcome: outcome.index)


@pytest.mark.parametrize("name", ["inline", "local"])
def test_values_and_exceptions(name):
    good, bad, exited = outcomes([3, ["raise"], ["system exit"]], name=name)
    assert good.value == 9
    assert good.failure is None
    assert (bad.failure.kind, bad.failure.message) == ("raised", "ValueError: a bad value")
    assert "poison.py" in bad.failure.traceback
    assert (exited.failure.kind, exited.failure.message) == ("exited", "SystemExit: enough")


def test_poison_of_every_kind_is_named_and_the_rest_finishes():
    start = time.monotonic()
    bad = {
        5: (["exit"], "killed", "exit code 3, twice, the second time alone"),
        11: (["segfault"], "killed", "SIGSEGV"),
        17: (["system exit"], "exited", "enough"),
        23: (["memory"], "memory", "MemoryError"),
        29: (["endless"], "timeout", "ran longer than 2 s"),
        31: (["raise"], "raised", "a bad value"),
        37: (["unpicklable"], "raised", "cannot be sent back"),
    }
    payloads = [bad[i][0] if i in bad else i for i in range(60)]
    found = outcomes(payloads, timeout=2.0, memory_limit=GB)
    assert [o.value for o in found if o.index not in bad] == [i * i for i in range(60) if i not in bad]
    for index, (_, kind, words) in bad.items():
        assert found[index].failure.kind == kind
        assert words in found[index].failure.message
    assert time.monotonic() - start < 60


def test_many_short_tasks_in_large_chunks():
    found = outcomes(list(range(1000)))
    assert [outcome.value for outcome in found] == [i * i for i in range(1000)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_worker_killed_from_outside_costs_nothing(tmp_path):
    found = outcomes([1, 2, ["once", str(tmp_path / "mark")], 4, 5], workers=1)
    assert [outcome.value for outcome in found] == [1, 4, "survived", 16, 25]


def test_prints_and_questions_of_tasks_do_no_harm():
    noise, question, after = outcomes([["print"], ["print", "ask"], 2], workers=1)
    assert noise.failure is None
    assert question.failure.message.startswith("EOFError")
    assert after.value == 4


@pytest.mark.parametrize("name", ["inline", "local"])
def test_shared_argument(name):
    found = outcomes([1, 2, 3], "poison:add", name=name, shared={"offset": 10})
    assert [outcome.value for outcome in found] == [11, 12, 13]


def test_tasks_that_are_no_longer_wanted_are_not_run():
    asked = []

    def wanted(indices):
        asked.extend(indices)
        return [index for index in indices if index % 2]

    with open_engine("local", 1) as engine:
        found = [outcome.index for outcome in engine.run("poison:act", list(range(9)), wanted=wanted)]
    assert sorted(found) == [1, 3, 5, 7]
    assert sorted(asked) == list(range(9))


def test_tasks_with_a_warm_key_wait_for_the_first():
    keys = [frozenset({"a"}), frozenset({"a"}), frozenset({"b"})]
    with open_engine("local", 2) as engine:
        ended = [o.index for o in engine.run("poison:whereami", [0.5, 0.0, 0.1], warm_keys=keys)]
    assert ended == [2, 0, 1]


def test_closing_early_ends_the_workers():
    psutil = pytest.importorskip("psutil")
    before = {child.pid for child in psutil.Process().children()}
    with open_engine("local", 2) as engine:
        iterator = engine.run_batches("poison:act", [1, ["endless"], ["endless"]])
        assert next(iterator)[0].value == 1
        start = time.monotonic()
        iterator.close()
    assert time.monotonic() - start < 10  # the calls themselves would never end
    assert {child.pid for child in psutil.Process().children()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_within_a_second():
    # Another test of the same process may have left a handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt), open_engine("local", 2) as engine:
        list(engine.run("poison:act", [["endless"], ["endless"]]))
    timer.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_workers_leave_when_their_parent_is_killed():
    psutil = pytest.importorskip("psutil")
    # No guard for __main__: workers never run the caller's script again.
    script = (
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from weaklearn.engines import open_engine\n"
        "with open_engine('local', 2) as engine:\n"
        "    for outcome in engine.run('poison:act', [1, ['endless'], ['endless']]):\n"
        "        print('one', flush=True)\n"
    )
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"one\n"
    workers = psutil.Process(run.pid).children()
    assert len(workers) == 2
    run.kill()
    run.communicate()
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("nowhere:act", "No module named 'nowhere'"),
        ("poison:nothing", "has no attribute 'nothing'"),
        ("poison", "is not the name of a function"),
    ],
)
@pytest.mark.parametrize("name", ["inline", "local"])
def test_functions_that_cannot_be_imported(name, function, words):
    with open_engine(name, 1) as engine, pytest.raises(EngineError, match=words):
        list(engine.run(function, [1]))


def test_a_module_that_breaks_in_the_worker_is_not_said_to_be_killed(tmp_path, monkeypatch):
    (tmp_path / "breaks.py").write_text("undefined_name\n\n\ndef act(payload):\n    return payload\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with (
        open_engine("local", workers=1) as engine,
        pytest.raises(EngineError, match="ended with exit code 1"),
    ):
        list(engine.run("breaks:act", [1]))


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("cloud", {}, "unknown engine 'cloud'"),
        ("dask://host", {}, "lacks a host or a port"),
        ("local", {"workers": 0}, "at least 1, got 0"),
        ("local", {"timeout": 0}, "positive number of seconds"),
        ("local", {"memory_limit": 0}, "positive number of bytes"),
        ("inline", {"timeout": 1.0}, "cannot end a task"),
    ],
)
def test_bad_calls(name, options, words):
    with pytest.raises(EngineError, match=words):
        open_engine(name, **options)


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("500", 500), ("2k", 2048), ("1.5 GB", 3 * 2**29), ("3MiB", 3 * 2**20), ("1TB", 2**40)],
)
def test_memory_sizes(text, n_bytes):
    assert memory_bytes(text) == n_bytes


@pytest.mark.parametrize("text", ["", "0", "-1GB", "much", "2 XB", "nan"])
def test_invalid_memory_sizes(text):
    with pytest.raises(EngineError, match="is not a valid memory size"):
        memory_bytes(text)


def test_a_closed_engine_runs_nothing():
    with open_engine("inline") as engine:
        pass
    with pytest.raises(EngineError, match="is closed"):
        engine.run("poison:act", [1])
