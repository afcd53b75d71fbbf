"""From names to objects: import paths, files of users, estimators.

Code is named by ``"module:name"`` everywhere (builders, generators, protocols, drawings), so that a worker process
can import it. A user's file takes part under its own name: `load_file` puts its folder on the import path, and an
engine hands `user_folders` to its workers, which do the same.
"""

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from weaklearn.lab._canonical import seed_from
from weaklearn.lab._errors import LabError
from weaklearn.lab._stable_names import home_of, params_now

__all__ = ["build", "load_file", "resolve", "use_folders", "user_folders"]

_FOLDERS: list[str] = []


def user_folders() -> list[str]:
    """The folders of the files that `load_file` has read: what a worker passes to `use_folders`."""
    return list(_FOLDERS)


def use_folders(folders: Iterable[str]) -> None:
    """Let modules be imported from these folders, after everything that is installed."""
    for folder in folders:
        if folder not in _FOLDERS:
            _FOLDERS.append(folder)
        if folder not in sys.path:
            sys.path.append(folder)
            importlib.invalidate_caches()


def load_file(path: Path) -> ModuleType:
    """Import a user's file as the module of its name, here and in every worker.

    What the file raises while it is imported is passed on.
    """
    if not path.is_file():
        raise LabError(f"there is no file {path}")
    path = path.resolve()
    name = path.stem
    if not name.isidentifier():
        raise LabError(f"{path.name} cannot be imported: rename it to letters, digits and underscores")
    use_folders([str(path.parent)])
    module = importlib.import_module(name)
    found = getattr(module, "__file__", None)
    if found is None or Path(found).resolve() != path:
        raise LabError(f"the name {name!r} already belongs to {found or 'a built-in module'}: rename {path}")
    return module


def resolve(path: str) -> Any:
    """The object that ``"module:name"``, or its stable name in a description, stands for."""
    module, _, name = home_of(path).partition(":")
    try:
        value: Any = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise LabError(f"{path!r} cannot be imported: {error}") from error
    return value


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
            params = {name: _build(item) for name, item in value["params"].items()}
            return resolve(value["builder"])(**params_now(value["builder"], params))
        return {name: _build(item) for name, item in value.items()}
    return value
