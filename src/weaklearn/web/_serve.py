"""The local server: one socket, on 127.0.0.1 unless a person asked for another, one start-up address."""

import importlib
import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["HOME", "ServeError", "exposure", "serve"]

HOME = "127.0.0.1"


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


def serve(
    folder: Path, port: int, doors: Sequence[str], jobs: int = 1, host: str = HOME, pages: Path | None = None
) -> None:
    """Serve the work in ``folder`` until Ctrl-C; port 0 takes a free one; ``jobs`` run at a time.

    ``doors`` are the modules whose ``DOOR`` is opened, such as ``"weaklearn.labels.pages"``.

    ``pages`` is a folder of a user's own pages, served below /pages/ as they are.
    """
    for place in (folder, *([] if pages is None else [pages])):
        if not place.is_dir():
            raise ServeError(f"there is no folder {place}: create it, or name another")
    folder = folder.resolve()
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        message = f"the pages need the package {error.name}: pip install 'weaklearn[web]'"
        raise ServeError(message) from None
    # These modules import the two packages.
    from weaklearn.web._building import Application
    from weaklearn.web._guard import Pass
    from weaklearn.web._idle_timeout import IdleTimeoutProtocol

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
            http=IdleTimeoutProtocol,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=3,
        )
        print(
            f"Working in {folder}. Open this address; Ctrl-C ends the server.\n{key.url}",
            flush=True,
        )
        application.queue.start()
        try:
            server = uvicorn.Server(config)
            server.handle_exit = _closing_first(server.handle_exit, application.queue.closing)  # type: ignore[assignment, method-assign]
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            print("Stopped. Everything recorded is on disk; unfinished work resumes.", file=sys.stderr)
        finally:
            application.queue.stop()
            application.ending.close()


def _closing_first(
    handle_exit: Callable[[int, Any], None], closing: threading.Event
) -> Callable[[int, Any], None]:
    """Pages that wait for events are told before the server waits for them."""

    def handle(signal: int, frame: Any) -> None:
        closing.set()
        handle_exit(signal, frame)

    return handle


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
