"""Routes whose module takes a second or two to import: made when a request first needs them."""

import threading
from collections.abc import Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Match, Router
from starlette.types import Receive, Scope, Send


class Deferred(BaseRoute):
    """Answers everything at and below some addresses with the routes that ``make`` returns.

    Parameters
    ----------
    places : sequence of str
        The addresses: "/new" stands for itself and for all that begins with "/new/".
    make : callable
        Called once, off the event loop; imports what it needs.
    """

    def __init__(self, places: Sequence[str], make: Callable[[], Sequence[BaseRoute]]):
        self.places, self._make = tuple(places), make
        self._lock = threading.Lock()
        self._router: Router | None = None

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes, made now if they were not."""
        return self._made().routes

    def prepare(self) -> None:
        """Begin to make the routes in the background, before a request needs them."""
        if self._router is None:
            threading.Thread(target=self._made, daemon=True, name="imports").start()

    def _made(self) -> Router:
        with self._lock:
            if self._router is None:
                self._router = Router(self._make())
            return self._router

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """See `BaseRoute`."""
        path = f"{scope['path']}/" if scope["type"] == "http" else ""
        found = any(path.startswith(f"{place}/") for place in self.places)
        return (Match.FULL if found else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See `BaseRoute`."""
        router = await run_in_threadpool(self._made) if self._router is None else self._router
        await router(scope, receive, send)
