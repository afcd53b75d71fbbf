"""The settings of a session, declared once: command line, form, JSON interface and OpenAPI document use these.

A person types texts, a program sends numbers and lists as well; `Option.read` takes the text of either and returns a
value, or raises ValueError with a message that fits beside the field. Importing this is cheap: the command line shows
its help from it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from weaklearn.thresholds._readers import (
    MOST_LEVELS,
    read_between,
    read_blind,
    read_gain,
    read_key,
    read_levels,
    read_one_of,
    read_sampler,
    read_share,
    read_targets,
    read_task,
    read_text,
    read_whole,
)

_LONGEST_QUESTION = 500
_LARGEST_BUDGET = 100_000
_read_label = partial(read_text, 60)


class FieldErrors(ValueError):
    """What is wrong with which field."""

    def __init__(self, errors: dict[str, str]):
        super().__init__("; ".join(errors.values()))
        self.errors = errors


def errors_of(error: ValueError) -> dict[str, str]:
    """What a form says beside which field; faults that only the sampler itself can know stand beside the sampler."""
    return error.errors if isinstance(error, FieldErrors) else {"sampler": str(error)}


@dataclass(frozen=True)
class Option:
    """One setting.

    ``read`` goes from the stripped text, "" if nothing was given, to the value. The form shows ``label`` and ``hint``;
    command line and JSON interface show the hint. ``types`` are the JSON types in which a program may send it, beside
    text; ``choices`` are texts that the form offers, and what it says for each.
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


# --- the declaration ------------------------------------------------------------------------------------------------

_DIRECTIONS = {"rising": "more likely", "falling": "less likely"}
_TASKS = {
    "yes/no": "yes or no",
    "2AFC": "forced choice between two (2AFC)",
    "3AFC": "between three",
    "4AFC": "between four",
}
_SCALES = {"": "chosen from the levels", "linear": "linear", "log": "logarithmic"}

# What to begin with, for common experiments.
TEMPLATES: dict[str, dict[str, str]] = {
    "loudness": {"levels": "0 to 60 by 3", "question": "Do you hear the tone at {level} dB?", "budget": "40"},
    "price": {
        "levels": "2 to 20 by 1",
        "question": "Would you buy it for {level} euros?",
        "budget": "40",
        "direction": "falling",
    },
    "dose": {
        "levels": "10, 20, 40, 80, 160",
        "question": "Did {level} mg do harm?",
        "budget": "30",
        "sampler": "DoseEscalation",
        "target": "0.3",
        "cohort": "3",
    },
    "forced choice": {
        "levels": "1, 2, 4, 8, 16, 32, 64",
        "question": "Contrast {level}%: was the answer right?",
        "budget": "60",
        "task": "2AFC",
    },
}

# The parts of the form; "observer" is for simulations alone, all others are settings of a session.
GROUPS: dict[str, tuple[Option, ...]] = {
    "first": (
        Option(
            "levels",
            read_levels,
            "Range of what is varied",
            "20 to 80 (21 levels), 20 to 80 by 5, a list such as 1, 2, 4, 8, or start:stop:count such as 0:1:11. At "
            f"most {MOST_LEVELS} levels.",
            ("array",),
        ),
        Option(
            "question",
            partial(read_text, _LONGEST_QUESTION),
            "What counts as yes: the question",
            "What to ask each time. {level} stands for the level: “Would you pay {level} euros?”",
        ),
        Option(
            "budget",
            partial(read_whole, "the number of answers", 1, _LARGEST_BUDGET),
            "How many answers",
            "Stop after this many answers; 30 to 60 are usual. Default: three per level, unless a width is given.",
            ("integer",),
        ),
    ),
    "more": (
        Option(
            "template",
            partial(read_one_of, ("", *TEMPLATES)),
            "Template",
            f"Settings to begin with: {', '.join(TEMPLATES)}. Any other setting replaces them.",
        ),
        Option(
            "direction",
            partial(read_one_of, _DIRECTIONS),
            "As the level rises, yes becomes",
            "rising (the default) or falling: how the probability of yes changes as the level rises.",
            choices=_DIRECTIONS,
        ),
        Option(
            "task",
            read_task,
            "Kind of task",
            "yes/no (the default), or 2AFC, 3AFC, ... for a forced choice: an answer is then correct or incorrect, and "
            "guesses are sometimes correct.",
            choices=_TASKS,
        ),
        Option(
            "target",
            read_targets,
            "Target",
            "Target probability of yes (or correct), between 0 and 1. Up to three, separated by commas: 0.25, 0.75. "
            "Default: halfway between guessing and 1, which is 0.5 for yes or no and 0.75 for 2AFC; with "
            "DoseEscalation, 0.3.",
            ("number", "array"),
        ),
        Option(
            "width",
            partial(read_between, "the width must be positive", lambda value: value > 0),
            "Width",
            "Stop when the 90% interval is this narrow, in units of the levels. Optional.",
            ("number",),
        ),
        Option(
            "blind",
            read_blind,
            "Blind: show neither level nor past answers nor estimates to the person who answers",
            "yes or no (the default): show neither level nor past answers nor estimates.",
            ("boolean",),
        ),
        Option("subject", _read_label, "Subject", "Optional: who answers."),
        Option("condition", _read_label, "Condition", "Optional: under which condition."),
        Option(
            "block",
            _read_label,
            "Block",
            "Interleave sessions: the page asks those with the same block in rounds, one question each, in random "
            "order. Start all of them first.",
        ),
        Option(
            "sampler",
            read_sampler,
            "How the next level is chosen",
            "The sampler, a name in weaklearn.adaptive. If in doubt, keep the default, PosteriorMinEnt. DoseEscalation "
            "is a research tool, not approved for treating people.",
        ),
        Option(
            "scale",
            partial(read_one_of, _SCALES),
            "Scale of the levels",
            "linear, or log where 1, 2, 4, 8 are equally far apart. Default: chosen from the levels.",
            choices=_SCALES,
        ),
        Option(
            "difference",
            partial(
                read_between,
                "a difference of probabilities lies between 0 and 1, such as 0.2",
                lambda value: 0 < value < 1,
            ),
            "Difference instead of a target",
            "Look for the level whose probability differs from that of the first level by this much, such as 0.2.",
            ("number",),
        ),
        Option(
            "gain",
            read_gain,
            "Gain instead of a target",
            "Look for the level with the largest gain times probability: points level:gain such as 1:5, 4:2, or the "
            "word level if a yes brings the level itself, as a price does.",
        ),
        Option("yes_label", _read_label, "Label of yes", "Such as “Louder”. Default: Yes, or Correct."),
        Option("no_label", _read_label, "Label of no", "Such as “Softer”. Default: No, or Incorrect."),
        Option("yes_key", read_key, "Key for yes", "Default: y, or c for correct."),
        Option("no_key", read_key, "Key for no", "Default: n, or i for incorrect."),
        Option(
            "lapse",
            partial(read_share, "the lapse rate"),
            "Lapse rate",
            "Probability of no far above the threshold. Default: 0 or 0.04, depending on the answers.",
            ("number",),
        ),
        Option(
            "cohort",
            partial(read_whole, "the size of a cohort", 1, 100),
            "Cohort",
            "DoseEscalation: answers at a dose before the next decision. Default: 1.",
            ("integer",),
        ),
        Option(
            "overdose_limit",
            partial(read_share, "the overdose limit"),
            "Overdose limit",
            "DoseEscalation: largest allowed probability of an overdose. Default: for a new dose 0.16, rising by 0.014 "
            "with every answer up to 0.55; for a dose that was tried 0.35.",
            ("number",),
        ),
    ),
    "observer": (
        Option(
            "truth",
            partial(
                read_between, "the threshold must be a number below 1e100", lambda value: abs(value) < 1e100
            ),
            "Expected threshold",
            "Simulations: the observer's threshold. Default: 43% of the range.",
            ("number",),
        ),
        Option(
            "spread",
            partial(
                read_between,
                "the spread must be a positive number below 1e100",
                lambda value: 0 < value < 1e100,
            ),
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


def option_name(name: str) -> str:
    """How the setting is given on the command line."""
    return f"--{name}" if name in COMMAND_OPTIONS else f"--set {name}"


def read_options(typed: dict[str, str]) -> dict[str, Any]:
    """The value of every option from the texts ``typed``; raises `FieldErrors` for all wrong ones at once."""
    template = TEMPLATES.get(typed.get("template", "").strip(), {})
    typed = {**template, **{name: text for name, text in typed.items() if text.strip()}}
    found, errors = {}, {}
    for name, option in OPTIONS.items():
        try:
            found[name] = option.read(typed.get(name, "").strip())
        except ValueError as error:
            errors[name] = str(error)
    if errors:
        raise FieldErrors(errors)
    return found


def _is_number(value: Any) -> bool:
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
    if _is_number(value):
        return repr(value)
    if isinstance(value, list) and all(map(_is_number, value)):
        return " ".join(map(repr, value))
    raise FieldErrors({name: "must be a text, a number or a list of numbers"})
