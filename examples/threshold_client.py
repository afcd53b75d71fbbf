"""Run a session of `weaklearn serve` from a Python program, as an experiment script would.

    python examples/threshold_client.py 'http://127.0.0.1:8765/?token=...'

Only the standard library is needed. Replace `present` by your stimulus and the subject's answer.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit


class Thresholds:
    """The JSON interface; a request that gets no reply is sent again, which never counts twice."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.base = f"{parts.scheme}://{parts.netloc}/api"
        self.token = parse_qs(parts.query)["token"][0]

    def send(self, path, document=None, attempts=5):
        data = None if document is None else json.dumps(document).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        for attempt in range(1, attempts + 1):
            request = urllib.request.Request(self.base + path, data, headers)
            try:
                with urllib.request.urlopen(request, timeout=30) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as error:
                raise SystemExit(f"refused: {json.load(error)}") from None
            except (urllib.error.URLError, ConnectionError):
                if attempt == attempts:
                    raise
                time.sleep(0.5)
        raise AssertionError("unreachable")


LUCK = random.Random(1)


def present(level):
    """A stand-in for a subject in a two-alternative task: whether the answer was right."""
    return LUCK.random() < (0.98 if level > 6 else 0.5)


def main(address):
    server = Thresholds(address)
    session = server.send(
        "/sessions",
        {
            "levels": [1, 2, 4, 8, 16, 32],
            "task": "2AFC",
            "subject": "demo",
            "condition": "quiet",
            "budget": 25,
            "seed": random.randrange(10**12),
        },
    )
    here = f"/sessions/{session['key']}"
    question = server.send(f"{here}/question")
    while not question["done"]:
        right = present(question["level"])
        answer = {"level": question["level"], "outcome": right, "revision": question["revision"]}
        question = server.send(f"{here}/answers", answer)
    found = server.send(f"{here}/estimate")
    for one in found["estimates"]:
        print(f"threshold {one['value']:.3g}, 90% interval {one['low']:.3g} to {one['high']:.3g}")
    for sentence in found["warnings"]:
        print(sentence)


if __name__ == "__main__":
    main(sys.argv[1])
