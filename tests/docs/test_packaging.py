"""What is shipped: metadata that agree with each other, and a wheel that works in an empty environment."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import weaklearn

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_dependency_has_a_lower_bound():
    assert all(">=" in requirement for requirement in PROJECT["dependencies"])


def test_citation_and_changelog_have_the_version():
    version = weaklearn.__version__.partition(".dev")[0]
    assert f'version: "{version}"' in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(
        rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_targets_that_the_workflows_use_exist():
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        used = set(re.findall(r"run: make ([a-z-]+)", workflow.read_text(encoding="utf-8")))
        assert used <= targets, workflow.name


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(tmp_path):
    """Built from the source archive, installed with its dependencies, used from another folder."""
    pytest.importorskip("build")
    run = {"check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(tmp_path), str(ROOT)], **run)
    (wheel,) = tmp_path.glob("*.whl")
    assert list(tmp_path.glob("*.tar.gz"))
    names = zipfile.ZipFile(wheel).namelist()
    assert "weaklearn/py.typed" in names
    assert any(name.endswith("templates/page.html") for name in names)
    assert not any("__pycache__" in name for name in names)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], **run)
    folder = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([folder / "python", "-m", "pip", "install", "--quiet", str(wheel)], **run)
    code = (
        "from weaklearn.linear import RCDPerceptron as P; print(P().fit([[0], [1]], [0, 1]).predict([[1]]))"
    )
    done = subprocess.run([folder / "python", "-c", code], cwd=tmp_path, **run)
    assert done.stdout == "[1]\n"
    done = subprocess.run([folder / "weaklearn", "datasets", "--json"], cwd=tmp_path, **run)
    assert '"wine"' in done.stdout
