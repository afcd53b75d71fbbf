"""The drawings of a session, with the same facts as text for people who do not see them.

`Trails` remembers how estimates and intervals developed, answer by answer.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from markupsafe import Markup
from sklearn.base import clone

from weaklearn.adaptive import Session
from weaklearn.display.palette import BLACK, BLUE, GREEN, GREY, PINK, VERMILLION
from weaklearn.thresholds._chart import Axis, Chart, stairs
from weaklearn.thresholds._wording import (
    CONFIDENCE,
    answer_word,
    estimate_words,
    is_forced_choice,
    level_text,
)

_MOST_SESSIONS = 50
_N_POINTS = 81  # of a curve
_COLOURS = (VERMILLION, GREEN, PINK)  # of the targets, of which there are at most three
_WORDS = f"{CONFIDENCE:.0%} interval"

# Per answer and target: value, low, high.
Trail = list[list[tuple[float, float, float]]]


def drawings(session: Session, trail: Trail) -> dict[str, Markup | str]:
    """The drawings of a session with answers: curve, narrowing, and posterior for samplers that have one."""
    return {
        "curve": _curve(session, trail),
        "narrowing": _narrowing(session, trail),
        "posterior": _posterior(session, trail) if hasattr(session.sampler, "density") else "",
    }


def _levels_axis(session: Session, label: str) -> Axis:
    """Levels that a sampler takes by their logarithms are drawn that way; with a margin."""
    low, high = session.levels[0], session.levels[-1]
    if getattr(session.sampler, "scale", "linear") == "log":
        factor = (high / low) ** 0.03
        return Axis(label, low / factor, high * factor, log=True)
    margin = 0.03 * (high - low)
    return Axis(label, low - margin, high + margin)


def _ends(chart: Chart, low: float, high: float, index: int, label: str) -> None:
    """An interval of levels as an area over the whole height."""
    chart.area(np.array([low, high]), chart.y.low, chart.y.high, _COLOURS[index], 0.13, label)


def _curve(session: Session, trail: Trail) -> Markup:
    counts, about = session.sampler.counts(), session.about
    told = counts.asked > 0
    levels, asked = counts.levels[told], counts.asked[told]
    shares = counts.yes[told] / asked
    rate = getattr(session.sampler, "guess_rate", 0.0)
    guess = float(rate) if isinstance(rate, int | float) else 0.0
    word = "a correct answer" if is_forced_choice(about) else "yes"
    lowest = min(guess, float(shares.min()))  # luck can be worse than guessing
    chart = Chart(_levels_axis(session, "level"), Axis(f"probability of {word}", lowest - 0.04, 1.04))
    for index, (value, low, high) in enumerate(trail[-1]):
        _ends(chart, low, high, index, _WORDS)
        chart.line([value, value], [chart.y.low, chart.y.high], _COLOURS[index], "threshold", dash="5 3")
    for target in session.targets:
        if hasattr(target, "level"):
            chart.line([chart.x.low, chart.x.high], [target.level] * 2, GREY, "target", 0.9, "1 2")
    if guess > 0:
        chart.line([chart.x.low, chart.x.high], [guess] * 2, GREY, "guessing", 0.9)
    spread = np.geomspace if chart.x.log else np.linspace
    x, fit = spread(session.levels[0], session.levels[-1], _N_POINTS), session.sampler.fitted()
    low, high = fit.predict_interval(x, CONFIDENCE, n_resamples=400, random_state=session.seed)
    chart.area(x, low, high, BLUE, 0.15, f"{CONFIDENCE:.0%} band")
    chart.line(x, fit.predict(x), BLUE, "fitted curve")
    chart.circles(levels, shares, 1.5 + np.sqrt(2 + asked), BLACK, f"share of {answer_word(True, about)}")
    rows = zip(levels, counts.yes[told], asked, strict=True)
    words = ", ".join(f"{int(yes)} of {int(n)} at level {level_text(level)}" for level, yes, n in rows)
    return chart.svg(f"Yes answers: {words}.")


def _posterior(session: Session, trail: Trail) -> Markup:
    """The posterior density of the threshold with the interval that is reported.

    Where the interval is wider than the middle of the posterior, a bar shows which thresholds remain possible if
    nothing is assumed but a rising curve.
    """
    edges, heights = session.sampler.density()
    parts = session.sampler.interval_parts(confidence=CONFIDENCE)
    y = Axis("posterior of the threshold", 0.0, 1.12, ticks=())
    chart = Chart(_levels_axis(session, "level"), y)
    _ends(chart, parts.whole.low, parts.whole.high, 0, _WORDS)
    middle = (edges[1:] > parts.posterior.low) & (edges[:-1] < parts.posterior.high)
    x, height = stairs(np.clip(edges, *parts.posterior), np.where(middle, heights, 0.0))
    chart.area(x, 0.0, height, VERMILLION, 0.3, f"its middle {CONFIDENCE:.0%}")
    x, height = stairs(edges, heights)
    chart.line(x, height, VERMILLION, "posterior")
    value, levels = trail[-1][0][0], session.levels
    words = f"Estimate and {_WORDS}: {estimate_words((value, *parts.whole), levels)}."
    if parts.whole != parts.posterior:
        chart.line(parts.rising, [1.06, 1.06], GREY, "any rising curve", 4)
        alone = estimate_words((value, *parts.posterior), levels)
        words += f" The posterior alone gives {alone}; a curve that only rises allows more."
    return chart.svg(words)


def _narrowing(session: Session, trail: Trail) -> Markup:
    """Estimate and interval of every target after each answer; before the first, the interval is the whole range."""
    n = len(trail)
    chart = Chart(Axis("answers", 0, max(n, 5)), _levels_axis(session, "threshold"))
    for index in range(len(session.targets)):
        values, low, high = np.array([estimates[index] for estimates in trail]).T
        whole = session.levels[0], session.levels[-1]
        low, high = np.concatenate([whole[:1], low]), np.concatenate([whole[1:], high])
        chart.area(np.arange(n + 1), low, high, _COLOURS[index], 0.2, "interval")
        chart.line(np.arange(1, n + 1), values, _COLOURS[index], "estimate", 2)
        chart.circles([n], values[-1:], 3, _COLOURS[index])
    first, last = (estimate_words(trail[place][0], session.levels) for place in (0, -1))
    return chart.svg(f"Estimate and interval after the first answer: {first}; after {n}: {last}.")


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
            trail.sampler.tell(level, outcome, off_grid=True)
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
