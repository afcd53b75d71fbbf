"""How the terminal and the page say the same things."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the home page needs a few words and no session
    from weaklearn.adaptive import Session

# The confidence of every interval that is shown, and the default one of IntervalWidth.
CONFIDENCE = 0.9
_YES_NO: Mapping[str, str] = MappingProxyType({})  # a session that says nothing about its task


def number(value: float, width: float | None = None) -> str:
    """A number with the digits it deserves.

    Beside an interval of this ``width``: two digits of the width. Without one: four significant digits, and all digits
    of a whole number.
    """
    if width is not None and width > 0:
        decimals = 1 - math.floor(math.log10(width))
        if 0 <= decimals <= 9 and abs(value) < 1e9:
            text = f"{value:.{decimals}f}"
            return text.lstrip("-") if float(text) == 0 else text
        if decimals < 0 and abs(value) < 1e9:
            return f"{round(value, decimals):.0f}"
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:.4g}"


def level_text(value: float) -> str:
    """A level as exactly as a person wrote it: levels are to be set on a device, not estimated."""
    return f"{value:.12g}"


def is_forced_choice(about: Mapping[str, str]) -> bool:
    """Whether answers are correct or incorrect, rather than yes or no."""
    return about.get("task", "yes/no") != "yes/no"


def answer_word(outcome: bool, about: Mapping[str, str] = _YES_NO) -> str:
    """yes or no; correct or incorrect in a forced choice."""
    if is_forced_choice(about):
        return "correct" if outcome else "incorrect"
    return "yes" if outcome else "no"


def answer_labels(about: Mapping[str, str]) -> dict[str, str]:
    """What the two answers are called on the buttons: own words, or the plain ones."""
    plain = {"yes": answer_word(True, about).capitalize(), "no": answer_word(False, about).capitalize()}
    return {name: about.get(f"{name}_label") or word for name, word in plain.items()}


def answer_keys(about: Mapping[str, str]) -> dict[str, str]:
    """The key of each answer: own ones, or the first letter of the plain word."""
    plain = {"yes": answer_word(True, about)[0], "no": answer_word(False, about)[0]}
    return {name: about.get(f"{name}_key") or letter for name, letter in plain.items()}


def question_text(session: "Session", level: float) -> str:
    """The wording with the level in place of {level}; a plain one if none was given."""
    either = f"{answer_word(True, session.about).capitalize()} or {answer_word(False, session.about)}"
    wording = session.question or either + " at level {level}?"
    return wording.replace("{level}", level_text(level))


def title_text(question: str, otherwise: str) -> str:
    """The wording where no level is asked: a gap stands for it."""
    return question.replace("{level}", "…") or otherwise


def target_name(target: dict, about: Mapping[str, str] = _YES_NO) -> str:
    """A target as estimates describe it."""
    if "crossing" in target:
        return f"threshold for {100 * target['crossing']:.4g}% {answer_word(True, about)}"
    if "difference" in target:
        return f"level that differs from the first by {100 * target['difference']:.4g} percentage points"
    return "level with the largest expected gain"


def estimate_line(found: dict, about: Mapping[str, str] = _YES_NO) -> str:
    """Value and interval of one target, or on which side of all levels it lies."""
    name = target_name(found["target"], about)
    if found["outside"] is not None:
        return f"{name}: {found['outside']} every level (p = {found['p_outside']:.2f})"
    ends = interval_words(found["low"], found["high"], found["low_open"], found["high_open"])
    value = number(found["value"], found["high"] - found["low"])
    return f"{name}: {value} ({CONFIDENCE:.0%} interval {ends})"


def interval_words(low: float, high: float, low_open: bool = False, high_open: bool = False) -> str:
    """The ends of an interval; an open end lies beyond the levels, where nothing can be asked."""
    first = "below the lowest level" if low_open else number(low, high - low)
    last = "above the highest level" if high_open else number(high, high - low)
    return f"{first} to {last}"


def estimate_words(found: Sequence[float], levels: Sequence[float]) -> str:
    """One entry (value, low, high) of a table of past estimates."""
    value, low, high = found
    ends = max(low, levels[0]), min(high, levels[-1])
    words = interval_words(*ends, low < levels[0], high > levels[-1])
    return f"{number(value, ends[1] - ends[0])} ({words})"


def progress(session: "Session") -> tuple[int, int | None]:
    """Answers so far and, where the stopping rule has a budget, how many there are at most."""
    return len(session.sampler.history), session.stop.most_answers()


def stop_words(rule: dict) -> str:
    """The stopping rule as a clause: "after 12 answers"."""
    match rule:
        case {"budget": n}:
            return f"after {n} answers"
        case {"interval_width": width, "confidence": confidence, **_rest}:
            return f"when the {confidence:.0%} interval is at most {number(width)} wide"
        case {"outside_levels": share, **_rest}:
            return f"when the threshold lies outside the levels (p at least {share:g})"
        case {"entropy_below": bits}:
            return f"when the entropy is at most {bits:g} bits"
        case {"reversals": n}:
            return f"after {n} reversals"
        case {"any": parts}:
            return " or ".join(stop_words(part) for part in parts)
        case {"all": parts}:
            return " and ".join(stop_words(part) for part in parts)
    return "by a rule of its own"
