"""The local server: one socket on 127.0.0.1, one start-up address."""

import socket
import sys
from pathlib import Path

__all__ = ["ServeError", "serve"]


class ServeError(Exception):
    """The server cannot be started; the message is for the user."""


def serve(folder: Path, port: int, jobs: int = 1) -> None:
    """Serve the work in ``folder`` until Ctrl-C; port 0 takes a free one; ``jobs`` run at a time."""
    if not folder.is_dir():
        raise ServeError(f"there is no folder {folder}")
    folder = folder.resolve()
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        message = f"the pages need the package {error.name}: pip install 'weaklearn[web]'"
        raise ServeError(message) from None
    from weaklearn.app._application import Application
    from weaklearn.app._guard import Pass
    from weaklearn.app._patience import ImpatientProtocol

    with _listening(port) as listener:
        key = Pass(listener.getsockname()[1])
        application = Application(folder, key, jobs)
        config = uvicorn.Config(
            application.asgi,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody stands between us and the browser, so nobody may say so
            http=ImpatientProtocol,
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
            uvicorn.Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            print("Stopped. Everything recorded is on disk; unfinished work resumes.", file=sys.stderr)
        finally:
            application.queue.stop()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there, it would let another program share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ServeError(f"port {port} cannot be used ({reason}); choose another by --port") from None
    return listener
