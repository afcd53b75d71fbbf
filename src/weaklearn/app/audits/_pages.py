"""The pages of checks: progress, then the rows to review, then what to take away."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from weaklearn.app._shell import FormError, download, handled, json_refusal, page, report_page
from weaklearn.app.audits._estimate import Estimates
from weaklearn.app.audits._files import corrected_table, filled_review
from weaklearn.app.audits._reviews import Reviewed, Reviews, ReviewsChangedError
from weaklearn.app.jobs import Job, JobError, JobQueue, State
from weaklearn.app.tables import MOST_COLUMNS, TableFolder
from weaklearn.app.tables._choice import chosen

__all__ = ["AuditPages"]

KIND = "audit"
_LONGEST_NOTE = 500
_SURE = 0.9
_LOOK = 0.5


class AuditPages:
    """Routes over the jobs of kind "audit"."""

    def __init__(self, tables: TableFolder, queue: JobQueue):
        self.tables, self.queue = tables, queue
        self.estimates = Estimates()
        self._reviews: dict[Path, Reviews] = {}

    def routes(self) -> list[Route]:
        """All addresses below /audits."""
        one = "/audits/{key}"
        return [
            Route("/audits", handled(self.start, MOST_COLUMNS + 10), methods=["POST"]),
            Route(one, handled(self.page)),
            Route(f"{one}/state", handled(self.state)),
            Route(f"{one}/events", self.events),
            Route(f"{one}/review", handled(self.review), methods=["POST"]),
            Route(f"{one}/note", handled(self.note), methods=["POST"]),
            Route(f"{one}/undo", handled(self.undo), methods=["POST"]),
            Route(f"{one}/next", handled(self.next_round), methods=["POST"]),
            Route(f"{one}/report.html", handled(self.report)),
            Route(f"{one}/rows.csv", handled(self.rows)),
            Route(f"{one}/review.csv", handled(self.review_file)),
            Route(f"{one}/corrected", handled(self.corrected)),
        ]

    # --- the job ----------------------------------------------------------------------------------------

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        table = self.tables.find(form.get("table", ""))
        if table is None:
            raise HTTPException(404)
        settings = chosen(form, table)
        job = self.queue.submit(KIND, f"{table.name}: {settings['label']}", settings)
        return RedirectResponse(f"/audits/{job.key}", 303)

    def next_round(self, request: Request, form: Mapping[str, str]) -> Response:
        """The whole audit again, with all answers so far as certain."""
        job = self._done(request)
        answers = self._answers(job)
        settings = {**job.settings, "reviewed": {str(line): label for line, label in answers.items()}}
        title = f"{job.title.partition(' (')[0]} ({len(answers)} reviewed)"
        return RedirectResponse(f"/audits/{self.queue.submit(KIND, title, settings).key}", 303)

    def _found(self, request: Request) -> Job:
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind != KIND:
            raise HTTPException(404)
        return job

    def _done(self, request: Request) -> Job:
        job = self._found(request)
        if job.state is not State.DONE:
            raise JobError("This check is not finished, so there is nothing to review yet.")
        return job

    # --- the page ---------------------------------------------------------------------------------------

    def page(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        if job.state is not State.DONE:
            news = job.progress()
            return page("jobs/progress.html", job=job, section="tables", last=news[-1] if news else {})
        return self._page(job)

    def _page(self, job: Job, problem: str = "", status: int = 200) -> Response:
        found = _page_data(job)
        reviewed = self._log(job).read()
        estimate = self.estimates.of(job.result, reviewed.answers)
        probability = dict(zip(estimate.lines.tolist(), estimate.probability.tolist(), strict=True))
        table = self.tables.find(job.settings["table"])
        return page(
            "audits/audit.html",
            status,
            job=job,
            found=found,
            classes=list(found["classes"]),
            reviewed=reviewed,
            probability=probability,
            lead=estimate.lead,
            n_sure=len(estimate.corrections(self._answers(job), _SURE)),
            n_own=len(estimate.corrections(self._answers(job), None)),
            table=table,
            longest_note=_LONGEST_NOTE,
            problem=problem,
        )

    def state(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        return JSONResponse(self._state(job, self._log(job).read()))

    def _state(self, job: Job, reviewed: Reviewed, *, estimated: bool = True) -> dict[str, Any]:
        """What a tab needs to agree with all others."""
        now: dict[str, Any] = {
            "revision": reviewed.revision,
            "answers": {str(row): label for row, label in reviewed.answers.items()},
            "notes": {str(row): text for row, text in reviewed.notes.items()},
        }
        if estimated:
            estimate = self.estimates.of(job.result, reviewed.answers)
            shown = {record["row"] for record in _page_data(job)["top"]}
            now |= {
                "lead": estimate.lead,
                "n_sure": len(estimate.corrections(self._answers(job), _SURE)),
                "n_own": len(estimate.corrections(self._answers(job), None)),
                "probability": {
                    str(line): round(float(p), 4)
                    for line, p in zip(estimate.lines, estimate.probability, strict=True)
                    if int(line) in shown
                },
            }
        return now

    async def events(self, request: Request) -> Response:
        """An event for every change of the reviews, so that all tabs show the same."""
        log = self._log(self._found(request))

        async def changes() -> AsyncIterator[str]:
            told = None
            while not (self.queue.closing.is_set() or await request.is_disconnected()):
                now = log.path.stat().st_size if log.path.exists() else 0
                if now != told:
                    yield f"event: reviews\ndata: {log.read().revision}\n\n"
                    told = now
                await asyncio.sleep(_LOOK)

        return StreamingResponse(changes(), media_type="text/event-stream")

    # --- reviewing ----------------------------------------------------------------------------------------

    def _log(self, job: Job) -> Reviews:
        return self._reviews.setdefault(job.path, Reviews(job.path / "reviews.jsonl"))

    def _answers(self, job: Job) -> dict[int, str]:
        """All answers, those included that this round of the audit began with."""
        before = {int(line): label for line, label in job.settings.get("reviewed", {}).items()}
        return {**before, **self._log(job).read().answers}

    def _row(self, job: Job, form: Mapping[str, str]) -> int:
        text = form.get("row", "")
        rows = {str(record["row"]) for record in _page_data(job)["top"]}
        if text not in rows:
            raise FormError("The form names a row that is not on this list.")
        return int(text)

    def _reply(self, request: Request, job: Job, reviewed: Reviewed, row: int | None = None) -> Response:
        if _wants_json(request):
            # Saved is saved; the estimate is asked for apart and may take longer.
            return JSONResponse(self._state(job, reviewed, estimated=False))
        return RedirectResponse(f"/audits/{job.key}" + ("" if row is None else f"#row-{row}"), 303)

    def review(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        row = self._row(job, form)
        classes = list(_page_data(job)["classes"])
        place = form.get("answer", "")
        if not place.isascii() or not place.isdigit() or int(place) >= len(classes):
            raise FormError("The form names a label that the table does not have.")
        return self._reply(request, job, self._log(job).answer(row, classes[int(place)]), row)

    def note(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        row = self._row(job, form)
        text = form.get("note", "").replace("\r\n", "\n").strip()
        if len(text) > _LONGEST_NOTE:
            problem = (
                f"A note has at most {_LONGEST_NOTE} characters; this one has {len(text)}. It was not saved."
            )
            return json_refusal(422, problem) if _wants_json(request) else self._page(job, problem, 422)
        return self._reply(request, job, self._log(job).note(row, text), row)

    def undo(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        text = form.get("revision", "")
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise FormError("The form does not say what to undo.")
        try:
            reviewed = self._log(job).undo(int(text))
        except ReviewsChangedError:
            problem = "Nothing was undone: the reviews were changed in another window or tab after this page was shown."
            if _wants_json(request):
                return json_refusal(
                    409, problem, now=self._state(job, self._log(job).read(), estimated=False)
                )
            return self._page(job, problem, 409)
        return self._reply(request, job, reviewed)

    # --- what to take away --------------------------------------------------------------------------------

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        return report_page((job.result / "report.html").read_bytes(), "save" in request.query_params)

    def rows(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        return download((job.result / "rows.csv").read_bytes(), "rows.csv", "text/csv")

    def review_file(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        text = filled_review(job.result / "review.csv", self._answers(job), self._log(job).read().notes)
        return download(text.encode(), "review.csv", "text/csv")

    def corrected(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        table = self.tables.find(job.settings["table"])
        if table is None:
            raise JobError("The table of this check has been deleted.")
        above = _SURE if "sure" in request.query_params else None
        log = self._log(job).read()
        cells = self.estimates.of(job.result, log.answers).corrections(self._answers(job), above)
        return corrected_table(table, job.settings, cells)


def _page_data(job: Job) -> dict[str, Any]:
    return json.loads((job.result / "page.json").read_text(encoding="utf-8"))


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")
