"""Engines: where long work runs, in this process, in processes on this machine, or on a Dask cluster.

`open_engine` gives an engine by name; `Engine.run` calls one function on many payloads and yields an
`Outcome` for each, value or `Failure`. A task that crashes, exits, hangs or exceeds the memory limit is named and
given up; everything else finishes. Nothing here knows what the tasks compute: the lab, audit, compare and
cloning bring their own functions. Guide: ``docs/engines.md``.
"""

from weaklearn.engines._engine import Engine
from weaklearn.engines._limited import run_limited
from weaklearn.engines._open import check_engine, memory_bytes, open_engine
from weaklearn.engines._outcomes import EngineError, Failure, NoDataHere, Outcome, VersionMismatch
from weaklearn.engines._remembering import Remembering
from weaklearn.engines._task import import_function, one_thread_environment

__all__ = [
    "open_engine",
    "check_engine",
    "memory_bytes",
    "Engine",
    "Remembering",
    "Outcome",
    "Failure",
    "EngineError",
    "VersionMismatch",
    "NoDataHere",
    "run_limited",
    "import_function",
    "one_thread_environment",
]
