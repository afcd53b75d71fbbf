"""Protocols: what one trial does and records.

A protocol is a function ``protocol(trial, **params)`` from a trial to a mapping of metric names
to floats or lists of floats. Its version is part of every trial's key: raise it whenever the
numbers it records change meaning. Errors are in percent. A score of exactly 0 counts as class
``classes_[0]``.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from weaklearn.lab._trial import Trial

__all__ = [
    "Result",
    "protocol",
    "protocol_modules",
    "protocol_names",
    "protocol_path",
    "protocol_version",
    "run_protocol",
]

Result = dict[str, float | list[float]]


class _Registered(NamedTuple):
    function: Callable[..., Mapping[str, Any]]
    version: int


_REGISTRY: dict[str, _Registered] = {}


def protocol(name: str, version: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function as protocol `name`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if name in _REGISTRY:
            raise ValueError(f"there is a protocol {name!r} already")
        _REGISTRY[name] = _Registered(function, version)
        return function

    return register


def protocol_names() -> list[str]:
    """The registered protocols."""
    return sorted(_REGISTRY)


def protocol_modules() -> list[str]:
    """The modules whose import registers the protocols: what a worker process has to import first."""
    return sorted({registered.function.__module__ for registered in _REGISTRY.values()})


def _registered(name: str) -> _Registered:
    try:
        return _REGISTRY[name]
    except KeyError:
        raise ValueError(f"unknown protocol {name!r}; known: {', '.join(protocol_names())}") from None


def protocol_path(name: str) -> str:
    """``"module:function"`` of protocol `name`."""
    function = _registered(name).function
    return f"{function.__module__}:{function.__qualname__}"


def protocol_version(name: str) -> int:
    """The version that is part of the key of every trial of protocol `name`."""
    return _registered(name).version


def run_protocol(trial: "Trial") -> Result:
    """Run a trial and return its metrics as plain floats, or raise if one is not finite."""
    import numpy as np

    parts = trial.parts["protocol"]
    registered = _registered(parts["name"])
    if parts["version"] != registered.version:
        raise ValueError(
            f"the trial asks for version {parts['version']} of protocol {parts['name']!r}, "
            f"this weaklearn has {registered.version}: use the same weaklearn everywhere"
        )
    result: Result = {}
    for metric, value in registered.function(trial, **parts["params"]).items():
        numbers = np.asarray(value, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError(f"metric {metric!r} is not finite: {value}")
        result[metric] = numbers.tolist()
    return result


def _percent_wrong(y: Any, predicted: Any) -> float:
    import numpy as np

    return 100.0 * float(np.mean(predicted != y))


def _attribute(estimator: Any, name: str) -> float:
    # A metric that is asked for is a fitted attribute: a number, or a list that is counted.
    value = getattr(estimator, name)
    return float(len(value)) if hasattr(value, "__len__") else float(value)


@protocol("holdout", version=1)
def holdout(trial: "Trial", metrics: Mapping[str, str] | None = None) -> dict[str, float]:
    """Fit on the training part, count errors on both parts.

    Records `train_error`, `test_error` and, for ensembles, `n_rounds` (the number of kept
    hypotheses, ``len(estimators_)``).

    Parameters
    ----------
    trial : Trial
    metrics : mapping, optional
        Further metrics by name: the fitted attribute that holds it, as ``{"n_epochs": "n_iter_"}``;
        of an attribute with a length, the length counts.
    """
    from weaklearn.lab._build import build
    from weaklearn.lab._sources import split_source

    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    estimator = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
    result = {
        "train_error": _percent_wrong(y_train, estimator.predict(X_train)),
        "test_error": _percent_wrong(y_test, estimator.predict(X_test)),
    }
    if hasattr(estimator, "estimators_"):
        result["n_rounds"] = float(len(estimator.estimators_))
    for name, attribute in (metrics or {}).items():
        result[name] = _attribute(estimator, attribute)
    return result


@protocol("curve", version=1)
def curve(trial: "Trial", epochs: list[int]) -> dict[str, Any]:
    """The errors of a linear model after each of the given epochs.

    The estimator must take ``keep_path=True`` and then have `path_`, one row per epoch from 0
    on: coefficients, then the intercept. A path that ends early (nothing left to improve) stays
    where it ended. Records `train_error` and `test_error`, lists as long as `epochs`.
    """
    import numpy as np

    from weaklearn.lab._build import build
    from weaklearn.lab._sources import split_source

    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    estimator = build(trial.parts["algorithm"], trial.algorithm_seed)
    estimator = estimator.set_params(keep_path=True).fit(X_train, y_train)
    if len(estimator.classes_) != 2:
        raise ValueError(f"curves are for two classes, {trial.parts['data']['name']} has more")
    path = np.asarray(estimator.path_)
    weights = path[np.minimum(epochs, len(path) - 1)]

    def errors(X: Any, y: Any) -> Any:
        positive = X @ weights[:, :-1].T + weights[:, -1] > 0
        return 100.0 * np.mean(positive != (y == estimator.classes_[1])[:, None], axis=0)

    return {"train_error": errors(X_train, y_train), "test_error": errors(X_test, y_test)}
