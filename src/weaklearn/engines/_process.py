"""One worker process: restarts, deadlines, quarantine.

A task that ends its process is tried again alone in a new one; if it ends that too, it is given up by
name and the tasks behind it are run. Every engine but `inline` runs its tasks through this class, on
this machine or on the workers of a cluster, so they all treat a bad task alike.
"""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from weaklearn import _compilations
from weaklearn.engines._task import EngineError, Failure, Outcome, Setup, one_thread_environment
from weaklearn.engines._worker import receive, send

# The worker imports what its parent would import.
_COMMAND = "import sys; sys.path[:] = {path!r}; from weaklearn.engines._worker import main; main()"
# A process whose pipe is closed is ending by itself: killed at once, it would seem to have been killed by others.
_ENDING_SECONDS = 2.0


class WorkerProcess:
    """A process that runs chunks of tasks one after the other."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._timed_out = False
        self._death = ""

    def run(self, chunk: Sequence[tuple[int, bytes]]) -> Iterator[Outcome]:
        """The outcomes of all tasks (index and pickled payload), in order, whatever the tasks do.

        Values are pickled still (see `unpacked`): they may have further to travel.
        Ends early, without complaint, only if `close` is called meanwhile.
        """
        left = list(chunk)
        suspect: int | None = None
        while left and not self._closed:
            alone = left[0][0] == suspect
            for outcome in self._try(left[:1] if alone else left[:]):
                del left[0]
                yield outcome
            if not left or self._closed or self._process is not None:
                continue  # done, told to stop, or the suspect finished alone
            index = left[0][0]
            if self._timed_out:
                del left[0]
                message = f"ran longer than {self.setup.timeout:g} s and was ended"
                yield Outcome(index, None, Failure("timeout", message), self.setup.timeout or 0.0)
            elif index == suspect:
                del left[0]
                yield Outcome(index, None, Failure("killed", f"{self._death}, twice, the second time alone"))
            else:
                suspect = index

    def _try(self, tasks: Sequence[tuple[int, bytes]]) -> Iterator[Outcome]:
        """The outcomes until the tasks are done or the process has died; then there is no process."""
        process = self._started()
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with self._deadline(process):
                send(process.stdin, tasks)
            for index, _ in tasks:
                with self._deadline(process):
                    # A string is the name of a kernel that the worker has to compile first.
                    while isinstance(outcome := receive(process.stdout), str):
                        _compilations.tell(outcome)
                assert outcome.index == index, "a worker answered out of turn"
                yield outcome
        except (EOFError, OSError):
            self._reap()

    @contextmanager
    def _deadline(self, process: "subprocess.Popen[bytes]") -> Iterator[None]:
        if self.setup.timeout is None:
            yield
            return

        waiting = True

        def expire() -> None:
            with self._lock:
                if waiting:  # else the answer came at the last moment
                    self._timed_out = True
                    process.kill()

        timer = threading.Timer(self.setup.timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            with self._lock:
                waiting = False
            timer.cancel()

    def _started(self) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if self._closed:
                return None
            self._timed_out = False
            if self._process is not None:
                return self._process
            command = [sys.executable, "-c", _COMMAND.format(path=sys.path)]
            with _interrupts_held():
                process = self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=one_thread_environment()
                )
        assert process.stdin is not None
        assert process.stdout is not None
        trouble: Any
        try:
            send(process.stdin, self.setup)
            trouble = receive(process.stdout)
        except (EOFError, OSError):
            self._reap()
            if self._closed:
                return None
            raise EngineError(f"a worker process could not start: {self._death}") from None
        if trouble is not None:
            self.close()
            raise EngineError(f"a worker process cannot run the tasks: {trouble}")
        return process

    def _reap(self) -> None:
        process = self._process
        assert process is not None
        try:
            code = process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._release(process)
        self._process = None
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = "unknown"
            self._death = f"its process was ended by signal {-code} ({name})"
            if name == "SIGKILL":
                self._death += ", perhaps because the system ran out of memory"
        else:
            self._death = f"its process ended with exit code {code}"

    @staticmethod
    def _release(process: "subprocess.Popen[bytes]") -> None:
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(OSError):  # what was not flushed has no reader any more
                stream.close()

    def close(self) -> None:
        """End the process at once, from any thread; a running `run` ends early."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """When no `run` is under way: end the process and wait for it to be gone."""
        self.close()
        if self._process is not None:
            self._process.wait()
            self._release(self._process)
            self._process = None


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes in here: they inherit the mask, and no Ctrl-C kills them while they import.

    A Ctrl-C for us is delivered when the mask is lifted.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
