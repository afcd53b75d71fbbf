"""The server starts at once: what takes long to import is imported when a page needs it."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="the pages need the extra weaklearn[web]")

HEAVY = ("matplotlib", "numba", "pandas", "scipy", "sklearn", "weaklearn.adaptive")

SCRIPT = """
import json, sys
from pathlib import Path
import importlib, weaklearn.cli, weaklearn.web._serve, uvicorn
from weaklearn.web._application import Application
from weaklearn.web._guard import Pass
from weaklearn.web.command import _DOORS

doors = [importlib.import_module(module).DOOR for module in _DOORS]
application = Application(Path(sys.argv[1]), Pass(1), doors)
shown = application.home(None, {})
assert b"threshold" in shown.body
loaded = [name for name in sys.argv[2].split() if name in sys.modules]
(thresholds,) = application._deferred
routes = [route.path for route in thresholds.routes]
print(json.dumps([loaded, list(thresholds.places), routes]))
"""


def test_the_first_page_needs_nothing_heavy(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), " ".join(HEAVY)],
        check=True,
        capture_output=True,
        text=True,
    )
    loaded, places, routes = json.loads(done.stdout)
    assert loaded == []
    # A page of thresholds outside these places would not be found.
    assert len(routes) >= 30
    assert not [path for path in routes if not f"{path}/".startswith(tuple(f"{place}/" for place in places))]


def test_the_process_of_a_job_reports_before_it_imports_anything_heavy():
    code = "import sys, weaklearn.web._work; print([name for name in sys.argv[1:] if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code, *HEAVY], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
