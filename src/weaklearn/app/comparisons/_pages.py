"""The pages of comparisons: classifiers as they finish, then what they show and what to take away."""

import json
from collections.abc import Mapping

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.app._shell import download, handled, page, report_page
from weaklearn.app.jobs import Job, JobError, JobQueue, State
from weaklearn.app.tables import MOST_COLUMNS, TableFolder
from weaklearn.app.tables._choice import chosen

__all__ = ["ComparisonPages"]

KIND = "comparison"
_FILES = {
    "model.skops": "application/octet-stream",
    "card.json": "application/json",
    "predict.py": "text/x-python",
}


class ComparisonPages:
    """Routes over the jobs of kind "comparison"."""

    def __init__(self, tables: TableFolder, queue: JobQueue):
        self.tables, self.queue = tables, queue

    def routes(self) -> list[Route]:
        """All addresses below /comparisons but the door itself."""
        one = "/comparisons/{key}"
        return [
            Route("/comparisons", handled(self.start, MOST_COLUMNS + 10), methods=["POST"]),
            Route(one, handled(self.page)),
            Route(f"{one}/report.html", handled(self.report)),
            Route(f"{one}/{{name}}", handled(self.file)),
        ]

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        table = self.tables.find(form.get("table", ""))
        if table is None:
            raise HTTPException(404)
        settings = chosen(form, table)
        job = self.queue.submit(KIND, f"{table.name}: {settings['label']}", settings)
        return RedirectResponse(f"/comparisons/{job.key}", 303)

    def _found(self, request: Request) -> Job:
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind != KIND:
            raise HTTPException(404)
        return job

    def page(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        if job.state is not State.DONE:
            news = job.progress()
            last = news[-1] if news else {}
            done = {line["model"]: line for line in news if "model" in line}
            return page("comparisons/running.html", job=job, section="comparisons", last=last, done=done)
        found = json.loads((job.result / "page.json").read_text(encoding="utf-8"))
        script = (job.result / "predict.py").read_text(encoding="utf-8") if found["saved"] else ""
        return page(
            "comparisons/comparison.html", job=job, found=found, figure=Markup(found["figure"]), script=script
        )

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        return report_page((job.result / "report.html").read_bytes(), "save" in request.query_params)

    def _done(self, request: Request) -> Job:
        job = self._found(request)
        if job.state is not State.DONE:
            raise JobError("This comparison is not finished.")
        return job

    def file(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        name = request.path_params["name"]
        if name not in _FILES or not (job.result / name).is_file():
            raise HTTPException(404)
        return download((job.result / name).read_bytes(), name, _FILES[name])
