"""kill -9 at random moments, through the command line and through the page.

The answers are a fixed function of question number and level, and the questions one of the seed and the answers before,
so there is exactly one right history; it is computed by a sampler that never touches a file. After every kill the file
must hold a beginning of it (nothing lost, nothing twice, the same next question) with every answer that was confirmed.
"""

import contextlib
import http.client
import itertools
import json
import os
import random
import re
import subprocess
import threading
from urllib.parse import urlsplit

import pytest

from serving import COMMAND, ENVIRONMENT, Client, Server, answers_on, forms
from weaklearn.adaptive import PosteriorMinEnt, Session
from weaklearn.monotone import Crossing

LEVELS, SEED, ENDLESS = "1:10:10", 7, "90000"
PROMPT = re.compile(rb"Question (\d+) of at most \d+, level (\S+): .*\[y/n/u/note/q/\?\] $", re.DOTALL)
CONFIRMED = re.compile(rb"^(\d+)\. (yes|no) at level (\S+)$", re.MULTILINE)

kills = pytest.mark.parametrize(
    "n_kills", [pytest.param(2, id="2"), pytest.param(100, id="100", marks=pytest.mark.slow)]
)


def outcome(n, level):
    """The answer to question n (from 1): a threshold, with every fifth answer turned round."""
    return (level > 5.5) != (n % 5 == 0)


class Right:
    """The one right history, as far as it was asked for."""

    def __init__(self):
        self.sampler = PosteriorMinEnt(
            [float(level) for level in range(1, 11)], Crossing(0.5), random_state=SEED
        )
        self.asked = [self.sampler.ask()]

    def question(self, n):
        """The level of question n."""
        while len(self.asked) < n:
            k = len(self.asked)
            self.sampler.tell(self.asked[-1], outcome(k, self.asked[-1]))
            self.asked.append(self.sampler.ask())
        return self.asked[n - 1]

    def check(self, path):
        """The number of answers in the file, all of them right, and the next question, too."""
        session = Session.open(path)
        found = [(answer["level"], answer["outcome"]) for answer in session.history]
        levels = [self.question(n) for n in range(1, len(found) + 1)]
        assert found == [(level, outcome(n, level)) for n, level in enumerate(levels, 1)]
        assert session.ask() == self.question(len(found) + 1)
        assert session.revision == len(found)
        return len(found)


def moments(n_kills):
    """When to kill: seconds, and what they are counted from.

    "start" is that of the process, "ready" the moment when it can be spoken to, "busy" its first confirmed work: most
    of the time of a process goes into starting it, most of the danger lies behind that.
    """
    draw = random.Random(3)
    for since in itertools.islice(itertools.cycle(["busy", "ready", "busy", "start"]), n_kills):
        yield since, draw.uniform(0.0, 3.0 if since == "start" else 0.5)


def kill_later(process, seconds):
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    return timer


class Run:
    """One process of ``weaklearn threshold``, answered as it asks, until it is killed."""

    def __init__(self, path, since, seconds):
        self.sent = self.confirmed = 0
        command = [*COMMAND, "threshold", "--session", path.name, "--levels", LEVELS, "--seed", str(SEED)]
        process = subprocess.Popen(
            [*command, "--budget", ENDLESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=path.parent,
            env=ENVIRONMENT,
        )
        timer = kill_later(process, seconds) if since == "start" else None
        shown, seen = b"", 0
        with process:
            while piece := os.read(process.stdout.fileno(), 65536):
                shown += piece
                for found in CONFIRMED.finditer(shown, seen):
                    self.confirmed = int(found.group(1))
                    timer = timer or kill_later(process, seconds)
                if prompt := PROMPT.search(shown, seen):
                    seen = len(shown)
                    if since == "ready":
                        timer = timer or kill_later(process, seconds)
                    n, level = int(prompt.group(1)), float(prompt.group(2))
                    try:
                        process.stdin.write(b"y\n" if outcome(n, level) else b"n\n")
                        process.stdin.flush()
                        self.sent = n
                    except BrokenPipeError:
                        break
            # What was written to a process that is gone cannot be delivered.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait(20)
        timer.cancel()
        assert process.returncode == -9


@kills
def test_the_command_line(tmp_path, n_kills):
    path, right, answers, questions_killed = tmp_path / "killed.json", Right(), 0, 0
    for since, seconds in moments(n_kills):
        run = Run(path, since, seconds)
        if not path.exists():
            assert run.sent == 0
            continue
        before, answers = answers, right.check(path)
        assert max(before, run.confirmed) <= answers <= max(before, run.sent)
        questions_killed += run.sent > run.confirmed
    print(f"{n_kills} kills, {answers} answers, {questions_killed} kills with an answer on its way")
    assert answers > 0


class Killed(Server):
    """A server that is killed so many seconds after its start."""

    def __init__(self, folder, seconds):
        self.seconds = seconds
        super().__init__(folder)

    def started(self):
        kill_later(self.process, self.seconds)


class Page:
    """A browser's side of one session: what was not confirmed is sent again, unchanged."""

    def __init__(self, folder, plan):
        self.folder, self.plan, self.kills, self.sent_again = folder, plan, 0, 0
        self.server = self.client = None

    def connect(self):
        """A server to speak to; some die before that."""
        while self.client is None:
            self.since, self.seconds = next(self.plan, (None, 0.0))
            try:
                early = self.since == "start"
                self.server = Killed(self.folder, self.seconds) if early else Server(self.folder)
                self.client = Client.let_in(self.server)
                self.kill_if("ready")
            except (OSError, RuntimeError, http.client.HTTPException):
                self.dead()
        return self.client

    def kill_if(self, since):
        if self.since == since:
            self.since = None
            kill_later(self.server.process, self.seconds)

    def dead(self):
        self.kills += 1
        if self.server is not None:
            self.server.kill()
        self.server = self.client = None

    def insist(self, method, path, body=None):
        """Send the request until it is answered."""
        while True:
            client = self.connect()
            try:
                reply = client.request(method, path, body)
            except (OSError, http.client.HTTPException):  # not reached, or cut off in the middle
                self.sent_again += 1
                self.dead()
                continue
            if method == "POST":
                self.kill_if("busy")
            return reply


@kills
def test_the_page(tmp_path, n_kills):
    pytest.importorskip("uvicorn", reason="the pages need the extra weaklearn[web]")
    right, page = Right(), Page(tmp_path, moments(n_kills))
    fields = {"seed": str(SEED), "levels": LEVELS, "budget": ENDLESS, "question": "?"}
    address = page.insist("POST", "/new", fields).headers["location"]
    answers = 0
    while page.kills < n_kills:
        shown = page.insist("GET", address)
        assert shown.status == 200
        assert answers_on(shown) == answers
        form = forms(shown)["answer"]
        level = float(form["level"])
        assert level == right.question(answers + 1)
        word = "yes" if outcome(answers + 1, level) else "no"
        reply = page.insist("POST", f"{address}/answer", {**form, "outcome": word})
        assert reply.status == 303, reply.text
        answers += 1
    if page.server is not None:
        page.server.kill()
    files = list(tmp_path.glob("*.json"))
    assert len(files) == 1  # the form for a new session was not obeyed twice, either
    assert right.check(files[0]) == answers
    print(f"{page.kills} kills, {answers} answers, {page.sent_again} requests sent again")
    assert answers > 0


class Interface(Page):
    """A program's side: the same, with documents and a token."""

    def connect(self):
        super().connect()
        self.token = urlsplit(self.server.url).query.partition("=")[2]
        return self

    def request(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        return self.client.request(method, f"/api{path}", text, headers=headers, origin=None, cookie=None)


@pytest.mark.parametrize(
    "n_kills", [pytest.param(3, id="3"), pytest.param(100, id="100", marks=pytest.mark.slow)]
)
def test_the_json_interface(tmp_path, n_kills):
    pytest.importorskip("uvicorn", reason="the pages need the extra weaklearn[web]")
    right, program = Right(), Interface(tmp_path, moments(n_kills))
    made = program.insist("POST", "/sessions", {"levels": LEVELS, "budget": int(ENDLESS), "seed": SEED})
    here = f"/sessions/{json.loads(made.text)['key']}"
    question = json.loads(program.insist("GET", f"{here}/question").text)
    answers = 0
    while program.kills < n_kills:
        assert (question["n_answers"], question["revision"]) == (answers, answers)
        level = question["level"]
        assert level == right.question(answers + 1)
        sent = {"level": level, "outcome": outcome(answers + 1, level), "revision": answers}
        reply = program.insist("POST", f"{here}/answers", sent)
        assert reply.status == 200, reply.text
        question = json.loads(reply.text)
        answers += 1
    if program.server is not None:
        program.server.kill()
    files = list(tmp_path.glob("*.json"))
    assert len(files) == 1
    assert right.check(files[0]) == answers
    print(f"{program.kills} kills, {answers} answers, {program.sent_again} requests sent again")
    assert answers > 0
