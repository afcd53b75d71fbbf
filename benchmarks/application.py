"""``python -m benchmarks.application [--rows 50000] [--columns 30]``: `weaklearn serve`, by the clock.

Starts the server as a person would, asks for the first page, takes two seconds to choose a table, sends it, looks at
its preview, starts a check of its labels and waits for the result. Prints what a person waits for, in seconds, and the
sizes of the pages.
"""

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np

_FINISHED = ("done", "failed", "cancelled")


class Person:
    """One browser: a cookie, and a stopwatch around every request."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.port, self.cookie = parts.port, None
        _, reply, _ = self.request("GET", f"{parts.path}?{parts.query}")
        self.cookie = reply.headers["set-cookie"].partition(";")[0]

    def request(self, method, path, body=None, **headers):
        """Seconds, the reply and its body."""
        if isinstance(body, dict):
            body = urlencode(body)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if self.cookie:
            headers["Cookie"] = self.cookie
        if method == "POST":
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        start = time.perf_counter()
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        if reply.status >= 400:
            raise RuntimeError(f"{method} {path}: {reply.status}\n{content.decode()[:500]}")
        return time.perf_counter() - start, reply, content


@contextmanager
def served(folder):
    """The address that `weaklearn serve` prints, and the seconds until it did."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "weaklearn", "serve", "--port", "0", "--folder", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        process.stdout.readline()
        yield process.stdout.readline().strip(), time.perf_counter() - start
    finally:
        process.terminate()
        process.wait()


def table(n_rows, n_columns):
    """A CSV file of numbers with two classes, a tenth of the labels wrong."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns - 1))
    y = (X[:, :3].sum(axis=1) > 0) ^ (rng.random(n_rows) < 0.1)
    lines = [",".join([*(f"x{j}" for j in range(n_columns - 1)), "label"])]
    lines += [
        ",".join([*(f"{value:.5f}" for value in row), "yes" if label else "no"])
        for row, label in zip(X, y, strict=True)
    ]
    return "\n".join(lines).encode()


def wait_for(condition, seconds=900):
    """Seconds until `condition` is true."""
    start = time.perf_counter()
    while not condition():
        if time.perf_counter() - start > seconds:
            raise RuntimeError("it took too long")
        time.sleep(0.01)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=30)
    options = parser.parse_args()
    content = table(options.rows, options.columns)
    with tempfile.TemporaryDirectory() as folder, served(folder) as (url, started):
        print(f"start, until the address is printed   {started:6.2f} s")
        person = Person(url)
        print(f"first page                            {person.request('GET', '/')[0]:6.2f} s")
        # The door starts the process that reads tables; nobody chooses a file in less than two seconds.
        print(f"door of tables                        {person.request('GET', '/audits')[0]:6.2f} s")
        time.sleep(2)
        sent, _, reply = person.request("POST", "/tables?name=table.csv", content, Accept="application/json")
        place = json.loads(reply)["place"]
        shown, _, page = person.request("GET", place)
        size = f"{len(content) / 1e6:.0f} MB"
        print(f"table of {size}: send, read, preview   {sent + shown:6.2f} s, {len(page) / 1e3:.0f} KB")
        fields = {"table": place.split("/")[2], "label": options.columns - 1}
        _, reply, _ = person.request("POST", "/audits", fields)
        job = reply.headers["location"]
        files = Path(folder) / "weaklearn-work" / "jobs" / job.rpartition("/")[2]
        news = files / "progress.jsonl"
        first = wait_for(lambda: news.exists() and news.stat().st_size > 0)
        print(f"first progress of the check           {first:6.2f} s")
        rest = wait_for(lambda: json.loads((files / "state.json").read_text())["state"] in _FINISHED)
        print(f"result of the check                   {first + rest:6.2f} s")
        seconds, _, page = person.request("GET", job)
        print(f"page of results                       {seconds:6.2f} s, {len(page) / 1e3:.0f} KB")
        print(f"the same again                        {person.request('GET', job)[0]:6.2f} s")


if __name__ == "__main__":
    main()
