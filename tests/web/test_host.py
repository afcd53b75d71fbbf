"""`serve --host` and `--pages`: a warning that must be confirmed, one address, files of one folder."""

import http.client
import subprocess

import pytest

from serving import COMMAND, ENVIRONMENT, Client, Server
from weaklearn.web._serve import ServeError, exposure


def test_what_is_said_before_a_network_is_opened():
    assert exposure("127.0.0.1") is None
    assert exposure("127.0.0.2") is None
    assert "not encrypted" in exposure("192.168.0.5")
    for host in ("0.0.0.0", "localhost", "::1", "", "1.2.3", "evil.example"):
        with pytest.raises(ServeError, match="--host"):
            exposure(host)


def test_without_confirmation_nothing_is_started(tmp_path):
    command = [*COMMAND, "serve", "--host", "192.0.2.1", "--folder", str(tmp_path), "--port", "0"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "not encrypted" in done.stderr
    assert "--accept-risk" in done.stderr
    assert "token" not in done.stdout


def test_own_pages_and_another_address(tmp_path):
    pages, sessions = tmp_path / "pages", tmp_path / "sessions"
    pages.mkdir()
    sessions.mkdir()
    (pages / "index.html").write_text("<p>My experiment</p>")
    (tmp_path / "secret.txt").write_text("secret")
    (pages / "link.txt").symlink_to(tmp_path / "secret.txt")
    with Server(sessions, options=["--host", "127.0.0.2", "--pages", str(pages)]) as server:
        assert server.url.startswith(f"http://127.0.0.2:{server.port}/?token=")

        def get(path, host, cookie=None):
            connection = http.client.HTTPConnection("127.0.0.2", server.port, timeout=30)
            headers = {"Host": f"{host}:{server.port}", **({"Cookie": cookie} if cookie else {})}
            connection.request("GET", path, headers=headers)
            reply = connection.getresponse()
            found = reply.status, reply.read().decode(), dict(reply.getheaders())
            connection.close()
            return found

        status, _, headers = get("/?" + server.url.partition("?")[2], "127.0.0.2")
        assert status == 303
        cookie = headers["set-cookie"].partition(";")[0]
        assert get("/pages/", "127.0.0.2", cookie)[:2] == (200, "<p>My experiment</p>")
        assert get("/pages/", "127.0.0.2")[0] == 403  # nobody else
        assert get("/pages/", "127.0.0.1", cookie)[0] == 421
        for path in (
            "/pages/../secret.txt",
            "/pages/%2e%2e/secret.txt",
            "/pages/..%2fsecret.txt",
            "/pages/link.txt",
        ):
            status, text, _ = get(path, "127.0.0.2", cookie)
            assert (status, "secret" in text) == (404, False)
        with pytest.raises(ConnectionRefusedError):
            Client(server.port).get("/")  # 127.0.0.1 is not listened on
