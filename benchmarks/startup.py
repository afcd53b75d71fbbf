"""How long a newcomer waits before anything happens."""

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import Row, best_time


def seconds_of(*command):
    return best_time(lambda: subprocess.run(command, check=True, capture_output=True))


def run():
    script = str(Path(sys.executable).parent / "weaklearn")
    bare = seconds_of(sys.executable, "-c", "pass")
    sklearn = seconds_of(sys.executable, "-c", "import sklearn")
    both = seconds_of(sys.executable, "-c", "import sklearn, weaklearn")
    shown = seconds_of(script, "--help")
    return [
        Row("weaklearn --help, in seconds (peer: python itself)", shown, bare, shown, "<= 0.4"),
        Row("import weaklearn beyond scikit-learn, in seconds", both, sklearn, both - sklearn, "<= 0.3"),
    ]
