"""Rows of the benchmark table and how a time is taken."""

import time
from typing import NamedTuple


class Row(NamedTuple):
    """One comparison: our seconds, the peer's seconds, their ratio, and what was aimed at."""

    what: str
    ours: float
    peer: float
    ratio: float
    target: str = ""


def best_time(work, repeats=5):
    """Seconds of the fastest of a few runs, after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
