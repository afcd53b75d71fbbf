"""The recipe of docs/adding.md for a data set, taken at its word."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from weaklearn import datasets
from weaklearn.datasets import _loading, _registry

PAGE = (Path(__file__).parents[2] / "docs/adding.md").read_text(encoding="utf-8")


def block(start):
    (text,) = re.findall(rf"```\w+\n{re.escape(start)}\n(.*?)```", PAGE, flags=re.DOTALL)
    return text


def write(folder, rows):
    with gzip.open(folder / "shapes.csv.gz", "wt") as file:
        file.write(f"height,width,label\n{rows}")


def test_the_recipe(tmp_path, monkeypatch):
    write(tmp_path, block("height,width,label"))
    (tmp_path / "checksum.py").write_text(block("# checksum.py"))
    run = subprocess.run([sys.executable, "checksum.py"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    row = block("# src/weaklearn/datasets/_registry.py, in _ROWS").replace("CHECKSUM", run.stdout.strip())
    (registered,) = eval(f"({row})", vars(_registry))
    monkeypatch.setitem(_loading.REGISTRY, registered.name, registered)
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    shapes = datasets.load("shapes")
    np.testing.assert_array_equal(shapes.X, [[1.0, 2.5], [2.0, 0.5], [3.5, 1.0]])
    assert shapes.y.tolist() == ["round", "square", "square"]
    assert any(record.name == "shapes" and record.source for record in datasets.available())
    # Another content does not pass for it.
    write(tmp_path, "1,2.5,round\n2,0.5,square\n3.5,1.1,square\n")
    with pytest.raises(datasets.DatasetCorruptedError):
        datasets.load("shapes")
