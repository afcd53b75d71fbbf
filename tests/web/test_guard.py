"""Who is refused. Every test also sees to it that the folder is untouched."""

import contextlib
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import serving
from serving import Client, answers_on, forms
from weaklearn.adaptive import Session


@pytest.fixture
def page(client):
    return client.start()


def contents(server):
    return {path.name: path.read_bytes() for path in server.folder.iterdir()}


def test_listens_on_the_loopback_address_alone(server):
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].exists():
        pytest.skip("this system does not list its sockets in /proc/net")
    rows = [line.split() for table in tables if table.exists() for line in table.read_text().splitlines()]
    listening = [row[1] for row in rows if row[1].endswith(f":{server.port:04X}") and row[3] == "0A"]
    assert listening == [f"0100007F:{server.port:04X}"]


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""],
)
def test_foreign_host(server, client, page, host):
    before = contents(server)
    name = host.format(port=server.port) or "x"
    for reply in (
        client.get("/", host=name),
        client.get("/static/app.css", host=name),
        client.get(urlsplit(server.url).path + "?" + urlsplit(server.url).query, host=name, cookie=None),
        client.post(f"{page}/answer", {"revision": 0, "level": 1, "outcome": "yes"}, host=name),
    ):
        assert reply.status == 421
        assert "set-cookie" not in reply.headers
    assert contents(server) == before


def test_no_host_or_two_hosts(server):
    def status(request):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(request)
            return connection.recv(100).split()[1]

    own = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    assert status(b"GET / HTTP/1.0\r\n\r\n") == b"421"
    assert status(b"GET / HTTP/1.1\r\n" + own + b"Host: evil\r\n\r\n") in (b"400", b"421")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        None,
    ],
)
def test_foreign_origin(server, client, page, origin):
    before = contents(server)
    origin = origin and origin.format(port=server.port)
    fields = {"revision": 0, "level": 1, "outcome": "yes"}
    for path in (
        *(f"{page}/{end}" for end in ("answer", "undo", "note", "import", "extend")),
        "/new",
        "/plan",
    ):
        assert client.post(path, fields, origin=origin).status == 403
    if origin is not None:
        assert client.get(page, origin=origin).status == 403
    assert contents(server) == before


def test_missing_or_wrong_token(server, client, page):
    before = contents(server)
    fields = {"revision": 0, "level": 1, "outcome": "yes"}
    name = client.cookie.partition("=")[0]
    for cookie in (None, "", "a=b", f"{name}=", f"{name}=wrong", f"{name}=ü", client.cookie[:-1]):
        stranger = Client(server.port, cookie)
        for path in (
            *("/", "/new", page, f"{page}/answers.csv", f"{page}/session.json", f"{page}/report"),
            *("/block?name=x", "/plan/1", "/no/such/page"),
        ):
            reply = stranger.get(path, cookie=cookie and cookie.encode().decode("latin-1"))
            assert reply.status == 403
            assert "Can you hear it?" not in reply.text
        assert (
            stranger.post(
                f"{page}/answer", fields, cookie=cookie and cookie.encode().decode("latin-1")
            ).status
            == 403
        )
    for token in ("", "wrong", "%C3%BC", urlsplit(server.url).query.partition("=")[2] + "x"):
        reply = client.get(f"/?token={token}", cookie=None)
        assert reply.status == 403
        assert "set-cookie" not in reply.headers
    # The token is for the browser to come in with, not to come along with every request.
    assert client.get(f"{page}?{urlsplit(server.url).query}", cookie=None).status == 403
    assert contents(server) == before


def test_the_cookie_and_the_headers(server):
    parts = urlsplit(server.url)
    reply = Client(server.port).get(f"/?{parts.query}")
    cookie = reply.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert parts.query.partition("=")[2] not in cookie
    assert reply.headers["location"] == "/"
    client = Client.let_in(server)
    for answer in (
        reply,
        client.get("/"),
        client.get("/static/app.js"),
        client.get("/none"),
        client.get("/", cookie=None),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_pages_have_no_inline_script_style_or_foreign_address(client, page):
    from page_checks import check_page

    serving.answer(client, page, True)
    for path in ("/", "/new", page, "/no-such-page"):
        check_page(client.get(path).text, served=True)
    assert 'class="plot"' in client.get(page).text


def test_a_hostile_question_is_text(client):
    from page_checks import check_page

    hostile = "<script>alert(1)</script> $5 {{ 7 * 7 }}"
    page = client.start(question=hostile)
    serving.answer(client, page, True)
    for path in ("/", page):
        assert hostile in check_page(client.get(path).text, served=True).text


@pytest.mark.parametrize("honest", [True, False])
@pytest.mark.parametrize("flood", [True, False])
def test_a_body_of_100_megabytes_is_refused_early(server, client, page, honest, flood):
    """With its length announced, or in chunks without one; by a sender that listens, or one that does not."""
    before = contents(server)
    own = f"127.0.0.1:{server.port}"
    head = f"POST {page}/note HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nCookie: {client.cookie}\r\n"
    kind = "Content-Length: 100000000" if honest else "Transfer-Encoding: chunked"
    data = b"x" * 10_000
    piece = data if honest else b"2710\r\n" + data + b"\r\n"
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(f"{head}{kind}\r\n\r\n".encode())
        if flood:
            sent = 0
            with contextlib.suppress(OSError):  # the server hangs up
                while sent < 100_000_000:
                    connection.sendall(piece)
                    sent += len(data)
            assert sent < 20_000_000  # what fits into the buffers of the sockets
        else:
            connection.sendall(b"" if honest else piece * 7)
            assert b" 413 " in connection.recv(1000).splitlines()[0]
    assert time.monotonic() - start < 10
    assert contents(server) == before
    assert client.get(page).status == 200


def test_a_body_just_over_the_limit(client, page):
    fields = forms(client.get(page))["note"]
    assert client.post(f"{page}/note", {**fields, "note": "x" * 65_536}).status == 413
    assert client.post(f"{page}/note", headers={"Content-Length": "nonsense"}).status in (400, 413)


def test_half_a_form_is_not_taken_for_a_whole_one(server, client, page):
    body = "revision=0&outcome=yes&level=8"
    own = f"127.0.0.1:{server.port}"
    head = (
        f"POST {page}/answer HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nCookie: {client.cookie}\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body) + 2}\r\n\r\n{body}".encode())
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1000)
    assert answers_on(client.get(page)) == 0


@pytest.mark.parametrize(
    "path",
    [
        "/s/../secret.json",
        "/s/..%2Fsecret",
        "/s/%2e%2e%2fsecret.json",
        "/s/..%2Fsecret.json/session.json",
        "/s/secret.json",
        "/s/secret",
        "/static/../_web.py",
        "/static/..%2F_web.py",
        "/static/%2e%2e/cli.py",
        "/static//etc/passwd",
        "//etc/passwd",
        "/../../../../etc/passwd",
        "/s/%00",
        "/s/" + "a" * 16,
        "/s/" + "a" * 16 + "/answers.csv",
        "/s/*",
        "/s/",
    ],
)
def test_no_path_reaches_the_file_system(server, client, path):
    secret = server.folder.parent / "secret.json"
    if not secret.exists():
        Session.create(secret, [1, 2], "Top secret", seed=1)
    before = contents(server)
    assert client.get(path).status == 404
    assert client.post(path, {"revision": 0, "level": 1, "outcome": "yes"}).status in (404, 405)
    assert contents(server) == before
    assert Session.open(secret).history == []


def test_links_are_not_followed(server, client):
    outside = server.folder.parent / "outside.json"
    Session.create(outside, [1, 2], "Outside", seed=1)
    (server.folder / "link.json").symlink_to(outside)
    try:
        assert "Outside" not in client.get("/").text
        assert "Outside" not in client.get("/thresholds").text
    finally:
        (server.folder / "link.json").unlink()


def test_the_name_of_a_new_file_is_not_the_browsers(server, client):
    before = set(contents(server))
    client.start(question="../../escape", levels="1,2")
    new = {name for name in set(contents(server)) - before if not name.startswith(".")}
    assert len(new) == 1
    assert new.pop().startswith("threshold-")
    assert not list(server.folder.parent.glob("*escape*"))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods(client, page, method):
    assert client.request(method, page, origin=f"http://127.0.0.1:{client.port}").status == 405
    assert client.request(method, page).status == 403


def test_half_open_connections_are_closed(server, client, page):
    """One that sends nothing, one that sends half a head, and one that sends half a body."""
    own = f"127.0.0.1:{server.port}"
    head = f"POST {page}/note HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nCookie: {client.cookie}\r\n"
    half = (b"", b"GET / HTTP/1.1\r\nHost: ", f"{head}Content-Length: 50\r\n\r\nrevision=".encode())
    with contextlib.ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            for _ in half
        ]
        for connection, sent in zip(connections, half, strict=True):
            connection.sendall(sent)
        assert client.get(page).status == 200  # others are served meanwhile
        replies = [b"".join(iter(lambda one=one: one.recv(65536), b"")) for one in connections]
    assert replies[:2] == [b"", b""]
    assert b" 408 " in replies[2].splitlines()[0]
    assert answers_on(client.get(page)) == 0
