"""Finding experiments: those of the package, whose name is all that the machinery knows of it, and users' files."""

import importlib
import importlib.util
import os
import pkgutil
import re
from collections.abc import Iterator

from weaklearn.lab._build import load_file
from weaklearn.lab._claim import Claim
from weaklearn.lab._errors import CallError, LabError
from weaklearn.lab._published import STUDIES
from weaklearn.lab._spec import Experiment


def discover(package: str = STUDIES) -> dict[str, Experiment]:
    """All experiments of a package by name, in alphabetical order.

    Every module that defines ``EXPERIMENT`` is an experiment; there is no list to keep.
    """
    experiments: dict[str, Experiment] = {}
    for module in _defining("EXPERIMENT", package):
        experiment = importlib.import_module(module).EXPERIMENT
        if experiment.name in experiments:
            raise ValueError(f"two modules define the experiment {experiment.name!r}")
        experiments[experiment.name] = experiment
    return dict(sorted(experiments.items()))


def discover_claims(package: str = STUDIES) -> dict[str, tuple[Claim, ...]]:
    """The claims of each document: those that a module of its folder defines as ``CLAIMS``."""
    claims: dict[str, tuple[Claim, ...]] = {}
    for module in _defining("CLAIMS", package):
        document = module.split(".")[-2]
        claims[document] = claims.get(document, ()) + tuple(importlib.import_module(module).CLAIMS)
    for document, some in claims.items():
        ids = [claim.id for claim in some]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"claims of {document} must have distinct ids, found twice: {', '.join(twice)}")
    return claims


def _defining(name: str, package: str) -> Iterator[str]:
    """The modules of a package that assign `name`.

    Trials, drawings and their helpers are imported when they are run: reading the list stays quick.
    """
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if info.ispkg:
            continue
        spec = importlib.util.find_spec(info.name)
        source = spec.loader.get_source(info.name) if spec and spec.loader else None  # type: ignore[attr-defined]
        if re.search(rf"^{name}\b", source or "", re.MULTILINE):
            yield info.name


def load_experiment(path: str | os.PathLike[str]) -> Experiment:
    """The ``EXPERIMENT`` that a file defines.

    The file is imported as the module of its name. Protocols, drawings, builders and generators in it, or in files
    beside it, are named ``"file_name:function"``; workers import them from the same folder.
    """
    try:
        module = load_file(path)
    except LabError as error:
        raise CallError(str(error)) from error
    except Exception as error:  # whatever the user's own file raises is shown
        raise CallError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    found = getattr(module, "EXPERIMENT", None)
    if not isinstance(found, Experiment):
        raise CallError(f"{path} defines no EXPERIMENT (a weaklearn.lab.Experiment)")
    return found
