"""kill -9 of the whole application while tables are brought, rows reviewed and jobs run.

After every kill: no confirmed table or review is lost, no half file is left, and the job that was running ends with the
result that it would have had.
"""

import http.client
import json
import random
import signal
import socket
import threading
import time
from urllib.parse import quote

import pytest

from serving import Client, Server, noisy
from weaklearn.web import JobFolder

pytest.importorskip("uvicorn", reason="the pages need the extra weaklearn[web]")
JSON = {"Accept": "application/json"}
SMALL = "x,y\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(40))


class Person:
    """Does one thing after another; what was not confirmed is done again after the next start."""

    def __init__(self, folder, n_kills):
        self.folder, self.n_kills, self.kills = folder, n_kills, 0
        self.draw = random.Random(5)
        self.server = self.client = None
        self.second = None  # how long a second is on this machine; nobody is killed before that is known

    def insist(self, method, path, body=None):
        """Send the request until it is answered; servers die at any moment, most of them while they are busy."""
        while True:
            if self.client is None:
                self.server = Server(self.folder)
                self.client = Client.let_in(self.server)
                if self.second is not None and self.kills < self.n_kills:
                    seconds = self.second * self.draw.choice([0.0, 0.1, 0.3, 1.0, 2.0])
                    threading.Timer(seconds, self.server.process.kill).start()
            try:
                return self.client.request(method, path, body, headers=JSON)
            except (OSError, http.client.HTTPException):
                self.kills += 1
                self.server.kill()
                self.server = self.client = None


@pytest.mark.parametrize(
    "n_kills", [pytest.param(2, id="2"), pytest.param(100, id="100", marks=pytest.mark.slow)]
)
def test_nothing_that_was_confirmed_is_lost(tmp_path, n_kills):
    person = Person(tmp_path, n_kills)
    work = tmp_path / "weaklearn-work"
    names, text = noisy(60)
    began = time.monotonic()
    place = json.loads(person.insist("POST", f"/tables?name={quote('t.csv')}", text.encode()).text)["place"]
    person.second = max(1.0, time.monotonic() - began)
    person.server.process.kill()
    fields = {"table": place.split("/")[2], "label": names.index("result")}
    page = person.insist("POST", "/audits", fields).headers["location"]
    job = work / "jobs" / page.rpartition("/")[2]
    tables = {place.split("/")[2]: text}
    killed_at_work = 0
    confirmed, sent, rows, answers = {}, 0, [], person.draw
    while person.kills < n_kills or len(confirmed) < 5:
        state = (
            json.loads((job / "state.json").read_text())["state"]
            if (job / "state.json").exists()
            else "waiting"
        )
        assert state in ("waiting", "running", "done"), (job / "log.txt").read_text()
        if state == "done":
            if not rows:
                rows = [
                    record["row"] for record in json.loads((job / "result" / "page.json").read_text())["top"]
                ]
                classes = list(json.loads((job / "result" / "page.json").read_text())["classes"])
            row, answer = answers.choice(rows), answers.randrange(len(classes))
            reply = person.insist("POST", f"{page}/review", {"row": row, "answer": answer})
            assert reply.status == 200, reply.text
            confirmed[row] = classes[answer]
            sent += 1
            now = json.loads(reply.text)["answers"]
            assert {int(key): label for key, label in now.items()} == confirmed
        else:
            assert person.insist("GET", page).status == 200
            if state == "running" and killed_at_work < n_kills / 3:
                killed_at_work += 1
                person.server.process.kill()
            time.sleep(0.1)
        if answers.random() < 0.2 and len(tables) < n_kills:
            reply = person.insist("POST", "/tables?name=s.csv", SMALL.encode())
            assert reply.status == 201, reply.text
            tables[json.loads(reply.text)["place"].split("/")[2]] = SMALL
        for key, content in tables.items():
            assert (work / "tables" / key / "table.csv").read_text() == content
    assert person.insist("GET", f"{page}/state").status == 200
    state = json.loads(person.insist("GET", f"{page}/state").text)
    assert {int(key): label for key, label in state["answers"].items()} == confirmed
    person.server.kill()
    # The next start sweeps away what was half done.
    with Server(tmp_path) as server:
        Client.let_in(server).get("/")
        time.sleep(1)
        left = [path for path in work.rglob("*") if path.name.startswith((".new-", ".gone-"))]
        assert left == []
        assert not (job / "result.part").exists()
    attempts = json.loads((job / "state.json").read_text())["attempt"]
    print(f"{person.kills} kills, {sent} reviews, {len(tables)} tables, the job was started {attempts} times")


def test_ctrl_c_ends_pages_that_wait_for_events(tmp_path):
    job = JobFolder(tmp_path / "weaklearn-work" / "jobs").create(
        "audit",
        "?",
        {
            "table": "0" * 16,
            "label": "y",
            "sheet": None,
            "header": True,
            "merge_spellings": True,
            "least_rows": 3,
            "drop": [],
            "categorical": [],
            "numeric": [],
        },
    )
    with Server(tmp_path) as server:
        client = Client.let_in(server)
        lines = (
            f"GET /audits/{job.key}/events HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            f"Cookie: {client.cookie}",
        )
        with socket.create_connection(("127.0.0.1", server.port)) as waiting:
            waiting.sendall("\r\n".join((*lines, "", "")).encode())
            assert b"200 OK" in waiting.recv(1000)
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(20) == 0
        said = server.process.stderr.read()
        assert said == "Stopped. Everything recorded is on disk; unfinished work resumes.\n"
        server.close()
