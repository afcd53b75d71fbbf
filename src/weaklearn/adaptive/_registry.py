"""Samplers, fits and targets by name: what the file of a session may mention."""

import inspect
import json

from weaklearn.adaptive._equal import EqualAllocation
from weaklearn.adaptive._minent import MinEnt
from weaklearn.adaptive._pest import BestPEST
from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.adaptive._questplus import QuestPlus
from weaklearn.adaptive._staircase import Staircase
from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit, TradeOff

__all__ = ["FITS", "SAMPLERS", "describe_target", "make_sampler", "plain_params", "target_from"]

SAMPLERS = {
    cls.__name__: cls for cls in (MinEnt, PosteriorMinEnt, BestPEST, Staircase, EqualAllocation, QuestPlus)
}
FITS = {cls.__name__: cls for cls in (MonotoneFit, LogisticFit, HybridFit)}

# Given by the session itself.
_OWN = {"self", "levels", "functional", "increasing", "random_state"}


def make_sampler(name, params, levels, functionals, increasing, seed):
    """A sampler from plain data; raises ValueError for names and parameters that it does not know."""
    if name not in SAMPLERS:
        raise ValueError(f"sampler must be one of {', '.join(SAMPLERS)}; got {name!r}")
    cls = SAMPLERS[name]
    known = set(inspect.signature(cls).parameters) - _OWN
    unknown = set(params) - known
    if unknown:
        raise ValueError(f"{name} takes the parameters {sorted(known)}; got {sorted(unknown)}")
    params = dict(params)
    if params.get("fit") is not None:
        if params["fit"] not in FITS:
            raise ValueError(f"fit must be one of {', '.join(FITS)}; got {params['fit']!r}")
        params["fit"] = FITS[params["fit"]]()
    functional = functionals[0] if len(functionals) == 1 else list(functionals)
    return cls(levels, functional, increasing=increasing, random_state=seed, **params)


def describe_target(target):
    """A target as plain data: a number is a level to cross."""
    if isinstance(target, int | float) and not isinstance(target, bool):
        target = Crossing(float(target))
    if isinstance(target, Crossing):
        return {"crossing": target.level}
    if isinstance(target, TradeOff) and not callable(target.gain):
        return {"trade_off": [list(part) for part in target.gain]}
    raise ValueError(
        f"a session can store a level, a Crossing, or a TradeOff with points (inputs, gains); got {target!r}"
    )


def target_from(description):
    """The functional that `describe_target` described."""
    match description:
        case {"crossing": int(level) | float(level), **rest} if not rest:
            return Crossing(level)
        case {"trade_off": [list(inputs), list(gains)], **rest} if not rest:
            return TradeOff((inputs, gains))
    raise ValueError(f"no target reads {description!r}")


def plain_params(params):
    """The parameters as they will be read back, or an error that says they cannot be stored."""
    try:
        return json.loads(json.dumps(params, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"sampler_params must be plain JSON data (a fit is given by name): {error}"
        ) from None
