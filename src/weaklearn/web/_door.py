"""A door: what a job hands over to have its pages in the application, and the base of pages about long work."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from weaklearn._files import read_json
from weaklearn.web._jobs import Damaged, Job, JobError, State
from weaklearn.web._queue import JobQueue
from weaklearn.web._shell import download, handled, page, report_page
from weaklearn.web._uploads import MOST_COLUMNS, TableFolder, chosen


@dataclass(frozen=True)
class Recent:
    """A line of the list on the first page: a table, a job or a session."""

    what: str
    title: str
    place: str
    when: datetime.datetime
    state: State | None = None
    #: What came out, in a sentence.
    headline: str = ""


class Opened(NamedTuple):
    """The pages of a door over one folder.

    ``recent`` lists work that is not in the queue; ``headline`` says in a sentence what a finished job has found.
    """

    routes: Sequence[BaseRoute]
    recent: Callable[[], Sequence[Recent]] = tuple
    headline: "Callable[[Job], str]" = lambda job: ""


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
    icon : str, optional
        An SVG path in a square of 24 units, beside the title on the first page.
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
    icon: str = ""
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
        kinds = self._kinds(kind)
        jobs = [job for job in self.queue.folder.records() if job.kind in kinds]
        return jobs if table is None else [job for job in jobs if job.settings.get("table") == table]

    def damaged(self) -> list[Damaged]:
        """Tables and jobs that cannot be used."""
        return [*self.tables.listed()[1], *self.queue.folder.listed()[1]]

    def job_of(self, request: Request, kind: str | None = None) -> Job:
        """The job whose key is in the address; there is no such page if it is of another kind."""
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind not in self._kinds(kind):
            raise HTTPException(404)
        return job

    def _kinds(self, kind: str | None) -> set[str]:
        return {door.kind for door in self.doors if door.kind} if kind is None else {kind}


class JobPages:
    """The pages of one kind of job; a room adds what it shows of a finished one.

    Attributes
    ----------
    kind, place : str
        As its door has them.
    unfinished : str
        The message before there is a result.
    progress : str
        The template of a job that is not done.
    files : mapping of str to str
        Files of the result that may be downloaded, and their types.
    page_shape : dict
        What `page_data` must hold, as `weaklearn._files.checked_shape` takes it.
    """

    kind: str
    place: str
    unfinished: str
    progress = "web/progress.html"
    files: Mapping[str, str] = {}
    page_shape: Mapping[str, Any] = {}

    def __init__(self, building: Building):
        self.building, self.tables, self.queue = building, building.tables, building.queue

    @classmethod
    def open(cls, building: Building) -> Opened:
        """The pages over one folder, as a door opens them."""
        pages = cls(building)
        return Opened(pages.routes(), headline=pages.headline)

    def routes(self) -> list[Route]:
        """The addresses of these pages: those of the room first, then those that all kinds share."""
        one = f"{self.place}/{{key}}"
        return [
            Route(self.place, handled(self.start, MOST_COLUMNS + 10), methods=["POST"]),
            Route(one, handled(self.page)),
            *self.more_routes(one),
            Route(f"{one}/report.html", handled(self.report)),
            Route(f"{one}/{{name}}", handled(self.file)),
        ]

    def more_routes(self, one: str) -> list[Route]:
        """Addresses of the room's own; ``one`` is that of a job."""
        return []

    def shown(self, job: Job) -> Response:
        """The page of a job that is done."""
        raise NotImplementedError(f"{type(self).__name__} has no page for a finished job")

    def headline(self, job: Job) -> str:
        """What a finished job has found, in a sentence for the first page."""
        return ""

    def news(self, news: list[dict[str, Any]]) -> dict[str, Any]:
        """Values for the template of a job that is not done; ``news`` are the lines of its progress."""
        return {}

    def page(self, request: Request, form: Mapping[str, str]) -> Response:
        """A job as it stands."""
        job = self._found(request)
        if job.state is State.DONE:
            return self.shown(job)
        news = job.progress()
        last = news[-1] if news else {}
        return page(self.progress, job=job, section=self.place, last=last, **self.news(news))

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        """Queue a job on the table that the form names."""
        table = self.tables.find(form.get("table", ""))
        if table is None:
            raise HTTPException(404)
        settings = chosen(form, table)
        job = self.queue.submit(self.kind, f"{table.name}: {settings['label']}", settings)
        return RedirectResponse(self.building.place(job), 303)

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        """The standalone report, shown or saved."""
        return report_page(
            (self._done(request).result / "report.html").read_bytes(), "save" in request.query_params
        )

    def file(self, request: Request, form: Mapping[str, str]) -> Response:
        """A file of the result."""
        job, name = self._done(request), request.path_params["name"]
        if name not in self.files or not (job.result / name).is_file():
            raise HTTPException(404)
        return download((job.result / name).read_bytes(), name, self.files[name])

    def _found(self, request: Request) -> Job:
        return self.building.job_of(request, self.kind)

    def _done(self, request: Request) -> Job:
        job = self._found(request)
        if job.state is not State.DONE:
            raise JobError(self.unfinished)
        return job

    def page_data(self, job: Job) -> dict[str, Any]:
        """What the work has left for the page; JobError if that is damaged."""
        try:
            return read_json(job.result / "page.json", self.page_shape)
        except (OSError, ValueError) as error:
            raise JobError(
                f"The result of this work cannot be shown: {error}. Start the work again."
            ) from None
