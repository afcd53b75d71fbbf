"""A job as server-sent events: all that has happened, then what happens."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

from weaklearn.web.jobs._job import JobFolder

__all__ = ["job_events"]

_LOOK = 0.25  # seconds between two looks at the files
_QUIET = 10.0  # seconds without news after which a comment shows whether anybody is listening


async def job_events(
    folder: JobFolder, key: str, start: int, gone: Callable[[], Awaitable[bool]]
) -> AsyncIterator[str]:
    """The text of the events ``progress`` (a line of the progress, its number as id) and ``state``.

    Parameters
    ----------
    folder : JobFolder
    key : str
    start : int
        Number of the first line that is wanted.
    gone : callable
        Whether the browser has left.
    """
    told, silent = None, 0.0
    while not await gone():
        job = folder.find(key)
        if job is None:
            yield _event("state", {"state": "removed", "message": ""})
            return
        news = job.progress(start)
        for line in news:
            start += 1
            yield _event("progress", line, start)
        now = {"state": job.state, "message": job.message, "attempt": job.attempt}
        if now != told:
            yield _event("state", now)
            told = now
        if job.state.finished:
            return
        silent = 0.0 if news else silent + _LOOK
        if silent >= _QUIET:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(_LOOK)


def _event(name: str, data: dict, number: int | None = None) -> str:
    place = "" if number is None else f"id: {number}\n"
    return f"{place}event: {name}\ndata: {json.dumps(data)}\n\n"
