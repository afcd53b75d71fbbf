"""Sixty work folders by strangers: nothing outside is touched, every list answers and names the damage."""

import asyncio
import importlib
import json
import os
import shutil
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="the pages need the extra weaklearn[web]")

from weaklearn.web._application import Application
from weaklearn.web._guard import Pass

ROOMS = ("labels", "comparison", "thresholds", "lab")
BAD, GOOD = "00000000000000bd", "000000000000600d"
BIG = "1" + "0" * 400
ABOUT = {"name": "machines.csv", "file": "table.csv", "created": 1.7e9}
PREVIEW = {
    "n_rows": 2,
    "columns": [
        {
            "name": "y",
            "kind": "category",
            "used": True,
            "sentence": "",
            "label": True,
            "notes": [],
            "telling": [],
        }
    ],
    "head": [["a"], ["b"]],
    "label": "y",
    "sheets": [],
    "sheet": None,
    "header": True,
}
SETTINGS = {
    "table": GOOD,
    "label": "y",
    "sheet": None,
    "header": True,
    "merge_spellings": True,
    "least_rows": 3,
    "drop": [],
    "categorical": [],
    "numeric": [],
}
JOB = {"kind": "audit", "title": "fine work", "created": 1.7e9, "settings": SETTINGS}
STATE = {"state": "failed", "message": "it failed", "attempt": 1}


def write(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(
            content if isinstance(content, str) else json.dumps(content)
        )


def table(folder, key, **files):
    whole = {"about__json": ABOUT, "preview__json": PREVIEW, "table__csv": "y\na\nb\n"}
    write(folder / "weaklearn-work" / "tables" / key, **whole | files)


def job(folder, key, **files):
    write(folder / "weaklearn-work" / "jobs" / key, **{"job__json": JOB, "state__json": STATE} | files)


def replaced(text, name, value):
    """JSON with the value of one entry replaced by any text."""
    return json.dumps({**text, name: "@@"}).replace('"@@"', value)


def bad_about(name, value):
    return lambda folder, victim: table(
        folder, BAD, about__json=replaced(ABOUT, name, value.replace("VICTIM", str(victim)))
    )


def bad_preview(name, value):
    return lambda folder, victim: table(folder, BAD, preview__json=replaced(PREVIEW, name, value))


def bad_job(name, value):
    return lambda folder, victim: job(folder, BAD, job__json=replaced(JOB, name, value))


def bad_state(name, value):
    return lambda folder, victim: job(folder, BAD, state__json=replaced(STATE, name, value))


def bad_setting(name, value):
    return bad_job("settings", replaced(SETTINGS, name, value))


def whole(make, name, content):
    return lambda folder, victim: make(folder, BAD, **{name: content})


def link(make, kind, name):
    """A file or folder of a record is a link to the outside."""

    def build(folder, victim):
        make(folder, BAD)
        place = folder / "weaklearn-work" / kind / BAD / name
        place.unlink(missing_ok=True)
        place.symlink_to(victim if "." not in name else victim / "x.csv")

    return build


def linked_record(kind):
    def build(folder, victim):
        folder = folder / "weaklearn-work" / kind
        folder.mkdir(parents=True, exist_ok=True)
        (folder / BAD).symlink_to(victim)

    return build


def linked_place(*names):
    def build(folder, victim):
        place = folder.joinpath("weaklearn-work", *names)
        if place.is_dir():
            shutil.rmtree(place)
        place.symlink_to(victim)

    return build


def pipe(make, kind, name):
    def build(folder, victim):
        make(folder, BAD)
        place = folder / "weaklearn-work" / kind / BAD / name
        place.unlink()
        os.mkfifo(place)

    return build


FILES = [
    "../../../victim/x.csv", "../../../../victim/x.csv",
    "../x", "..", ".", "", "VICTIM/x.csv", "/etc/passwd", "sub/../../x", "..\\\\\\\\x.csv",
    "C:\\\\\\\\x.csv", "table.csv\\u0000", "\\ud800", "x.csv", "a" * 5000,
]  # fmt: skip
HOSTILE = {
    **{f"file {k}": bad_about("file", f'"{name}"'.replace("\\\\\\\\", "\\\\")) for k, name in enumerate(FILES)},
    **{f"file type {value[:8]}": bad_about("file", value) for value in ("5", "null", "[]", "{}", BIG)},
    **{f"created {value[:8]}": bad_about("created", value) for value in (BIG, "1e400", "NaN", "1e300", '"now"')},
    **{f"name {value[:8]}": bad_about("name", value) for value in (r'"\ud800"', r'"\uDFFF"', "[1]")},
    "about cut": whole(table, "about__json", json.dumps(ABOUT)[:20]),
    "about a list": whole(table, "about__json", "[]"),
    "about deep": whole(table, "about__json", "[" * 100_000),
    "preview cut": whole(table, "preview__json", json.dumps(PREVIEW)[:50]),
    "preview null": whole(table, "preview__json", "null"),
    "preview empty": whole(table, "preview__json", "{}"),
    **{f"n_rows {value[:8]}": bad_preview("n_rows", value) for value in (BIG, '"many"', "true")},
    **{f"columns {value[:8]}": bad_preview("columns", value) for value in ("5", "[5]", '[{"name": 5}]')},
    "head of numbers": bad_preview("head", "[1, 2]"),
    "half a character in a sheet": bad_preview("sheets", r'["\udc00"]'),
    **{f"job created {value[:8]}": bad_job("created", value) for value in (BIG, "-Infinity", "-1", "null")},
    **{f"job {name} {value[:8]}": bad_job(name, value) for name, value in (
        ("title", r'"\ud83d"'), ("title", "[]"), ("kind", "{}"), ("settings", "[]"), ("settings", "5"),
    )},
    **{f"setting {name} {value[:8]}": bad_setting(name, value) for name, value in (
        ("table", "[]"), ("table", "{}"), ("drop", '"y"'), ("sheet", BIG), ("label", "null"),
    )},
    "job cut": whole(job, "job__json", json.dumps(JOB)[:33]),
    **{f"state {value[:8]}": bad_state("state", value) for value in ('"odd"', "[]", "7")},
    "attempt": bad_state("attempt", BIG),
    "message": bad_state("message", r'"\ud800"'),
    **{f"link {name}": link(table, "tables", name) for name in ("about.json", "table.csv", "sub")},
    **{f"link {name}": link(job, "jobs", name) for name in (
        "state.json", "log.txt", "progress.jsonl", "parts", "result", "result.part", "reviews.jsonl",
    )},
    "linked table": linked_record("tables"),
    "linked job": linked_record("jobs"),
    "tables are a link": linked_place("tables"),
    "jobs are a link": linked_place("jobs"),
    "the lock is a link": linked_place("jobs", ".lock"),
    "pipe": pipe(table, "tables", "about.json"),
    "pipe of a job": pipe(job, "jobs", "job.json"),
}  # fmt: skip


def snapshot(folder):
    return {
        path.relative_to(folder): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
        for path in [folder, *sorted(folder.rglob("*"))]
    }


class Visitor:
    """One browser over the application in this process."""

    def __init__(self, folder):
        key = Pass(1)
        self.cookie = f"{key.cookie}={key.secret}"
        doors = [importlib.import_module(f"weaklearn.{room}.pages").DOOR for room in ROOMS]
        self.application = Application(folder, key, doors)

    def request(self, method, path, **form):
        body = urlencode(form).encode()
        headers = {"host": "127.0.0.1:1", "cookie": self.cookie, "content-length": str(len(body))}
        if method == "POST":
            headers |= {"origin": "http://127.0.0.1:1", "content-type": "application/x-www-form-urlencoded"}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "root_path": "", "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 1),
        }  # fmt: skip
        sent = []

        async def receive():
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message):
            sent.append(message)

        asyncio.run(self.application.asgi(scope, receive, send))
        text = b"".join(message.get("body", b"") for message in sent).decode()
        return sent[0]["status"], text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes need POSIX")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_folder_touches_nothing_outside(tmp_path, monkeypatch, request, name):
    monkeypatch.setattr("weaklearn.web._table_pages.warm_up", lambda: None)
    folder, victim = tmp_path / "folder", tmp_path / "victim"
    write(victim, x__csv="y\na\nb\n", about__json=ABOUT, job__json=JOB)
    write(victim / ".gone-1", keep__txt="kept")
    write(victim / ".new-999999999-0", keep__txt="kept")
    table(folder, GOOD)
    job(folder, GOOD)
    HOSTILE[name](folder, victim)
    before = snapshot(victim)
    visitor = Visitor(folder)
    queue = visitor.application.queue
    queue.start()
    request.addfinalizer(queue.stop)
    for place in ("/", "/audits", "/comparisons"):
        status, text = visitor.request("GET", place)
        assert status == 200, (place, text)
        assert "Damaged" in text
        shown = text[text.index('id="damaged"') :]
        assert "weaklearn-work/" in shown
        if "are a link" not in name and "lock" not in name:
            assert BAD in shown
            assert place == "/comparisons" or "fine work" in text
            assert place == "/" or "machines.csv" in text
    for method, place in (
        ("GET", f"/tables/{BAD}"),
        ("POST", f"/tables/{BAD}/reading"),
        ("POST", f"/tables/{BAD}/remove"),
        ("GET", f"/audits/{BAD}"),
        ("POST", f"/audits/{BAD}/review"),
        ("POST", f"/jobs/{BAD}/again"),
        ("POST", f"/jobs/{BAD}/cancel"),
        ("POST", f"/jobs/{BAD}/remove"),
    ):
        status, text = visitor.request(method, place)
        assert status == 404, (method, place, text)
    if "are a link" not in name and "lock" not in name:
        assert visitor.request("POST", f"/tables/{GOOD}/remove")[0] == 303
        assert not (folder / "weaklearn-work" / "tables" / GOOD).exists()
    queue.stop()
    assert snapshot(victim) == before


def test_there_are_at_least_fifty_hostile_folders():
    assert len(HOSTILE) >= 50


def session_text(folder):
    from weaklearn.adaptive import Session

    path = folder / "good.json"
    Session.create(path, [1, 2, 3, 4], question="Can you hear it?", seed=1)
    return path.read_text()


SESSIONS = {
    "half a character": ("Can you hear it?", r"\ud800"),
    "a seed of 401 digits": ('"seed": 1', f'"seed": {BIG}'),
    "a level of 401 digits": ('"levels": [\n  1.0', f'"levels": [\n  -{BIG}'),
    "an infinite level": ("4.0\n", "1e400\n"),
    "a revision of 401 digits": ('"revision": 0', f'"revision": {BIG}'),
    "targets that are numbers": ('"targets": [', '"targets": [5, '),
    "no sampler": ('"name": "', '"name": "../../'),
    "about with half a character": ('"about": {', r'"about": {"subject": "\udc80"'),
    "a stop of nothing": ('"stop": {', '"stop": {"x": 1, '),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_hostile_session_harms_no_other(tmp_path, monkeypatch, name):
    text = session_text(tmp_path)
    old, new = SESSIONS[name]
    assert old in text
    (tmp_path / "bad.json").write_text(text.replace(old, new, 1))
    with open(os.fsencode(tmp_path) + b"/\xff.json", "w") as file:  # a name that is not Unicode
        file.write(text[:200])
    visitor = Visitor(tmp_path)
    for place in ("/thresholds", "/", "/thresholds"):
        status, page = visitor.request("GET", place)
        assert status == 200, page
        assert "Can you hear it?" in page
    assert "This file cannot be used" in page
    assert "bad.json" in page
