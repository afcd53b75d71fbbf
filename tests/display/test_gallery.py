"""The docs page of pictures: its code runs, and each picture it shows is there and small."""

import os
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "displays.md"


def test_code_runs_and_pictures_exist():
    text = PAGE.read_text(encoding="utf-8")
    parts = re.findall(r"```python\n(.*?)```|!\[[^\]]+\]\(([^)]+)\)", text, flags=re.DOTALL)
    names: dict = {}
    shown = 0
    for code, picture in parts:
        if code:
            exec(compile(code, str(PAGE), "exec"), names)
            continue
        target = PAGE.parent / picture
        if os.environ.get("WEAKLEARN_REDRAW"):  # how the pictures are made
            names["figure"].savefig(target, dpi=80)
        assert target.stat().st_size < 60_000, picture
        names["figure"].canvas.draw()
        plt.close(names.pop("figure"))
        shown += 1
    assert shown >= 6


@pytest.mark.parametrize("name", ["matplotlib.pyplot", "weaklearn.boosting"])
def test_importing_displays_loads_neither_pyplot_nor_learners(name):
    import subprocess
    import sys

    code = f"import sys, weaklearn.display; assert {name!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
