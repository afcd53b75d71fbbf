"""Engines: where long work runs, in this process, in processes on this machine, or on a Dask cluster.

`open_engine` gives an engine by name; `Engine.run` calls one function on many payloads and yields an
`Outcome` for each, value or `Failure`. A task that crashes, exits, hangs or eats the memory is named and
given up; everything else finishes. Nothing here knows what the tasks compute: the lab, audit, compare and
cloning bring their own functions. Guide: ``docs/engines.md``.
"""

from weaklearn.engines._compiling import announcing_compilation, watching_compilation
from weaklearn.engines._engine import Engine
from weaklearn.engines._open import check_engine, memory_bytes, open_engine
from weaklearn.engines._outcomes import (
    FAILURE_KINDS,
    EngineError,
    Failure,
    NoDataHere,
    Outcome,
    VersionMismatch,
)

__all__ = [
    "open_engine",
    "check_engine",
    "memory_bytes",
    "Engine",
    "Outcome",
    "Failure",
    "FAILURE_KINDS",
    "EngineError",
    "VersionMismatch",
    "NoDataHere",
    "watching_compilation",
    "announcing_compilation",
]
