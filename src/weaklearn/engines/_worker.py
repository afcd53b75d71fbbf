"""The worker process: takes tasks from standard input, writes outcomes to what was standard output.

Every outcome is sent before the next task starts, so the process that feeds the worker always knows
which task was running when the worker died. Messages are pickles with their length in front; both ends belong to
us, and nothing that a stranger wrote is ever unpickled.
"""

import os
import pickle
import queue
import signal
import struct
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import IO, Any

from threadpoolctl import threadpool_limits

from weaklearn._compilations import watching_compilation
from weaklearn.engines._task import EngineError, Failure, Outcome, attempt, import_function, packed, pickled

_LENGTH = struct.Struct("!Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message; raises `OSError` if the other end is gone."""
    data = pickled(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; raises `EOFError` if the other end is gone."""
    return pickle.loads(_exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]))


def _exactly(stream: IO[bytes], n_bytes: int) -> bytes:
    data = stream.read(n_bytes)
    if data is None or len(data) < n_bytes:
        raise EOFError
    return data


def main() -> None:
    """Serve until the other end closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a task prints must not get between our messages.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(inbox, messages), daemon=True).start()
    setup = messages.get()
    try:
        function, shared = import_function(setup.function), setup.arguments()
        if setup.memory_limit is not None:
            _limit_memory(setup.memory_limit)
    except (EngineError, pickle.UnpicklingError, ImportError, AttributeError) as error:
        send(outbox, str(error))
        return
    send(outbox, None)  # ready
    lock = threading.Lock()  # tasks may compile in threads of their own
    told = watching_compilation(partial(_answer, outbox, lock)) if setup.tells_compilations else nullcontext()
    with told:
        while True:
            chunk = messages.get()
            with threadpool_limits(limits=1):
                for index, payload in chunk:
                    _answer(outbox, lock, packed(_run(index, function, payload, shared)))


def _read(inbox: IO[bytes], messages: "queue.SimpleQueue[Any]") -> None:
    # A thread of its own notices at once that the parent is gone, whatever the task is doing.
    try:
        while True:
            messages.put(receive(inbox))
    except (EOFError, OSError):
        os._exit(0)


def _run(index: int, function: Callable[..., Any], payload: bytes, shared: tuple[Any, ...]) -> Outcome:
    def call() -> Any:
        return function(pickle.loads(payload), *shared)

    try:
        return attempt(index, call)
    except KeyboardInterrupt:  # SIGINT is ignored, so the task raised it itself
        return Outcome(index, None, Failure("raised", "KeyboardInterrupt"))


def _answer(outbox: IO[bytes], lock: threading.Lock, message: Outcome | str) -> None:
    try:
        with lock:
            send(outbox, message)
    except BrokenPipeError:
        os._exit(0)


def _limit_memory(n_bytes: int) -> None:
    try:
        import resource  # not on Windows
    except ImportError:
        raise EngineError("this system has no memory limits for processes: leave out memory_limit") from None
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    # The interpreter and its libraries map a gigabyte that they never touch: the tasks' share comes on top.
    limit = _mapped_bytes() + n_bytes
    resource.setrlimit(
        resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
    )


def _mapped_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
