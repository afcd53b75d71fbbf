"""From what a person types to a value: one reader for each kind of setting, used by `_options`.

A reader takes the stripped text, "" if nothing was given, and returns a value, or raises ValueError with a message that
fits beside the field. What else it takes comes first: `functools.partial` makes a reader of it.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

# Every level gets a row on the page; the samplers themselves manage a thousand.
MOST_LEVELS = 200
_LARGEST_LEVEL = 1e100
_MOST_TARGETS = 3
_USUAL_LEVELS = 21
_RANGE = re.compile(r"(\S+)\s+to\s+(\S+)(?:\s+by\s+(\S+))?", re.IGNORECASE)


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


def _parts(text: str) -> list[str]:
    return text.replace(",", " ").replace(";", " ").split()


def read_whole(what: str, least: int, most: int, text: str) -> int | None:
    if not text:
        return None
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{what} must be a whole number, got {_quoted(text)}") from None
    if not least <= value <= most:
        raise ValueError(f"{what} must be from {least} to {most}, got {value}")
    return value


def read_between(what: str, holds: Callable[[float], bool], text: str) -> float | None:
    """A number for which ``holds`` is true, or None; ``what`` says what it must be."""
    if not text:
        return None
    value = _number(text)
    if not holds(value):
        raise ValueError(f"{what}, got {text}")
    return value


def read_share(what: str, text: str) -> float | None:
    return read_between(f"{what} is a probability from 0 up to 1", lambda value: 0 <= value < 1, text)


def read_text(longest: int, text: str) -> str:
    if len(text) > longest:
        raise ValueError(f"at most {longest} characters, got {len(text)}")
    return text


def read_one_of(allowed: Iterable[str], text: str) -> str:
    if text and text not in allowed:
        raise ValueError(f"must be {' or '.join(filter(None, allowed))}, got {_quoted(text)}")
    return text


def read_levels(text: str) -> list[float]:
    if not text:
        raise ValueError("give the levels that may be tried, such as 20 to 80, or 1, 2, 4, 8")
    if found := _RANGE.fullmatch(text):
        levels = _stepped(*found.groups())
    elif ":" in text:
        levels = _spread(text)
    else:
        parts = _parts(text)
        if len(parts) > 10 * MOST_LEVELS:
            raise ValueError(f"at most {MOST_LEVELS} levels, got {len(parts)}")
        try:
            levels = sorted({_number(part) for part in parts})
        except ValueError as error:
            raise ValueError(f"write 20 to 80, 20 to 80 by 5, or a list such as 5, 10, 20: {error}") from None
    if len(levels) < 2:
        raise ValueError("give at least two different levels")
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"at most {MOST_LEVELS} levels, got {len(levels)}")
    largest = max(map(abs, levels))
    if largest > _LARGEST_LEVEL:
        raise ValueError(f"levels must lie between {-_LARGEST_LEVEL:g} and {_LARGEST_LEVEL:g}")
    gap = min(b - a for a, b in itertools.pairwise(levels))
    if gap < 1e-12 * largest or gap < 1 / _LARGEST_LEVEL:
        raise ValueError(f"two levels differ by only {gap:.3g}, too little to be told apart")
    return levels


def _stepped(start: str, stop: str, step: str | None) -> list[float]:
    """LOW to HIGH is 21 levels, LOW to HIGH by STEP those from the lower end on."""
    low, high = sorted((_number(start), _number(stop)))
    if step is None:
        return _spread(f"{low!r}:{high!r}:{_USUAL_LEVELS}")
    size = _number(step)
    if not 0 < size <= high - low:
        raise ValueError(f"the step must be positive and at most {high - low:g}, got {step}")
    n = math.floor((high - low) / size * (1 + 1e-12))
    if n >= MOST_LEVELS:
        raise ValueError(f"at most {MOST_LEVELS} levels: the step {step} is too small")
    return [float(f"{low + i * size:.12g}") for i in range(n + 1)]


def _spread(text: str) -> list[float]:
    """start:stop:n is n equally spaced levels, both ends included."""
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 3 or not parts[2]:
        raise ValueError(f"write start:stop:count, such as 0:1:11; got {_quoted(text)}")
    start, stop = _number(parts[0]), _number(parts[1])
    n = read_whole("the number of levels", 2, MOST_LEVELS, parts[2]) or 2
    if start == stop:
        raise ValueError(f"start and stop are both {start:g}")
    step = (stop - start) / (n - 1)
    # Rounded to what a person would write: 0:1:11 has the level 0.3 and not 0.30000000000000004.
    return sorted({float(f"{start + i * step:.12g}") for i in range(n)})


def read_targets(text: str) -> list[float]:
    targets = [_number(part) for part in _parts(text)]
    for target in targets:
        if not 0 < target < 1:
            raise ValueError(f"a target is a probability of yes between 0 and 1, such as 0.5; got {target:g}")
    if len(targets) > _MOST_TARGETS:
        raise ValueError(f"at most {_MOST_TARGETS} targets, got {len(targets)}")
    if len(set(targets)) < len(targets):
        raise ValueError("a target is given twice")
    return targets


def read_gain(text: str) -> Any:
    """A `TradeOff` from points level:gain, or the word level."""
    from weaklearn.monotone import TradeOff  # slow to import: help must not wait for it

    if text in ("", "level"):
        return text or None
    points = {}
    for part in _parts(text):
        level, colon, gain = part.partition(":")
        if not colon:
            raise ValueError(f"write level:gain, such as 1:5 4:2, or the word level; got {_quoted(part)}")
        if _number(level) in points:
            raise ValueError(f"the gain at {level} is given twice")
        points[_number(level)] = _number(gain)
    inputs = sorted(points)
    return TradeOff((inputs, [points[level] for level in inputs]))


def read_sampler(text: str) -> str:
    from weaklearn.adaptive import DEFAULT_SAMPLER, SAMPLERS  # slow to import: help must not wait for it

    name = text or DEFAULT_SAMPLER
    by_lower = {known.lower(): known for known in SAMPLERS}
    if name.lower() not in by_lower:
        raise ValueError(f"must be one of {', '.join(SAMPLERS)}; got {_quoted(name)}")
    return by_lower[name.lower()]


def read_task(text: str) -> str:
    from weaklearn.adaptive import guess_rate_of  # slow to import: help must not wait for it

    if text:
        guess_rate_of(text)  # or ValueError
    return text if text == "yes/no" else text.upper()


def read_blind(text: str) -> str:
    return "" if read_one_of(("yes", "no"), text) == "no" else text


def read_key(text: str) -> str:
    if len(text) > 1 or text.lower() == "u":
        raise ValueError(f"one letter or digit, not u, which undoes; got {_quoted(text)}")
    return text.lower()
