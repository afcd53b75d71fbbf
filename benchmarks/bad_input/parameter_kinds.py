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
    """Every numeric parameter at nan, "no", -1 and None; class weights; far too many jobs.

    No number that is asked for is nan or a word. Whether -1 or None mean something is up to the parameter, but who
    refuses them names it.
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
            found += [
                Kind(f"{name}={bad!r}", "refuse", _set(**{name: bad}), name) for bad in (math.nan, "no")
            ]
            found += [
                Kind(f"{name}={odd!r}", "finite", _set(**{name: odd}), name, may_refuse=True)
                for odd in (-1, None)
            ]
    return found
