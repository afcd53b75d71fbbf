"""The pages of jobs: what all kinds share (buttons, events), and the base of the pages of one kind."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from weaklearn.web._door import Building, Opened
from weaklearn.web._shell import download, handled, page, report_page
from weaklearn.web.jobs import Job, JobError, State, job_events
from weaklearn.web.uploads import MOST_COLUMNS, chosen

__all__ = ["JobPages", "queue_routes"]


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
    """

    kind: str
    place: str
    unfinished: str
    progress = "web/jobs/progress.html"
    files: Mapping[str, str] = {}

    def __init__(self, building: Building):
        self.building, self.tables, self.queue = building, building.tables, building.queue

    @classmethod
    def open(cls, building: Building) -> Opened:
        """The pages over one folder, as a door opens them."""
        return Opened(cls(building).routes())

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
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind != self.kind:
            raise HTTPException(404)
        return job

    def _done(self, request: Request) -> Job:
        job = self._found(request)
        if job.state is not State.DONE:
            raise JobError(self.unfinished)
        return job

    @staticmethod
    def page_data(job: Job) -> dict[str, Any]:
        """What the work has left for the page."""
        return json.loads((job.result / "page.json").read_text(encoding="utf-8"))


def queue_routes(building: Building) -> list[Route]:
    """The addresses that all kinds of jobs share: their events, and the buttons to stop, retry and delete them."""
    queue = building.queue
    known = {door.kind for door in building.doors if door.kind}

    def found(request: Request) -> Job:
        job = queue.folder.find(request.path_params["key"])
        if job is None or job.kind not in known:
            raise HTTPException(404)
        return job

    def show(request: Request, form: Mapping[str, str]) -> Response:
        return RedirectResponse(building.place(found(request)), 303)

    def cancel(request: Request, form: Mapping[str, str]) -> Response:
        queue.cancel(found(request))
        return show(request, form)

    def again(request: Request, form: Mapping[str, str]) -> Response:
        queue.again(found(request))
        return show(request, form)

    def remove(request: Request, form: Mapping[str, str]) -> Response:
        job = found(request)
        if job.state.finished:
            queue.folder.remove(job)
        return RedirectResponse("/", 303)

    async def events(request: Request) -> Response:
        job = found(request)
        seen = request.headers.get("last-event-id", "")
        start = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else 0

        async def gone() -> bool:
            return queue.closing.is_set() or await request.is_disconnected()

        return StreamingResponse(
            job_events(queue.folder, job.key, start, gone), media_type="text/event-stream"
        )

    return [
        Route("/jobs/{key}", handled(show)),
        Route("/jobs/{key}/events", events),
        Route("/jobs/{key}/cancel", handled(cancel), methods=["POST"]),
        Route("/jobs/{key}/again", handled(again), methods=["POST"]),
        Route("/jobs/{key}/remove", handled(remove), methods=["POST"]),
    ]
