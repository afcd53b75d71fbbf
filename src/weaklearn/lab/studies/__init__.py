"""The studies: one folder per source document, and `own` for studies of ours.

A folder holds the document's experiments, their trials and drawings, and ``published.csv``, its published cells.
Every module in it that defines ``EXPERIMENT`` is an experiment; there is no list to keep. Studies import the
machinery (`weaklearn.lab`); the machinery never imports them.
"""

import importlib
import pkgutil

from weaklearn.lab._spec import Experiment

__all__ = ["discover"]


def discover() -> dict[str, Experiment]:
    """All experiments of the package by name, in alphabetical order."""
    experiments: dict[str, Experiment] = {}
    for info in pkgutil.walk_packages(__path__, f"{__name__}."):
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
