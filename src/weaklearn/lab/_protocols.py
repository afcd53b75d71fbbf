"""What a protocol is: a function from a trial to its metrics.

A protocol is a function ``f(trial, **params)`` that returns a mapping of metric names to floats or lists of floats. It
is found by ``"module:function"``, which every worker can import. Its id and its version, stated where it is defined,
are part of every trial's key: code may move, and the version is raised whenever the recorded numbers change meaning.
"""

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from weaklearn.lab._build import declare, resolve
from weaklearn.lab._errors import LabError

_Function = TypeVar("_Function", bound=Callable[..., Mapping[str, Any]])


class Stated(NamedTuple):
    """What a protocol states: its id, its version, and whether its results are times, which no rerun repeats."""

    id: str
    version: int
    timed: bool = False


def protocol(id: str, *, version: int, timed: bool = False) -> Callable[[_Function], _Function]:
    """State the id and the version of the decorated protocol.

    Parameters
    ----------
    id : str
        Identifies the protocol in the keys and seeds of its trials, wherever the function lives. Results stay valid
        as long as it stays; no two protocols may share one.
    version : int
        Raise it when the numbers that the function records change, so that old results are not reused.
    timed : bool, default=False
        The results are measured times: they are not compared bit by bit when trials are run again.

    Examples
    --------
    >>> from weaklearn.lab import protocol
    >>> @protocol("training_error", version=1)
    ... def training_error(trial):
    ...     X_train, X_test, y_train, y_test = trial.split()
    ...     return {"train_error": 100 * (1 - trial.build().fit(X_train, y_train).score(X_train, y_train))}
    """

    def mark(function: _Function) -> _Function:
        function.stated = Stated(id, version, timed)  # type: ignore[attr-defined]
        return function

    return mark


@functools.cache
def stated(path: str) -> Stated:
    """What the protocol at ``"module:function"`` states; from now on its id leads to it."""
    found = _read(path)
    if found is None:
        found = getattr(resolve(path), "stated", None)
    if not isinstance(found, Stated):
        raise LabError(f'{path!r} is not a protocol: decorate the function with @protocol("id", version=1)')
    declare(found.id, path)
    return found


def _read(path: str) -> Stated | None:
    """What the source of a protocol states; None if that takes an import.

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
    for statement in ast.parse(source or "").body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return next(filter(None, map(_decorated, statement.decorator_list)), None)
    return None


def _decorated(decorator: ast.expr) -> Stated | None:
    """What ``@protocol("id", version=N)`` states."""
    match decorator:
        case ast.Call(
            func=ast.Name(id="protocol") | ast.Attribute(attr="protocol"),
            args=[ast.Constant(value=str(name))],
        ):
            values = {str(word.arg): word.value for word in decorator.keywords}
            if all(isinstance(value, ast.Constant) for value in values.values()):
                return Stated(name, **{word: ast.literal_eval(value) for word, value in values.items()})
    return None
