"""How large a table may be in the application, and the process that keeps to it."""

import sys
from typing import Any

from weaklearn.app.jobs import JobError
from weaklearn.engines import open_engine

__all__ = ["MOST_COLUMNS", "UNPACKED_LIMIT", "UPLOAD_LIMIT", "limited"]

UPLOAD_LIMIT = 200 * 1024**2  # bytes of a file
UNPACKED_LIMIT = 1024**3  # bytes of what is packed in it
MOST_COLUMNS = 1000
_SECONDS = 60.0
_MEMORY = 4 * 1024**3


def limited(function: str, payload: dict[str, Any]) -> Any:
    """What a function of `_reading` returns, called in a process that may take a minute and four gigabytes.

    Raises
    ------
    JobError
        If the table cannot be used, in words.
    """
    memory = _MEMORY if sys.platform.startswith("linux") else None  # where processes can be limited
    with open_engine("local", 1, timeout=_SECONDS, memory_limit=memory) as engine:
        outcome = next(iter(engine.run(f"weaklearn.app.tables._reading:{function}", [payload])))
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
