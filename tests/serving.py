"""A server of our own on a free port, and a plain HTTP client that behaves like one browser."""

import http.client
import os
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

from weaklearn.datasets import make_noisy_table
from weaklearn.reports import csv_text

COMMAND = [sys.executable, "-m", "weaklearn.cli"]
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}


class Server:
    """``weaklearn serve`` in a process; `url` is the address that it printed."""

    def __init__(self, folder, port=0, options=()):
        command = [*COMMAND, "serve", "--port", str(port), "--folder", str(folder), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
        self.started()
        self.greeting = self.process.stdout.readline()
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            complaint = self.process.stderr.read()
            self._end()
            raise RuntimeError(complaint)
        self.port = urlsplit(self.url).port

    def started(self):
        """Called as soon as there is a process."""

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def close(self):
        self.process.terminate()
        self._end()

    def _end(self):
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.close()


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()
        self.text = self.body.decode("utf-8", "replace")


class Client:
    """Sends what it is told to, with the cookie that it was given."""

    def __init__(self, port, cookie=None):
        self.port, self.cookie = port, cookie

    @classmethod
    def let_in(cls, server):
        client = cls(server.port)
        parts = urlsplit(server.url)
        reply = client.request("GET", f"{parts.path}?{parts.query}")
        assert reply.status == 303, reply.text
        client.cookie = reply.headers["set-cookie"].partition(";")[0]
        return client

    def request(self, method, path, body=None, *, host=None, origin="own", cookie="own", headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": host or f"127.0.0.1:{self.port}", **dict(headers)}
        if origin == "own":
            origin = f"http://127.0.0.1:{self.port}" if method == "POST" else None
        if origin is not None:
            sent["Origin"] = origin
        if cookie == "own":
            cookie = self.cookie
        if cookie is not None:
            sent["Cookie"] = cookie
        if isinstance(body, dict):
            body = urlencode(body)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body, sent)
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.request("POST", path, body, **options)

    def start(self, **typed):
        """A new session; the address of its page."""
        fields = {"question": "Can you hear it?", "levels": "1:8:8", "target": "0.5", "sampler": "MinEnt"}
        reply = self.post("/new", {**fields, **typed})
        assert reply.status == 303, reply.text
        return reply.headers["location"]


class _Forms(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.session = {}, {}

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form":
            self.forms.setdefault(attributes["action"].rpartition("/")[2], {})
            self.last = self.forms[attributes["action"].rpartition("/")[2]]
        elif tag == "input" and attributes.get("type") == "hidden":
            self.last.setdefault(attributes["name"], attributes["value"])
        elif attributes.get("id") == "session":
            self.session = attributes


def forms(reply):
    """The hidden fields of every form on a page, by the last word of its action."""
    parser = _Forms()
    parser.feed(reply.text)
    return parser.forms


def answer(client, page, outcome):
    """Look at the page and answer its question, as its form would; the reply."""
    fields = forms(client.get(page))["answer"]
    return client.post(f"{page}/answer", {**fields, "outcome": "yes" if outcome else "no"})


def answers_on(reply):
    return int(re.search(r'data-answers="(\d+)"', reply.text).group(1))


def noisy(n):
    """Columns and text of an artificial table."""
    columns, _ = make_noisy_table(n, random_state=0)
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return list(columns), csv_text([dict(zip(columns, map(str, row), strict=True)) for row in rows])
