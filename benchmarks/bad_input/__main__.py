"""``python -m benchmarks.bad_input [SUBJECT ...]``: print the matrix of bad input, and every fault in it.

``python -m benchmarks.bad_input --kinds`` prints the kinds of input as a page: ``docs/bad_input.md``.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
from collections import Counter

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.bad_input.matrix import FAULTS, kinds_for, run
from benchmarks.bad_input.page import page
from benchmarks.bad_input.subjects import SUBJECTS

OUTCOMES = ("right", "refused", *FAULTS)


def main(names):
    known = {subject.name for subject in SUBJECTS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"unknown subject {unknown[0]}; known: {', '.join(sorted(known))}")
    chosen = [subject for subject in SUBJECTS if not names or subject.name in names]
    console = Console(width=140)
    cells = []
    for cell in run([(subject.name, kind.name) for subject in chosen for kind in kinds_for(subject)]):
        cells.append(cell)
        if cell.outcome in FAULTS:
            console.print(
                escape(f"{cell.outcome:6} {cell.subject:30} {cell.kind:32} {cell.detail}"), soft_wrap=True
            )
    for title, part in (("subject", 0), ("kind of input", 1)):
        table = Table(title=f"Outcomes by {title}")
        table.add_column(title)
        for outcome in OUTCOMES:
            table.add_column(outcome, justify="right")
        for name in dict.fromkeys(cell[part] for cell in cells):
            counts = Counter(cell.outcome for cell in cells if cell[part] == name)
            table.add_row(escape(name), *(str(counts[outcome]) for outcome in OUTCOMES))
        console.print(table)
    counts = Counter(cell.outcome for cell in cells)
    console.print(f"{len(cells)} cells: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES))
    return any(counts[fault] for fault in FAULTS)


if __name__ == "__main__":
    if sys.argv[1:] == ["--kinds"]:
        sys.exit(print(page(), end=""))
    sys.exit(main(sys.argv[1:]))
