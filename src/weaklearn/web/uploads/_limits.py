"""How large a table may be in the application, and the process that keeps to it."""

import sys
import threading
from typing import Any

from weaklearn.engines import EngineError, Outcome, run_limited
from weaklearn.web.jobs import JobError

__all__ = ["MOST_COLUMNS", "UNPACKED_LIMIT", "UPLOAD_LIMIT", "limited", "warm_up"]

UPLOAD_LIMIT = 200 * 1024**2  # bytes of a file
UNPACKED_LIMIT = 1024**3  # bytes of what is packed in it
MOST_COLUMNS = 1000
_SECONDS = 60.0
_MEMORY = 4 * 1024**3 if sys.platform.startswith("linux") else None  # where processes can be limited
_TURN = threading.Lock()


def _call(payload: dict[str, Any]) -> Outcome:
    with _TURN:
        return run_limited(
            "weaklearn.web.uploads._reading:call", payload, timeout=_SECONDS, memory_limit=_MEMORY
        )


def warm_up() -> None:
    """Start the process that reads tables, in the background: an upload is likely."""
    threading.Thread(target=_call, args=({"function": "nothing"},), daemon=True).start()


def limited(function: str, payload: dict[str, Any]) -> Any:
    """What a function of `_reading` returns, called in a process that may take a minute and four gigabytes.

    Raises
    ------
    JobError
        If the table cannot be used; the message says why.
    """
    try:
        outcome = _call({**payload, "function": function})
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
