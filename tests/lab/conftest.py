import runpy
import sys
from pathlib import Path

import pytest

TOY_FILE = Path(__file__).with_name("toy_experiment.py")


@pytest.fixture(scope="session")
def toy_file():
    return TOY_FILE


@pytest.fixture(scope="session")
def toy_parts():
    return runpy.run_path(str(TOY_FILE))


@pytest.fixture(scope="session")
def toy(toy_parts):
    return toy_parts["EXPERIMENT"]


@pytest.fixture
def reproduce_command(toy_file):
    """The command line that runs the toy experiment, for subprocesses."""

    def command(store, out, *options):
        call = [sys.executable, "-m", "weaklearn.cli", "reproduce", str(toy_file)]
        return [*call, "--store", str(store), "--out", str(out), *options]

    return command
