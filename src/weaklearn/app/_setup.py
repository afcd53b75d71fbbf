"""What a person types to start an experiment, checked field by field and said in words a person uses.

The command line and the page share this file, so that both accept the same and complain alike.
"""

import itertools
import math
from dataclasses import dataclass
from dataclasses import field as of
from typing import Any

from weaklearn.adaptive import (
    DEFAULT_SAMPLER,
    SAMPLERS,
    Budget,
    IntervalWidth,
    OutsideLevels,
    Session,
    guess_rate_of,
)
from weaklearn.adaptive._registry import make_sampler, session_params
from weaklearn.monotone import Crossing

__all__ = ["ABOUT", "FIELDS", "MOST_LEVELS", "FieldErrors", "Setup", "read_setup", "samplers_here"]

# What is stored with a session and not for the sampler.
ABOUT = ("subject", "condition", "yes_label", "no_label", "yes_key", "no_key", "blind", "task")
FIELDS = (
    *("question", "levels", "target", "direction", "sampler", "budget", "width"),
    *("scale", "lapse", "cohort", "overdose_limit"),
    *ABOUT,
)

# Every level gets a row on the page; the samplers themselves manage a thousand.
MOST_LEVELS = 200
_LARGEST_LEVEL = 1e100
_LONGEST_QUESTION = 500
_LONGEST_LABEL = 60
_LARGEST_BUDGET = 100_000
_MOST_TARGETS = 3


class FieldErrors(ValueError):
    """What is wrong with which field."""

    def __init__(self, errors: dict[str, str]):
        super().__init__("; ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True)
class Setup:
    """The settings of an experiment that can be started."""

    levels: list[float]
    question: str
    targets: list[float]
    sampler: str
    increasing: bool
    stop: Any
    params: dict[str, Any] = of(default_factory=dict)
    task: str | None = None
    about: dict[str, str] = of(default_factory=dict)

    def make_sampler(self, seed=None):
        """The sampler alone, without a session; ValueError if it cannot work with these settings."""
        params = session_params(self.sampler, self.params, self.levels, self.stop, self.task)
        targets = [Crossing(target) for target in self.targets]
        return make_sampler(self.sampler, params, self.levels, targets, self.increasing, seed)

    def start(self, path, seed=None) -> Session:
        """Make the session's file; ValueError if the sampler cannot work with these settings."""
        try:
            return Session.create(
                path,
                self.levels,
                self.question,
                list(self.targets),
                sampler=self.sampler,
                sampler_params=self.params,
                task=self.task,
                stop=self.stop,
                seed=seed,
                increasing=self.increasing,
                about=self.about,
            )
        except ImportError as error:  # QuestPlus without its package
            raise FieldErrors({"sampler": str(error)}) from None

    def difference(self, session: Session, given) -> str | None:
        """The first of the fields ``given`` that ``session`` was not started with, or None."""
        for field, mine, other in (
            ("levels", self.levels, session.levels),
            ("question", self.question, session.question),
            ("target", self.targets, [getattr(one, "level", None) for one in session.targets]),
            ("direction", self.increasing, session.increasing),
            ("sampler", self.sampler, type(session.sampler).__name__),
            ("budget", self.stop, session.stop),
            ("width", self.stop, session.stop),
            *((name, value, getattr(session.sampler, name, None)) for name, value in self.params.items()),
            *((name, self.about.get(name, ""), session.about.get(name, "")) for name in ABOUT),
        ):
            if _FIELD_OF.get(field, field) in given and mine != other:
                return _FIELD_OF.get(field, field)
        return None


def samplers_here() -> dict[str, str]:
    """The samplers that can be used with the packages installed."""
    return {name: f"{name}: {known.words}" for name, known in SAMPLERS.items() if known.usable}


def read_setup(typed: dict[str, str]) -> Setup:
    """The settings in ``typed`` (texts by the names in `FIELDS`); raises `FieldErrors` for all wrong ones at once."""
    errors: dict[str, str] = {}
    found: dict[str, Any] = {}
    for field, reader in _READERS.items():
        try:
            found[field] = reader(typed.get(field, "").strip())
        except ValueError as error:
            errors[field] = str(error)
    if errors:
        raise FieldErrors(errors)
    levels, budget, width = found["levels"], found["budget"], found["width"]
    if width is not None and width >= levels[-1] - levels[0]:
        raise FieldErrors({"width": f"the levels span {levels[-1] - levels[0]:g}: a useful width is smaller"})
    # An interval cannot become narrow where the threshold lies outside the levels.
    stop: Any = None if width is None else IntervalWidth(width) | OutsideLevels()
    if budget is not None or stop is None:
        limit = Budget(3 * len(levels) if budget is None else budget)
        stop = limit if stop is None else limit | stop
    sampler, task = found["sampler"], found["task"]
    params = _params(sampler, found, levels)
    about = {name: text for name in ABOUT if (text := found[name])}
    if "blind" in about and "{level}" in found["question"]:
        raise FieldErrors({"question": "a blind session must not show {level} in its question"})
    if about.get("yes_key", "y") == about.get("no_key", "n"):
        raise FieldErrors({"no_key": "the two answers need different keys"})
    return Setup(
        levels,
        found["question"],
        _checked_targets(found["target"], sampler, task),
        sampler,
        found["direction"],
        stop,
        params,
        task or None,
        about,
    )


# Parameters of samplers that a person knows by another name.
_FIELD_OF = {"lapse_rate": "lapse"}


def _params(sampler: str, found: dict[str, Any], levels: list[float]) -> dict[str, Any]:
    typed = {
        "scale": found["scale"],
        "lapse_rate": found["lapse"],
        "cohort": found["cohort"],
        "overdose_limit": found["overdose_limit"],
    }
    params = {name: value for name, value in typed.items() if value is not None}
    for name in params:
        if not SAMPLERS[sampler].takes(name):
            able = [other for other, known in SAMPLERS.items() if known.takes(name)]
            raise FieldErrors({_FIELD_OF.get(name, name): f"{sampler} has none; use {' or '.join(able)}"})
    if found["scale"] == "log" and levels[0] <= 0:
        raise FieldErrors({"scale": f"a log scale needs positive levels; the smallest is {levels[0]:g}"})
    return params


def _checked_targets(targets: list[float], sampler: str, task: str) -> list[float]:
    """Without a target: halfway between guessing and certainty; of harm, 30%."""
    guess = guess_rate_of(task) if task else 0.0
    middle = 0.5 + 0.5 * guess
    for target in targets:
        if target <= guess:
            raise FieldErrors(
                {
                    "target": f"in a {task} task guessing alone gives {guess:.3g}: choose a target above it, "
                    f"such as {middle:.3g}"
                }
            )
    return targets or [0.3 if sampler == "DoseEscalation" else float(f"{middle:.6g}")]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{_short(text)} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{_short(text)} is not a finite number")
    return value


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _levels(text: str) -> list[float]:
    if not text:
        raise ValueError("give the levels that may be tried, such as 1, 2, 4, 8 or 0:1:11")
    if ":" in text:
        levels = _spread(text)
    else:
        parts = text.replace(",", " ").replace(";", " ").split()
        if len(parts) > 10 * MOST_LEVELS:
            raise ValueError(f"at most {MOST_LEVELS} levels, got {len(parts)}")
        levels = sorted({_number(part) for part in parts})
    if len(levels) < 2:
        raise ValueError("give at least two different levels")
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"at most {MOST_LEVELS} levels, got {len(levels)}")
    if not math.isfinite(levels[-1] - levels[0]):
        raise ValueError("the levels are too far apart")
    if max(abs(level) for level in levels) > _LARGEST_LEVEL:
        raise ValueError(f"levels must lie between {-_LARGEST_LEVEL:g} and {_LARGEST_LEVEL:g}")
    gap = min(b - a for a, b in itertools.pairwise(levels))
    if gap < 1e-12 * max(abs(level) for level in levels) or gap < 1 / _LARGEST_LEVEL:
        raise ValueError(f"two levels differ by only {gap:.3g}, too little to be told apart")
    return levels


def _spread(text: str) -> list[float]:
    """start:stop:n is n equally spaced levels, both ends included."""
    parts = text.split(":")
    if len(parts) != 3:
        raise ValueError(f"write start:stop:number of levels, such as 0:1:11; got {_short(text)}")
    start, stop = _number(parts[0]), _number(parts[1])
    n = _whole(parts[2], "the number of levels", 2, MOST_LEVELS)
    if start == stop:
        raise ValueError(f"start and stop are both {start:g}")
    step = (stop - start) / (n - 1)
    # Rounded to what a person would write: 0:1:11 has the level 0.3 and not 0.30000000000000004.
    return sorted({float(f"{start + i * step:.12g}") for i in range(n)})


def _whole(text: str, what: str, least: int, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{what} must be a whole number, got {_short(text)}") from None
    if not least <= value <= most:
        raise ValueError(f"{what} must be from {least} to {most}, got {value}")
    return value


def _question(text: str) -> str:
    if len(text) > _LONGEST_QUESTION:
        raise ValueError(f"at most {_LONGEST_QUESTION} characters, got {len(text)}")
    return text


def _targets(text: str) -> list[float]:
    targets = [_number(part) for part in text.replace(",", " ").split()]
    for target in targets:
        if not 0 < target < 1:
            raise ValueError(f"a target is a probability of yes between 0 and 1, such as 0.5; got {target:g}")
    if len(targets) > _MOST_TARGETS:
        raise ValueError(f"at most {_MOST_TARGETS} targets, got {len(targets)}")
    if len(set(targets)) < len(targets):
        raise ValueError("a target is given twice")
    return targets


def _direction(text: str) -> bool:
    if text not in ("", "rising", "falling"):
        raise ValueError(f"must be rising or falling, got {_short(text)}")
    return text != "falling"


def _sampler(text: str) -> str:
    name = text or DEFAULT_SAMPLER
    by_lower = {known.lower(): known for known in SAMPLERS}
    if name.lower() not in by_lower:
        raise ValueError(f"must be one of {', '.join(SAMPLERS)}; got {_short(name)}")
    return by_lower[name.lower()]


def _budget(text: str) -> int | None:
    return _whole(text, "the number of answers", 1, _LARGEST_BUDGET) if text else None


def _width(text: str) -> float | None:
    if not text:
        return None
    width = _number(text)
    if width <= 0:
        raise ValueError(f"the width must be positive, got {text}")
    return width


def _task(text: str) -> str:
    if text:
        guess_rate_of(text)  # or ValueError in words
    return text if text == "yes/no" else text.upper()


def _scale(text: str) -> str | None:
    if text not in ("", "auto", "linear", "log"):
        raise ValueError(f"must be linear or log, got {_short(text)}")
    return None if text in ("", "auto") else text


def _share(what: str):
    def reader(text: str) -> float | None:
        if not text:
            return None
        share = _number(text)
        if not 0 <= share < 1:
            raise ValueError(f"{what} is a probability from 0 up to 1, got {text}")
        return share

    return reader


def _cohort(text: str) -> int | None:
    return _whole(text, "the size of a cohort", 1, 100) if text else None


def _label(text: str) -> str:
    if len(text) > _LONGEST_LABEL:
        raise ValueError(f"at most {_LONGEST_LABEL} characters, got {len(text)}")
    return text


def _key(text: str) -> str:
    if len(text) > 1 or text.lower() == "u":
        raise ValueError(f"one letter or digit, not u, which undoes; got {_short(text)}")
    return text.lower()


def _blind(text: str) -> str:
    if text not in ("", "yes", "no"):
        raise ValueError(f"must be yes or no, got {_short(text)}")
    return "" if text == "no" else text


_READERS = {
    "question": _question,
    "levels": _levels,
    "target": _targets,
    "direction": _direction,
    "sampler": _sampler,
    "budget": _budget,
    "width": _width,
    "scale": _scale,
    "lapse": _share("the lapse rate"),
    "cohort": _cohort,
    "overdose_limit": _share("the overdose limit"),
    "task": _task,
    "subject": _label,
    "condition": _label,
    "yes_label": _label,
    "no_label": _label,
    "yes_key": _key,
    "no_key": _key,
    "blind": _blind,
}
