"""What leaves a session: its answers as CSV, and its course answer by answer."""

import csv
import io

from sklearn.base import clone

__all__ = ["as_csv", "replayed"]


def as_csv(record):
    """The answers (n, level, outcome, time, notes) as CSV text; notes stand beside the answer they followed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["n", "level", "outcome", "time", "notes"])
    for n, entry in enumerate(record["history"], start=1):
        # What was noted before the first answer stands beside it too.
        places = (0, 1) if n == 1 else (n,)
        remarks = " / ".join(note["text"] for note in record["notes"] if note["after"] in places)
        writer.writerow([n, repr(entry["level"]), int(entry["outcome"]), entry["time"], _cell(remarks)])
    return text.getvalue()


def _cell(text):
    # A spreadsheet would run a cell that starts like a formula.
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def replayed(record, sampler, targets):
    """Every answer with the question before it and the estimates after it."""
    sampler = clone(sampler)
    steps = []
    for n, entry in enumerate(record["history"], start=1):
        asked = sampler.ask()
        sampler.tell(entry["level"], entry["outcome"])
        estimates = [sampler.estimate(target) for target in targets]
        step = {"n": n, "asked": asked, "level": entry["level"], "outcome": entry["outcome"]}
        steps.append({**step, "estimates": estimates})
    return steps
