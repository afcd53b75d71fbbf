"""The catalogue: every module in this package that defines ``EXPERIMENT`` is an experiment.

There is no list to keep: to add an experiment, add a file.
"""

import importlib
import pkgutil

from weaklearn.lab._spec import Experiment

__all__ = ["discover"]


def discover() -> dict[str, Experiment]:
    """All experiments of the catalogue by name, in the order of their files' names."""
    experiments: dict[str, Experiment] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        experiment = getattr(importlib.import_module(f"{__name__}.{module}"), "EXPERIMENT", None)
        if experiment is None:
            continue
        if experiment.name in experiments:
            raise ValueError(f"two catalogue files define the experiment {experiment.name!r}")
        experiments[experiment.name] = experiment
    return experiments
