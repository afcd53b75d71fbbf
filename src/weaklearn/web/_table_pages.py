"""The pages that receive a table and show what is in it."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from weaklearn.web._door import Building, Door
from weaklearn.web._jobs import JobError
from weaklearn.web._shell import handled, json_refusal, page
from weaklearn.web._uploads import CHOICES, MOST_COLUMNS, UPLOAD_LIMIT, Incoming, StoredTable, warm_up


class TablePages:
    """The pages of tables, and the first pages of the doors that begin with one."""

    def __init__(self, building: Building):
        self.building, self.tables = building, building.tables
        self.doors = [door for door in building.doors if door.on_table]

    def routes(self) -> list[Route]:
        """The doors that begin with a table, and the pages of tables."""
        return [
            *(Route(door.place, handled(self.first_page(door))) for door in self.doors),
            Route("/tables", self.receive, methods=["POST"]),
            Route("/tables/example", handled(self.example), methods=["POST"]),
            Route("/tables/{key}", handled(self.table)),
            Route("/tables/{key}/reading", handled(self.reading), methods=["POST"]),
            Route("/tables/{key}/remove", handled(self.remove), methods=["POST"]),
        ]

    def first_page(self, door: Door) -> Callable[[Request, Mapping[str, str]], Response]:
        """The page that asks for a table."""

        def shown(request: Request, form: Mapping[str, str]) -> Response:
            warm_up()
            return page(
                "web/door.html",
                door=door,
                limit=UPLOAD_LIMIT,
                most_columns=MOST_COLUMNS,
                tables=self.tables.records()[:50],
                jobs=self.building.jobs(door.kind)[:50],
                damaged=self.building.damaged()[:50],
                place=self.building.place,
                trouble=self.building.queue.trouble,
            )

        return shown

    def _doors(self, request: Request) -> list[Door]:
        """The doors that a table may go through, the one that it was uploaded for first."""
        wanted = request.query_params.get("for", "")
        return sorted(self.doors, key=lambda door: door.kind != wanted)

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
        wanted = request.query_params.get("for", "")
        more = f"?{urlencode({'for': wanted})}" if wanted else ""
        return JSONResponse({"place": f"/tables/{table.key}{more}"}, 201)

    def example(self, request: Request, form: Mapping[str, str]) -> Response:
        """A table with planted mistakes, to try a door with."""
        # The server starts without NumPy.
        from weaklearn.datasets import make_noisy_table
        from weaklearn.reports import csv_text

        columns, _ = make_noisy_table(300, random_state=0)
        rows = zip(*(map(str, values.tolist()) for values in columns.values()), strict=True)
        incoming = Incoming(self.tables, "example.csv")
        try:
            incoming.write(csv_text(dict(zip(columns, row, strict=True)) for row in rows).encode())
            table = incoming.keep()
        finally:
            incoming.drop()
        return RedirectResponse(f"/tables/{table.key}?{urlencode({'for': form.get('for', '')})}", 303)

    def table(self, request: Request, form: Mapping[str, str]) -> Response:
        return self._page(request, self._found(request))

    def _page(self, request: Request, table: StoredTable, problem: str = "", status: int = 200) -> Response:
        return page(
            "web/table.html",
            status,
            table=table,
            preview=table.preview,
            doors=self._doors(request),
            choices=CHOICES,
            problem=problem,
            jobs=self.building.jobs(table=table.key),
            place=self.building.place,
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
        jobs = self.building.jobs(table=table.key)
        busy = [job for job in jobs if not job.state.finished]
        if busy:
            return self._page(request, table, f"“{busy[0].title}” is not finished: stop it first.", 409)
        for job in jobs:
            self.building.queue.folder.remove(job)
        self.tables.remove(table)
        return RedirectResponse("/", 303)
