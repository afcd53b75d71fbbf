"""Small kinds of work for the tests of jobs, imported by the processes that do them."""

import os
import time

from weaklearn.web import JobError


def count(work):
    """Count to n; each step leaves a part behind."""
    n = work.settings["n"]
    for k in range(n):
        part = work.parts / str(k)
        fresh = not part.exists()
        if fresh:
            time.sleep(work.settings.get("pause", 0))
            part.write_text(str(k))
        work.report(done=k + 1, total=n, text=f"step {k + 1}", fresh=fresh)
    (work.result / "sum.txt").write_text(str(sum(int(p.read_text()) for p in work.parts.iterdir())))


def refuse(work):
    raise JobError("The table has no rows.")


def need(work):
    raise ImportError("reading Excel needs openpyxl: pip install 'weaklearn[excel]'")


def fill(work):
    raise OSError(28, "No space left on device")


def crash(work):
    raise ZeroDivisionError("division by zero")


def die(work):
    (work.result / "half.txt").write_text("half")
    os.kill(os.getpid(), 9)


def hungry(work):
    raise MemoryError
