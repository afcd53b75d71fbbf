"""The local server: one socket, on 127.0.0.1 unless a person asked for another, one start-up address."""

import asyncio
import importlib
import ipaddress
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from weaklearn.web._application import Application
from weaklearn.web._guard import Pass

_HEAD_SECONDS = 20.0  # for the head of a request; its body is timed by the guard


class ServeError(Exception):
    """The server cannot be started; the message is for the user."""


def exposure(host: str) -> str | None:
    """What a person must know before the server listens on ``host``; None if no other machine can reach it."""
    try:
        address = ipaddress.IPv4Address(host)
    except ValueError:
        raise ServeError(
            f"--host takes an IPv4 address of this machine, such as 192.168.0.5; got {host!r}"
        ) from None
    if address.is_unspecified:
        raise ServeError("--host 0.0.0.0 would listen on every network: name the address of one of them")
    if address.is_loopback:
        return None
    return (
        f"Every machine that reaches {host} can then speak to this server. Only a browser with the address and its "
        "token is signed in, but the connection is not encrypted: anyone who can read the network's traffic sees "
        "token, questions and answers, and can change them. Do this in a network that you trust, never on the internet."
    )


def serve(folder: Path, port: int, doors: Sequence[str], jobs: int, host: str, pages: Path | None) -> None:
    """Serve the work in ``folder`` until Ctrl-C; port 0 takes a free one; ``jobs`` run at a time.

    ``doors`` are the modules whose ``DOOR`` is opened, such as ``"weaklearn.labels.pages"``; ``pages`` is a folder of
    the user's own pages, served below /pages/ as they are.
    """
    folder = folder.resolve()
    with _listening(host, port) as listener:
        key = Pass(listener.getsockname()[1], host)
        opened = [importlib.import_module(module).DOOR for module in doors]
        application = Application(folder, key, opened, jobs, pages)
        config = uvicorn.Config(
            application.asgi,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # there is no proxy, so no header may claim one
            http=_IdleTimeoutProtocol,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=3,
        )
        print(f"Working in {folder}. Open this address; Ctrl-C ends the server.\n{key.url}", flush=True)
        application.queue.start()
        try:
            _Server(config, application).run(sockets=[listener])
        except KeyboardInterrupt:
            print("Stopped. Everything recorded is on disk; unfinished work resumes.", file=sys.stderr)
        finally:
            application.queue.stop()
            application.building.ending.close()


class _Server(uvicorn.Server):
    """Tells pages that wait for events to end before it waits for them."""

    def __init__(self, config: uvicorn.Config, application: Application):
        super().__init__(config)
        self.application = application

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.application.queue.closing.set()
        super().handle_exit(sig, frame)


class _IdleTimeoutProtocol(H11Protocol):
    """Closes a connection that has been waiting for a whole head for `_HEAD_SECONDS`: else it would be kept forever."""

    _watch: asyncio.TimerHandle | None = None
    _answered_before: object = None

    def connection_made(self, transport):
        super().connection_made(transport)
        self._look_again()

    def _look_again(self):
        self._answered_before = self.cycle
        self._watch = self.loop.call_later(_HEAD_SECONDS, self._look)

    def _look(self):
        # The same request as last time, or none at all, and no other has begun: the connection is idle.
        waiting = self.conn.their_state is h11.IDLE and self.cycle is self._answered_before
        if waiting and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()
        elif not self.transport.is_closing():
            self._look_again()

    def connection_lost(self, exc):
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there, it would let another program share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(64)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ServeError(f"{host}:{port} cannot be used ({reason}); choose another by --port") from None
    return listener
