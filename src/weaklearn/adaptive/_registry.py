"""Samplers, fits and targets by name: what the file of a session may mention."""

import inspect
import json
import re
from typing import NamedTuple

from weaklearn.adaptive._curve_model import suggested_scale
from weaklearn.adaptive._dose import DoseEscalation
from weaklearn.adaptive._equal import EqualAllocation
from weaklearn.adaptive._minent import MinEnt
from weaklearn.adaptive._pest import BestPEST
from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.adaptive._sampler import Sampler
from weaklearn.adaptive._staircase import Staircase
from weaklearn.monotone import Crossing, Difference, HybridFit, LogisticFit, MonotoneFit, TradeOff


class KnownSampler(NamedTuple):
    """A sampler that sessions, pages and commands know by its name."""

    cls: type[Sampler]
    words: str

    def takes(self, parameter):
        """Whether the constructor has this parameter."""
        return parameter in inspect.signature(self.cls).parameters


#: All samplers by name, the default one first.
SAMPLERS = {
    known.cls.__name__: known
    for known in (
        KnownSampler(
            PosteriorMinEnt, "fewest answers for a curve of any shape; guessing, lapses, log levels"
        ),
        KnownSampler(
            DoseEscalation, "doses, for research: start low, skip none, stay below an overdose limit"
        ),
        KnownSampler(MinEnt, "least doubt over data redrawn from the fitted curve"),
        KnownSampler(BestPEST, "always near the present estimate"),
        KnownSampler(Staircase, "one step down after yes, one step up after no"),
        KnownSampler(EqualAllocation, "every level equally often"),
    )
}
DEFAULT_SAMPLER = next(iter(SAMPLERS))
FITS = {cls.__name__: cls for cls in (MonotoneFit, LogisticFit, HybridFit)}

# Given by the session itself.
_OWN = {"self", "levels", "functional", "increasing", "random_state"}


def make_sampler(name, params, levels, functionals, increasing, seed):
    """A sampler from plain data; raises ValueError for names and parameters that it does not know."""
    if name not in SAMPLERS:
        raise ValueError(f"sampler must be one of {', '.join(SAMPLERS)}; got {name!r}")
    cls = SAMPLERS[name].cls
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


def guess_rate_of(task):
    """The guess rate of a kind of task: 0 for "yes/no", 1/n for "nAFC" (forced choice between n).

    Examples
    --------
    >>> guess_rate_of("yes/no"), guess_rate_of("2AFC"), guess_rate_of("4AFC")
    (0.0, 0.5, 0.25)
    """
    if task == "yes/no":
        return 0.0
    found = re.fullmatch(r"(\d{1,3})AFC", str(task), flags=re.IGNORECASE)
    if found is None or int(found[1]) < 2:
        raise ValueError(f"task must be 'yes/no' or 'nAFC' such as '2AFC', got {task!r}")
    return 1 / int(found[1])


def session_params(name, params, levels, stop, task):
    """The sampler's parameters as a new session records them: what follows from its other settings is filled in."""
    params = dict(params)
    if name not in SAMPLERS:
        return params  # refused by `make_sampler`
    known = SAMPLERS[name]
    if task is not None:
        rate = guess_rate_of(task)
        if known.takes("guess_rate"):
            if params.setdefault("guess_rate", rate) != rate:
                raise ValueError(
                    f"task={task!r} and guess_rate={params['guess_rate']!r} contradict each other"
                )
        elif rate > 0:
            able = [other for other, one in SAMPLERS.items() if one.takes("guess_rate")]
            raise ValueError(f"{name} has no guess rate; for a forced choice use {' or '.join(able)}")
    if known.takes("scale"):
        params.setdefault("scale", suggested_scale(levels))
    if known.takes("budget") and stop.most_answers() is not None:
        params.setdefault("budget", stop.most_answers())
    return params


def describe_target(target):
    """A target as plain data: a number is a level to cross."""
    if isinstance(target, int | float) and not isinstance(target, bool):
        target = Crossing(float(target))
    if isinstance(target, Crossing):
        return {"crossing": target.level}
    if isinstance(target, Difference):
        return {"difference": target.amount}
    if isinstance(target, TradeOff) and not callable(target.gain):
        return {"trade_off": [list(part) for part in target.gain]}
    raise ValueError(
        f"a session can store a level, a Crossing, a Difference, or a TradeOff with points (inputs, gains); "
        f"got {target!r}"
    )


def target_from(description):
    """The functional that `describe_target` described."""
    match description:
        case {"crossing": int(level) | float(level), **rest} if not rest:
            return Crossing(level)
        case {"difference": float(amount), **rest} if not rest:
            return Difference(amount)
        case {"trade_off": [list(inputs), list(gains)], **rest} if not rest:
            return TradeOff((inputs, gains))
    raise ValueError(f"unknown target: {description!r}")


def plain_params(params):
    """The parameters as they will be read back, or an error that says they cannot be stored."""
    try:
        return json.loads(json.dumps(params, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"sampler_params must be plain JSON data (a fit is given by name): {error}"
        ) from None
