"""Engines by name."""

import math
import re

from weaklearn.engines._dask import DaskEngine
from weaklearn.engines._engine import Engine, InlineEngine
from weaklearn.engines._local import LocalEngine
from weaklearn.engines._task import EngineError

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def check_engine(
    name: str,
    workers: int | None = None,
    *,
    timeout: float | None = None,
    memory_limit: int | None = None,
) -> None:
    """Raise an `EngineError` if `open_engine` would refuse the call, before any work starts."""
    if name not in ("local", "inline") and not name.startswith("dask://"):
        raise EngineError(f"unknown engine {name!r}: use local or dask://HOST:PORT")
    if name.startswith("dask://"):
        host, _, port = name.removeprefix("dask://").rpartition(":")
        if not host or not port.isdigit():
            raise EngineError(f"engine {name!r} lacks a host or a port: write dask://HOST:PORT")
    if workers is not None and workers < 1:
        raise EngineError(f"the number of workers must be at least 1, got {workers}")
    if timeout is not None and not (0 < timeout < math.inf):
        raise EngineError(f"the timeout must be a positive number of seconds, got {timeout}")
    if memory_limit is not None and memory_limit < 1:
        raise EngineError(f"the memory limit must be a positive number of bytes, got {memory_limit}")
    if name == "inline" and (timeout is not None or memory_limit is not None):
        raise EngineError("the inline engine cannot end a task: use local for a timeout or a memory limit")


def open_engine(
    name: str = "local",
    workers: int | None = None,
    *,
    timeout: float | None = None,
    memory_limit: int | None = None,
) -> Engine:
    """Open an engine; use it in a ``with`` block.

    Parameters
    ----------
    name : str
        "local": processes on this machine; "dask://HOST:PORT": the workers of a Dask scheduler;
        "inline": this process.
    workers : int, optional
        Local processes; one per core by default. Dask has its own.
    timeout : float, optional
        Seconds that a task may run. A task that runs longer is ended and fails.
    memory_limit : int, optional
        Bytes that a task may allocate. A task that asks for more fails.

    Returns
    -------
    Engine

    Examples
    --------
    >>> from weaklearn.engines import open_engine
    >>> with open_engine("inline") as engine:
    ...     for outcome in engine.run("math:sqrt", [4.0, -1.0]):
    ...         print(outcome.index, outcome.value, outcome.failure)
    0 2.0 None
    1 None raised: ValueError: ...
    """
    check_engine(name, workers, timeout=timeout, memory_limit=memory_limit)
    if name == "inline":
        return InlineEngine(name, timeout, memory_limit)
    if name == "local":
        return LocalEngine(name, workers, timeout, memory_limit)
    return DaskEngine(name, timeout, memory_limit)


def memory_bytes(text: str) -> int:
    """The number of bytes that a text such as "500MB" or "2.5G" stands for (k = 1024).

    Examples
    --------
    >>> from weaklearn.engines import memory_bytes
    >>> memory_bytes("2GB") == 2 * 1024**3
    True
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text, re.IGNORECASE)
    n_bytes = int(float(match[1]) * _UNITS[match[2].lower()]) if match else 0
    if n_bytes < 1:
        raise EngineError(f"{text!r} is not a valid memory size: write 500MB or 2GB")
    return n_bytes
