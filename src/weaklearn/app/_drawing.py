"""The two drawings of a session as inline SVG: the curve, and the interval as it narrows.

Colours and fonts come from the style sheet by class names, so that the drawings follow light and dark; nothing in
them is a style attribute, which the page's content policy would not allow.
"""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup, escape

from weaklearn.adaptive import Session
from weaklearn.app._wording import level_text, number

__all__ = ["curve_drawing", "trail_drawing"]

_WIDTH, _HEIGHT = 460, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 14, 44


class _Frame:
    """A plot area, its axes, and the parts drawn into it."""

    def __init__(self, x_range: tuple[float, float], y_range: tuple[float, float]):
        self.x_range, self.y_range = x_range, y_range
        self.parts: list[str] = []

    def x(self, value: float) -> float:
        low, high = self.x_range
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - low) / (high - low), 2)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low), 2)

    def add(self, name: str, kind: str, text: object = "", **attributes: object) -> None:
        pairs = "".join(
            f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items()
        )
        self.parts.append(f'<{name} class="{kind}"{pairs}>{escape(str(text))}</{name}>')

    def line(self, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
        self.add("line", kind, x1=self.x(x1), y1=self.y(y1), x2=self.x(x2), y2=self.y(y2))

    def polyline(self, kind: str, points) -> None:
        self.add("polyline", kind, points=" ".join(f"{self.x(a)},{self.y(b)}" for a, b in points))

    def polygon(self, kind: str, points) -> None:
        self.add("polygon", kind, points=" ".join(f"{self.x(a)},{self.y(b)}" for a, b in points))

    def axes(
        self, x_ticks: Sequence[float], y_ticks: Sequence[float], x_label: str, y_label: str, y_text=number
    ):
        bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        for tick in y_ticks:
            self.add("line", "grid", x1=_LEFT, x2=right, y1=self.y(tick), y2=self.y(tick))
            self.add("text", "tick", y_text(tick), x=_LEFT - 7, y=self.y(tick) + 4, text_anchor="end")
        self.add("line", "axis", x1=_LEFT, x2=right, y1=bottom, y2=bottom)
        for tick in x_ticks:
            self.add("line", "axis", x1=self.x(tick), x2=self.x(tick), y1=bottom, y2=bottom + 4)
            self.add("text", "tick", number(tick), x=self.x(tick), y=bottom + 18, text_anchor="middle")
        self.add("text", "label", x_label, x=(_LEFT + right) / 2, y=_HEIGHT - 6, text_anchor="middle")
        middle = (_TOP + bottom) / 2
        self.add(
            "text",
            "label",
            y_label,
            x=13,
            y=middle,
            text_anchor="middle",
            transform=f"rotate(-90 13 {middle})",
        )

    def svg(self, description: str) -> Markup:
        # The parts are made of escaped text only.
        return Markup(
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(description)}">'
            f"{''.join(self.parts)}</svg>"
        )


def _ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers in [low, high], at most ``most`` of them."""
    raw = (high - low) / most
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return [float(f"{i * step:.12g}") + 0.0 for i in np.arange(first, last + 1)]  # + 0.0 turns -0 into 0


def _level_ticks(levels: list[float]) -> list[float]:
    return levels if len(levels) <= 6 and _well_apart(levels) else _ticks(levels[0], levels[-1])


def _well_apart(levels: list[float]) -> bool:
    gaps = np.diff(levels) / (levels[-1] - levels[0])
    return bool(gaps.min() > 0.09)


def curve_drawing(session: Session, estimates: list[dict]) -> Markup:
    """Shares of yes, the fitted curve, the targets, and the thresholds with their intervals."""
    levels = session.levels
    margin = 0.03 * (levels[-1] - levels[0])
    frame = _Frame((levels[0] - margin, levels[-1] + margin), (-0.04, 1.04))
    for index, found in enumerate(estimates):
        low, high = frame.x(found["low"]), frame.x(found["high"])
        frame.add(
            "rect",
            f"band t{index}",
            x=low,
            y=_TOP,
            width=max(high - low, 1.5),
            height=_HEIGHT - _TOP - _BOTTOM,
        )
    frame.axes(
        _level_ticks(levels),
        [0, 0.25, 0.5, 0.75, 1],
        "level",
        "answers that are yes",
        lambda share: f"{share:.0%}",
    )
    for target in session.targets:
        if hasattr(target, "level"):
            frame.line("target", levels[0] - margin, target.level, levels[-1] + margin, target.level)
    counts = session.sampler.counts()
    asked = counts.asked > 0
    if asked.any():
        grid = np.linspace(levels[0], levels[-1], 121)
        frame.polyline("curve", zip(grid, np.clip(session.sampler.fitted().predict(grid), 0, 1), strict=True))
        for level, yes, n in zip(counts.levels[asked], counts.yes[asked], counts.asked[asked], strict=True):
            # The area of a dot is the number of answers.
            radius = round(min(3.5 + 2.0 * np.sqrt(n - 1), 14), 2)
            frame.add("circle", "dot", cx=frame.x(level), cy=frame.y(yes / n), r=radius)
    for index, found in enumerate(estimates):
        frame.line(f"threshold t{index}", found["value"], -0.04, found["value"], 1.04)
    return frame.svg(_curve_words(counts))


def _curve_words(counts) -> str:
    rows = zip(counts.levels, counts.yes, counts.asked, strict=True)
    words = [f"{int(yes)} of {int(n)} at level {level_text(level)}" for level, yes, n in rows if n > 0]
    return "Yes answers: " + ", ".join(words) + "." if words else "No answers yet."


def trail_drawing(session: Session, trail: list[list[tuple[float, float, float]]]) -> Markup:
    """Estimate and interval (heights) after every answer (left to right); before the first, the whole range."""
    levels = session.levels
    low, high = levels[0], levels[-1]
    margin = 0.03 * (high - low)
    n = len(trail)
    frame = _Frame((0, max(n, 5)), (low - margin, high + margin))
    middle = 0.5 * (low + high)
    for index in range(len(session.targets)):
        rows = [(middle, low, high), *(estimates[index] for estimates in trail)]
        lower = [(i, row[1]) for i, row in enumerate(rows)]
        upper = [(i, row[2]) for i, row in enumerate(rows)]
        if n:
            frame.polygon(f"band t{index}", [*lower, *reversed(upper)])
    whole = [tick for tick in _ticks(0, max(n, 5)) if tick == round(tick)]
    frame.axes(whole, _level_ticks(levels), "answers", "threshold")
    for index in range(len(session.targets)):
        if n:
            values = [(i + 1, estimates[index][0]) for i, estimates in enumerate(trail)]
            frame.polyline(f"threshold t{index}", values)
            frame.add("circle", f"now t{index}", cx=frame.x(n), cy=frame.y(values[-1][1]), r=4)
    return frame.svg(_trail_words(trail))


def _trail_words(trail) -> str:
    if not trail:
        return "No answers yet."
    first, last = trail[0][0], trail[-1][0]
    return (
        f"After the first answer the interval was {number(first[1])} to {number(first[2])}; after "
        f"{len(trail)} it is {number(last[1])} to {number(last[2])}."
    )
