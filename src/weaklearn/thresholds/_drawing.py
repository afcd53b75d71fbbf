"""The drawings of a session as inline SVG, with the same facts as text for people who do not see them.

`Trails` remembers how estimates and intervals developed, answer by answer.
"""

from dataclasses import dataclass, field
from typing import Any

# Loaded with the server, so that the first answer does not wait for it.
import matplotlib.backends.backend_svg  # noqa: F401
from markupsafe import Markup
from sklearn.base import clone

from weaklearn.adaptive import Session
from weaklearn.adaptive.drawing import posterior_figure, session_figure, trail_figure
from weaklearn.reports import inline_figure
from weaklearn.thresholds._wording import CONFIDENCE, estimate_words, level_text

_MOST_SESSIONS = 50

# Per answer and target: value, low, high.
Trail = list[list[tuple[float, float, float]]]


def drawings(session: Session, trail: Trail) -> dict[str, Markup | str]:
    """The drawings of a session with answers: curve, narrowing, and posterior for samplers that have one."""
    figure = posterior_figure(session, CONFIDENCE)
    return {
        "curve": inline_figure(
            session_figure(session, CONFIDENCE, title=False), "curve", _curve_words(session.sampler.counts())
        ),
        "narrowing": inline_figure(
            trail_figure(session, trail), "narrowing", _trail_words(trail, session.levels)
        ),
        "posterior": "" if figure is None else inline_figure(figure, "posterior", _posterior_words(session)),
    }


def _curve_words(counts) -> str:
    rows = zip(counts.levels, counts.yes, counts.asked, strict=True)
    return (
        "Yes answers: "
        + ", ".join(f"{int(yes)} of {int(n)} at level {level_text(level)}" for level, yes, n in rows if n > 0)
        + "."
    )


def _posterior_words(session: Session) -> str:
    value, levels = session.sampler.estimate(session.targets[0]), session.levels
    parts = session.sampler.interval_parts(confidence=CONFIDENCE)
    words = f"Estimate and {CONFIDENCE:.0%} interval: {estimate_words((value, *parts.whole), levels)}."
    if parts.whole == parts.posterior:
        return words
    middle = estimate_words((value, *parts.posterior), levels)
    return f"{words} The posterior alone gives {middle}; a curve that only rises allows more."


def _trail_words(trail: Trail, levels: list[float]) -> str:
    first, last = (estimate_words(trail[place][0], levels) for place in (0, -1))
    return f"Estimate and interval after the first answer: {first}; after {len(trail)}: {last}."


@dataclass
class _Trail:
    sampler: Any
    answers: list[tuple[float, bool]] = field(default_factory=list)
    estimates: Trail = field(default_factory=list)


class Trails:
    """The past estimates of the sessions shown last: each answer is computed once, not once per page."""

    def __init__(self) -> None:
        self._trails: dict[str, _Trail] = {}

    def of(self, session: Session) -> Trail:
        """Per answer and target: value, low, high."""
        answers = [(answer.level, answer.outcome) for answer in session.sampler.history]
        trail = self._trails.pop(session.id, None) or _Trail(clone(session.sampler))
        while trail.answers != answers[: len(trail.answers)]:
            trail.answers.pop()
            trail.estimates.pop()
            trail.sampler.undo()
        for level, outcome in answers[len(trail.answers) :]:
            trail.sampler.tell(level, outcome)
            trail.answers.append((level, outcome))
            trail.estimates.append([_estimate(trail.sampler, target) for target in session.targets])
        self._trails[session.id] = trail  # last in the dict is used last
        while len(self._trails) > _MOST_SESSIONS:
            del self._trails[next(iter(self._trails))]
        return list(trail.estimates)


def _estimate(sampler: Any, target: Any) -> tuple[float, float, float]:
    value = sampler.estimate(target)
    low, high = sampler.interval(target, CONFIDENCE)
    # As in Session.estimate: the interval need not come from the same fit as the value.
    return float(value), float(min(low, value)), float(max(high, value))
