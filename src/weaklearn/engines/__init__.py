"""Engines: where long work runs, in this process, in processes on this machine, or on a Dask cluster.

`open_engine` gives an engine by name; `Engine.run` calls one function on many payloads and yields an
`Outcome` for each, value or `Failure`. A task that crashes, exits, hangs or exceeds the memory limit is named and
given up; everything else finishes. Nothing here knows what the tasks compute: the lab, audit, compare and
cloning bring their own functions. Guide: ``docs/engines.md``.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn.engines._engine import Engine
from weaklearn.engines._limited import run_limited
from weaklearn.engines._open import check_engine as check_engine
from weaklearn.engines._open import memory_bytes as memory_bytes
from weaklearn.engines._open import open_engine
from weaklearn.engines._remembering import Remembering as Remembering
from weaklearn.engines._task import EngineError, Failure, Outcome
from weaklearn.engines._task import NoDataHere as NoDataHere
from weaklearn.engines._task import VersionMismatch as VersionMismatch
from weaklearn.engines._task import import_function as import_function
from weaklearn.engines._task import one_thread_environment as one_thread_environment

__all__ = ["open_engine", "Engine", "Outcome", "Failure", "EngineError", "run_limited"]
