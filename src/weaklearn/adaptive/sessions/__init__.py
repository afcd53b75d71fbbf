"""An experiment as a file: answers that are never lost, imports, exports, changes while it runs."""

from weaklearn.adaptive._registry import make_sampler, session_params
from weaklearn.adaptive.sessions._csv import long_csv
from weaklearn.adaptive.sessions._session import Session
from weaklearn.adaptive.sessions._session_file import SessionChangedError, SessionFileError, read_record

__all__ = [
    "Session",
    "SessionChangedError",
    "SessionFileError",
    "long_csv",
    "make_sampler",
    "read_record",
    "session_params",
]
