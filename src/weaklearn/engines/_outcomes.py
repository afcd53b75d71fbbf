"""The outcome of a task: a value, or a failure as data.

Programs decide by the kind of a failure; its message and its traceback are for people.
"""

from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "EngineError",
    "Failure",
    "FailureKind",
    "NoDataHere",
    "Outcome",
    "VersionMismatch",
]

FailureKind = Literal[
    "raised", "exited", "killed", "memory", "timeout", "lost worker", "version mismatch", "no data"
]


class EngineError(Exception):
    """The engine cannot run: one sentence that says what is wrong and what to do."""


class VersionMismatch(Exception):
    """Raised by a task on a worker that runs other code than the caller: the engine refuses the worker."""


class NoDataHere(Exception):
    """Raised by a task whose data are not available on this worker: the engine tries the other workers."""


@dataclass(frozen=True)
class Failure:
    """Why a task has no value.

    Attributes
    ----------
    kind : str
        "raised": the task raised an exception; "exited": it called ``sys.exit``; "killed": it ended its process
        (a signal, a crash, ``os._exit``), twice, the second time alone; "memory": it asked for more than the memory
        limit; "timeout": it ran longer than allowed; "lost worker": Dask lost the workers that ran it; "version
        mismatch" and "no data": no worker has the caller's code, or the task's data.
    message : str
        One line.
    traceback : str
        The Python traceback, or "" if the process ended before it could send one.
    """

    kind: FailureKind
    message: str
    traceback: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True)
class Outcome:
    """The end of one task.

    Attributes
    ----------
    index : int
        The position of its payload.
    value : object
        What the function returned; None if it failed.
    failure : Failure or None
    seconds : float
        How long the task ran.
    """

    index: int
    value: Any = None
    failure: Failure | None = None
    seconds: float = 0.0
