"""A job as its files say it is, and the folder of all jobs."""

import json
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from weaklearn._files import write_file
from weaklearn.web.jobs._folders import RecordFolder

__all__ = ["Job", "JobError", "JobFolder", "State"]

_DESCRIPTION, _STATE, _PROGRESS, _CANCEL = "job.json", "state.json", "progress.jsonl", "cancel"


class JobError(Exception):
    """The work cannot be done; the message is a sentence for the user."""


class State(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def finished(self) -> bool:
        """Whether nothing further happens to the job by itself."""
        return self in (State.DONE, State.FAILED, State.CANCELLED)


@dataclass(frozen=True)
class Job:
    """What was asked for and where it stands; a snapshot.

    Attributes
    ----------
    key : str
        Sixteen hexadecimal digits.
    path : Path
    kind, title : str
    created : float
        Seconds since 1970.
    settings : dict
    state : State
    message : str
        Why it failed, for the user.
    attempt : int
        How often it was started.
    """

    key: str
    path: Path
    kind: str
    title: str
    created: float
    settings: dict[str, Any]
    state: State
    message: str = ""
    attempt: int = 0

    @property
    def result(self) -> Path:
        """The folder of what was made; there only if the job is done."""
        return self.path / "result"

    @property
    def cancel_asked(self) -> bool:
        """Whether it is to be stopped."""
        return (self.path / _CANCEL).exists()

    def progress(self, start: int = 0) -> list[dict[str, Any]]:
        """The news from line ``start`` on; a line that is being written is left for next time."""
        try:
            raw = (self.path / _PROGRESS).read_bytes()
        except FileNotFoundError:
            return []
        lines = raw[: raw.rfind(b"\n") + 1].splitlines()
        return [_news(line) for line in lines[start:]]


def _news(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:  # torn by a kill; it keeps its place, so that numbers of lines stay the same
        return {}
    return found if isinstance(found, dict) else {}


class JobFolder(RecordFolder[Job]):
    """The jobs in ``path``."""

    def create(self, kind: str, title: str, settings: Mapping[str, Any]) -> Job:
        """A new job that waits. It appears whole or not at all."""
        key = secrets.token_hex(8)
        new = self.new_folder(key)
        try:
            written = {"kind": kind, "title": title, "created": time.time(), "settings": dict(settings)}
            write_file(new / _DESCRIPTION, json.dumps(written, allow_nan=False))
            os.replace(new, self.path / key)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        job = self.find(key)
        assert job is not None
        return job

    def _read(self, key: str) -> Job:
        path = self.path / key
        asked = json.loads((path / _DESCRIPTION).read_text(encoding="utf-8"))
        try:
            found = json.loads((path / _STATE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            found = {"state": "waiting", "message": "", "attempt": 0}
        return Job(
            key=key,
            path=path,
            kind=asked["kind"],
            title=asked["title"],
            created=float(asked["created"]),
            settings=dict(asked["settings"]),
            state=State(found["state"]),
            message=found["message"],
            attempt=int(found["attempt"]),
        )

    def set_state(self, job: Job, state: State, message: str = "", attempt: int | None = None) -> None:
        """Write down where the job stands."""
        now = {"state": state, "message": message, "attempt": job.attempt if attempt is None else attempt}
        write_file(job.path / _STATE, json.dumps(now))

    def ask_to_cancel(self, job: Job) -> None:
        """Tell the server that runs the jobs."""
        (job.path / _CANCEL).touch()

    def put_back(self, job: Job) -> None:
        """Let a job that failed or was cancelled wait again."""
        (job.path / _CANCEL).unlink(missing_ok=True)
        self.set_state(job, State.WAITING)
