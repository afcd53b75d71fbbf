"""How large a table may be in the application, and the process that keeps to it."""

import pickle
import sys
import threading
from typing import Any

from weaklearn.engines import EngineError
from weaklearn.engines._process import WorkerProcess
from weaklearn.engines._task import Setup, unpacked
from weaklearn.web.jobs import JobError

__all__ = ["MOST_COLUMNS", "UNPACKED_LIMIT", "UPLOAD_LIMIT", "limited", "warm_up"]

UPLOAD_LIMIT = 200 * 1024**2  # bytes of a file
UNPACKED_LIMIT = 1024**3  # bytes of what is packed in it
MOST_COLUMNS = 1000
_SECONDS = 60.0
_MEMORY = 4 * 1024**3


class _Reader:
    """A process that reads one table after another and is replaced by a new one if that kills it."""

    def __init__(self) -> None:
        memory = _MEMORY if sys.platform.startswith("linux") else None  # where processes can be limited
        setup = Setup("weaklearn.web.uploads._reading:call", timeout=_SECONDS, memory_limit=memory)
        self._turn = threading.Lock()
        self._worker = WorkerProcess(setup)

    def call(self, payload: dict[str, Any]) -> Any:
        """The outcome of a call; calls take turns."""
        with self._turn:
            (outcome,) = self._worker.run([(0, pickle.dumps(payload))])
        return unpacked(outcome)


_READER = _Reader()


def warm_up() -> None:
    """Start the process that reads tables, in the background: a file is going to be brought."""
    threading.Thread(target=_READER.call, args=({"function": "nothing"},), daemon=True).start()


def limited(function: str, payload: dict[str, Any]) -> Any:
    """What a function of `_reading` returns, called in a process that may take a minute and four gigabytes.

    Raises
    ------
    JobError
        If the table cannot be used, in words.
    """
    try:
        outcome = _READER.call({**payload, "function": function})
    except EngineError as error:
        raise JobError(f"No process to read the table could be started: {error}.") from error
    if outcome.failure is not None:
        reason = {
            "timeout": f"reading it took longer than {_SECONDS:.0f} seconds",
            "memory": "reading it takes too much memory",
            "killed": "reading it takes too much memory, or the reader crashed",
        }.get(outcome.failure.kind, f"reading it failed ({outcome.failure.message})")
        raise JobError(f"The table cannot be used: {reason}. Try a part of it, or save it as CSV.")
    if "problem" in outcome.value:
        raise JobError(outcome.value["problem"])
    return outcome.value["found"]
