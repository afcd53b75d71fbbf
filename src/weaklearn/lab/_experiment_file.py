"""Experiments in a user's file."""

import os
from pathlib import Path

from weaklearn.lab._build import load_file
from weaklearn.lab._errors import LabError
from weaklearn.lab._spec import Experiment

__all__ = ["load_experiment"]


def load_experiment(path: str | os.PathLike[str]) -> Experiment:
    """The ``EXPERIMENT`` that a file defines.

    The file is imported as the module of its name. Protocols, drawings, builders and generators in it, or in files
    beside it, are named ``"file_name:function"``; workers import them from the same folder.
    """
    path = Path(path)
    try:
        module = load_file(path)
    except LabError:
        raise
    except Exception as error:  # whatever the user's own file raises is the user's to read
        raise LabError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    found = getattr(module, "EXPERIMENT", None)
    if not isinstance(found, Experiment):
        raise LabError(f"{path} defines no EXPERIMENT (a weaklearn.lab.Experiment)")
    return found
