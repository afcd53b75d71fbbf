"""What was done lately, whatever it was."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from weaklearn.app._folder import SessionFolder
from weaklearn.app._wording import title_text
from weaklearn.app.jobs import Job, State
from weaklearn.app.tables import StoredTable

__all__ = ["TONES", "Recent", "recent_work"]

_MOST = 12
_WORDS = {"audit": "label check", "comparison": "comparison", "reproduction": "reproduction"}
TONES = {
    State.WAITING: "neutral",
    State.RUNNING: "neutral",
    State.DONE: "good",
    State.FAILED: "bad",
    State.CANCELLED: "none",
}


@dataclass(frozen=True)
class Recent:
    """A line of the list: a table, a job or a session."""

    what: str
    title: str
    place: str
    when: datetime.datetime
    state: str = ""
    tone: str = "none"


def recent_work(
    tables: list[StoredTable], jobs: list[Job], sessions: SessionFolder, place: Callable[[Job], str]
) -> list[Recent]:
    """The latest work first; a table that has been checked or compared is named by that."""
    used = {job.settings.get("table") for job in jobs}
    found = [
        Recent("table", table.name, f"/tables/{table.key}", _moment(table.created))
        for table in tables
        if table.key not in used
    ]
    found += [
        Recent(
            _WORDS[job.kind], job.title, place(job), _moment(job.created), job.state.value, TONES[job.state]
        )
        for job in jobs
    ]
    found += [
        Recent("threshold", title_text(entry.question, entry.name), f"/s/{entry.key}", entry.changed)
        for entry in sessions.entries()
        if entry.key
    ]
    return sorted(found, key=lambda item: item.when, reverse=True)[:_MOST]


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
