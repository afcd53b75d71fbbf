"""``python -m benchmarks.cold_start [NAME ...]``: CPU seconds of a first run, which compiles, and of the second.

Each command runs in an empty folder with an empty cache of compiled code, as after installing. The aims: at most 8 CPU
seconds, and at most three times the second run.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.docs.test_code_blocks import blocks

ROOT = Path(__file__).parents[1]
PROGRAM = (sys.executable, "-m", "weaklearn")


def readme_script(number):
    """The code under one of the three doors of the README."""
    (code,) = [block.code for block in blocks(ROOT / "README.md") if block.language == "python"][
        number : number + 1
    ]
    return sys.executable, "-c", code


COMMANDS = {
    "audit --demo": (*PROGRAM, "audit", "--demo"),
    "compare --demo": (*PROGRAM, "compare", "--demo"),
    "threshold --demo": (*PROGRAM, "threshold", "--demo"),
    "README, table": readme_script(0),
    "README, experiment": readme_script(1),
    "README, boosting": readme_script(2),
}


def cpu_seconds(command, folder, cache):
    """CPU time of a command with all its processes."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "MPLBACKEND": "agg"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(names):
    unknown = [name for name in names if name not in COMMANDS]
    if unknown:
        raise SystemExit(f"unknown: {', '.join(unknown)}; known: {', '.join(COMMANDS)}")
    table = Table(title="CPU seconds, first run and second")
    table.add_column("command")
    for column in ("first", "second", "ratio"):
        table.add_column(column, justify="right")
    for name in names or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache"
            first, second = (cpu_seconds(COMMANDS[name], folder, cache) for _ in range(2))
        table.add_row(name, f"{first:.1f}", f"{second:.1f}", f"{first / second:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
