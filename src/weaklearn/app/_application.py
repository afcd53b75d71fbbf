"""The application: home, the four doors, and the guard in front of them.

What is imported here is imported before the first page: the sessions of thresholds, with scikit-learn and matplotlib,
come when they are asked for, or while somebody reads the first page.
"""

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from weaklearn.app._deferred import Deferred
from weaklearn.app._folder import SessionFolder
from weaklearn.app._guard import BodyError, Guard, Pass
from weaklearn.app._home import recent_work
from weaklearn.app._shell import (
    API_ROOT,
    STATIC,
    Refusal,
    body_error,
    handled,
    http_error,
    own_error,
    page,
    static,
)
from weaklearn.app.audits._pages import AuditPages
from weaklearn.app.comparisons._pages import ComparisonPages
from weaklearn.app.jobs import JobFolder, JobQueue
from weaklearn.app.jobs._folders import sweep
from weaklearn.app.jobs._pages import JobPages
from weaklearn.app.laboratory._pages import LaboratoryPages
from weaklearn.app.tables import UPLOAD_LIMIT, TableFolder
from weaklearn.app.tables._pages import TablePages
from weaklearn.engines import announcing_compilation

__all__ = ["Application"]

WORK = "weaklearn-work"  # the folder for tables and jobs, beside the sessions

# For each kind of job: what does it, and where its pages are.
_WORKS = {
    "audit": "weaklearn.app.audits._check:check",
    "comparison": "weaklearn.app.comparisons._compete:compete",
    "reproduction": "weaklearn.app.laboratory._reproduce:run_study",
}
# Where sessions and their JSON interface live.
_THRESHOLDS = ("/thresholds", "/new", "/s", "/block", "/plan", API_ROOT)
_PLACES = {"audit": "/audits", "comparison": "/comparisons", "reproduction": "/lab"}


class Application:
    """Everything over one folder; ``asgi`` is what a server serves, ``queue`` is to be started and stopped with it.

    ``ending`` is to be closed at the end.
    """

    def __init__(self, folder: Path, key: Pass, slots: int = 1, pages: Path | None = None):
        self.sessions = SessionFolder(folder)
        self.tables = TableFolder(folder / WORK / "tables")
        sweep(self.tables.path)
        self.queue = JobQueue(JobFolder(folder / WORK / "jobs"), _WORKS, slots)
        self.ending = ExitStack()
        self.job_pages = JobPages(self.queue, _PLACES)
        self.thresholds = Deferred(_THRESHOLDS, self._session_routes)
        routes: list[BaseRoute] = [
            Route("/", handled(self.home)),
            self.thresholds,
            *self.job_pages.routes(),
            *TablePages(self.tables, self.queue, self.job_pages.place).routes(),
            *AuditPages(self.tables, self.queue).routes(),
            *ComparisonPages(self.tables, self.queue).routes(),
            *LaboratoryPages(folder / WORK, self.queue, self.job_pages.place).routes(),
            *(Route(f"/static/{name}", static(name)) for name in STATIC),
        ]
        if pages is not None:  # a user's own, such as an experiment in jsPsych
            routes.append(Mount("/pages", StaticFiles(directory=pages, html=True)))
        errors: dict[Any, Any] = {
            HTTPException: http_error,
            BodyError: body_error,
            Exception: own_error,
        }
        app = Starlette(routes=routes, exception_handlers=errors)
        public = frozenset(f"/static/{name}" for name in STATIC)
        self.asgi = Guard(app, key, Refusal, public, {"/tables": UPLOAD_LIMIT})

    def home(self, request: Request, form: Mapping[str, str]) -> Response:
        jobs = [job for job in self.queue.folder.jobs() if job.kind in _PLACES]
        work = recent_work(self.tables.tables(), jobs, self.sessions, self.job_pages.place)
        shown = page("home.html", work=work, trouble=self.queue.trouble)
        shown.background = BackgroundTask(self.thresholds.prepare)
        return shown

    def _session_routes(self) -> list[Route]:
        from weaklearn.app._web import session_routes  # a second or two

        # Samplers run in this process, and the first one of an installation compiles.
        self.ending.enter_context(announcing_compilation(partial(print, file=sys.stderr, flush=True)))
        return session_routes(self.sessions)
