"""The queue: waiting jobs run oldest first, ``slots`` at a time, each in a process of its own.

The process ends with its server, also with one that is killed. The next server finds a job that says "running" and runs
it again; a job whose result is whole is done. Of several servers over one folder the first runs the jobs and the others
watch; when it ends, another one takes over. All of them, and all tabs, see the same files.
"""

import errno
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from filelock import FileLock, Timeout

from weaklearn.engines import one_thread_environment
from weaklearn.web._jobs import Job, JobFolder, State
from weaklearn.web._work import FAILURE

_LOOK = 0.2  # seconds between two looks at the processes that run
_LIST = 1.0  # seconds between two looks at the whole folder, where another server may have put something
# The process imports what its server would import.
_COMMAND = "import sys; sys.path[:] = {path!r}; from weaklearn.web._work import main; main()"


class JobQueue:
    """Runs the jobs of a folder while the server lives.

    Parameters
    ----------
    folder : JobFolder
    works : mapping of str to str
        For each kind of job the ``"module:function"`` that does it.
    slots : int, default=1
        Jobs that run at a time.
    """

    def __init__(self, folder: JobFolder, works: Mapping[str, str], slots: int = 1):
        self.folder, self.works, self.slots = folder, dict(works), slots
        self._running: dict[str, tuple[Job, subprocess.Popen[bytes]]] = {}
        self._wake = threading.Event()
        self._ending = False
        self._listed = 0.0
        self._thread: threading.Thread | None = None
        self._lock = FileLock(folder.lock, blocking=False)
        #: Set when the server is about to end: streams of events end then, too.
        self.closing = threading.Event()
        #: What stands in the way of running jobs, for the user; empty if nothing does.
        self.trouble = ""

    def start(self) -> None:
        """Begin to run jobs, those first that an earlier server left unfinished."""
        self._thread = threading.Thread(target=self._run, daemon=True, name="jobs")
        self._thread.start()

    def stop(self) -> None:
        """End all work at once; the next server resumes it."""
        self._ending = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def submit(self, kind: str, title: str, settings: Mapping[str, Any]) -> Job:
        """Put a job at the end of the queue; one that is asked for twice while it is unfinished is done once."""
        if kind not in self.works:
            raise ValueError(f"no kind of job is called {kind!r}; known are {', '.join(self.works)}")
        wanted = (kind, title, dict(settings))
        for job in self.folder.records():
            ending = job.state.finished or job.cancel_mark.exists()
            if not ending and (job.kind, job.title, job.settings) == wanted:
                return job
        job = self.folder.create(kind, title, settings)
        self._wake.set()
        return job

    def cancel(self, job: Job) -> None:
        """Stop a job, or keep it from starting; one that is finished stays as it is."""
        if not job.state.finished:
            job.cancel_mark.touch()
            self._wake.set()

    def again(self, job: Job) -> None:
        """Put a job that failed or was cancelled back into the queue."""
        if job.state in (State.FAILED, State.CANCELLED):
            job.cancel_mark.unlink(missing_ok=True)
            self.folder.set_state(job, State.WAITING)
            self._wake.set()

    def _run(self) -> None:
        while not self._ending:
            try:
                if self.folder.usable() and not self._lock.is_locked:
                    self._lock.acquire()
                    self._recover()
                if self._lock.is_locked:
                    self._round()
                    self.trouble = ""
            except Timeout:  # another server runs the jobs of this folder
                pass
            except OSError as error:  # the folder, not a job: say so, and try again
                full = error.errno in (errno.ENOSPC, errno.EDQUOT)
                reason = "the disk is full" if full else error.strerror or str(error)
                self.trouble = f"Jobs cannot be run: {reason}."
                time.sleep(1)
            if self._wake.wait(_LOOK):
                self._wake.clear()
                self._listed = 0.0
        for _, process in self._running.values():
            _end(process)
        self._lock.release()

    def _recover(self) -> None:
        """What a server left that was killed: results that are whole count, the rest waits for another run."""
        self.folder.sweep()
        for job in self.folder.records():
            if job.state is State.RUNNING:
                done = job.result.is_dir() and not (job.path / "result.part").exists()
                self.folder.set_state(job, State.DONE if done else State.WAITING)

    def _round(self) -> None:
        for key, (job, process) in list(self._running.items()):
            if job.cancel_mark.exists() and process.poll() is None:
                _end(process)
            if process.poll() is not None:
                self._finish(job, process)
                del self._running[key]
                self._listed = 0.0
        if len(self._running) >= self.slots or time.monotonic() < self._listed + _LIST:
            return
        self._listed = time.monotonic()
        for job in reversed(self.folder.records()):
            if job.state is not State.WAITING:
                continue
            if job.cancel_mark.exists():
                self.folder.set_state(job, State.CANCELLED)
            elif job.kind not in self.works:
                message = "This version of weaklearn does not know this kind of work."
                self.folder.set_state(job, State.FAILED, message)
            elif len(self._running) < self.slots:
                self._begin(job)

    def _begin(self, job: Job) -> None:
        job = replace(job, attempt=job.attempt + 1)
        self.folder.set_state(job, State.RUNNING)
        command = [sys.executable, "-c", _COMMAND.format(path=sys.path)]
        with open(job.path / "log.txt", "ab") as log:
            process = subprocess.Popen(
                [*command, str(job.path), self.works[job.kind]],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=one_thread_environment(),
                start_new_session=True,  # Ctrl-C is for the server
            )
        self._running[job.key] = job, process

    def _finish(self, job: Job, process: "subprocess.Popen[bytes]") -> None:
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
        if process.returncode == 0:
            self.folder.set_state(job, State.DONE)
            return
        shutil.rmtree(job.path / "result.part", ignore_errors=True)
        if job.cancel_mark.exists():
            self.folder.set_state(job, State.CANCELLED)
        else:
            self.folder.set_state(job, State.FAILED, _failure(job, process.returncode))


def _failure(job: Job, code: int) -> str:
    with suppress(OSError, ValueError, KeyError):
        return json.loads((job.path / FAILURE).read_text(encoding="utf-8"))["message"]
    if sys.platform != "win32" and code == -signal.SIGKILL:
        return (
            "The system ended this work, perhaps because memory ran out. Try it with fewer rows or columns."
        )
    return f"The process of this work ended with code {code}. Its folder has the file log.txt."


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process; those that it has started notice and end."""
    process.kill()
    process.wait()
