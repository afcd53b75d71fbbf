"""From descriptions to objects: import paths and estimators."""

import importlib
from typing import Any

from weaklearn.lab._canonical import seed_from
from weaklearn.lab._errors import LabError

__all__ = ["build", "resolve"]


def resolve(path: str) -> Any:
    """The object that ``"module:name"`` stands for."""
    module, _, name = path.partition(":")
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
            return resolve(value["builder"])(**params)
        return {name: _build(item) for name, item in value.items()}
    return value
