"""A door: what a job hands over to have its pages in the application."""

import datetime
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from starlette.routing import BaseRoute

from weaklearn.web.jobs import Job, JobQueue
from weaklearn.web.uploads import TableFolder

__all__ = ["Building", "Door", "Opened", "Recent", "moment"]


@dataclass(frozen=True)
class Recent:
    """A line of the list on the first page: a table, a job or a session."""

    what: str
    title: str
    place: str
    when: datetime.datetime
    state: str = ""
    tone: str = "none"


class Opened(NamedTuple):
    """The pages of a door over one folder; ``recent`` lists work that is not in the queue."""

    routes: Sequence[BaseRoute]
    recent: Callable[[], Sequence[Recent]] = tuple


@dataclass(frozen=True)
class Door:
    """A job in the browser.

    Parameters
    ----------
    place : str
        The address of its first page, such as ``"/audits"``; the pages of its work are below.
    title, about : str
        Its name, and the sentence below it on the first page.
    open : callable
        ``open(building)`` returns the pages as `Opened`.
    word : str
        What one piece of its work is called, such as ``"label check"``.
    kind, work : str, optional
        The kind of its jobs in the queue, and the ``"module:function"`` that does them.
    on_table : str, optional
        If it begins with a table: what the button below the table says.
    command : str, optional
        How the same is done without a browser.
    shortcut : tuple of str, optional
        Address and words of one more link on the first page.
    scripts : tuple of Path
        Scripts of its own, served below ``/static/``.
    """

    place: str
    title: str
    about: str
    open: "Callable[[Building], Opened]"
    word: str
    kind: str = ""
    work: str = ""
    on_table: str = ""
    command: str = ""
    shortcut: tuple[str, str] | None = None
    scripts: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Building:
    """What all doors share: the user's folder, the tables and the queue in its folder for work.

    ``ending`` is closed when the server ends.
    """

    folder: Path
    work: Path
    tables: TableFolder
    queue: JobQueue
    doors: tuple[Door, ...]
    ending: ExitStack = field(default_factory=ExitStack)

    def place(self, job: Job) -> str:
        """The address of the page of a job."""
        return next(f"{door.place}/{job.key}" for door in self.doors if door.kind == job.kind)

    def jobs(self, kind: str | None = None, table: str | None = None) -> list[Job]:
        """The jobs of a kind (of all doors, if None), the latest first; those on one table, if it is given."""
        kinds = {door.kind for door in self.doors if door.kind} if kind is None else {kind}
        jobs = [job for job in self.queue.folder.records() if job.kind in kinds]
        return jobs if table is None else [job for job in jobs if job.settings.get("table") == table]


def moment(seconds: float) -> datetime.datetime:
    """Seconds since 1970 as a moment."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
