"""The page of all studies, and those of their runs."""

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.app._shell import FormError, download, handled, page, report_page
from weaklearn.app.jobs import Job, JobError, JobQueue, State

__all__ = ["LaboratoryPages"]

KIND = "reproduction"
_PROFILES = ("quick", "full")


class _Status:
    """What the store has of each study; counted again only when the store has changed."""

    def __init__(self, store: Path):
        self.store = store
        self._turn = threading.Lock()
        self._known: dict[str, tuple[tuple, list[Any]]] = {}

    def of(self, profile: str) -> list[Any]:
        """A pair of experiment and `StudyStatus` for each study."""
        # Not before it is needed: the lab takes a second to import.
        from weaklearn.lab import status_report, studies

        with self._turn:
            files = (self.store, self.store.with_name(f"{self.store.name}-wal"))
            now = tuple(path.stat()[6:9] if path.exists() else None for path in files)
            known = self._known.get(profile)
            if known is None or known[0] != now:
                experiments = list(studies.discover().values())
                counted = status_report(experiments, profile=profile, store=self.store)
                known = now, list(zip(experiments, counted, strict=True))
                self._known[profile] = known
            return known[1]


class LaboratoryPages:
    """Routes over the jobs of kind "reproduction"; ``place(job)`` is the address of the page of a job."""

    def __init__(self, folder: Path, queue: JobQueue, place: Callable[[Job], str]):
        self.queue, self.place = queue, place
        self.status = _Status(folder / "reproduction" / "store.sqlite")

    def routes(self) -> list[Route]:
        """All addresses below /lab."""
        return [
            Route("/lab", handled(self.studies)),
            Route("/lab", handled(self.start), methods=["POST"]),
            Route("/lab/{key}", handled(self.page)),
            Route("/lab/{key}/report.html", handled(self.report)),
            Route("/lab/{key}/cells.csv", handled(self.cells)),
        ]

    def _jobs(self) -> list[Job]:
        return [job for job in self.queue.folder.jobs() if job.kind == KIND]

    def studies(self, request: Request, form: Mapping[str, str]) -> Response:
        profile = request.query_params.get("profile", "quick")
        if profile not in _PROFILES:
            raise HTTPException(404)
        jobs = [job for job in self._jobs() if job.settings["profile"] == profile]
        rows = []
        for experiment, counted in self.status.of(profile):
            own = [job for job in jobs if job.settings["study"] == experiment.name]
            done = next((job for job in own if job.state is State.DONE), None)
            rows.append(
                {
                    "name": experiment.name,
                    "title": experiment.title,
                    "source": experiment.source,
                    "counted": counted,
                    "job": own[0] if own else None,
                    "done": done,
                    "score": None if done is None else _score(done),
                }
            )
        return page(
            "laboratory/studies.html",
            rows=rows,
            profile=profile,
            profiles=_PROFILES,
            place=self.place,
            trouble=self.queue.trouble,
        )

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        study, profile = form.get("study", ""), form.get("profile", "")
        if profile not in _PROFILES:
            raise FormError("The form names a profile that there is not.")
        titles = {experiment.name: experiment.title for experiment, _ in self.status.of(profile)}
        if study not in titles:
            raise FormError("The form names a study that there is not.")
        wanted = {"study": study, "profile": profile}
        job = self.queue.submit(KIND, f"{titles[study]} ({profile})", wanted)
        return RedirectResponse(self.place(job), 303)

    def _found(self, request: Request) -> Job:
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind != KIND:
            raise HTTPException(404)
        return job

    def _done(self, request: Request) -> Job:
        job = self._found(request)
        if job.state is not State.DONE:
            raise JobError("This run is not finished.")
        return job

    def page(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        if job.state is not State.DONE:
            news = job.progress()
            return page("laboratory/running.html", job=job, section="lab", last=news[-1] if news else {})
        return page("laboratory/run.html", job=job, score=_score(job))

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._done(request)
        return report_page((job.result / "report.html").read_bytes(), "save" in request.query_params)

    def cells(self, request: Request, form: Mapping[str, str]) -> Response:
        return download((self._done(request).result / "cells.csv").read_bytes(), "cells.csv", "text/csv")


def _score(job: Job) -> dict[str, Any]:
    return json.loads((job.result / "page.json").read_text(encoding="utf-8"))
