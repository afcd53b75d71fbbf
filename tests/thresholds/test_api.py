"""The JSON interface: every operation, what it refuses, and its clients in examples/."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from serving import ENVIRONMENT, Client
from weaklearn.adaptive import Session

EXAMPLES = Path(__file__).parents[2] / "examples"


class Program:
    """A client with the token, as programs have it."""

    def __init__(self, server):
        self.plain = Client(server.port)
        self.token = urlsplit(server.url).query.partition("=")[2]

    def send(self, method, path, document=None, *, body=None, token=None, kind="application/json", **options):
        headers = {"Authorization": f"Bearer {self.token if token is None else token}", "Content-Type": kind}
        body = json.dumps(document) if body is None and document is not None else body
        options = {"origin": None, "cookie": None, **options}
        return self.plain.request(method, f"/api{path}", body, headers=headers, **options)

    def get(self, path):
        reply = self.send("GET", path)
        assert reply.status == 200, reply.text
        return json.loads(reply.text)

    def post(self, path, document, status=200):
        reply = self.send("POST", path, document)
        assert reply.status == status, reply.text
        return json.loads(reply.text)


@pytest.fixture
def program(server):
    return Program(server)


@pytest.fixture
def here(program):
    made = program.post("/sessions", {"levels": [1, 2, 3, 4, 5], "question": "Is {level} enough?"}, 201)
    return f"/sessions/{made['key']}"


def file_of(server, program, here):
    wanted = program.get(f"{here}/session.json")["id"]
    files = server.folder.glob("*.json")
    return next(path for path in files if json.loads(path.read_text())["id"] == wanted)


def contents(server):
    return {path.name: path.read_bytes() for path in server.folder.iterdir() if path.name[0] != "."}


def test_an_experiment(server, program, here):
    for n in range(1, 5):
        question = program.get(f"{here}/question")
        assert question["question"] == f"Is {question['level']:g} enough?"
        assert (question["n_answers"], question["done"]) == (n - 1, False)
        sent = {
            "level": question["level"],
            "outcome": question["level"] > 2,
            "revision": question["revision"],
        }
        after = program.post(f"{here}/answers", sent)
        assert after["n_answers"] == n
        assert after == program.get(f"{here}/question")
    session = Session.open(file_of(server, program, here))
    assert [one["outcome"] for one in session.history] == [one["level"] > 2 for one in session.history]
    found = program.get(f"{here}/estimate")
    assert found["estimates"] == session.estimate()
    assert program.get(here)["history"] == session.history
    assert program.send("GET", f"{here}/answers.csv").text == session.to_csv()
    keys = [row["key"] for row in program.get("/sessions")["sessions"]]
    assert here.rpartition("/")[2] in keys


def test_answers_undo_and_notes_sent_again_count_once(server, program, here):
    answer = {"level": 3, "outcome": True, "revision": 0}
    for _ in range(3):
        assert program.post(f"{here}/answers", answer)["n_answers"] == 1
    refused = program.post(f"{here}/answers", {**answer, "outcome": False}, 409)
    assert refused["now"]["revision"] == 1
    for _ in range(2):
        assert program.post(f"{here}/notes", {"text": "tired", "revision": 1})["revision"] == 2
    for _ in range(2):
        assert program.post(f"{here}/undo", {"n_answers": 1, "revision": 2})["n_answers"] == 0
    assert program.post(f"{here}/undo", {"n_answers": 0, "revision": 3}, 422)["error"]
    session = Session.open(file_of(server, program, here))
    assert (session.history, session.revision, len(session.notes)) == ([], 3, 1)


def test_imports_and_extensions(server, program, here):
    trials = {"csv": "level,outcome\n2,0\n4,1\n", "revision": 0}
    for _ in range(2):
        after = program.post(f"{here}/import", trials)
        assert (after["n_answers"], after["revision"]) == (2, 3)
    assert (
        "line 2: the level 'x'"
        in program.post(f"{here}/import", {"csv": "level,outcome\nx,1", "revision": 3}, 422)["error"]
    )
    for wrong in (
        {"revision": 3},
        {"csv": 3, "revision": 3},
        {"csv": "", "revision": 3},
        {"csv": "level,outcome\n2,1"},
    ):
        assert program.post(f"{here}/import", wrong, 422)["error"]
    assert (
        program.post(f"{here}/import", {**trials, "csv": "level,outcome\n2,1\n"}, 409)["now"]["revision"] == 3
    )
    for wrong in (0, -1, 1.5, True, "5", 10**6, None):
        assert program.post(f"{here}/extend", {"answers": wrong, "revision": 3}, 422)["error"]
    for _ in range(2):
        assert program.post(f"{here}/extend", {"answers": 1, "revision": 3})["revision"] == 4
    assert program.post(f"{here}/extend", {"answers": 2, "revision": 3}, 409)["error"]
    after = program.post(f"{here}/answers", {"level": 3, "outcome": True, "revision": 4})
    assert (after["done"], after["stop_reason"]) == (True, "3 answers")


def test_a_block_of_sessions(program):
    settings = {"levels": [1, 2, 3], "budget": 2, "block": "fast/slow ä"}
    for seed in (21, 22, 23):
        program.post("/sessions", {**settings, "seed": seed}, 201)
    place = "/blocks/fast%2Fslow%20%C3%A4/question"
    asked = []
    while not (question := program.get(place))["done"]:
        asked.append(question["key"])
        sent = {"level": question["level"], "outcome": True, "revision": question["revision"]}
        program.post(f"/sessions/{question['key']}/answers", sent)
    assert len(set(asked[:3])) == len(set(asked[3:])) == 3
    assert len(asked) == 6
    assert question == {"key": None, "n_sessions": 3, "n_finished": 3, "done": True}
    assert program.send("GET", "/blocks/nothing/question").status == 404


def test_a_session_is_started_once_for_a_seed(program):
    settings = {"levels": "1,2,4,8", "task": "2AFC", "subject": "anna", "seed": 12}
    first, again = (program.post("/sessions", settings, 201) for _ in range(2))
    assert first == again
    assert first["about"] == {"subject": "anna", "task": "2AFC"}
    other = program.post("/sessions", {**settings, "subject": "bert"}, 201)
    assert other["key"] != first["key"]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({}, "levels"),
        ({"levels": [1]}, "levels"),
        ({"levels": [1, "2"]}, "levels"),
        ({"levels": {"a": 1}}, "levels"),
        ({"levels": [1, 1e300]}, "levels"),
        ({"levels": "1,2", "target": 2}, "target"),
        ({"levels": "1,2", "task": "2AFC", "target": 0.5}, "target"),
        ({"levels": "1,2", "budget": 1.5}, "budget"),
    ],
)
def test_wrong_fields_are_named(server, program, settings, field):
    before = contents(server)
    assert list(program.post("/sessions", settings, 422)["fields"]) == [field]
    assert contents(server) == before


def test_wrong_documents(server, program, here):
    before = contents(server)
    good = {"level": 3, "outcome": True, "revision": 0}
    for wrong in (
        {**good, "outcome": 1},
        {**good, "outcome": "yes"},
        {**good, "level": "3"},
        {**good, "level": 99},
        {**good, "level": True},
        {**good, "level": 10**400},
        {**good, "revision": -1},
        {**good, "revision": "0"},
        {"level": 3, "outcome": True},
        {},
    ):
        assert "error" in program.post(f"{here}/answers", wrong, 422)
    assert program.post(f"{here}/answers", {**good, "revision": 10**30}, 409)["error"]
    for body in ("", "[1]", "3", "{", "null", '{"level": NaN}', "[" * 30_000, "\x00"):
        assert program.send("POST", f"{here}/answers", body=body).status == 400
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert program.send("POST", f"{here}/answers", good, kind=kind).status == 415
    assert program.send("POST", f"{here}/answers", body=b"\xff").status == 400
    assert "unknown: path" in program.post("/sessions", {"levels": "1,2", "path": "/tmp/x"}, 422)["error"]
    for seed in (-1, 1.5, "1", True, 10**16):
        assert program.post("/sessions", {"levels": "1,2", "seed": seed}, 422)["error"]
    for key in ("x", "..%2Fsecret", "a" * 16, "%00"):
        assert program.send("GET", f"/sessions/{key}").status == 404
    assert contents(server) == before


def test_every_route_refuses_strangers(server, client, program, here):
    before = contents(server)
    answer = {"level": 3, "outcome": True, "revision": 0}
    reading = ("/openapi.json", "/sessions", here, *(f"{here}/{x}" for x in ("question", "estimate")))
    reading += (f"{here}/answers.csv", f"{here}/session.json")
    reading += ("/blocks/loud/question",)
    writing = ("/sessions", *(f"{here}/{x}" for x in ("answers", "undo", "notes", "import", "extend")))
    for method, paths in (("GET", reading), ("POST", writing)):
        for path in paths:
            body = answer if method == "POST" else None
            for token in ("", "wrong", program.token + "x", program.token[:-1]):
                reply = program.send(method, path, body, token=token)
                assert reply.status == 403
                assert json.loads(reply.text)["error"]
            assert program.send(method, path, body, origin="http://evil.example").status == 403
            assert program.send(method, path, body, origin="null").status == 403
            assert program.send(method, path, body, host="evil.example").status == 421
            # A foreign page can make the browser send the cookie at most, and no origin of ours.
            reply = program.send(
                method, path, body, token="", cookie=client.cookie, origin="http://evil.example"
            )
            assert reply.status == 403
    for path in writing:
        assert program.send("POST", path, answer, token="", cookie=client.cookie).status == 403
        assert program.send("POST", path, body="x" * 70_000).status == 413
        assert program.send("PUT", path, answer).status == 405
    # The token opens the interface and nothing else.
    headers = {"Authorization": f"Bearer {program.token}"}
    assert program.plain.get("/", headers=headers).status == 403
    assert program.plain.get("/api", headers=headers).status == 403
    assert contents(server) == before


def test_the_openapi_document_describes_what_there_is(client, program, here):
    program.post("/sessions", {"levels": [1, 2, 3], "block": "loud", "seed": 1}, 201)
    document = program.get("/openapi.json")
    assert document["openapi"].startswith("3.")
    for path, methods in document["paths"].items():
        for method in methods:
            real = path.replace("/api/sessions/{key}", f"/api{here}").removeprefix("/api")
            real = real.replace("{name}", "loud")
            status = program.send(method.upper(), real, {} if method == "post" else None).status
            assert status in (200, 422), (path, method, status)
    page = client.get("/api").text
    assert all(path in page for path in document["paths"])


def test_the_examples(server, program):
    before = set(contents(server))
    command = [sys.executable, str(EXAMPLES / "threshold_client.py"), server.url]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "90% interval" in done.stdout
    (name,) = set(contents(server)) - before
    assert len(Session.open(server.folder / name).history) == 25
    if shutil.which("curl") is None:
        pytest.skip("the second example needs curl")
    command = ["sh", str(EXAMPLES / "threshold_client.sh"), server.url]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert '"estimates"' in done.stdout
    assert done.stdout.splitlines()[-1].split(",")[2] == "1"
