"""Connections on which nothing arrives are closed: a half-open one would be kept forever."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_SECONDS", "IdleTimeoutProtocol"]

HEAD_SECONDS = 20.0  # for the head of a request; its body is timed by the guard


class IdleTimeoutProtocol(H11Protocol):
    """Closes a connection that has been waiting for a whole head for `HEAD_SECONDS`."""

    _watch: asyncio.TimerHandle | None = None
    _answered_before: object = None

    def connection_made(self, transport):
        """Begin to watch."""
        super().connection_made(transport)
        self._look_again()

    def _look_again(self):
        self._answered_before = self.cycle
        self._watch = self.loop.call_later(HEAD_SECONDS, self._look)

    def _look(self):
        # The same request as last time, or none at all, and no other has begun: the connection is idle.
        waiting = self.conn.their_state is h11.IDLE and self.cycle is self._answered_before
        if waiting and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()
        elif not self.transport.is_closing():
            self._look_again()

    def connection_lost(self, exc):
        """Stop watching."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)
