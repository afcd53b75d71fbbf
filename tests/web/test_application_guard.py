"""Every address of the application is guarded; a list of addresses made by hand would forget the next one."""

import importlib

import pytest

pytest.importorskip("starlette", reason="the pages need the extra weaklearn[web]")


@pytest.fixture(scope="module")
def server(shared_server):
    return shared_server


def all_routes(routes):
    """The routes, those included that are made when they are needed."""
    for route in routes:
        yield from getattr(route, "routes", None) or [route]


def addresses(tmp_path_factory):
    import weaklearn.cli  # noqa: F401, which names the doors
    from weaklearn.web._application import Application
    from weaklearn.web._guard import Pass
    from weaklearn.web.command import _DOORS

    doors = [importlib.import_module(module).DOOR for module in _DOORS]
    application = Application(tmp_path_factory.mktemp("empty"), Pass(1), doors)
    for route in all_routes(application.asgi.app.routes):
        path = route.path.replace("{key}", "0" * 16).replace("{name}", "model.skops")
        for method in sorted(route.methods - {"HEAD"}):
            yield method, path


@pytest.fixture(scope="module")
def routes(tmp_path_factory):
    found = list(addresses(tmp_path_factory))
    assert len(found) > 50
    return found


def files(server):
    return {path: path.stat().st_mtime_ns for path in server.folder.rglob("*") if path.is_file()}


def test_nobody_comes_in_without_the_cookie_or_from_elsewhere(server, client, routes):
    before = files(server)
    for method, path in routes:
        body = b"x,y\n1,2\n" if method == "POST" else None
        if not path.startswith("/static/"):
            assert client.request(method, path, body, cookie=None).status == 403, path
        assert client.request(method, path, body, host="evil.example").status == 421, path
        assert client.request(method, path, body, origin="http://evil.example").status == 403, path
        if method == "POST":
            assert client.request(method, path, body, origin=None).status == 403, path
    assert files(server) == before


def test_the_headers_are_on_every_answer(client, routes):
    for method, path in routes:
        reply = client.request(method, path, b"" if method == "POST" else None)
        assert reply.status < 500, (method, path, reply.text)
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"


def test_large_bodies_are_refused_everywhere_but_where_files_are_brought(client, routes):
    for method, path in routes:
        if method == "POST" and path != "/tables":
            assert client.post(path, b"a" * 70_000).status == 413, path


@pytest.mark.parametrize("place", ["audits", "comparisons", "lab", "jobs", "tables"])
@pytest.mark.parametrize(
    "key", ["..", "%2e%2e", "..%2f..%2fetc", "0" * 16, "f" * 5000, "%00", "a.b", ".lock", "é"]
)
def test_keys_reach_no_file(client, place, key):
    from urllib.parse import quote

    for ending in ("", "/events", "/report.html", "/model.skops", "/corrected"):
        reply = client.get(f"/{place}/{quote(key, safe='%.')}{ending}")
        assert reply.status in (404, 307), (place, key, reply.status)
