"""Finding the studies: the machinery knows the name of their package and nothing else of them."""

import importlib
import pkgutil

from weaklearn.lab._spec import Experiment
from weaklearn.lab.verdicts._published import STUDIES

__all__ = ["discover"]


def discover(package: str = STUDIES) -> dict[str, Experiment]:
    """All experiments of a package by name, in alphabetical order.

    Every module that defines ``EXPERIMENT`` is an experiment; there is no list to keep.
    """
    experiments: dict[str, Experiment] = {}
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        # Trials and drawings are imported when they are run: reading the list stays quick.
        if info.ispkg or info.name.endswith(("trials", "drawings")):
            continue
        experiment = getattr(importlib.import_module(info.name), "EXPERIMENT", None)
        if experiment is None:
            continue
        if experiment.name in experiments:
            raise ValueError(f"two modules define the experiment {experiment.name!r}")
        experiments[experiment.name] = experiment
    return dict(sorted(experiments.items()))
