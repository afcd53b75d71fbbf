"""Calling one task: import its function, run it, turn whatever happens into an outcome."""

import importlib
import os
import pickle
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from weaklearn.engines._outcomes import (
    EngineError,
    Failure,
    FailureKind,
    NoDataHere,
    Outcome,
    VersionMismatch,
)

__all__ = [
    "Setup",
    "attempt",
    "import_function",
    "one_thread",
    "one_thread_environment",
    "packed",
    "unpacked",
]

# Sums in another order round differently: with one thread everywhere the numbers are the same everywhere.
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


@dataclass(frozen=True)
class Setup:
    """What all tasks of a run have in common.

    Attributes
    ----------
    function : str
        ``"module:name"``.
    shared : bytes or None
        The pickled second argument of the function, if it takes one.
    timeout : float or None
        Seconds that a task may run.
    memory_limit : int or None
        Bytes that a worker process may allocate.
    tells_compilations : bool
        Whether a worker sends the names of the kernels that it compiles: numba takes a moment to import.
    """

    function: str
    shared: bytes | None = None
    timeout: float | None = None
    memory_limit: int | None = None
    tells_compilations: bool = False


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


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep the linear algebra libraries to one thread."""
    with threadpool_limits(limits=1):
        yield


def attempt(index: int, call: Callable[[], Any]) -> Outcome:
    """Run a task in this process. Only Ctrl-C passes through."""
    start = time.perf_counter()
    try:
        value = call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit included: a task must not end the run
        message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
        failure = Failure(_kind(error), message, traceback.format_exc())
        return Outcome(index, None, failure, time.perf_counter() - start)
    return Outcome(index, value, None, time.perf_counter() - start)


def _kind(error: BaseException) -> FailureKind:
    if isinstance(error, SystemExit):
        return "exited"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, VersionMismatch):
        return "version mismatch"
    if isinstance(error, NoDataHere):
        return "no data"
    return "raised"


def packed(outcome: Outcome) -> Outcome:
    """The outcome with its value pickled; a value that cannot be pickled is a failure of the task."""
    try:
        value = pickle.dumps(outcome.value, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # whatever a strange value raises
        failure = Failure("raised", f"the value cannot be sent back: {type(error).__name__}: {error}")
        return Outcome(outcome.index, None, failure, outcome.seconds)
    return Outcome(outcome.index, value, outcome.failure, outcome.seconds)


def unpacked(outcome: Outcome) -> Outcome:
    """The outcome with its value as the task returned it."""
    if outcome.failure is not None:
        return Outcome(outcome.index, None, outcome.failure, outcome.seconds)
    try:
        value = pickle.loads(outcome.value)
    except Exception as error:  # such as a class that only the worker can import
        failure = Failure("raised", f"the value cannot be read here: {type(error).__name__}: {error}")
        return Outcome(outcome.index, None, failure, outcome.seconds)
    return Outcome(outcome.index, value, None, outcome.seconds)
