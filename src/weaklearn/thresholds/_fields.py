"""The fields of a new experiment, each read from what a person typed.

A reader takes the stripped text and returns a value, or raises ValueError in words that fit beside the field.
"""

import itertools
import math
from typing import Any

from weaklearn.adaptive import DEFAULT_SAMPLER, SAMPLERS, guess_rate_of
from weaklearn.monotone import Difference, TradeOff

__all__ = ["MOST_LEVELS", "READERS"]

# Every level gets a row on the page; the samplers themselves manage a thousand.
MOST_LEVELS = 200
_LARGEST_LEVEL = 1e100
_LONGEST_QUESTION = 500
_LONGEST_LABEL = 60
_LARGEST_BUDGET = 100_000
_MOST_TARGETS = 3


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


def _difference(text: str) -> Difference | None:
    if not text:
        return None
    amount = _number(text)
    if not 0 < amount < 1:
        raise ValueError(f"a difference of probabilities lies between 0 and 1, such as 0.2; got {amount:g}")
    return Difference(amount)


def _gain(text: str) -> TradeOff | str | None:
    """Points level:gain, or the word level where what an answer brings is the level itself (a price)."""
    if text in ("", "level"):
        return text or None
    points = {}
    for part in text.replace(",", " ").replace(";", " ").split():
        level, colon, gain = part.partition(":")
        if not colon:
            raise ValueError(f"write level:gain, such as 1:5 4:2, or the word level; got {_short(part)}")
        if _number(level) in points:
            raise ValueError(f"the gain at {level} is given twice")
        points[_number(level)] = _number(gain)
    inputs = sorted(points)
    return TradeOff((inputs, [points[level] for level in inputs]))


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


READERS: dict[str, Any] = {
    "question": _question,
    "levels": _levels,
    "target": _targets,
    "difference": _difference,
    "gain": _gain,
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
    "block": _label,
    "yes_label": _label,
    "no_label": _label,
    "yes_key": _key,
    "no_key": _key,
    "blind": _blind,
}
