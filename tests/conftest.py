import signal
import sys
from pathlib import Path

import pytest

# Checks that tests of several rooms share are plain modules beside this file.
sys.path.insert(0, str(Path(__file__).parent))

# A shell that starts the tests in the background lets them ignore Ctrl-C. Commands that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

NEEDS_WEB = "the pages need the extra weaklearn[web]"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tests of a file that do not stop it."""
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason=NEEDS_WEB)
    from serving import Server

    folder = tmp_path_factory.mktemp("sessions")
    with Server(folder) as running:
        running.folder = folder
        yield running


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    """One server for the tests of the application, which leave each other's work alone."""
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason=NEEDS_WEB)
    from serving import Server

    folder = tmp_path_factory.mktemp("application") / "folder"
    folder.mkdir()
    with Server(folder) as running:
        running.folder = folder
        yield running


@pytest.fixture
def client(server):
    from serving import Client

    return Client.let_in(server)
