"""The addresses that all kinds of jobs share: their events, and the buttons to stop, retry and delete them."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from weaklearn.app._shell import handled
from weaklearn.app.jobs._events import job_events
from weaklearn.app.jobs._job import Job
from weaklearn.app.jobs._queue import JobQueue

__all__ = ["JobPages"]


class JobPages:
    """Routes over the jobs of ``queue``; ``places`` says for each kind where its pages are (``"/audits"``)."""

    def __init__(self, queue: JobQueue, places: Mapping[str, str]):
        self.queue, self.places = queue, dict(places)

    def routes(self) -> list[Route]:
        """All addresses below /jobs."""
        return [
            Route("/jobs/{key}", handled(self.page)),
            Route("/jobs/{key}/events", self.events),
            Route("/jobs/{key}/cancel", handled(self.cancel), methods=["POST"]),
            Route("/jobs/{key}/again", handled(self.again), methods=["POST"]),
            Route("/jobs/{key}/remove", handled(self.remove), methods=["POST"]),
        ]

    def place(self, job: Job) -> str:
        """The address of the page of a job."""
        return f"{self.places[job.kind]}/{job.key}"

    def _found(self, request: Request) -> Job:
        job = self.queue.folder.find(request.path_params["key"])
        if job is None or job.kind not in self.places:
            raise HTTPException(404)
        return job

    def page(self, request: Request, form: Mapping[str, str]) -> Response:
        return RedirectResponse(self.place(self._found(request)), 303)

    def cancel(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        self.queue.cancel(job)
        return RedirectResponse(self.place(job), 303)

    def again(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        self.queue.again(job)
        return RedirectResponse(self.place(job), 303)

    def remove(self, request: Request, form: Mapping[str, str]) -> Response:
        job = self._found(request)
        if job.state.finished:
            self.queue.folder.remove(job)
        return RedirectResponse("/", 303)

    async def events(self, request: Request) -> Response:
        job = self._found(request)
        seen = request.headers.get("last-event-id", "")
        start = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else 0

        async def gone() -> bool:
            return self.queue.closing.is_set() or await request.is_disconnected()

        stream = job_events(self.queue.folder, job.key, start, gone)
        return StreamingResponse(stream, media_type="text/event-stream")
