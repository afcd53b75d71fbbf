"""The application: the first page, all doors, what the pages of all jobs share, and the guard in front of them."""

import asyncio
import datetime
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from weaklearn.web._deferred import Deferred
from weaklearn.web._door import Building, Door, Recent
from weaklearn.web._guard import Guard, Pass
from weaklearn.web._jobs import Job, JobError, JobFolder, State
from weaklearn.web._queue import JobQueue
from weaklearn.web._shell import (
    handled,
    http_error,
    own_error,
    page,
    show_navigation,
    static_routes,
)
from weaklearn.web._table_pages import TablePages
from weaklearn.web._uploads import UPLOAD_LIMIT, TableFolder

WORK = "weaklearn-work"  # the folder for tables and jobs, beside what doors keep in the user's folder
_MOST_RECENT = 12
_MOST_DAMAGED = 50
_LOOK = 0.25  # seconds between two looks at the files of a job
_QUIET = 10.0  # seconds without news after which a comment shows whether the browser still listens


class Application:
    """Everything over one folder; ``asgi`` is what a server serves, ``queue`` is to be started and stopped with it."""

    def __init__(
        self, folder: Path, key: Pass, doors: Sequence[Door], slots: int = 1, pages: Path | None = None
    ):
        work = folder / WORK
        tables = TableFolder(work / "tables")
        tables.sweep()
        self.queue = JobQueue(
            JobFolder(work / "jobs"), {door.kind: door.work for door in doors if door.kind}, slots
        )
        self.building = Building(folder, work, tables, self.queue, tuple(doors))
        show_navigation((door.place, door.title) for door in doors)
        self._opened = [door.open(self.building) for door in doors]
        self._headlines = {
            door.kind: opened.headline for door, opened in zip(doors, self._opened, strict=True) if door.kind
        }
        assets = static_routes(*(script for door in doors for script in door.scripts))
        routes: list[BaseRoute] = [
            Route("/", handled(self.home)),
            *(route for opened in self._opened for route in opened.routes),
            *_job_routes(self.building),
            *TablePages(self.building).routes(),
            *assets,
        ]
        self._deferred = [route for route in routes if isinstance(route, Deferred)]
        if pages is not None:  # a user's own, such as an experiment in jsPsych
            routes.append(Mount("/pages", StaticFiles(directory=pages, html=True)))
        errors: dict[Any, Any] = {HTTPException: http_error, Exception: own_error}
        app = Starlette(routes=routes, exception_handlers=errors)
        self.asgi = Guard(app, key, {asset.path for asset in assets}, {"/tables": UPLOAD_LIMIT})

    def home(self, request: Request, form: Mapping[str, str]) -> Response:
        """The first page."""
        shown = page(
            "web/home.html",
            doors=self.building.doors,
            work=self._recent(),
            trouble=self.queue.trouble,
            damaged=self.building.damaged()[:_MOST_DAMAGED],
        )
        shown.background = BackgroundTask(self._prepare)
        return shown

    def _prepare(self) -> None:
        """A person is here and may want these pages next."""
        for route in self._deferred:
            route.prepare()

    def _recent(self) -> list[Recent]:
        """The latest work first; a table that has been worked on is named by that work."""
        words = {door.kind: door.word for door in self.building.doors}
        jobs = self.building.jobs()
        used = {job.settings.get("table") for job in jobs}
        found = [
            Recent("table", table.name, f"/tables/{table.key}", _moment(table.created))
            for table in self.building.tables.records()
            if table.key not in used
        ]
        found += [
            Recent(
                words[job.kind],
                job.title,
                self.building.place(job),
                _moment(job.created),
                job.state,
                self._headline(job),
            )
            for job in jobs
        ]
        found += [item for opened in self._opened for item in opened.recent()]
        return sorted(found, key=lambda item: item.when, reverse=True)[:_MOST_RECENT]

    def _headline(self, job: Job) -> str:
        if job.state is not State.DONE:
            return ""
        try:
            return self._headlines[job.kind](job)
        except JobError:  # its own page says what is damaged
            return ""


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def _job_routes(building: Building) -> list[Route]:
    """The addresses that all kinds of jobs share: their events, and the buttons to stop, retry and delete them."""
    queue, found = building.queue, building.job_of

    def cancel(request: Request, form: Mapping[str, str]) -> Response:
        queue.cancel(job := found(request))
        return RedirectResponse(building.place(job), 303)

    def again(request: Request, form: Mapping[str, str]) -> Response:
        queue.again(job := found(request))
        return RedirectResponse(building.place(job), 303)

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
        Route("/jobs/{key}/events", events),
        Route("/jobs/{key}/cancel", handled(cancel), methods=["POST"]),
        Route("/jobs/{key}/again", handled(again), methods=["POST"]),
        Route("/jobs/{key}/remove", handled(remove), methods=["POST"]),
    ]


async def job_events(
    folder: JobFolder, key: str, start: int, gone: Callable[[], Awaitable[bool]]
) -> AsyncIterator[str]:
    """A job as server-sent events: ``progress`` (a line from number ``start`` on, with its number as id) and ``state``.

    They end with the job, or when the browser is ``gone``.
    """
    told, silent = None, 0.0
    while not await gone():
        job = folder.find(key)
        if job is None:
            yield _event("state", {"state": "removed"})
            return
        news = job.progress(start)
        for line in news:
            start += 1
            yield _event("progress", line, start)
        if job.state != told:
            yield _event("state", {"state": job.state})
            told = job.state
        if job.state.finished:
            return
        silent = 0.0 if news else silent + _LOOK
        if silent >= _QUIET:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(_LOOK)


def _event(name: str, data: dict, number: int | None = None) -> str:
    place = "" if number is None else f"id: {number}\n"
    return f"{place}event: {name}\ndata: {json.dumps(data)}\n\n"
