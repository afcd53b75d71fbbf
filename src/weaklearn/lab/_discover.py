"""Finding experiments: those of the package, whose name is all that the machinery knows of it, and users' files."""

import importlib
import importlib.util
import os
import pkgutil
import re

from weaklearn.lab._build import load_file
from weaklearn.lab._errors import LabError
from weaklearn.lab._published import STUDIES
from weaklearn.lab._spec import Experiment

__all__ = ["discover", "load_experiment"]


def discover(package: str = STUDIES) -> dict[str, Experiment]:
    """All experiments of a package by name, in alphabetical order.

    Every module that defines ``EXPERIMENT`` is an experiment; there is no list to keep.
    """
    experiments: dict[str, Experiment] = {}
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        # Trials, drawings and their helpers are imported when they are run: reading the list stays quick.
        if info.ispkg or not _defines_experiment(info.name):
            continue
        experiment = importlib.import_module(info.name).EXPERIMENT
        if experiment.name in experiments:
            raise ValueError(f"two modules define the experiment {experiment.name!r}")
        experiments[experiment.name] = experiment
    return dict(sorted(experiments.items()))


def _defines_experiment(module: str) -> bool:
    spec = importlib.util.find_spec(module)
    source = spec.loader.get_source(module) if spec and spec.loader else None  # type: ignore[attr-defined]
    return re.search(r"^EXPERIMENT\b", source or "", re.MULTILINE) is not None


def load_experiment(path: str | os.PathLike[str]) -> Experiment:
    """The ``EXPERIMENT`` that a file defines.

    The file is imported as the module of its name. Protocols, drawings, builders and generators in it, or in files
    beside it, are named ``"file_name:function"``; workers import them from the same folder.
    """
    try:
        module = load_file(path)
    except LabError:
        raise
    except Exception as error:  # whatever the user's own file raises is shown
        raise LabError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    found = getattr(module, "EXPERIMENT", None)
    if not isinstance(found, Experiment):
        raise LabError(f"{path} defines no EXPERIMENT (a weaklearn.lab.Experiment)")
    return found
