"""The pages that receive a table and show what is in it."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from weaklearn.app._shell import handled, json_refusal, page
from weaklearn.app.jobs import Job, JobError, JobQueue
from weaklearn.app.tables._choice import CHOICES
from weaklearn.app.tables._limits import MOST_COLUMNS, UPLOAD_LIMIT, warm_up
from weaklearn.app.tables._stored import Incoming, StoredTable, TableFolder

__all__ = ["TablePages"]

_DOORS = ("audit", "comparison")


class TablePages:
    """Routes over ``tables``; ``place(job)`` is the address of the page of a job."""

    def __init__(self, tables: TableFolder, queue: JobQueue, place: Callable[[Job], str]):
        self.tables, self.queue, self.place = tables, queue, place

    def routes(self) -> list[Route]:
        """The two doors that begin with a table, and the pages of tables."""
        return [
            Route("/tables", handled(self.door("audit"))),
            Route("/tables", self.receive, methods=["POST"]),
            Route("/comparisons", handled(self.door("comparison"))),
            Route("/tables/{key}", handled(self.table)),
            Route("/tables/{key}/reading", handled(self.reading), methods=["POST"]),
            Route("/tables/{key}/remove", handled(self.remove), methods=["POST"]),
        ]

    def door(self, kind: str) -> Callable[[Request, Mapping[str, str]], Response]:
        """The page that asks for a table, to be checked or to compare classifiers on."""

        def shown(request: Request, form: Mapping[str, str]) -> Response:
            warm_up()
            return page(
                "tables/door.html",
                door=kind,
                limit=UPLOAD_LIMIT,
                most_columns=MOST_COLUMNS,
                tables=self.tables.tables()[:50],
                jobs=[job for job in self.queue.folder.jobs() if job.kind == kind][:50],
                place=self.place,
                trouble=self.queue.trouble,
            )

        return shown

    def _found(self, request: Request) -> StoredTable:
        table = self.tables.find(request.path_params["key"])
        if table is None:
            raise HTTPException(404)
        return table

    async def receive(self, request: Request) -> Response:
        """A file, as the body of the request; its name is only text."""
        incoming = None
        try:
            incoming = await run_in_threadpool(Incoming, self.tables, request.query_params.get("name", ""))
            async for piece in request.stream():
                await run_in_threadpool(incoming.write, piece)
            table = await run_in_threadpool(incoming.keep)
        except JobError as error:
            return json_refusal(422, str(error))
        except OSError as error:
            return json_refusal(507, f"The file cannot be kept: {error.strerror or error}.")
        finally:
            if incoming is not None:
                await run_in_threadpool(incoming.drop)  # nothing is left of it if it was kept
        door = request.query_params.get("for", "")
        more = f"?{urlencode({'for': door})}" if door in _DOORS else ""
        return JSONResponse({"place": f"/tables/{table.key}{more}"}, 201)

    def table(self, request: Request, form: Mapping[str, str]) -> Response:
        return self._page(request, self._found(request))

    def _page(self, request: Request, table: StoredTable, problem: str = "", status: int = 200) -> Response:
        door = request.query_params.get("for", "")
        return page(
            "tables/table.html",
            status,
            table=table,
            preview=table.preview,
            door=door if door in _DOORS else "audit",
            choices=CHOICES,
            problem=problem,
            jobs=[job for job in self.queue.folder.jobs() if job.settings.get("table") == table.key],
            place=self.place,
        )

    def reading(self, request: Request, form: Mapping[str, str]) -> Response:
        table = self._found(request)
        sheets = table.preview["sheets"]
        sheet = form.get("sheet")
        try:
            self.tables.read_differently(
                table, sheet if sheet in sheets else None, form.get("header") == "yes"
            )
        except JobError as error:
            return self._page(request, table, str(error), 422)
        return RedirectResponse(f"/tables/{table.key}", 303)

    def remove(self, request: Request, form: Mapping[str, str]) -> Response:
        """Delete the table and all work on it; work that is still running is stopped first."""
        table = self._found(request)
        jobs = [job for job in self.queue.folder.jobs() if job.settings.get("table") == table.key]
        busy = [job for job in jobs if not job.state.finished]
        if busy:
            return self._page(request, table, f"“{busy[0].title}” is not finished: stop it first.", 409)
        for job in jobs:
            self.queue.folder.remove(job)
        self.tables.remove(table)
        return RedirectResponse("/", 303)
