"""Kinds of wrong parameters: what is set on a fresh estimator, or given to a sampler, before the clean problem."""

import inspect
import math
from numbers import Real

from benchmarks.bad_input.kinds import Kind

__all__ = ["parameter_kinds"]

_RANDOM = "random_state"
_BAD_CLASS_WEIGHTS = (-1.0, 0.0, math.nan, math.inf, "heavy")


def _set(**params):
    return lambda given: given._replace(params=params)


def parameter_kinds(signature: inspect.Signature) -> list[Kind]:
    """Every number, choice and switch at values that it cannot have or hardly means; class weights; far too many jobs.

    Nothing that is asked for is nan or a word that is no choice. Whether -1, infinity or None mean something is up to
    the parameter, but who refuses them names it.
    """
    found = []
    for name, parameter in signature.parameters.items():
        default = parameter.default
        if name == "class_weight":
            found += [
                Kind(f"class_weight={bad!r} of a class", "refuse", _set(class_weight={0: 1.0, 1: bad}), name)
                for bad in _BAD_CLASS_WEIGHTS
            ]
        if name == "n_jobs":
            found += [
                Kind("n_jobs=10**9", "same", _set(n_jobs=10**9)),
                Kind("n_jobs=0", "refuse", _set(n_jobs=0), name),
            ]
        if name == _RANDOM or (isinstance(default, Real) and not isinstance(default, bool)):
            wrong, odd = (math.nan, "no", 1j), (-1, None, math.inf, True, [])
        elif isinstance(default, str):
            wrong, odd = ("no such choice", math.nan), (None, 3, [], -1.0)
        elif isinstance(default, bool):
            wrong, odd = ("no", math.nan, []), (None, 2)
        elif default is None and name not in ("class_weight", "n_jobs"):
            wrong, odd = (), ("no such choice", math.nan, -1)
        else:
            continue
        found += [Kind(f"{name}={bad!r}", "refuse", _set(**{name: bad}), name) for bad in wrong]
        found += [
            Kind(f"{name}={bad!r}", "finite", _set(**{name: bad}), name, may_refuse=True) for bad in odd
        ]
    return found
