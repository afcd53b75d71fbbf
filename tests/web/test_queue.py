"""Jobs: whatever happens to a job or to its server, the files say what is true."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from weaklearn.web import JobFolder, State, _jobs
from weaklearn.web._application import job_events
from weaklearn.web._queue import JobQueue

WORKS = {
    name: f"work_examples:{name}" for name in ("count", "refuse", "need", "fill", "crash", "die", "hungry")
}


@pytest.fixture
def folder(tmp_path):
    return JobFolder(tmp_path / "jobs")


@pytest.fixture
def queue(folder):
    queue = JobQueue(folder, WORKS)
    queue.start()
    yield queue
    queue.stop()


def wait(folder, key, *states, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        job = folder.find(key)
        if job.state in states or (not states and job.state.finished):
            return job
        time.sleep(0.05)
    raise AssertionError(f"waited in vain: {job}, {(job.path / 'log.txt').read_text()}")


def test_jobs_run_one_after_another(folder, queue):
    keys = [queue.submit("count", f"job {k}", {"n": 3}).key for k in range(3)]
    for key in keys:
        job = wait(folder, key)
        assert job.state is State.DONE
        assert (job.result / "sum.txt").read_text() == "3"
        starting, *steps = job.progress()
        assert starting["text"] == "Starting"
        assert [news["done"] for news in steps] == [1, 2, 3]
    times = [[news["time"] for news in folder.find(key).progress()] for key in keys]
    assert times[0][-1] <= times[1][0]
    assert times[1][-1] <= times[2][0]
    assert [job.key for job in folder.records()] == keys[::-1]


def test_progress_is_there_before_the_work_is_imported(folder, tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "SEEN = (Path(sys.argv[1]) / 'progress.jsonl').read_text()\n"
        "def work(work):\n"
        "    (work.result / 'seen.txt').write_text(SEEN)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    queue = JobQueue(folder, {"slow": "slow_to_import:work"})
    queue.start()
    try:
        job = wait(folder, queue.submit("slow", "a job", {}).key)
    finally:
        queue.stop()
    assert json.loads((job.result / "seen.txt").read_text())["text"] == "Starting"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("refuse", "The table has no rows."),
        ("need", "reading Excel needs openpyxl: pip install 'weaklearn[excel]'"),
        ("fill", "The disk is full. Make room, then start this again."),
        ("crash", "Something went wrong: ZeroDivisionError: division by zero."),
        ("hungry", "There is not enough memory"),
        ("die", "The system ended this work"),
    ],
)
def test_failures_are_said_in_words(folder, queue, kind, said):
    job = wait(folder, queue.submit(kind, "bad", {}).key)
    assert job.state is State.FAILED
    assert job.message.startswith(said)
    assert sorted(path.name for path in job.path.iterdir() if path.name.startswith("result")) in (
        [],
        ["result.part"],
    )
    assert not job.result.exists()
    if kind == "crash":
        assert "ZeroDivisionError" in (job.path / "log.txt").read_text()


def test_cancel_a_running_job_a_waiting_one_and_start_again(folder, queue):
    first = queue.submit("count", "long", {"n": 50, "pause": 0.2})
    second = queue.submit("count", "behind", {"n": 2})
    assert queue.submit("count", "behind", {"n": 2}).key == second.key  # a form sent twice
    while not folder.find(first.key).progress():
        time.sleep(0.05)
    queue.cancel(folder.find(first.key))
    queue.cancel(folder.find(second.key))
    assert wait(folder, first.key).state is State.CANCELLED
    assert wait(folder, second.key).state is State.CANCELLED
    assert not folder.find(first.key).result.exists()
    queue.again(folder.find(second.key))
    assert wait(folder, second.key).state is State.DONE
    queue.cancel(folder.find(second.key))  # finished: nothing changes
    time.sleep(0.5)
    assert folder.find(second.key).state is State.DONE
    folder.remove(folder.find(second.key))
    assert folder.find(second.key) is None


def test_spoilt_files_harm_no_other_job(folder, queue):
    spoilt = {
        "job.json": ["", "[]", '{"kind": "count"}', "\0"],
        "state.json": ["", "{}", '{"state": "lost"}'],
    }
    for name, texts in spoilt.items():
        for text in texts:
            job = folder.create("elsewhere", "spoilt", {})
            (job.path / name).write_text(text)
            assert folder.find(job.key) is None
    assert wait(folder, queue.submit("count", "good", {"n": 1}).key).state is State.DONE
    assert queue.trouble == ""


def test_unknown_kinds_and_keys(folder, queue):
    with pytest.raises(ValueError, match="no kind of job is called 'cook'"):
        queue.submit("cook", "?", {})
    old = folder.create("from a newer version", "?", {})
    assert "does not know this kind" in wait(folder, old.key).message
    for key in ("", "..", "../jobs", "0" * 16, "a/b", ".lock", old.key.upper() + "x"):
        assert folder.find(key) is None


SERVER = """
import sys, time
sys.path[:] = {path!r}
from pathlib import Path
from weaklearn.web import JobFolder
from weaklearn.web._queue import JobQueue
queue = JobQueue(JobFolder(Path({folder!r})), {works!r})
queue.start()
print("ready", flush=True)
time.sleep(600)
"""


def server(folder):
    code = SERVER.format(path=sys.path, folder=str(folder.path), works=WORKS)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_a_killed_server_leaves_jobs_that_the_next_one_resumes(folder):
    job = folder.create("count", "long", {"n": 30, "pause": 0.1})
    for _ in range(2):
        process = server(folder)
        before = len(folder.find(job.key).progress())
        while len(folder.find(job.key).progress()) < before + 3:
            time.sleep(0.02)
        kill(process)
        assert folder.find(job.key).state is State.RUNNING
        time.sleep(0.3)  # its process is gone, too: nothing more is reported
        after = folder.find(job.key).progress()
        time.sleep(0.4)
        assert folder.find(job.key).progress() == after
        with open(job.path / "progress.jsonl", "a") as file:
            file.write('{"torn')
    queue = JobQueue(folder, WORKS)
    queue.start()
    try:
        done = wait(folder, job.key)
        assert done.state is State.DONE
        assert done.attempt == 3
        assert (done.result / "sum.txt").read_text() == str(sum(range(30)))
        steps = [news for news in done.progress() if news.get("fresh")]
        assert len(steps) == 30  # what was done before a kill is not done again
    finally:
        queue.stop()


def test_the_second_server_over_a_folder_watches_until_the_first_ends(folder):
    folder.path.mkdir(parents=True)
    process = server(folder)
    time.sleep(0.5)
    queue = JobQueue(folder, WORKS)
    queue.start()
    try:
        job = queue.submit("count", "long", {"n": 100, "pause": 0.1})
        wait(folder, job.key, State.RUNNING)
        assert queue._running == {}
        kill(process)
        queue.cancel(folder.find(job.key))
        assert wait(folder, job.key).state is State.CANCELLED
    finally:
        queue.stop()


def test_a_result_that_was_whole_when_the_server_died_counts(folder):
    job = folder.create("count", "done, not yet said", {"n": 1})
    folder.set_state(replace(job, attempt=1), State.RUNNING)
    (job.path / "result").mkdir()
    (job.path / "result" / "sum.txt").write_text("0")
    (folder.path / ".new-999999999-0123456789abcdef").mkdir()
    queue = JobQueue(folder, WORKS)
    queue.start()
    try:
        assert wait(folder, job.key).state is State.DONE
        assert folder.find(job.key).attempt == 1
        assert not (folder.path / ".new-999999999-0123456789abcdef").exists()
    finally:
        queue.stop()


def test_a_full_disk_stops_no_queue(folder, queue, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    job = queue.submit("count", "small", {"n": 1})
    wait(folder, job.key)
    late = folder.create("count", "later", {"n": 1})
    with monkeypatch.context() as patch:
        patch.setattr(_jobs, "write_file", full)
        with pytest.raises(OSError, match="No space left"):
            folder.create("count", "no room", {})
        while not queue.trouble:
            time.sleep(0.05)
        assert queue.trouble == "Jobs cannot be run: the disk is full."
    assert wait(folder, late.key).state is State.DONE
    assert not [name for name in os.listdir(folder.path) if name.startswith(".new")]
    while queue.trouble:
        time.sleep(0.05)


def events(folder, key, start=0):
    async def collect():
        async def here():
            return False

        return "".join([text async for text in job_events(folder, key, start, here)])

    blocks = asyncio.run(collect()).strip().split("\n\n")
    return [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]


def test_events_tell_everything_once_and_end_with_the_job(folder, queue):
    job = queue.submit("count", "counted", {"n": 4, "pause": 0.05})
    told = events(folder, job.key)
    progress = [event for event in told if event["event"] == "progress"]
    assert [int(event["id"]) for event in progress] == [1, 2, 3, 4, 5]
    assert [json.loads(event["data"])["text"] for event in progress] == [
        "Starting",
        *(f"step {k}" for k in range(1, 5)),
    ]
    assert json.loads(told[-1]["data"])["state"] == "done"
    again = events(folder, job.key, start=4)  # a browser that comes back has seen four
    assert [event["id"] for event in again if event["event"] == "progress"] == ["5"]
    assert json.loads(events(folder, "0" * 16)[0]["data"])["state"] == "removed"
