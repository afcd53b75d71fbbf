"""What a protocol is: a function from a trial to its metrics.

A protocol is a function ``f(trial, **params)`` that returns a mapping of metric names to floats or lists of floats. It
is named by ``"module:function"``, which every worker can import; nothing is registered. Its version is part of every
trial's key: raise it whenever the numbers it records change meaning.
"""

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from weaklearn.lab._build import resolve
from weaklearn.lab._errors import LabError
from weaklearn.lab._stable_names import home_of

__all__ = ["PROTOCOLS", "protocol", "protocol_function", "protocol_path", "protocol_version"]

# Where a protocol without a module is found.
PROTOCOLS = "weaklearn.lab.protocols"
_Function = TypeVar("_Function", bound=Callable[..., Mapping[str, Any]])


def protocol(version: int) -> Callable[[_Function], _Function]:
    """State the version of the decorated protocol.

    Parameters
    ----------
    version : int
        Raise it when the numbers that the function records change, so that old results are not reused.

    Examples
    --------
    >>> from weaklearn.lab import protocol
    >>> @protocol(version=1)
    ... def training_error(trial):
    ...     X_train, X_test, y_train, y_test = trial.split()
    ...     return {"train_error": 100 * (1 - trial.build().fit(X_train, y_train).score(X_train, y_train))}
    """

    def mark(function: _Function) -> _Function:
        function.protocol_version = version  # type: ignore[attr-defined]
        return function

    return mark


def protocol_path(name: str) -> str:
    """``"module:function"`` of a protocol, by its name in a description."""
    return home_of(name)


def protocol_function(name: str) -> Callable[..., Mapping[str, Any]]:
    """The function that a protocol's name stands for."""
    function = resolve(name)
    if not hasattr(function, "protocol_version"):
        raise LabError(f"{name!r} is not a protocol: decorate the function with @protocol(version=1)")
    return function


def protocol_version(name: str) -> int:
    """The version that is part of the key of every trial of the protocol."""
    stated = _stated_version(home_of(name))
    return protocol_function(name).protocol_version if stated is None else stated  # type: ignore[attr-defined]


@functools.cache
def _stated_version(path: str) -> int | None:
    """The version that the source of a protocol states, read without importing it; None if that takes an import.

    The process that plans trials need not load scikit-learn for the sake of a number.
    """
    module, _, name = path.partition(":")
    if module in sys.modules:
        return None
    try:
        spec = importlib.util.find_spec(module)
        source = spec.loader.get_source(module) if spec and spec.loader else None  # type: ignore[attr-defined]
    except (ImportError, AttributeError, ValueError):
        return None  # importing it says what is wrong
    if source is None:
        return None
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return next(filter(None, map(_version_of, statement.decorator_list)), None)
    return None


def _version_of(decorator: ast.expr) -> int | None:
    """N of ``@protocol(version=N)``."""
    match decorator:
        case ast.Call(
            func=ast.Name(id="protocol") | ast.Attribute(attr="protocol"),
            args=[],
            keywords=[ast.keyword(arg="version", value=ast.Constant(value=int(version)))],
        ):
            return version
    return None
