"""What a person types to start an experiment, checked field by field and said in words a person uses.

The command line and the page share this file, so that both accept the same and complain alike.
"""

import math
from dataclasses import dataclass
from typing import Any

from weaklearn.adaptive import DEFAULT_SAMPLER, SAMPLERS, Budget, IntervalWidth, Session

__all__ = ["FIELDS", "MOST_LEVELS", "FieldErrors", "Setup", "read_setup", "samplers_here"]

FIELDS = ("question", "levels", "target", "direction", "sampler", "budget", "width")

# Every level gets a row on the page; the samplers themselves manage a thousand.
MOST_LEVELS = 200
_LONGEST_QUESTION = 500
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

    def start(self, path, seed=None) -> Session:
        """Make the session's file; ValueError if the sampler cannot work with these settings."""
        try:
            return Session.create(
                path,
                self.levels,
                self.question,
                list(self.targets),
                sampler=self.sampler,
                stop=self.stop,
                seed=seed,
                increasing=self.increasing,
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
        ):
            if field in given and mine != other:
                return field
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
    rules: list[Any] = [] if width is None else [IntervalWidth(width)]
    if budget is not None or not rules:
        rules.insert(0, Budget(3 * len(levels) if budget is None else budget))
    stop = rules[0] | rules[1] if len(rules) == 2 else rules[0]
    return Setup(levels, found["question"], found["target"], found["sampler"], found["direction"], stop)


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
    targets = [_number(part) for part in text.replace(",", " ").split()] or [0.5]
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


_READERS = {
    "question": _question,
    "levels": _levels,
    "target": _targets,
    "direction": _direction,
    "sampler": _sampler,
    "budget": _budget,
    "width": _width,
}
