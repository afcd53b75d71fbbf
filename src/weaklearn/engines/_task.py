"""One task: what it is told, how it is called, and how it ends, with a value or with a failure as data.

Programs decide by the kind of a failure; its message and its traceback are for people.
"""

import importlib
import os
import pickle
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

# Sums in another order round differently: with one thread everywhere the numbers are the same everywhere.
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
_Kind = Literal[
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

    kind: _Kind
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


@dataclass(frozen=True)
class Setup:
    """What all tasks of a run have in common.

    ``function`` is ``"module:name"``, ``shared`` its second argument, pickled, if it takes one. A task may run
    ``timeout`` seconds and allocate ``memory_limit`` bytes. A worker that ``tells_compilations`` sends the names of the
    kernels that it compiles; the others need not import numba for that.
    """

    function: str
    shared: bytes | None = None
    timeout: float | None = None
    memory_limit: int | None = None
    tells_compilations: bool = False

    def arguments(self) -> tuple[Any, ...]:
        """What the function is given after the payload."""
        return () if self.shared is None else (pickle.loads(self.shared),)


def import_function(path: str) -> Callable[..., Any]:
    """Import the function or class that ``"module:name"`` stands for.

    Raises
    ------
    EngineError
        If the text has another form, or the module or the name does not exist.

    Examples
    --------
    >>> from weaklearn.engines import import_function
    >>> import_function("math:sqrt")(4.0)
    2.0
    """
    module, _, name = path.partition(":")
    if not module or not name:
        raise EngineError(f"{path!r} is not the name of a function: write module:function")
    try:
        value: Any = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise EngineError(f"{path!r} cannot be imported: {error}") from error
    return value


def one_thread_environment() -> dict[str, str]:
    """The environment for a new process that keeps numerical libraries to one thread, as engines do."""
    return {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, "1")}


def attempt(index: int, call: Callable[[], Any]) -> Outcome:
    """Run a task in this process. Only Ctrl-C passes through."""
    start = time.perf_counter()
    value = failure = None
    try:
        value = call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit included: a task must not end the run
        message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
        failure = Failure(_kind(error), message, traceback.format_exc())
    return Outcome(index, value, failure, time.perf_counter() - start)


def _kind(error: BaseException) -> _Kind:
    kinds: dict[type[BaseException], _Kind] = {
        SystemExit: "exited",
        MemoryError: "memory",
        VersionMismatch: "version mismatch",
        NoDataHere: "no data",
    }
    return next((kind for raised, kind in kinds.items() if isinstance(error, raised)), "raised")


def pickled(value: Any) -> bytes:
    """The value as it travels."""
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def packed(outcome: Outcome) -> Outcome:
    """The outcome with its value pickled; a value that cannot be pickled is a failure of the task."""
    try:
        return replace(outcome, value=pickled(outcome.value))
    except Exception as error:  # whatever a strange value raises
        failure = Failure("raised", f"the value cannot be sent back: {type(error).__name__}: {error}")
        return replace(outcome, value=None, failure=failure)


def unpacked(outcome: Outcome) -> Outcome:
    """The outcome with its value as the task returned it."""
    if outcome.failure is not None:
        return replace(outcome, value=None)
    try:
        return replace(outcome, value=pickle.loads(outcome.value))
    except Exception as error:  # such as a class that only the worker can import
        failure = Failure("raised", f"the value cannot be read here: {type(error).__name__}: {error}")
        return replace(outcome, value=None, failure=failure)
