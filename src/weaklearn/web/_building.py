"""The application: the first page, all doors, and the guard in front of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from weaklearn.web._deferred import Deferred
from weaklearn.web._door import Building, Door, Recent, moment
from weaklearn.web._guard import BodyError, Guard, Pass
from weaklearn.web._job_pages import queue_routes
from weaklearn.web._shell import (
    Refusal,
    body_error,
    handled,
    http_error,
    own_error,
    page,
    show_navigation,
    static_routes,
)
from weaklearn.web._table_pages import TablePages
from weaklearn.web.jobs import JobFolder, JobQueue, State
from weaklearn.web.uploads import UPLOAD_LIMIT, TableFolder

__all__ = ["Application"]

WORK = "weaklearn-work"  # the folder for tables and jobs, beside what doors keep in the user's folder
_MOST_RECENT = 12
_TONES = {State.WAITING: "neutral", State.RUNNING: "neutral", State.DONE: "good", State.FAILED: "bad"}


class Application:
    """Everything over one folder; ``asgi`` is what a server serves, ``queue`` is to be started and stopped with it.

    ``ending`` is to be closed at the end.
    """

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
        self.ending = self.building.ending
        show_navigation((door.place, door.title) for door in doors)
        self._opened = [door.open(self.building) for door in doors]
        assets = static_routes(*(script for door in doors for script in door.scripts))
        routes: list[BaseRoute] = [
            Route("/", handled(self.home)),
            *(route for opened in self._opened for route in opened.routes),
            *queue_routes(self.building),
            *TablePages(self.building).routes(),
            *assets,
        ]
        self._deferred = [route for route in routes if isinstance(route, Deferred)]
        if pages is not None:  # a user's own, such as an experiment in jsPsych
            routes.append(Mount("/pages", StaticFiles(directory=pages, html=True)))
        errors: dict[Any, Any] = {
            HTTPException: http_error,
            BodyError: body_error,
            Exception: own_error,
        }
        app = Starlette(routes=routes, exception_handlers=errors)
        self.asgi = Guard(
            app, key, Refusal, frozenset(asset.path for asset in assets), {"/tables": UPLOAD_LIMIT}
        )

    def home(self, request: Request, form: Mapping[str, str]) -> Response:
        """The first page."""
        shown = page(
            "web/home.html", doors=self.building.doors, work=self._recent(), trouble=self.queue.trouble
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
            Recent("table", table.name, f"/tables/{table.key}", moment(table.created))
            for table in self.building.tables.records()
            if table.key not in used
        ]
        found += [
            Recent(
                words[job.kind],
                job.title,
                self.building.place(job),
                moment(job.created),
                job.state.value,
                _TONES.get(job.state, "none"),
            )
            for job in jobs
        ]
        found += [item for opened in self._opened for item in opened.recent()]
        return sorted(found, key=lambda item: item.when, reverse=True)[:_MOST_RECENT]
