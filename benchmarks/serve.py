"""``python -m benchmarks.serve [--clients 100] [--seconds 60] [--pause 1]``: many clients of `weaklearn serve` at once.

Every client runs a session of its own through the JSON interface: it answers a question, waits, and answers the next.
At the end every session is read back and compared with what its client sent. Prints how long answers took, and what
was lost.
"""

import argparse
import http.client
import json
import math
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
import psutil

LEVELS = [float(level) for level in range(1, 17)]


@dataclass
class Client:
    """One connection with the cookie of the page, one session, and what was sent."""

    port: int
    cookie: str
    seed: int
    seconds: list[float] = field(default_factory=list)
    sent: list[tuple[float, bool]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    key: str = ""

    def request(self, method, path, document=None):
        """The JSON that comes back; None, and a note, if it is no answer."""
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": self.cookie, "Origin": origin, "Content-Type": "application/json"}
        body = None if document is None else json.dumps(document)
        start = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except OSError as error:
            self.trouble.append(f"{path}: {error!r}")
            return None
        finally:
            connection.close()
        self.seconds.append(time.perf_counter() - start)
        if response.status not in (200, 201):
            self.trouble.append(f"{path}: {response.status} {text[:200]!r}")
            return None
        return json.loads(text)

    def run(self, until, pause):
        """Answer questions until the time is over; the observer's threshold is 8."""
        draw = random.Random(self.seed)
        setup = {"question": f"client {self.seed}", "levels": LEVELS, "target": 0.5, "seed": self.seed}
        state = self.request("POST", "/api/sessions", setup)
        if state is None:
            return
        self.key = state["key"]
        question = self.request("GET", f"/api/sessions/{self.key}/question")
        while question is not None and time.monotonic() < until:
            time.sleep(pause * 2 * draw.random())
            level = question["level"]
            outcome = draw.random() < 1 / (1 + math.exp(8 - level))
            answer = {"revision": question["revision"], "level": level, "outcome": outcome}
            question = self.request("POST", f"/api/sessions/{self.key}/answers", answer)
            if question is not None:
                self.sent.append((level, outcome))

    def lost(self):
        """Answers that the stored session has otherwise than they were sent."""
        stored = self.request("GET", f"/api/sessions/{self.key}") if self.key else None
        if stored is None:
            return len(self.sent) + 1
        kept = [(answer["level"], answer["outcome"]) for answer in stored["history"]]
        return abs(len(kept) - len(self.sent)) + sum(a != b for a, b in zip(kept, self.sent, strict=False))


def let_in(url):
    """The port and the cookie that the address of a new server gives."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)
    connection.request("GET", f"{parts.path}?{parts.query}")
    cookie = connection.getresponse().getheader("Set-Cookie").partition(";")[0]
    connection.close()
    return parts.port, cookie


def measure(n_clients, seconds, pause):
    """Run the clients against a server of our own; print what was measured; whether nothing was lost."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "weaklearn", "serve", "--port", "0", "--folder", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            server.stdout.readline()
            port, cookie = let_in(server.stdout.readline().strip())
            clients = [Client(port, cookie, seed) for seed in range(n_clients)]
            clients[0].request("GET", "/api/sessions")  # the first request imports
            clients[0].seconds.clear()
            before = sum(psutil.Process(server.pid).cpu_times()[:2])
            until = time.monotonic() + seconds
            threads = [threading.Thread(target=client.run, args=(until, pause)) for client in clients]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            busy = sum(psutil.Process(server.pid).cpu_times()[:2]) - before
            times = np.array([one for client in clients for one in client.seconds])
            lost = sum(client.lost() for client in clients)
        finally:
            server.terminate()
            server.wait(20)
    trouble = [line for client in clients for line in client.trouble]
    p50, p99 = np.percentile(times, [50, 99]) if len(times) else (np.nan, np.nan)
    print(
        f"{n_clients} clients, {seconds:g} s, a pause of {pause:g} s on average: {len(times)} requests, "
        f"{sum(len(client.sent) for client in clients)} answers; p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, "
        f"longest {1000 * times.max(initial=0):.0f} ms; {1000 * busy / max(1, len(times)):.1f} ms of CPU per "
        f"request; {lost} answers lost, {len(trouble)} requests not answered"
    )
    for line in trouble[:5]:
        print("   ", line)
    return lost == 0 and not trouble


def main():
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="mean time from a question to its answer")
    options = parser.parse_args()
    return measure(options.clients, options.seconds, options.pause)


if __name__ == "__main__":
    sys.exit(not main())
