"""The settings of a session, declared once: command line, form, JSON interface and OpenAPI document use these.

A person types texts, a program sends numbers and lists as well; `Option.read` takes the text of either and returns a
value, or raises ValueError with a message that fits beside the field. Importing this is cheap: the command line shows
its help from it.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "ABOUT",
    "COMMAND_OPTIONS",
    "FIELDS",
    "GROUPS",
    "LARGEST_SEED",
    "LONGEST_NOTE",
    "MOST_MORE",
    "OPTIONS",
    "FieldErrors",
    "Option",
    "as_typed",
    "is_number",
    "read_options",
]

LONGEST_NOTE = 2000  # characters
MOST_MORE = 9999  # answers by which a session is extended at once
LARGEST_SEED = 10**15
# Every level gets a row on the page; the samplers themselves manage a thousand.
_MOST_LEVELS = 200
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
class Option:
    """One setting.

    Parameters
    ----------
    name : str
    read : callable
        From the stripped text ("" if nothing was given) to the value.
    label, hint : str
        What the form says; the command line and the JSON interface show the hint, too.
    types : tuple of str
        The JSON types in which a program may send it, text excepted, which is always allowed.
    choices : dict of str to str
        Texts that the form offers, and what it says for each.
    """

    name: str
    read: Callable[[str], Any]
    label: str
    hint: str
    types: tuple[str, ...] = ()
    choices: dict[str, str] = field(default_factory=dict)

    @property
    def keyboard(self) -> str:
        """The keyboard that a phone should show for its field."""
        if "number" in self.types and "array" not in self.types:
            return "decimal"
        return "numeric" if "integer" in self.types else "text"

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        numbers = {"array": {"type": "array", "items": {"type": "number"}}}
        kinds = [numbers.get(kind, {"type": kind}) for kind in ("string", *self.types)]
        return {"description": self.hint, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


# --- readers ------------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{_quoted(text)} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{_quoted(text)} is not a finite number")
    return value


def _whole(what: str, least: int, most: int) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        if not text:
            return None
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"{what} must be a whole number, got {_quoted(text)}") from None
        if not least <= value <= most:
            raise ValueError(f"{what} must be from {least} to {most}, got {value}")
        return value

    return read


def _between(what: str, holds: Callable[[float], bool]) -> Callable[[str], float | None]:
    """A number for which ``holds`` is true, or None; ``what`` says what it must be."""

    def read(text: str) -> float | None:
        if not text:
            return None
        value = _number(text)
        if not holds(value):
            raise ValueError(f"{what}, got {text}")
        return value

    return read


def _text(longest: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if len(text) > longest:
            raise ValueError(f"at most {longest} characters, got {len(text)}")
        return text

    return read


def _one_of(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in ("", *allowed):
            raise ValueError(f"must be {' or '.join(allowed)}, got {_quoted(text)}")
        return text

    return read


def _levels(text: str) -> list[float]:
    if not text:
        raise ValueError("give the levels that may be tried, such as 1, 2, 4, 8 or 0:1:11")
    if ":" in text:
        levels = _spread(text)
    else:
        parts = text.replace(",", " ").replace(";", " ").split()
        if len(parts) > 10 * _MOST_LEVELS:
            raise ValueError(f"at most {_MOST_LEVELS} levels, got {len(parts)}")
        levels = sorted({_number(part) for part in parts})
    if len(levels) < 2:
        raise ValueError("give at least two different levels")
    if len(levels) > _MOST_LEVELS:
        raise ValueError(f"at most {_MOST_LEVELS} levels, got {len(levels)}")
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
        raise ValueError(f"write start:stop:number of levels, such as 0:1:11; got {_quoted(text)}")
    start, stop = _number(parts[0]), _number(parts[1])
    n = _whole("the number of levels", 2, _MOST_LEVELS)(parts[2].strip())
    if n is None:
        raise ValueError(f"write start:stop:number of levels, such as 0:1:11; got {_quoted(text)}")
    if start == stop:
        raise ValueError(f"start and stop are both {start:g}")
    step = (stop - start) / (n - 1)
    # Rounded to what a person would write: 0:1:11 has the level 0.3 and not 0.30000000000000004.
    return sorted({float(f"{start + i * step:.12g}") for i in range(n)})


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


def _gain(text: str) -> Any:
    """A `TradeOff` from points level:gain, or the word level."""
    from weaklearn.monotone import TradeOff

    if text in ("", "level"):
        return text or None
    points = {}
    for part in text.replace(",", " ").replace(";", " ").split():
        level, colon, gain = part.partition(":")
        if not colon:
            raise ValueError(f"write level:gain, such as 1:5 4:2, or the word level; got {_quoted(part)}")
        if _number(level) in points:
            raise ValueError(f"the gain at {level} is given twice")
        points[_number(level)] = _number(gain)
    inputs = sorted(points)
    return TradeOff((inputs, [points[level] for level in inputs]))


def _sampler(text: str) -> str:
    from weaklearn.adaptive import DEFAULT_SAMPLER, SAMPLERS

    name = text or DEFAULT_SAMPLER
    by_lower = {known.lower(): known for known in SAMPLERS}
    if name.lower() not in by_lower:
        raise ValueError(f"must be one of {', '.join(SAMPLERS)}; got {_quoted(name)}")
    return by_lower[name.lower()]


def _task(text: str) -> str:
    from weaklearn.adaptive import guess_rate_of

    if text:
        guess_rate_of(text)  # or ValueError
    return text if text == "yes/no" else text.upper()


def _blind(text: str) -> str:
    return "" if _one_of("yes", "no")(text) == "no" else text


def _key(text: str) -> str:
    if len(text) > 1 or text.lower() == "u":
        raise ValueError(f"one letter or digit, not u, which undoes; got {_quoted(text)}")
    return text.lower()


# --- the declaration ------------------------------------------------------------------------------------------------

_DIRECTIONS = {"rising": "more likely", "falling": "less likely"}
_TASKS = {
    "yes/no": "yes or no",
    "2AFC": "forced choice between two (2AFC)",
    "3AFC": "between three",
    "4AFC": "between four",
}
_SCALES = {"": "chosen from the levels", "linear": "linear", "log": "logarithmic"}
_SHARE = "is a probability from 0 up to 1"


def _is_share(value: float) -> bool:
    return 0 <= value < 1


# The parts of the form; "observer" is for simulations alone, all others are settings of a session.
GROUPS: dict[str, tuple[Option, ...]] = {
    "ask": (
        Option(
            "question",
            _text(_LONGEST_QUESTION),
            "Question",
            "What to ask each time. {level} stands for the level: “Would you pay {level} euros?”",
        ),
        Option(
            "levels",
            _levels,
            "Levels",
            "The levels that may be tried: a list such as 1, 2, 4, 8, or start:stop:number such as 0:1:11. "
            f"At most {_MOST_LEVELS}.",
            ("array",),
        ),
        Option(
            "direction",
            _one_of(*_DIRECTIONS),
            "As the level rises, yes becomes",
            "rising (the default) or falling: how the probability of yes changes as the level rises.",
            choices=_DIRECTIONS,
        ),
        Option(
            "task",
            _task,
            "Kind of task",
            "yes/no (the default), or 2AFC, 3AFC, ... for a forced choice: an answer is then correct or incorrect, and "
            "guesses are sometimes correct.",
            choices=_TASKS,
        ),
        Option(
            "target",
            _targets,
            "Target",
            "Target probability of yes (or correct), between 0 and 1. Up to three, separated by commas: 0.25, 0.75. "
            "Default: halfway between guessing and 1, which is 0.5 for yes or no and 0.75 for 2AFC; with "
            "DoseEscalation, 0.3.",
            ("number", "array"),
        ),
    ),
    "who": (
        Option("subject", _text(_LONGEST_LABEL), "Subject", "Optional: who answers."),
        Option("condition", _text(_LONGEST_LABEL), "Condition", "Optional: under which condition."),
    ),
    "how": (
        Option(
            "blind",
            _blind,
            "Blind: show neither level nor past answers nor estimates to the person who answers",
            "yes or no (the default): show neither level nor past answers nor estimates.",
            ("boolean",),
        ),
        Option(
            "sampler",
            _sampler,
            "How the next level is chosen",
            "The sampler, a name in weaklearn.adaptive. If in doubt, keep the default, PosteriorMinEnt.",
        ),
    ),
    "more": (
        Option(
            "block",
            _text(_LONGEST_LABEL),
            "Block",
            "Interleave sessions: the page asks those with the same block in rounds, one question each, in random "
            "order. Start all of them first.",
        ),
        Option(
            "scale",
            _one_of("linear", "log"),
            "Scale of the levels",
            "linear, or log where 1, 2, 4, 8 are equally far apart. Default: chosen from the levels.",
            choices=_SCALES,
        ),
        Option(
            "difference",
            _between(
                "a difference of probabilities lies between 0 and 1, such as 0.2", lambda value: 0 < value < 1
            ),
            "Difference instead of a target",
            "Look for the level whose probability differs from that of the first level by this much, such as 0.2.",
            ("number",),
        ),
        Option(
            "gain",
            _gain,
            "Gain instead of a target",
            "Look for the level with the largest gain times probability: points level:gain such as 1:5, 4:2, or the "
            "word level if a yes brings the level itself, as a price does.",
        ),
        Option(
            "yes_label", _text(_LONGEST_LABEL), "Label of yes", "Such as “Louder”. Default: Yes, or Correct."
        ),
        Option(
            "no_label", _text(_LONGEST_LABEL), "Label of no", "Such as “Softer”. Default: No, or Incorrect."
        ),
        Option("yes_key", _key, "Key for yes", "Default: y, or c for correct."),
        Option("no_key", _key, "Key for no", "Default: n, or i for incorrect."),
        Option(
            "lapse",
            _between(f"the lapse rate {_SHARE}", _is_share),
            "Lapse rate",
            "Probability of no far above the threshold. Default: 0 or 0.04, depending on the answers.",
            ("number",),
        ),
        Option(
            "cohort",
            _whole("the size of a cohort", 1, 100),
            "Cohort",
            "DoseEscalation: answers at a dose before the next decision. Default: 1.",
            ("integer",),
        ),
        Option(
            "overdose_limit",
            _between(f"the overdose limit {_SHARE}", _is_share),
            "Overdose limit",
            "DoseEscalation: largest allowed probability of an overdose. Default: for a new dose 0.16, rising by 0.014 "
            "with every answer up to 0.55; for a dose that was tried 0.35.",
            ("number",),
        ),
    ),
    "stop": (
        Option(
            "budget",
            _whole("the number of answers", 1, _LARGEST_BUDGET),
            "this many answers are given",
            "Stop after this many answers. Default: three per level, unless a width is given.",
            ("integer",),
        ),
        Option(
            "width",
            _between("the width must be positive", lambda value: value > 0),
            "or the 90% interval is this narrow",
            "Stop when the 90% interval is this narrow, in units of the levels. Optional.",
            ("number",),
        ),
    ),
    "observer": (
        Option(
            "truth",
            _between("the threshold must be a number below 1e100", lambda value: abs(value) < 1e100),
            "Expected threshold",
            "Simulations: the observer's threshold. Default: 43% of the range.",
            ("number",),
        ),
        Option(
            "spread",
            _between("the spread must be a positive number below 1e100", lambda value: 0 < value < 1e100),
            "Spread",
            "Simulations: scale of the observer's logistic curve, in units of the levels (of their logarithm on a log "
            "scale). Default: 5% of the range.",
            ("number",),
        ),
    ),
}
OPTIONS = {option.name: option for group in GROUPS.values() for option in group}
FIELDS = tuple(name for name, option in OPTIONS.items() if option not in GROUPS["observer"])
# Stored with a session and not for its sampler.
ABOUT = ("task", "subject", "condition", "blind", "block", "yes_label", "no_label", "yes_key", "no_key")
# Those that are options of the command themselves; the others are given to it by --set.
COMMAND_OPTIONS = ("levels", "target", "question", "budget", "width")


def read_options(typed: dict[str, str]) -> dict[str, Any]:
    """The value of every option from the texts ``typed``; raises `FieldErrors` for all wrong ones at once."""
    found, errors = {}, {}
    for name, option in OPTIONS.items():
        try:
            found[name] = option.read(typed.get(name, "").strip())
        except ValueError as error:
            errors[name] = str(error)
    if errors:
        raise FieldErrors(errors)
    return found


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e308 and math.isfinite(value)


def as_typed(name: str, value: Any) -> str:
    """A JSON value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if is_number(value):
        return repr(value)
    if isinstance(value, list) and all(map(is_number, value)):
        return " ".join(map(repr, value))
    raise FieldErrors({name: "must be a text, a number or a list of numbers"})
