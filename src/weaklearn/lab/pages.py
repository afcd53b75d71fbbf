"""The page of all studies, and those of their runs."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.web import Building, Door, FormError, Job, JobPages, State, handled, page

__all__ = ["DOOR"]

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
        from weaklearn.lab._discover import discover
        from weaklearn.lab._status import status_report

        with self._turn:
            files = (self.store, self.store.with_name(f"{self.store.name}-wal"))
            now = tuple(path.stat()[6:9] if path.exists() else None for path in files)
            known = self._known.get(profile)
            if known is None or known[0] != now:
                experiments = list(discover().values())
                counted = status_report(experiments, profile=profile, store=self.store)
                known = now, list(zip(experiments, counted, strict=True))
                self._known[profile] = known
            return known[1]


class _Pages(JobPages):
    kind, place = "reproduction", "/lab"
    unfinished = "This run is not finished."
    progress = "lab/running.html"
    files = {"cells.csv": "text/csv"}

    def __init__(self, building: Building):
        super().__init__(building)
        self.status = _Status(building.work / "reproduction" / "store.sqlite")

    def more_routes(self, one: str) -> list[Route]:
        """The page of all studies."""
        return [Route(self.place, handled(self.studies))]

    def studies(self, request: Request, form: Mapping[str, str]) -> Response:
        profile = request.query_params.get("profile", "quick")
        if profile not in _PROFILES:
            raise HTTPException(404)
        jobs = [job for job in self.building.jobs(self.kind) if job.settings["profile"] == profile]
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
                    "score": None if done is None else self.page_data(done),
                }
            )
        return page(
            "lab/studies.html",
            rows=rows,
            profile=profile,
            profiles=_PROFILES,
            place=self.building.place,
            trouble=self.queue.trouble,
        )

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        study, profile = form.get("study", ""), form.get("profile", "")
        if profile not in _PROFILES:
            raise FormError("The form names an unknown profile.")
        titles = {experiment.name: experiment.title for experiment, _ in self.status.of(profile)}
        if study not in titles:
            raise FormError("The form names an unknown study.")
        wanted = {"study": study, "profile": profile}
        job = self.queue.submit(self.kind, f"{titles[study]} ({profile})", wanted)
        return RedirectResponse(self.building.place(job), 303)

    def shown(self, job: Job) -> Response:
        """The score, and the report."""
        return page("lab/run.html", job=job, score=self.page_data(job))


DOOR = Door(
    place=_Pages.place,
    title="Reproduce the papers",
    about="See which claims of five documents hold, and run their experiments again.",
    icon="M9 3h6 M10 3v6L4.5 19a1.5 1.5 0 0 0 1.3 2h12.4a1.5 1.5 0 0 0 1.3-2L14 9V3 M7.5 15h9",
    open=_Pages.open,
    word="reproduction",
    kind=_Pages.kind,
    work="weaklearn.lab._job:run_study",
)
