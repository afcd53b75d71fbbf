"""Small pictures of the report as plain data: effects with their intervals, and ours against published.

Positions are in the units of the drawing's view box; the templates draw them, so that pictures follow the colours of
the page.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weaklearn.lab._claim import Found, Part
from weaklearn.lab._compare import Cell
from weaklearn.lab._wording import short_number

WIDTH = 300.0
_MARGIN = 8.0


@dataclass(frozen=True)
class _Scale:
    """From numbers to places between the margins."""

    low: float
    high: float

    def __call__(self, value: float) -> float:
        if not math.isfinite(value):
            value = math.copysign(math.inf, value)
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(_MARGIN + (WIDTH - 2 * _MARGIN) * min(max(share, 0.0), 1.0), 1)


def shown_parts(found: Found) -> list[Part]:
    """The parts, and the average of several."""
    average = [found.overall] if found.overall is not None and len(found.parts) > 1 else []
    return [*found.parts, *average]


def forest(found: Found) -> dict[str, Any]:
    """Effects with 90% intervals on a common scale, that of ratios logarithmic; bounds where the sentence is true."""
    parts = shown_parts(found)
    bounds = [bound for bound in found.bounds if math.isfinite(bound)]

    def number(value: float) -> float:
        return math.log(max(value, 1e-300)) if found.unit == "ratio" else value

    shown = [number(value) for part in parts for value in (part.low, part.high) if math.isfinite(value)]
    shown += [number(part.effect) for part in parts] + [number(bound) for bound in bounds]
    scale = _Scale(min(shown), max(shown))

    def mark(part: Part) -> dict[str, Any]:
        tone = "good" if part.p_true <= 0.05 else "bad" if part.p_false <= 0.05 else "open"
        x, low, high = (scale(number(value)) for value in (part.effect, part.low, part.high))
        return {"x": x, "low": low, "high": high, "tone": tone, "overall": part is found.overall}

    return {"bounds": [scale(number(bound)) for bound in bounds], "marks": [mark(part) for part in parts]}


def scatter(cells: Sequence[Cell]) -> dict[str, Any]:
    """Published against ours, with a bar of two standard errors of the difference."""
    values = [number for cell in cells for number in (cell.ours, cell.published) if number is not None]
    scale = _Scale(min(values), max(values))
    points = []
    for cell in cells:
        assert cell.ours is not None
        assert cell.published is not None
        bar = 2 * (cell.difference_error or 0.0)
        points.append(
            {
                "x": scale(cell.published),
                "y": WIDTH - scale(cell.ours),
                "low": WIDTH - scale(cell.ours - bar),
                "high": WIDTH - scale(cell.ours + bar),
                "tone": "open" if cell.explained else "neutral",
            }
        )
    return {"points": points, "low": short_number(min(values)), "high": short_number(max(values))}
