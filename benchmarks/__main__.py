"""``python -m benchmarks [NAME ...]``: speed against peers, as ratios measured in one run."""

import os

# One thread each, for us and for the peers: a ratio of algorithms, not of thread pools.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib
import sys

from rich.console import Console
from rich.table import Table

MODULES = ("startup", "linear", "boosting", "zero_one", "multiclass", "kernel", "complexity", "thresholds")


def main(names):
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        raise SystemExit(f"unknown benchmark {', '.join(unknown)}; known: {', '.join(MODULES)}")
    console = Console(width=120)
    table = Table(title="Ratios in one run (one thread each)")
    table.add_column("what")
    for column in ("ours", "peer", "ratio", "target"):
        table.add_column(column, justify="right")
    for name in names or MODULES:
        for what, ours, peer, ratio, target in importlib.import_module(f"benchmarks.{name}").run():
            table.add_row(what, _seconds(ours), _seconds(peer), f"{ratio:.2f}", str(target or ""))
        table.add_section()
    console.print(table)
    if names and "linear" not in names:
        return
    errors = Table(title="Training error beside time")
    for column in ("problem", "classifier"):
        errors.add_column(column)
    for column in ("training error, %", "time"):
        errors.add_column(column, justify="right")
    previous = None
    for problem, name, error, seconds in importlib.import_module("benchmarks.linear").error_rows():
        if previous not in (None, problem):
            errors.add_section()
        errors.add_row("" if problem == previous else problem, name, f"{error:.2f}", _seconds(seconds))
        previous = problem
    console.print(errors)


def _seconds(value):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


if __name__ == "__main__":
    main(sys.argv[1:])
