"""Label checks in the browser: progress, then the rows to review, then the files to download."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from weaklearn._formulas import KEEP_FORMULAS
from weaklearn.labels._reviews import (
    SAMPLE_ROWS,
    UNCLEAR,
    Estimates,
    Reviewed,
    Reviews,
    ReviewsChangedError,
    reviewed_before,
)
from weaklearn.web import (
    Building,
    Door,
    FormError,
    Job,
    JobError,
    JobPages,
    StoredTable,
    download,
    handled,
    json_refusal,
    limited,
    page,
)

__all__ = ["DOOR"]

_LONGEST_NOTE = 500
_SURE = 0.9
_LOOK = 0.5


class _Pages(JobPages):
    kind, place = "audit", "/audits"
    unfinished = "This check is not finished, so there is nothing to review yet."
    files = {"rows.csv": "text/csv"}
    page_shape = {
        "answer": str,
        "list": str,
        "label": str,
        "classes": dict,
        "top": [{"row": int, "label": str}],
    }

    def __init__(self, building: Building):
        super().__init__(building)
        self.estimates = Estimates()
        self._reviews: dict[Path, Reviews] = {}

    def more_routes(self, one: str) -> list[Route]:
        """Reviewing, and the files that a review gives."""
        return [
            Route(f"{one}/state", handled(self.state)),
            Route(f"{one}/events", self.events),
            Route(f"{one}/review", handled(self.review), methods=["POST"]),
            Route(f"{one}/note", handled(self.note), methods=["POST"]),
            Route(f"{one}/undo", handled(self.undo), methods=["POST"]),
            Route(f"{one}/next", handled(self.next_round), methods=["POST"]),
            Route(f"{one}/review.csv", handled(self.review_file)),
            Route(f"{one}/corrected", handled(self.corrected)),
        ]

    # --- the job ----------------------------------------------------------------------------------------

    def next_round(self, request: Request, form: Mapping[str, str]) -> Response:
        """The whole audit again, with all answers so far as certain."""
        job = self._done(request)
        answers = self._answers(job)
        settings = {**job.settings, "reviewed": {str(line): label for line, label in answers.items()}}
        sample = [record["row"] for record in self.page_data(job)["top"] if record.get("sample")]
        if all(row in answers for row in sample):
            settings["sample"] = job.settings.get("sample", SAMPLE_ROWS) + SAMPLE_ROWS
        title = f"{job.title.partition(' (')[0]} ({len(answers)} reviewed)"
        return RedirectResponse(self.building.place(self.queue.submit(self.kind, title, settings)), 303)

    # --- the page ---------------------------------------------------------------------------------------

    def headline(self, job: Job) -> str:
        """How many labels are wrong, before any review."""
        return self.page_data(job)["answer"]

    def shown(self, job: Job) -> Response:
        """The rows to review."""
        return self._page(job)

    def _page(self, job: Job, problem: str = "", status: int = 200) -> Response:
        found = self.page_data(job)
        reviewed = self._log(job).read()
        return page(
            "labels/review.html",
            status,
            job=job,
            found=found,
            classes=list(found["classes"]),
            reviewed=reviewed,
            **self._estimated(job, reviewed),
            table=self.tables.find(job.settings["table"]),
            n_sample=sum(bool(record.get("sample")) for record in found["top"]),
            longest_note=_LONGEST_NOTE,
            keep_formulas=KEEP_FORMULAS,
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
            now |= self._estimated(job, reviewed)
            shown = {record["row"] for record in self.page_data(job)["top"]}
            now["probability"] = {
                str(line): round(p, 4) for line, p in now["probability"].items() if line in shown
            }
        return now

    def _estimated(self, job: Job, reviewed: Reviewed) -> dict[str, Any]:
        """What the answers so far make of the estimate, and how many labels a corrected table would change."""
        estimate = self.estimates.of(job.result, reviewed.answers)
        answers = {**reviewed_before(job.settings), **reviewed.answers}
        return {
            "lead": estimate.lead,
            "interval": estimate.interval,
            "n_sure": len(estimate.corrections(answers, _SURE)),
            "n_own": len(estimate.corrections(answers, None)),
            "probability": estimate.probability,
        }

    async def events(self, request: Request) -> Response:
        """An event for every change of the reviews, so that all tabs show the same."""
        log = Reviews(self._found(request).path / "reviews.jsonl")

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
        if job.path not in self._reviews:
            found = self.page_data(job)
            rows = {record["row"] for record in found["top"]}
            answers = {*found["classes"], UNCLEAR}
            self._reviews[job.path] = Reviews(job.path / "reviews.jsonl", rows, answers)
        return self._reviews[job.path]

    def _answers(self, job: Job) -> dict[int, str]:
        """All answers, those included that this round of the audit began with."""
        return {**reviewed_before(job.settings), **self._log(job).read().answers}

    def _row(self, job: Job, form: Mapping[str, str]) -> int:
        text = form.get("row", "")
        rows = {str(record["row"]) for record in self.page_data(job)["top"]}
        if text not in rows:
            raise FormError("The form names a row that is not on this list.")
        return int(text)

    def _reply(self, request: Request, job: Job, reviewed: Reviewed, row: int | None = None) -> Response:
        if _wants_json(request):
            # Saved is saved; the estimate is asked for apart and may take longer.
            return JSONResponse(self._state(job, reviewed, estimated=False))
        return RedirectResponse(self.building.place(job) + ("" if row is None else f"#row-{row}"), 303)

    def review(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        row = self._row(job, form)
        classes = list(self.page_data(job)["classes"])
        place = form.get("answer", "")
        if place == UNCLEAR:
            return self._reply(request, job, self._log(job).answer(row, UNCLEAR), row)
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

    # --- downloads --------------------------------------------------------------------------------

    def review_file(self, request: Request, form: Mapping[str, str]) -> Response:
        # Not before it is needed: pandas takes a second to import.
        from weaklearn.labels._review_files import filled_review

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
        return _corrected(table, job.settings, cells, "keep_formulas" in request.query_params)


def _corrected(
    table: StoredTable, settings: Mapping[str, Any], cells: Mapping[int, str], keep_formulas: bool
) -> Response:
    """The table again, in its own format, with new labels by row number (from 1 on)."""
    ending = "".join(table.path.suffixes)
    with tempfile.TemporaryDirectory(dir=table.path.parent.parent, prefix=f".new-{os.getpid()}-") as folder:
        target = Path(folder) / f"table{ending}"
        payload = {
            "path": str(table.path),
            "name": table.name,
            "target": str(target),
            "column": settings["label"],
            "cells": {str(line - 1): label for line, label in cells.items()},
            "sheet": settings["sheet"],
            "header": settings["header"],
            "keep_formulas": keep_formulas,
        }
        limited("rewrite", payload)
        content = target.read_bytes()
    stem = table.name.removesuffix(ending) or os.path.splitext(table.name)[0]
    return download(content, f"{stem}_corrected{ending}")


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


DOOR = Door(
    place=_Pages.place,
    title="Check a table",
    about="Find labels that look wrong, review them, and download a corrected table.",
    icon="M4 5h16v14H4z M4 10h16 M9 5v14 M12.5 14.5l1.5 1.5 3-3.5",
    open=_Pages.open,
    word="label check",
    kind=_Pages.kind,
    work="weaklearn.labels._job:check",
    on_table="Check the labels",
    command="weaklearn audit TABLE --label COLUMN",
    scripts=(Path(__file__).parent / "static" / "review.js",),
)
