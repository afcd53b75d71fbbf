"""From names to objects: ids of code, files of users, estimators.

Code is named by ``"module:name"`` everywhere (builders, generators, protocols, drawings), so that a worker process can
import it. Descriptions of trials name it by its id, which stays when code moves: the id is declared with the code or
beside its path, and is the path where none is declared. What a process has learned of ids, and of the folders of users'
files, is `known_code`; an engine hands it to its workers, which pass it to `use_code`.
"""

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from weaklearn.engines import EngineError, import_function
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._errors import LabError


class KnownCode(NamedTuple):
    """Where code is found: by id its ``"module:name"``, where the two differ, and folders of users' files."""

    homes: dict[str, str]
    folders: list[str]


_KNOWN = KnownCode({}, [])


def known_code() -> KnownCode:
    """What this process knows about where code is: an argument of `use_code` in another."""
    return KnownCode(dict(_KNOWN.homes), list(_KNOWN.folders))


def use_code(known: KnownCode) -> None:
    """Find code as another process does; users' folders come after everything that is installed."""
    _KNOWN.homes.update(known.homes)
    for folder in known.folders:
        if folder not in _KNOWN.folders:
            _KNOWN.folders.append(folder)
        if folder not in sys.path:
            sys.path.append(folder)
            importlib.invalidate_caches()


def declare(name: str, path: str) -> None:
    """Note that descriptions name the code at ``path`` by the id ``name``."""
    if name != path and _KNOWN.homes.setdefault(name, path) != path:
        raise LabError(f"two parts have the id {name!r}: {_KNOWN.homes[name]} and {path}")


def home_of(name: str) -> str:
    """Where the code of an id lives, as ``"module:name"``."""
    return _KNOWN.homes.get(name, name)


def resolve(name: str) -> Any:
    """The object that an id or ``"module:name"`` stands for."""
    try:
        return import_function(home_of(name))
    except EngineError as error:
        raise LabError(str(error)) from error


def load_file(path: str | os.PathLike[str]) -> ModuleType:
    """Import a user's file as the module of its name, here and in every worker.

    What the file raises while it is imported is passed on.
    """
    path = Path(path)
    if not path.is_file():
        raise LabError(f"file not found: {path}")
    path = path.resolve()
    name = path.stem
    if not name.isidentifier():
        raise LabError(f"{path.name} cannot be imported: rename it to letters, digits and underscores")
    use_code(KnownCode({}, [str(path.parent)]))
    module = importlib.import_module(name)
    found = getattr(module, "__file__", None)
    if found is None or Path(found).resolve() != path:
        raise LabError(f"the name {name!r} already belongs to {found or 'a built-in module'}: rename {path}")
    return module


def build(description: dict[str, Any], seed: int) -> Any:
    """An estimator from the description of an `Algorithm`.

    Every parameter named `random_state`, nested ones included, that is still None gets a seed
    made from `seed` and its name, so an unseeded part cannot make a trial unrepeatable.
    """
    estimator = _build(description)
    params = estimator.get_params(deep=True)
    open_seeds = [name for name in params if name.split("__")[-1] == "random_state" and params[name] is None]
    if open_seeds:
        estimator.set_params(**{name: seed_from(seed=seed, parameter=name) for name in open_seeds})
    return estimator


def _build(value: Any) -> Any:
    if isinstance(value, list):
        return [_build(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"builder", "params", "version"}:
            return resolve(value["builder"])(**_build(value["params"]))
        return {name: _build(item) for name, item in value.items()}
    return value
